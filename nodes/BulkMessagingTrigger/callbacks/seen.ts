interface MemoryLimits {
	keys: number;
	hours: number;
}

/** The parts of Express' response that show how n8n responded to a call. */
export interface CallResponse {
	statusCode: number;
	/** n8n has responded, even if the caller has already hung up. */
	writableEnded: boolean;
	/** The connection is closed. */
	closed: boolean;
	once(event: 'close', listener: () => void): unknown;
}

/** A call that started the workflow and has no response yet. */
interface OpenCall {
	response: CallResponse;
	keys: readonly string[];
	since: number;
}

const hour = 3_600_000;
/** After this time an open call is given up. If its caller hung up and n8n never responds, it would block resends forever. */
const longestWait = hour;

const isSuccessStatus = ({ statusCode }: CallResponse) => statusCode >= 200 && statusCode < 300;

/** The callbacks that one trigger has received in this process. */
export class SeenCallbacks {
	/** Oldest first. */
	private readonly seen = new Map<string, number>();
	private readonly underWay = new Map<string, OpenCall>();
	private readonly abandoned = new Set<OpenCall>();

	/** Time of the newest entry; a memory that hasn't been used for too long is dropped. */
	latest = 0;

	/**
	 * Compares the keys of a call, which are all different, with earlier calls. `fresh` are the indexes of the new ones;
	 * `isUnderWay` says whether an earlier call with one of the keys is still open.
	 */
	judge(keys: readonly string[], { keys: most, hours }: MemoryLimits, now: number) {
		for (const delivery of this.abandoned) this.close(delivery, now);
		this.forget(most, now - hours * hour);
		const fresh: number[] = [];
		let isUnderWay = false;
		for (const [index, key] of keys.entries()) {
			const delivery = this.underWay.get(key);
			if (delivery?.response.writableEnded === true) this.close(delivery, now);
			if (this.underWay.has(key)) isUnderWay = true;
			else if (!this.seen.has(key)) fresh.push(index);
		}
		return { fresh, isUnderWay };
	}

	/** Marks callbacks that start the workflow now. They are remembered as seen only after n8n has responded with success. */
	begin(keys: readonly string[], response: CallResponse, now: number): void {
		const delivery: OpenCall = { response, keys, since: now };
		for (const key of keys) this.underWay.set(key, delivery);
		this.latest = now;
		const onClose = () => {
			// Without a response the caller has hung up, and the workflow may still be running.
			if (response.writableEnded) this.close(delivery, Date.now());
			else this.abandoned.add(delivery);
		};
		if (response.closed) onClose();
		else response.once('close', onClose);
	}

	private close(delivery: OpenCall, now: number): void {
		const { response, keys, since } = delivery;
		if (!response.writableEnded && now - since < longestWait) return;
		this.abandoned.delete(delivery);
		for (const key of keys) {
			if (this.underWay.get(key) !== delivery) continue;
			this.underWay.delete(key);
			if (response.writableEnded && isSuccessStatus(response)) this.seen.set(key, now);
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
/** Longer than 'Remember Callbacks For' allows: a trigger without callbacks for this long may no longer exist. */
const unused = 31 * 24 * hour;

/** The memory of one trigger, for the lifetime of this process. */
export const seenBy = (trigger: string, now = Date.now()): SeenCallbacks => {
	const known = memories.get(trigger);
	if (known !== undefined) return known;
	for (const [name, { latest }] of memories) if (now - latest > unused) memories.delete(name);
	const memory = new SeenCallbacks();
	memories.set(trigger, memory);
	return memory;
};
