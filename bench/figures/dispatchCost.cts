import type { Workflow } from '../../host/n8n/workflow.cts';
import { createDispatch } from '../support/createDispatch.cts';
import type { Figure } from '../support/figure.cts';
import { runDispatches } from '../support/programs.cts';
import { dispatchId } from '../support/receivedDispatch.cts';
import { batchSize, digitsOf, expectArrived, rowsUpTo } from '../support/recipients.cts';
import { inRounds } from '../support/rounds.cts';
import { latencyMs } from '../support/service.cts';
import { chain, httpStep, partnerStep } from '../support/workflows.cts';

const values = '{ name: $json.name, order: String($json.order), discount: $json.discount }';

export const dispatchCost: Figure = {
	name: 'Cost of Dispatch Create',
	run: async (ground) => {
		const { service, run, quick, report } = ground;
		const size = quick ? 2_000 : 100_000;
		// Both sides several times, as in a program that runs for long: once is not enough for V8.
		const warmUps = quick ? [1_000] : [10_000, 10_000, 10_000];
		// A request each takes minutes for all; it takes the same time for each, so some stand for all.
		const sample = quick ? 20 : 2_000;

		const source = httpStep('Items', { url: `${service.url}/items`, options: {} });
		const ours = chain('bench-dispatch-ours', [
			source,
			partnerStep('Ours', service.credential, createDispatch),
		]);
		const oneEach = chain('bench-dispatch-one-each', [
			source,
			httpStep(
				'HTTP Request',
				{
					method: 'POST',
					url: `${service.url}/dispatches/${dispatchId}/messages`,
					sendBody: true,
					specifyBody: 'json',
					jsonBody: `={{ { messages: [{ destination: $json.digits, substitutions: ${values} }] } }}`,
					options: {},
				},
				service.credential,
			),
		]);

		const measure = async (workflow: Workflow, node: string, items: unknown[]) => {
			service.items = items;
			service.forget();
			const finished = await run(workflow);
			expectArrived(
				service.dispatches.flatMap(({ bodies }) => bodies),
				items.length,
			);
			return finished.ms(node);
		};
		const rows = rowsUpTo(size);
		// That node cannot read numbers: it gets them ready.
		const ready = rowsUpTo(sample).map((row, index) => ({ ...row, digits: digitsOf(index) }));
		// Logs in, compiles and fills caches.
		for (const warmUp of warmUps) await measure(ours, 'Ours', rows.slice(0, warmUp));
		await measure(oneEach, 'HTTP Request', ready.slice(0, 100));

		const lastOf = async (program: 'bareScript' | 'nodeInCore') => {
			const measured = await runDispatches(program, [...warmUps, size], ground);
			return measured[warmUps.length];
		};
		const memory: Record<'node' | 'bare', number[]> = { node: [], bare: [] };
		const times = await inRounds(
			quick ? 1 : 5,
			{
				ours: async () => await measure(ours, 'Ours', rows),
				node: async () => {
					const { ms, mb } = await lastOf('nodeInCore');
					memory.node.push(mb);
					return ms;
				},
				bare: async () => {
					const { ms, mb } = await lastOf('bareScript');
					memory.bare.push(mb);
					return ms;
				},
				oneEach: async () =>
					(await measure(oneEach, 'HTTP Request', ready)) * (size / ready.length),
			},
			report,
		);

		service.delaysDispatches = true;
		const distant = await inRounds(
			quick ? 1 : 3,
			{
				node: async () => (await lastOf('nodeInCore')).ms,
				bare: async () => (await lastOf('bareScript')).ms,
			},
			report,
		).finally(() => {
			service.delaysDispatches = false;
		});

		const what = `${size.toLocaleString('en')} recipients with three placeholder values each`;
		const bare = { name: 'a plain script, time', values: times.bare };
		const inWholeN8n = { name: 'Dispatch Create', values: times.ours };
		return [
			{
				what,
				unit: 'ms',
				ours: { name: 'Dispatch Create', values: times.node },
				theirs: bare,
				limit: 1.5,
				note: `the same rows in memory, the same number parser, the same requests of ${batchSize.toLocaleString('en')} with Node's fetch, and no checks; both in a process of their own with the same settings for garbage collection, our node in n8n's engine`,
			},
			{
				what: `${what}, ${latencyMs} ms latency`,
				unit: 'ms',
				ours: { name: 'Dispatch Create', values: distant.node },
				theirs: { name: 'a plain script, time', values: distant.bare },
				limit: 0.4,
				note: 'the script adds one request after another, our node six at a time',
			},
			{
				what,
				unit: 'MB',
				ours: { name: 'Dispatch Create', values: memory.node },
				theirs: { name: 'a plain script, memory', values: memory.bare },
				limit: 2,
				note: "the same processes: the peak of V8's heap and buffers above what was in use before",
			},
			{
				what: `${what}, in a complete n8n`,
				unit: 'ms',
				ours: inWholeN8n,
				theirs: bare,
				limit: 1.5,
				note: 'the time n8n gives for our node: now and then it holds a collection of the garbage of everything else in n8n',
			},
			{
				what: `${what}, in a complete n8n`,
				unit: 'ms',
				ours: inWholeN8n,
				theirs: { name: 'HTTP Request, one request per recipient', values: times.oneEach },
				limit: 1 / 10,
				note: `all at once, measured with ${sample.toLocaleString('en')} recipients and scaled`,
			},
		];
	},
};
