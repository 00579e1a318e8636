import type { Faults } from '../api/faults.cts';
import type { Outbox } from '../time/outbox.cts';
import type { RequestLog } from '../api/requestLog.cts';
import type { Store } from './store.cts';
import type { Timeline } from '../time/timeline.cts';

/** The state that all parts of the sandbox share. A reset replaces `store`. */
export interface World {
	store: Store;
	/** The sandbox's URL, for short links: `http://127.0.0.1:8787`. */
	origin: string;
	/** Virtual seconds per real second; 0 stops the clock. server.cts moves it. */
	readonly pace: { speed: number };
	readonly timeline: Timeline;
	readonly outbox: Outbox;
	readonly faults: Faults;
	readonly requests: RequestLog;
	readonly uuid: () => string;
}
