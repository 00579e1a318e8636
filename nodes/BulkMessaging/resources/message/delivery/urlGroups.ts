/** Half the length that servers usually allow for a URL. */
const longestQuery = 4_000;

/** Splits IDs into groups, each of which fits into a URL. */
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
