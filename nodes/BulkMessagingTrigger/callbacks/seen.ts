interface MemoryLimits {
	keys: number;
	hours: number;
}

/** What is needed of the response to know how a call was answered. */
export interface CallAnswer {
	statusCode: number;
	/** n8n has given its answer, whether or not the caller still listened. */
	writableEnded: boolean;
	/** Nothing more can reach the caller. */
	closed: boolean;
	once(event: 'close', listener: () => void): unknown;
}

/** One call that started the workflow and is not settled yet. */
interface OpenCall {
	answer: CallAnswer;
	keys: readonly string[];
	since: number;
}

const hour = 3_600_000;
/** A call whose caller has hung up and which n8n never answers would block its resends for ever. */
const longestWait = hour;

const isGood = ({ statusCode }: CallAnswer) => statusCode >= 200 && statusCode < 300;

/** Which callbacks one trigger has seen, in this process. */
export class SeenCallbacks {
	/** Oldest first. */
	private readonly seen = new Map<string, number>();
	private readonly underWay = new Map<string, OpenCall>();
	private readonly abandoned = new Set<OpenCall>();

	/** Newest entry; a memory whose newest is too old is of no use any more. */
	latest = 0;

	/** What a call with these keys means, which are all different: `fresh` are the indexes of those that are new. */
	judge(keys: readonly string[], { keys: most, hours }: MemoryLimits, now: number) {
		for (const delivery of this.abandoned) this.settle(delivery, now);
		this.forget(most, now - hours * hour);
		const fresh: number[] = [];
		let isUnderWay = false;
		for (const [index, key] of keys.entries()) {
			const delivery = this.underWay.get(key);
			if (delivery?.answer.writableEnded === true) this.settle(delivery, now);
			if (this.underWay.has(key)) isUnderWay = true;
			else if (!this.seen.has(key)) fresh.push(index);
		}
		return { fresh, isUnderWay };
	}

	/** These start the workflow now. They count as seen when the call has got its good answer, and not before. */
	begin(keys: readonly string[], answer: CallAnswer, now: number): void {
		const delivery: OpenCall = { answer, keys, since: now };
		for (const key of keys) this.underWay.set(key, delivery);
		this.latest = now;
		const close = () => {
			// Without an answer the caller has hung up, and the workflow may still be running.
			if (answer.writableEnded) this.settle(delivery, Date.now());
			else this.abandoned.add(delivery);
		};
		if (answer.closed) close();
		else answer.once('close', close);
	}

	private settle(delivery: OpenCall, now: number): void {
		const { answer, keys, since } = delivery;
		if (!answer.writableEnded && now - since < longestWait) return;
		this.abandoned.delete(delivery);
		for (const key of keys) {
			if (this.underWay.get(key) !== delivery) continue;
			this.underWay.delete(key);
			if (answer.writableEnded && isGood(answer)) this.seen.set(key, now);
		}
	}

	private forget(most: number, before: number): void {
		let excess = this.seen.size - most;
		for (const [key, at] of this.seen) {
			if (excess-- <= 0 && at >= before) return;
			this.seen.delete(key);
		}
	}
}

const memories = new Map<string, SeenCallbacks>();
/** Longer than anybody may ask to remember: a trigger that has been quiet for so long may be gone. */
const unused = 31 * 24 * hour;

/** The memory of one trigger, as long as this process lives. */
export const seenBy = (trigger: string, now = Date.now()): SeenCallbacks => {
	const known = memories.get(trigger);
	if (known !== undefined) return known;
	for (const [name, { latest }] of memories) if (now - latest > unused) memories.delete(name);
	const memory = new SeenCallbacks();
	memories.set(trigger, memory);
	return memory;
};
