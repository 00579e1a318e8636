import { lookPausesMs } from './lookThenSend';

/** Something the service accepted, so that it certainly is there. */
export interface AcceptedId {
	id: string;
	/** What the service calls it, where that is another ID. */
	uuid?: string;
	at: number;
}

/** After this time whatever is not found is not found at all: a lost request is not looked for any longer. */
const settledMs = lookPausesMs.reduce((sum, wait) => sum + wait, 0);
/** Later, the service may have removed it. */
const removedMs = 3_600_000;

/**
 * What this process knows about the lists of one account: what certainly is there, and how soon a list has shown it. "Not
 * found" means "not there" only if something younger was found the same way.
 */
export class Witness {
	private newest: AcceptedId | undefined;

	private settled: AcceptedId | undefined;

	/** The smallest age at which something accepted was listed. */
	private listedWithinMs = Infinity;

	/** The service accepted it. */
	accept(id: string, now = Date.now(), uuid?: string): void {
		if (this.newest !== undefined && now - this.newest.at >= settledMs) this.settled = this.newest;
		this.newest = { id, uuid, at: now };
	}

	/** A list shows it. */
	see(id: string, now = Date.now()): void {
		if (id !== this.newest?.id) return;
		this.listedWithinMs = Math.min(this.listedWithinMs, now - this.newest.at);
	}

	/** What was accepted last. */
	get newestId(): string | undefined {
		return this.newest?.id;
	}

	/** Something that any look must find by now. */
	settledOne(now = Date.now()): AcceptedId | undefined {
		return [this.newest, this.settled].find((one) => {
			const age = one === undefined ? 0 : now - one.at;
			return age >= settledMs && age < removedMs;
		});
	}

	/** Whether a list has shown something that was accepted no longer before than so long. */
	listsWithin(ms: number): boolean {
		return this.listedWithinMs <= ms;
	}
}

const witnesses = new Map<string, Witness>();

/** By account: each has one list of what it sends. */
export const witnessOf = (account: string): Witness => {
	const known = witnesses.get(account) ?? new Witness();
	witnesses.set(account, known);
	return known;
};
