import type { NodeApiError, NodeOperationError } from 'n8n-workflow';

/** The errors that leave a node. */
export type NodeError = NodeApiError | NodeOperationError;

/** What is known about an item when it fails. */
export interface FailedItem {
	/** Only its values were read so far, and nothing was done for it. */
	isReading?: boolean;
	/** Other items of the run are sent although this one isn't. */
	isAmongOthers?: boolean;
	/** Set if this run may have sent something, perhaps for this very item, in an earlier try of 'Retry On Fail': what it was. */
	acts?: string;
}

/** A value that doesn't fit its parameter. The complaint completes the sentence `'<Display Name>' …`. */
export class UnfitValueError extends Error {
	constructor(
		readonly displayName: string,
		readonly complaint: string,
		/** Set if the value belongs to another item than the current one. */
		readonly itemIndex?: number,
		/** What to do next, if the complaint doesn't say it. */
		readonly advice = '',
	) {
		super(`'${displayName}' ${complaint}`);
		this.name = 'UnfitValueError';
	}
}

/** The complaint about a value that is missing. */
export const valueRequired = 'is required';

/** A wrong value as an error shows it. NaN means nothing to a user, and a whole object would be too long. */
export const toQuoted = (value: unknown): string => {
	if (typeof value === 'string') return JSON.stringify(value);
	if (Array.isArray(value)) return 'a list';
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid date' : 'a date';
	if (typeof value === 'number' && !Number.isFinite(value))
		return 'the result of a calculation that failed';
	return typeof value === 'object' && value !== null ? 'an object' : String(value);
};
