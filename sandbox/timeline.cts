import { DueQueue } from './queue.cts';

/** What happens by itself when its time has come. Data, not functions: a snapshot keeps it. */
export type TimedEvent =
	| { kind: 'dispatch-send'; dispatchId: number; run: number }
	| { kind: 'single-send' | 'deliver' | 'expire' | 'read' | 'unread'; uuid: string }
	| { kind: 'sender-close'; senderId: number }
	| { kind: 'sender-review'; senderId: number }
	| { kind: 'callback-flush'; url: string }
	| { kind: 'callback-attempt'; id: number };

/** The virtual clock and what is due on it. It moves only when it is told to. */
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
	 * Carries out what is due up to and including `until`, in order, and stands there. `limit` is asked before every
	 * event and may hold time back.
	 */
	run(until: number, carryOut: (event: TimedEvent) => void, limit = () => Infinity): void {
		for (;;) {
			const end = Math.min(until, limit());
			const next = this.queue.peek();
			if (next === undefined || next.at > end) {
				this.now = Math.max(this.now, end);
				return;
			}
			this.queue.pop();
			this.now = Math.max(this.now, next.at);
			carryOut(next.event);
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
