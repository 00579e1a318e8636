import type { Faults } from './faults.cts';
import type { Outbox } from './outbox.cts';
import type { RequestLog } from './requestLog.cts';
import type { Store } from './store.cts';
import type { Timeline } from './timeline.cts';

/** What every part of the sandbox works on. `store` is replaced by a reset. */
export interface World {
	store: Store;
	/** Where the sandbox answers, for short links: `http://127.0.0.1:8787`. */
	origin: string;
	/** Virtual seconds per second; 0: the clock stands. The server file moves it. */
	readonly pace: { speed: number };
	readonly timeline: Timeline;
	readonly outbox: Outbox;
	readonly faults: Faults;
	readonly requests: RequestLog;
	readonly uuid: () => string;
}
