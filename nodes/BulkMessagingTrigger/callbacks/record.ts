/*
 * Why this isn't one call of `checkProcessedAndRecord`. n8n keeps all keys of a node in one row, and each call reads the row,
 * adds to it and writes it back, without a lock. Two calls at the same moment lose what one of them wrote, and the copy that
 * comes an hour later runs the workflow a second time. Inside a process a queue for each trigger (a lane) prevents that, and
 * lets fifty callbacks share one call. Between processes nothing can, so every key is looked for again after a while and
 * recorded again if another process has overwritten it. The execution that brought it has ended by then, because it must not
 * wait that long; its helpers still work, since they know only the workflow and the node. If the process dies before the second
 * look, a copy may run twice, which is what the README says of two processes.
 */
import { sleep, type IExecuteFunctions } from 'n8n-workflow';

type Waiting = {
	context: IExecuteFunctions;
	keys: readonly string[];
	tell: (fresh: Set<string>) => void;
};

/** Everything of one trigger that waits to be recorded, in this process. */
const lanes = new Map<string, Waiting[]>();

const tries = 3;
/**
 * Every question costs the same for one callback as for fifty: those that come in the meantime share the next one. A worker of
 * n8n has only so many executions at a time, so that they must not wait for long.
 */
const pauseMs = 150;
/** Nobody waits: it is only looked whether what was recorded is still there. */
const quietPauseMs = 300;
const longestQuietPauseMs = 2_000;
/** What is found so long after it was recorded has stayed: nobody writes so long after reading. */
const stayedMs = 750;
/** What is never found again, because so much comes that it is forgotten at once, is not looked for for ever. */
const mostLooks = 6;

/**
 * Which keys are new to n8n; nothing when it cannot tell. It reads and rewrites all keys of a node at once; two processes that
 * do it for the first time collide.
 */
const askN8n = async (
	{ helpers, logger }: IExecuteFunctions,
	keys: string[],
	maxEntries: number,
): Promise<ReadonlySet<unknown> | undefined> => {
	for (let attempt = 1; ; attempt++) {
		try {
			const options = { mode: 'entries', maxEntries } as const;
			return new Set((await helpers.checkProcessedAndRecord(keys, 'node', options)).new);
		} catch (error) {
			if (attempt < tries) continue;
			logger.warn(
				'Callbacks could not be compared with those seen before: whatever comes is delivered',
				{
					error: error instanceof Error ? error.message : String(error),
				},
			);
			return undefined;
		}
	}
};

/** Recorded, and looked for later: another process may have overwritten it by then. */
interface LaterLook {
	dueAt: number;
	left: number;
}

const lookAt = (now: number, left = mostLooks): LaterLook => ({ dueAt: now + stayedMs, left });

/**
 * Another process that has read before this one wrote will write on top of it: a slow database is given more time for that.
 * Never in step with the other one, which would then do it every time.
 */
const pauseAfter = async (questionMs: number, isQuiet: boolean) => {
	const least = isQuiet ? quietPauseMs : pauseMs;
	const ms = Math.min(Math.max(least, 2 * questionMs), longestQuietPauseMs);
	await sleep(ms * (1 + Math.random() / 2));
};

/**
 * One question after the other. Another process that wrote at the same moment may have overwritten what was recorded: every
 * key is part of a later question too, which records it again, until it has stayed.
 */
const work = async (trigger: string, lane: Waiting[], maxEntries: number): Promise<void> => {
	const looks = new Map<string, LaterLook>();
	let [{ context }] = lane;
	while (lane.length > 0 || looks.size > 0) {
		const batch = lane.splice(0);
		context = batch[0]?.context ?? context;
		const keys = batch.flatMap((one) => one.keys);
		const begun = performance.now();
		const due = [...looks].filter(([, { dueAt }]) => dueAt <= begun);
		const named = new Set([...due.map(([key]) => key), ...keys]);
		const unknown = named.size > 0 ? await askN8n(context, [...named], maxEntries) : named;
		const now = performance.now();
		// Rather twice than never.
		const fresh = new Set(keys.filter((key) => unknown?.has(key) !== false && !looks.has(key)));
		for (const [key, { left }] of due) {
			if (unknown?.has(key) === true && left > 1) looks.set(key, lookAt(now, left - 1));
			else looks.delete(key);
		}
		// n8n keeps no more of them.
		for (const key of [...fresh].slice(-maxEntries)) looks.set(key, lookAt(now));
		for (const one of batch) {
			// Of two executions with the same callback, the first one gets it.
			one.tell(new Set(one.keys.filter((key) => fresh.delete(key))));
		}
		await pauseAfter(now - begun, batch.length === 0);
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
