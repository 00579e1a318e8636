import { DueQueue } from './queue.cts';

/** Events that happen at a planned time. They are data, not functions, so that a snapshot can contain them. */
export type TimedEvent =
	| { kind: 'dispatch-send'; dispatchId: number; run: number }
	| { kind: 'single-send' | 'stop' | 'deliver' | 'expire' | 'read' | 'unread'; uuid: string }
	| { kind: 'sender-close'; senderId: number }
	| { kind: 'sender-review'; senderId: number }
	| { kind: 'callback-flush'; url: string }
	| { kind: 'callback-attempt'; id: number };

/** The virtual clock and its planned events. It moves only by `run`. */
export class Timeline {
	private readonly queue = new DueQueue<TimedEvent>();

	constructor(public now: number) {}

	get nextAt(): number | undefined {
		return this.queue.peek()?.at;
	}

	get size(): number {
		return this.queue.size;
	}

	/** An event planned for the past happens at once, at the present moment. */
	plan(at: number, event: TimedEvent): void {
		this.queue.push(at, event);
	}

	/**
	 * Handles the events that are due up to and including `until`, in order, and sets the clock to `until`. `limit` is
	 * called before every event and can stop the clock earlier.
	 */
	run(until: number, handle: (event: TimedEvent) => void, limit = () => Infinity): void {
		for (;;) {
			const end = Math.min(until, limit());
			const next = this.queue.peek();
			if (next === undefined || next.at > end) {
				this.now = Math.max(this.now, end);
				return;
			}
			this.queue.pop();
			this.now = Math.max(this.now, next.at);
			handle(next.event);
		}
	}

	clear(now: number): void {
		this.queue.clear();
		this.now = now;
	}

	entries(): Array<{ at: number; event: TimedEvent }> {
		return [...this.queue.entries()]
			.sort((one, other) => one.at - other.at || one.order - other.order)
			.map(({ at, event }) => ({ at, event }));
	}
}
