/** Splits entries into batches of at most this size, which an entry has alone if it is larger. The order is kept. */
export function* inBatches<T>(
	entries: Iterable<T>,
	most: number,
	sizeOf: (entry: T) => number = () => 1,
): Generator<T[]> {
	let batch: T[] = [];
	let size = 0;
	for (const entry of entries) {
		const own = sizeOf(entry);
		if (batch.length > 0 && size + own > most) {
			yield batch;
			batch = [];
			size = 0;
		}
		batch.push(entry);
		size += own;
	}
	if (batch.length > 0) yield batch;
}

/** Half the length that servers usually allow for a URL. */
const longestQuery = 4_000;

/** Splits the IDs of messages into groups, each of which fits into a URL. */
export const inUrlGroups = (ids: readonly string[]): Generator<string[]> =>
	inBatches(
		ids,
		longestQuery,
		(id) => `&message_uuid=${encodeURIComponent(id.replace(/\p{Cs}/gu, '?'))}`.length,
	);
