/*
 * Why this isn't one call of `checkProcessedAndRecord`. n8n keeps all keys of a node in one row, and each call reads the row,
 * adds to it and writes it back, without a lock. If two calls run at the same moment, the keys of one are lost, and a duplicate
 * that arrives an hour later runs the workflow a second time. Inside a process, a queue for each trigger (a lane) prevents that
 * and lets fifty callbacks share one call. Nothing prevents it between processes, so every key is checked again after a while and
 * recorded again if another process has overwritten it. The execution that received the callback has ended by then, because it
 * must not wait that long; its helpers still work, since they know only the workflow and the node. If the process dies before the
 * second check, a duplicate may run the workflow again, as documented for several processes.
 */
import { sleep, type IExecuteFunctions } from 'n8n-workflow';

type Waiting = {
	context: IExecuteFunctions;
	keys: readonly string[];
	resolve: (fresh: Set<string>) => void;
};

/** The keys of each trigger that wait to be recorded, in this process. */
const lanes = new Map<string, Waiting[]>();

const tries = 3;
/**
 * A call to n8n costs the same for one callback as for fifty, so callbacks that arrive during this pause share the next call. The
 * pause is short because an n8n worker runs only a limited number of executions at a time, and they wait for it.
 */
const pauseMs = 20;
/** The pause if another process writes the same row: both must have time to write between the other's read and write. */
const sharedPauseMs = 150;
/** The pause while no execution is waiting and only recorded keys are checked again. */
const quietPauseMs = 300;
const longestQuietPauseMs = 2_000;
/** A key still present after this long is safe: no process writes this long after its read. */
const safeAfterMs = 750;
/** Limits the checks of a key that is never found, because new callbacks push it out of the record at once. */
const mostChecks = 6;

/**
 * Which keys are new to n8n; `undefined` if n8n fails. It is tried several times, because n8n rewrites all keys of a node at once,
 * and two processes that do so for the first time collide.
 */
const askN8n = async (
	{ helpers, logger }: IExecuteFunctions,
	keys: string[],
	{ maxEntries, isWaitedFor }: { maxEntries: number; isWaitedFor: boolean },
): Promise<ReadonlySet<unknown> | undefined> => {
	for (let attempt = 1; ; attempt++) {
		try {
			const options = { mode: 'entries', maxEntries } as const;
			return new Set((await helpers.checkProcessedAndRecord(keys, 'node', options)).new);
		} catch (error) {
			if (attempt < tries) continue;
			// If only recorded keys were checked again, no callback starts the workflow.
			if (isWaitedFor) {
				logger.warn(
					"Callbacks couldn't be checked for duplicates. All of them start the workflow, so some may run twice",
					{ error: error instanceof Error ? error.message : String(error) },
				);
			}
			return undefined;
		}
	}
};

/** When a recorded key is checked again, because another process may have overwritten it by then. */
interface LaterCheck {
	dueAt: number;
	left: number;
}

const checkAfter = (now: number, left = mostChecks): LaterCheck => ({
	dueAt: now + safeAfterMs,
	left,
});

/**
 * Another process that read the row before this one wrote will overwrite it, so a slow database gets more time to finish that. The
 * pause is random, because two processes in step would overwrite each other every time.
 */
const pauseAfter = async (callMs: number, isQuiet: boolean, isShared: boolean) => {
	const least = isQuiet ? quietPauseMs : sharedPauseMs;
	const ms = Math.min(Math.max(least, 2 * callMs), longestQuietPauseMs);
	await sleep(isQuiet || isShared ? ms * (1 + Math.random() / 2) : pauseMs);
};

/**
 * Makes one call to n8n after the other. Every new key is part of later calls too, until it is found: that records it again if
 * another process has overwritten it.
 */
const work = async (trigger: string, lane: Waiting[], maxEntries: number): Promise<void> => {
	const checks = new Map<string, LaterCheck>();
	let isShared = false;
	let [{ context }] = lane;
	while (lane.length > 0 || checks.size > 0) {
		const batch = lane.splice(0);
		context = batch[0]?.context ?? context;
		const keys = batch.flatMap((one) => one.keys);
		const begun = performance.now();
		const due = [...checks].filter(([, { dueAt }]) => dueAt <= begun);
		const named = new Set([...due.map(([key]) => key), ...keys]);
		const isWaitedFor = keys.length > 0;
		const unknown =
			named.size > 0 ? await askN8n(context, [...named], { maxEntries, isWaitedFor }) : named;
		const now = performance.now();
		// If n8n failed, all keys count as new: deliver again rather than drop.
		const fresh = new Set(keys.filter((key) => unknown?.has(key) !== false && !checks.has(key)));
		for (const [key, { left }] of due) {
			// It was recorded, so another process has overwritten it.
			if (unknown?.has(key) === true) isShared = true;
			// If n8n failed, nothing is known about it.
			if (unknown?.has(key) !== false && left > 1) checks.set(key, checkAfter(now, left - 1));
			else checks.delete(key);
		}
		// n8n keeps only the last `maxEntries` keys.
		for (const key of [...fresh].slice(-maxEntries)) checks.set(key, checkAfter(now));
		for (const one of batch) {
			// If two executions have the same callback, the first one gets it.
			one.resolve(new Set(one.keys.filter((key) => fresh.delete(key))));
		}
		await pauseAfter(now - begun, batch.length === 0, isShared);
	}
	// There was no await since the loop found the lane empty, so no callback is lost; the next one opens a new lane.
	lanes.delete(trigger);
};

/** The callbacks that no execution has received before, even before a restart. Makes one call to n8n at a time per trigger. */
export const recordNew = async (
	context: IExecuteFunctions,
	trigger: string,
	keys: readonly string[],
	maxEntries: number,
): Promise<Set<string>> =>
	await new Promise((resolve) => {
		const waiting = { context, keys, resolve };
		const lane = lanes.get(trigger);
		if (lane !== undefined) {
			lane.push(waiting);
			return;
		}
		const opened = [waiting];
		lanes.set(trigger, opened);
		void work(trigger, opened, maxEntries);
	});
