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

/** Half the length that servers usually allow for a URL. */
const longestQuery = 4_000;

/** Splits the IDs of messages into groups, each of which fits into a URL. */
export function* inUrlGroups(ids: readonly string[]): Generator<string[]> {
	let group: string[] = [];
	let length = 0;
	for (const id of ids) {
		const own = `&message_uuid=${encodeURIComponent(id.replace(/\p{Cs}/gu, '?'))}`.length;
		if (group.length > 0 && length + own > longestQuery) {
			yield group;
			group = [];
			length = 0;
		}
		group.push(id);
		length += own;
	}
	if (group.length > 0) yield group;
}
