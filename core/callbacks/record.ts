import { sleep, type IExecuteFunctions } from 'n8n-workflow';

type Waiting = {
	context: IExecuteFunctions;
	keys: readonly string[];
	tell: (fresh: Set<string>) => void;
};

/** Everything of one trigger that waits to be recorded, in this process. */
const lanes = new Map<string, Waiting[]>();

const tries = 3;
/** Every question costs the same for one callback as for fifty: those that come in the meantime share the next one. */
const pauseMs = 250;

/** n8n reads and rewrites all keys of a node at once; two processes that do it for the first time collide. */
const askN8n = async (
	{ helpers, logger }: IExecuteFunctions,
	keys: string[],
	maxEntries: number,
): Promise<ReadonlySet<unknown>> => {
	for (let attempt = 1; ; attempt++) {
		try {
			const options = { mode: 'entries', maxEntries } as const;
			return new Set((await helpers.checkProcessedAndRecord(keys, 'node', options)).new);
		} catch (error) {
			if (attempt < tries) continue;
			// Rather twice than never.
			logger.warn('Callbacks could not be compared with those seen before: they are delivered', {
				error: error instanceof Error ? error.message : String(error),
			});
			return new Set(keys);
		}
	}
};

const work = async (trigger: string, lane: Waiting[], maxEntries: number): Promise<void> => {
	while (lane.length > 0) {
		const batch = lane.splice(0);
		const all = [...new Set(batch.flatMap(({ keys }) => keys))];
		const fresh = new Set(await askN8n(batch[0].context, all, maxEntries));
		for (const { keys, tell } of batch) {
			// Of two executions with the same callback, the first one gets it.
			tell(new Set(keys.filter((key) => fresh.delete(key))));
		}
		await sleep(pauseMs);
	}
	// Without a pause since the last look at it: whoever comes now opens a new one.
	lanes.delete(trigger);
};

/** Which of these callbacks no execution has had before, also before a restart. One question at a time for each trigger. */
export const recordNew = async (
	context: IExecuteFunctions,
	trigger: string,
	keys: readonly string[],
	maxEntries: number,
): Promise<Set<string>> =>
	await new Promise((tell) => {
		const waiting = { context, keys, tell };
		const lane = lanes.get(trigger);
		if (lane !== undefined) {
			lane.push(waiting);
			return;
		}
		const opened = [waiting];
		lanes.set(trigger, opened);
		void work(trigger, opened, maxEntries);
	});
