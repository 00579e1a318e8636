interface Event {
	time: number;
	/** Events at the same time happen in the order in which they were planned. */
	order: number;
	work: () => void;
}

const isBefore = (one: Event, other: Event) =>
	one.time < other.time || (one.time === other.time && one.order < other.order);

/** Every history begins at this time. */
export const firstMoment = Date.UTC(2026, 2, 2, 7);

/** Far more than any history needs. A run that never ends is stopped here. */
const mostEvents = 3_000_000;

/** Virtual time: it moves only from one planned event to the next. */
export class Clock {
	now = firstMoment;

	private order = 0;

	/** A binary heap: the next event is the first entry. */
	private readonly heap: Event[] = [];

	at(time: number, work: () => void): void {
		const event = { time, order: this.order++, work };
		const { heap } = this;
		let place = heap.length;
		while (place > 0) {
			const parent = (place - 1) >> 1;
			if (!isBefore(event, heap[parent] as Event)) break;
			heap[place] = heap[parent] as Event;
			place = parent;
		}
		heap[place] = event;
	}

	async sleep(ms: number): Promise<void> {
		await new Promise<void>((resolve) => this.at(this.now + Math.max(0, ms), resolve));
	}

	/** Lets time pass until nothing is planned any more. Returns whether it came to an end. */
	async run(): Promise<boolean> {
		for (let count = 0; count < mostEvents; count++) {
			// Everything that follows from the last event happens before the next one.
			await new Promise((resolve) => setImmediate(resolve));
			const event = this.take();
			if (event === undefined) return true;
			this.now = Math.max(this.now, event.time);
			event.work();
		}
		return false;
	}

	private take(): Event | undefined {
		const { heap } = this;
		const first = heap[0];
		const last = heap.pop();
		if (first === undefined || last === undefined || heap.length === 0) return first;
		let place = 0;
		for (;;) {
			let child = 2 * place + 1;
			if (child >= heap.length) break;
			if (child + 1 < heap.length && isBefore(heap[child + 1] as Event, heap[child] as Event)) {
				child++;
			}
			if (!isBefore(heap[child] as Event, last)) break;
			heap[place] = heap[child] as Event;
			place = child;
		}
		heap[place] = last;
		return first;
	}
}
