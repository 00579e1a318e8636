import type { Workflow } from '../../host/n8n/workflow.cts';
import { createDispatch } from '../support/createDispatch.cts';
import type { Figure } from '../support/figure.cts';
import { expectArrived, rowsUpTo } from '../support/recipients.cts';
import { inRounds } from '../support/rounds.cts';
import { chain, evaluateStep, httpStep, partnerStep } from '../support/workflows.cts';

const expression = '={{ $json.phone.replaceAll(" ", "") }}';

export const dispatchExpressions: Figure = {
	name: 'Expressions in Dispatch Create',
	run: async ({ service, run, quick, report }) => {
		// Short and often: within a long round a shared machine changes its speed by a fifth.
		const size = quick ? 100 : 2_500;
		const source = httpStep('Items', { url: `${service.url}/items`, options: {} });
		const ours = chain('bench-expression-ours', [
			source,
			partnerStep('Ours', service.credential, { ...createDispatch, destination: expression }),
		]);
		const theirs = chain('bench-expression-theirs', [source, evaluateStep('Evaluate', expression)]);

		const measure = async (workflow: Workflow, node: string, count: number) => {
			service.items = rowsUpTo(count);
			service.forget();
			const finished = await run(workflow);
			const bodies = service.dispatches.flatMap((dispatch) => dispatch.bodies);
			if (workflow === ours) expectArrived(bodies, count);
			else if (finished.items(node)[0]?.json.count !== count) throw new Error('Items are missing.');
			return finished.ms(node);
		};
		// Logs in, compiles and fills caches.
		await measure(ours, 'Ours', Math.min(500, size));
		await measure(theirs, 'Evaluate', Math.min(500, size));
		const times = await inRounds(
			quick ? 1 : 48,
			{
				ours: async () => await measure(ours, 'Ours', size),
				theirs: async () => await measure(theirs, 'Evaluate', size),
			},
			report,
		);
		return [
			{
				what: `${size.toLocaleString('en')} recipients, Phone Number set by an expression`,
				unit: 'ms',
				ours: { name: 'Dispatch Create', values: times.ours },
				theirs: { name: 'the expression alone', values: times.theirs },
				limit: 1.1,
				note: "a node in the same n8n that only asks for the expression's value, item by item: what n8n's expression engine costs everybody",
			},
		];
	},
};
