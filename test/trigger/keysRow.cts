/** The row n8n has for all keys of one node. */
export interface KeysRow {
	/** Nothing: it has not been inserted yet. */
	keys?: unknown[];
}

/** As n8n's table does it: the row is read and then written as a whole, so that two at a time collide. */
export const readAndWrite = async <Key,>(
	row: KeysRow,
	keys: Key[],
	{ between, maxEntries = Infinity }: { between: () => Promise<unknown>; maxEntries?: number },
) => {
	const stored = row.keys;
	await between();
	if (stored === undefined && row.keys) throw new Error('UNIQUE constraint failed');
	const known = new Set(stored);
	const fresh = keys.filter((key) => !known.has(key));
	row.keys = [...(stored ?? []), ...fresh].slice(-maxEntries);
	return { new: fresh, processed: keys.filter((key) => known.has(key)) };
};
