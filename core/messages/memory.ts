import { randomUUID } from 'crypto';
import { perRun } from '../engine/perRun';
import type { Accepted } from './deliver';

/** What one run of a node has done so far. */
export interface Memory {
	/** What made-up own ids begin with. */
	readonly prefix: string;
	/** By input item. */
	readonly accepted: Map<number, Accepted>;
	/** Items that may have been sent, with what left it open. */
	readonly unknown: Map<number, unknown>;
	/** Messages that had one of the given ids before. */
	readonly older: Set<string>;
}

export const memoryOf = perRun<Memory>(() => ({
	prefix: randomUUID(),
	accepted: new Map(),
	unknown: new Map(),
	older: new Set(),
}));

/** A message that certainly is there: looking for it shows whether looking works. */
export interface Control {
	ownId: string;
	acceptedAt: number;
}

/** By account. Two each: the newest, and one that has been there for long enough to be listed for certain. */
const controls = new Map<string, { newest: Control; settled?: Control }>();

/** After this time a message that is not found is not found at all. It is as long as a lost one is looked for. */
const settledMs = 67_000;
/** Later, the service may have removed it. */
const removedMs = 3_600_000;

export const rememberControl = (account: string, ownId: string, now = Date.now()): void => {
	const known = controls.get(account);
	const isSettled = known !== undefined && now - known.newest.acceptedAt >= settledMs;
	controls.set(account, {
		newest: { ownId, acceptedAt: now },
		settled: isSettled ? known.newest : known?.settled,
	});
};

/** The newest message that was accepted with this account, in this process. */
export const newestControl = (account: string): string | undefined =>
	controls.get(account)?.newest.ownId;

/** One that any look must find by now. */
export const settledControl = (account: string, now = Date.now()): string | undefined => {
	const { newest, settled } = controls.get(account) ?? {};
	return [newest, settled].find((control) => {
		const age = control === undefined ? 0 : now - control.acceptedAt;
		return age >= settledMs && age < removedMs;
	})?.ownId;
};
