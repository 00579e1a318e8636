/** What a placeholder may be filled with; the contract does not say that a value is text. */
type PlaceholderValue = string | number | boolean;

/**
 * `{name}`: letters and digits of any alphabet, `_`, `.` and `-` between braces. Every other brace is part of the
 * text. Each attempt ends at the next brace, so the search is linear however many braces there are.
 */
const placeholder = /\{([\p{L}\p{M}\p{N}_.-]+)\}/gu;

/** The names in the order they first appear, each once. */
export const findPlaceholders = (text: string): string[] => {
	const names = new Set<string>();
	for (const match of text.matchAll(placeholder)) names.add(match[1]);
	return [...names];
};

/**
 * The text with every known placeholder replaced. A placeholder without a value stays as it is written. Only own
 * properties count, so `{constructor}` never reaches the prototype, and a value is never searched again.
 */
export const fillPlaceholders = (
	text: string,
	values: Readonly<Record<string, PlaceholderValue>>,
): string =>
	text.replace(placeholder, (written, name: string) =>
		Object.hasOwn(values, name) ? String(values[name]) : written,
	);
