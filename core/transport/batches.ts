/** Every batch but the last has `size` entries; the order is kept. */
export function* inBatches<T>(entries: Iterable<T>, size: number): Generator<T[]> {
	let batch: T[] = [];
	for (const entry of entries) {
		batch.push(entry);
		if (batch.length < size) continue;
		yield batch;
		batch = [];
	}
	if (batch.length > 0) yield batch;
}
