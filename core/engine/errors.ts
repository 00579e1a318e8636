/** A value that does not fit its parameter, in words that finish the sentence `"<Display Name>" …`. */
export class UnfitValueError extends Error {
	constructor(
		readonly displayName: string,
		readonly complaint: string,
		/** Where it is not the item that is being worked on. */
		readonly itemIndex?: number,
		/** What to do about it, where the complaint alone does not say. */
		readonly advice = '',
	) {
		super(`"${displayName}" ${complaint}`);
		this.name = 'UnfitValueError';
	}
}

/** A wrong value in an error. JSON would show NaN as null, and a whole object is too much to read. */
export const toQuoted = (value: unknown): string => {
	if (typeof value === 'string') return JSON.stringify(value);
	if (Array.isArray(value)) return 'a list';
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid date' : 'a date';
	return typeof value === 'object' && value !== null ? 'an object' : String(value);
};

/** The reply to a call that only reads, in which nothing of what was asked for can be recognized. */
export class UnrecognizedReplyError extends Error {
	constructor(readonly what: string) {
		super("The service's answer could not be understood");
		this.name = 'UnrecognizedReplyError';
	}
}
