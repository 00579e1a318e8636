import type { KeptBody } from './masked.cts';

export interface LoggedRequest extends KeptBody {
	/** Starts at 1. */
	id: number;
	at: string;
	method: string;
	path: string;
	/** `POST /dispatches/{id}/messages` as the contract writes it, or null for a path that doesn't exist. */
	endpoint: string | null;
	/** 0 if a fault prevented the response. */
	status: number;
	fault?: string;
	/** With its question mark, without secrets. */
	query?: string;
	/** How long the response took, in real milliseconds. */
	ms?: number;
}

const kept = 1_000;

/** Counts every request to the two APIs and keeps the last ones, so that tests can check what was sent. */
export class RequestLog {
	private recent: LoggedRequest[] = [];
	private counted = new Map<string, number>();

	/** How many there were since the start. */
	total = 0;

	add(request: Omit<LoggedRequest, 'id'>): void {
		const key = request.endpoint ?? 'unknown';
		this.counted.set(key, (this.counted.get(key) ?? 0) + 1);
		this.recent.push({ id: ++this.total, ...request });
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
