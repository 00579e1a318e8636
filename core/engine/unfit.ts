/** A value that does not fit its parameter, in words that finish the sentence `"<Display Name>" …`. */
export class UnfitValueError extends Error {
	constructor(
		readonly displayName: string,
		readonly complaint: string,
		/** Where it is not the item that is being worked on. */
		readonly itemIndex?: number,
	) {
		super(`"${displayName}" ${complaint}`);
		this.name = 'UnfitValueError';
	}
}

const mark = /\S/;

/** What an expression gives that found nothing: `undefined`, `null`, or a text without a visible character. */
export const isEmpty = (value: unknown): value is undefined | null | string =>
	value === undefined || value === null || (typeof value === 'string' && !mark.test(value));

/** A wrong value in an error. JSON would show NaN as null, and a whole object is too much to read. */
export const toQuoted = (value: unknown): string => {
	if (typeof value === 'string') return JSON.stringify(value);
	if (Array.isArray(value)) return 'a list';
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid date' : 'a date';
	return typeof value === 'object' && value !== null ? 'an object' : String(value);
};
