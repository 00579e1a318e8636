import { lookPausesMs } from './lookThenSend';

/** An entry that the service accepted, so it certainly exists. */
export interface AcceptedId {
	id: string;
	/** The ID that the service gave, if it differs. */
	uuid?: string;
	at: number;
}

/** After this time a check must find the entry: a lost request isn't searched for any longer either. */
const settledMs = lookPausesMs.reduce((sum, wait) => sum + wait, 0);
/** After this time the service may have removed the entry. */
const removedMs = 3_600_000;

/**
 * What this process knows about the lists of one account: an entry that certainly exists, and how soon a list has shown it. "Not
 * found" means "not there" only if the same check has found something newer.
 */
export class Witness {
	private newest: AcceptedId | undefined;

	private settled: AcceptedId | undefined;

	/** The smallest age at which an accepted entry was listed. */
	private listedWithinMs = Infinity;

	/** Records that the service accepted an entry. */
	accept(id: string, now = Date.now(), uuid?: string): void {
		if (this.newest !== undefined && now - this.newest.at >= settledMs) this.settled = this.newest;
		this.newest = { id, uuid, at: now };
	}

	/** Records that a list shows the entry. */
	see(id: string, now = Date.now()): void {
		if (id !== this.newest?.id) return;
		this.listedWithinMs = Math.min(this.listedWithinMs, now - this.newest.at);
	}

	/** The entry accepted last. */
	get newestId(): string | undefined {
		return this.newest?.id;
	}

	/** An entry that any check must find by now. */
	settledOne(now = Date.now()): AcceptedId | undefined {
		return [this.newest, this.settled].find((one) => {
			const age = one === undefined ? 0 : now - one.at;
			return age >= settledMs && age < removedMs;
		});
	}

	/** Whether a list has shown an entry that was accepted at most `ms` before. */
	listsWithin(ms: number): boolean {
		return this.listedWithinMs <= ms;
	}
}

const witnesses = new Map<string, Witness>();

/** One per account, because each account has its own lists. */
export const witnessOf = (account: string): Witness => {
	const known = witnesses.get(account) ?? new Witness();
	witnesses.set(account, known);
	return known;
};
