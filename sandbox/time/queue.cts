interface Due<Event> {
	at: number;
	order: number;
	event: Event;
}

const before = (one: Due<unknown>, other: Due<unknown>) =>
	one.at < other.at || (one.at === other.at && one.order < other.order);

/** Events in order of time, and in the order they were added for the same time. A binary heap. */
export class DueQueue<Event> {
	private heap: Array<Due<Event>> = [];
	private order = 0;

	get size(): number {
		return this.heap.length;
	}

	peek(): Due<Event> | undefined {
		return this.heap[0];
	}

	push(at: number, event: Event): void {
		const added = { at, order: this.order++, event };
		const { heap } = this;
		let index = heap.length;
		heap.push(added);
		while (index > 0) {
			const parent = (index - 1) >> 1;
			if (!before(added, heap[parent])) break;
			heap[index] = heap[parent];
			index = parent;
		}
		heap[index] = added;
	}

	pop(): Due<Event> | undefined {
		const { heap } = this;
		const first = heap[0];
		const last = heap.pop();
		if (first === undefined || last === undefined || heap.length === 0) return first;
		let index = 0;
		for (;;) {
			let child = 2 * index + 1;
			if (child >= heap.length) break;
			if (child + 1 < heap.length && before(heap[child + 1], heap[child])) child++;
			if (!before(heap[child], last)) break;
			heap[index] = heap[child];
			index = child;
		}
		heap[index] = last;
		return first;
	}

	clear(): void {
		this.heap = [];
	}

	/** For snapshots: all events, in no particular order. */
	entries(): ReadonlyArray<Due<Event>> {
		return this.heap;
	}
}
