/**
 * Whether a text matches a pattern in which `*` matches any text. Searches for each piece once, from left to right, so that no
 * pattern can be slow.
 */
export const matchesPattern = (pattern: string, text: string): boolean => {
	const [first = '', ...rest] = pattern.split('*');
	const last = rest.pop();
	if (last === undefined) return text === pattern;
	if (text.length < first.length + last.length) return false;
	if (!text.startsWith(first) || !text.endsWith(last)) return false;
	const end = text.length - last.length;
	let from = first.length;
	for (const piece of rest) {
		const found = text.indexOf(piece, from);
		if (found === -1 || found + piece.length > end) return false;
		from = found + piece.length;
	}
	return true;
};
