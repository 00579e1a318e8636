import type { FaultKind } from './faults.cts';
import type { KeptBody } from './masked.cts';

/** A request, and the messages that it has created so far. */
export interface Trace {
	/** Starts at 1. */
	id: number;
	/** How many messages, and the UUIDs of the first ones. */
	messages: number;
	uuids: string[];
}

export interface LoggedRequest extends KeptBody, Trace {
	at: string;
	method: string;
	path: string;
	/** `POST /dispatches/{id}/messages` as the contract writes it, or null for a path that doesn't exist. */
	endpoint: string | null;
	/** 0 if a fault prevented the response. */
	status: number;
	fault?: FaultKind;
	/** With its question mark, without secrets. */
	query?: string;
	/** How long the response took, in real milliseconds. */
	ms?: number;
	reply?: KeptBody;
}

const kept = 1_000;
const shownUuids = 20;

/** Counts every request to the two APIs and keeps the last ones, so that tests can check what was sent. */
export class RequestLog {
	private recent: LoggedRequest[] = [];
	private counted = new Map<string, number>();

	/** How many there were since the start. */
	total = 0;

	/** The number of the newest request. It never goes back, so that a stored message never names a wrong request. */
	lastId = 0;
	/** The request that is being processed. Handlers are synchronous, so there is at most one. */
	current: Trace | undefined;

	begin(): Trace {
		return { id: ++this.lastId, messages: 0, uuids: [] };
	}

	/** Runs a handler. What it creates belongs to this request. */
	during<Result>(trace: Trace, handle: () => Result): Result {
		this.current = trace;
		try {
			return handle();
		} finally {
			this.current = undefined;
		}
	}

	/** Notes a new message, and returns the request that created it. */
	note(uuid: string): number | undefined {
		const { current } = this;
		if (current === undefined) return undefined;
		current.messages++;
		if (current.uuids.length < shownUuids) current.uuids.push(uuid);
		return current.id;
	}

	find(id: number): LoggedRequest | undefined {
		return this.recent.findLast((request) => request.id === id);
	}

	add(request: LoggedRequest): void {
		const key = request.endpoint ?? 'unknown';
		this.counted.set(key, (this.counted.get(key) ?? 0) + 1);
		this.total++;
		this.recent.push(request);
		if (this.recent.length >= 2 * kept) this.recent = this.recent.slice(-kept);
	}

	/** How often an endpoint was called, including faults: `count('POST /auth/token')`. */
	count(endpoint: string): number {
		return this.counted.get(endpoint) ?? 0;
	}

	get counts(): Record<string, number> {
		return Object.fromEntries(this.counted);
	}

	get last(): readonly LoggedRequest[] {
		return this.recent.slice(-kept);
	}

	clear(): void {
		this.recent = [];
		this.counted.clear();
	}
}
