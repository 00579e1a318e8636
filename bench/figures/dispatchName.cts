import { createDispatch } from '../support/createDispatch.cts';
import type { Figure } from '../support/figure.cts';
import { rowsUpTo } from '../support/recipients.cts';
import { inRounds } from '../support/rounds.cts';
import { listLatencyMs } from '../support/service.cts';
import { chain, httpStep, partnerStep } from '../support/workflows.cts';

/** Nobody waits longer than that for a protection. */
const allowedMs = 2_000;

export const dispatchName: Figure = {
	name: 'Dispatch name',
	run: async ({ service, run, quick, report }) => {
		const size = quick ? 500 : 10_000;
		service.items = rowsUpTo(1);
		const workflow = chain('bench-dispatch-name', [
			httpStep('Items', { url: `${service.url}/items`, options: {} }),
			{
				...partnerStep('Ours', service.credential, { ...createDispatch, name: 'Earlier 1' }),
				onError: 'continueRegularOutput',
			},
		]);
		const look = async () => {
			service.forget();
			service.earlier = size;
			try {
				const finished = await run(workflow);
				const [item] = finished.items('Ours');
				if (!JSON.stringify(item).includes('was already sent')) {
					throw new Error(`The name was not found: ${JSON.stringify(item)}.`);
				}
				if (service.dispatches.length > 0) throw new Error('A dispatch was created.');
				return finished.ms('Ours');
			} finally {
				service.earlier = 0;
			}
		};
		// Logs in and compiles.
		await look();
		const { ours } = await inRounds(quick ? 1 : 5, { ours: look }, report);
		return [
			{
				what: `Search for the name among ${size.toLocaleString('en')} earlier dispatches, ${listLatencyMs} ms latency`,
				unit: 'ms',
				ours: { name: 'Dispatch Create, which stops', values: ours },
				theirs: { name: 'the time allowed', values: ours.map(() => allowedMs) },
				limit: 1,
			},
		];
	},
};
