import { bodies, ourAddress, ours, theirAddress, theirs } from '../support/callbacks.cts';
import type { Comparison, Figure } from '../support/figure.cts';
import { startQueueN8n, type QueueN8n, type QueueTaken } from '../support/queueN8n.cts';
import { inRounds } from '../support/rounds.cts';

/** More than one worker works on at a time, so that it never waits for a callback. */
const atATime = 20;

/** Which process needs how much of a processor, as a share of the time that the callbacks took. */
const sharesOf = ({ ms, processor }: QueueTaken) =>
	Object.entries(processor)
		.map(([part, time]) => `${part} ${Math.round((100 * time) / ms)} %`)
		.join(', ');

export const queue: Figure = {
	name: 'Trigger in queue mode',
	isApart: true,
	run: async ({ quick, report }) => {
		const count = quick ? 20 : 600;
		const measure = (n8n: QueueN8n, address: string) => async () => {
			const taken = await n8n.post(address, bodies(count), atATime);
			report(`${Math.round((1_000 * count) / taken.ms)} per second: ${sharesOf(taken)}`);
			return taken.ms / count;
		};
		const compare = async (n8n: QueueN8n, workers: string): Promise<Comparison> => {
			const times = await inRounds(
				quick ? 1 : 4,
				{ ours: measure(n8n, ourAddress), theirs: measure(n8n, theirAddress) },
				report,
			);
			return {
				what: `a callback on the fast URL, ${workers}`,
				unit: 'ms',
				ours: { name: 'Trigger, fast', values: times.ours },
				theirs: { name: 'Webhook, Basic auth', values: times.theirs },
				note: `from the request to the end of the execution, ${count} callbacks, ${atATime} at a time, one webhook processor, workers with a concurrency of 10; everything on one machine`,
			};
		};
		const n8n = await startQueueN8n({ N8N_EXPRESSION_ENGINE: 'legacy' }, report);
		try {
			await n8n.publish(ours);
			await n8n.publish(theirs);
			if (!quick) {
				// As full as the memory in n8n's database gets, and both sides warm.
				await n8n.post(ourAddress, bodies(11, 1_000), 1);
				for (const address of [ourAddress, theirAddress]) {
					await n8n.post(address, bodies(100), atATime);
				}
			}
			const rows = [await compare(n8n, 'one worker')];
			// One worker is enough to see that it works.
			if (quick) return rows;
			await n8n.addWorker();
			for (const address of [ourAddress, theirAddress]) {
				await n8n.post(address, bodies(100), atATime);
			}
			return [...rows, await compare(n8n, 'two workers')];
		} finally {
			await n8n.stop();
		}
	},
};
