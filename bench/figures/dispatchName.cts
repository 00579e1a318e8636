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
		/** Each way has a workflow of its own, because n8n keeps the one it was given first under an ID. */
		const way = (id: string, name: string, expected: string) => {
			const workflow = chain(id, [
				httpStep('Items', { url: `${service.url}/items`, options: {} }),
				{
					...partnerStep('Ours', service.credential, { ...createDispatch, name }),
					onError: 'continueRegularOutput',
				},
			]);
			return async () => {
				service.forget();
				service.earlier = size;
				try {
					const finished = await run(workflow);
					const item = JSON.stringify(finished.items('Ours')[0]);
					if (!item.includes(expected)) throw new Error(`Not as expected: ${item}.`);
					return finished.ms('Ours');
				} finally {
					service.earlier = 0;
				}
			};
		};
		const ways = {
			// Reads the list, and who is in the dispatch that it finds.
			found: way('bench-name-found', 'Earlier 1', 'Everybody has it already'),
			// Reads the list twice: before the dispatch is created, and before it could be started.
			unused: way('bench-name-unused', '=Bench {{ $now.toMillis() }}', '"notStarted":1'),
		};
		// Logs in and compiles.
		for (const once of Object.values(ways)) await once();
		const times = await inRounds(quick ? 1 : 5, ways, report);
		const among = `among ${size.toLocaleString('en')} earlier dispatches, ${listLatencyMs} ms latency`;
		const row = (what: string, values: number[], name: string) => ({
			what: `${what} ${among}`,
			unit: 'ms' as const,
			ours: { name, values },
			theirs: { name: 'the time allowed', values: values.map(() => allowedMs) },
			limit: 1,
		});
		return [
			row('Search for the name', times.found, 'Dispatch Create, everybody has it'),
			row('Check and yield with a new name', times.unused, 'Dispatch Create'),
		];
	},
};
