import { isRecord } from '../json';
import { idIn, isBlank, isEmpty } from '../value';

// Beside the other readers of a response's values.
export { idIn, isEmpty as isAbsent };

export type ReplyEntry = Record<string, unknown>;

/** A list in a response. */
export interface ReadList {
	entries: ReplyEntry[];
	/** The number of entries on all pages, if the response contains it. */
	total?: number;
}

/** The fields in which the contract has its lists. A list in any other field is unreadable, which isn't the same as empty. */
const envelopeNames = ['items', 'tariffs', 'senderFees'];

const wholeNumber = /^\d{1,15}$/;

/** A count or an ID: a whole number, 0 or greater, also as text. */
export const wholeNumberIn = (value: unknown): number | undefined => {
	if (typeof value === 'string' && wholeNumber.test(value)) return Number(value);
	return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
};

/** An amount of money; `undefined` for anything else, even a number in a string. */
export const amountIn = (value: unknown): number | undefined =>
	typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/** Text, or a number as text. */
export const textIn = (entry: ReplyEntry, name: string): string | undefined => {
	const value = entry[name];
	return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
};

const areEntries = (value: unknown): value is ReplyEntry[] =>
	Array.isArray(value) && value.every(isRecord);

/**
 * The list in a response: a bare array, or the only array under a known name. `undefined` if there is none or more than one, or if
 * its total can't be read. The caller must treat `undefined` as "unknown", never as an empty list.
 */
export const readList = (reply: unknown): ReadList | undefined => {
	if (Array.isArray(reply)) return areEntries(reply) ? { entries: reply } : undefined;
	if (!isRecord(reply)) return undefined;
	const lists = envelopeNames.map((name) => reply[name]).filter(Array.isArray);
	const [entries] = lists;
	if (lists.length !== 1 || !areEntries(entries)) return undefined;
	// If another field contains a longer list, the entries may be there.
	const { length } = entries;
	if (Object.values(reply).some((other) => Array.isArray(other) && other.length > length)) {
		return undefined;
	}
	const given = reply.total ?? undefined;
	const total = wholeNumberIn(given);
	if (given !== undefined && total === undefined) return undefined;
	return { entries, total };
};

const wordsNames = ['msg', 'message', 'description', 'detail', 'error', 'errors'];

/** The text of an error, in any of the usual fields. */
export const wordsIn = (value: unknown): string | undefined => {
	if (typeof value === 'string') return isBlank(value) ? undefined : value;
	if (Array.isArray(value)) return wordsIn(value[0]);
	if (!isRecord(value)) return undefined;
	for (const name of wordsNames) {
		const words = wordsIn(value[name]);
		if (words !== undefined) return words;
	}
	return undefined;
};

const reasonName = /reason|error|cause|fail/i;

/**
 * Why something failed. The contract has no field for the reason, so every field whose name looks like one is used. `undefined` if
 * there is none.
 */
export const reasonIn = (entry: ReplyEntry): string | undefined => {
	const reasons = Object.entries(entry).flatMap(([name, value]) => {
		if (!reasonName.test(name)) return [];
		// 0 means no error.
		if (typeof value === 'number') return value === 0 ? [] : [`${name} ${value}`];
		return wordsIn(value) ?? [];
	});
	return reasons.length === 0 ? undefined : reasons.join(', ');
};

const isSomething = (value: unknown): boolean => {
	if (Array.isArray(value)) return value.length > 0;
	return isRecord(value) ? Object.keys(value).length > 0 : Boolean(value);
};

const failedStatus = /^(?:error|fail|failed|failure)$/i;

/** Whether a response has the status or code of a failure. Without words, it may also describe an entry that failed. */
export const hasFailedStatus = ({ status, code }: ReplyEntry): boolean =>
	(typeof status === 'string' && failedStatus.test(status)) || (wholeNumberIn(code) ?? 0) >= 400;

/** Whether a response clearly reports a failure, although its HTTP status is a success. */
export const saysFailure = (reply: ReplyEntry): boolean => {
	const { error, errors, success, ok } = reply;
	if (isSomething(error) || isSomething(errors) || success === false || ok === false) return true;
	return hasFailedStatus(reply) && wordsIn(reply) !== undefined;
};

/** Whether an entry's code, such as 201, reports a success. */
export const isSuccess = (code: number | undefined): boolean =>
	code !== undefined && code >= 200 && code < 300;

/** The error in a response with a success status. `undefined` if it contains entries, because each entry reports its own error. */
export const errorIn = (reply: unknown): { code?: number; words?: string } | undefined => {
	if (!isRecord(reply) || !saysFailure(reply)) return undefined;
	if ((readList(reply)?.entries.length ?? 0) > 0) return undefined;
	const { code } = isRecord(reply.error) ? reply.error : reply;
	return { code: wholeNumberIn(code), words: wordsIn(reply) };
};

const mostNames = 8;

/** Describes a response for users: its field names, never its values. */
export const describeShape = (reply: unknown): string => {
	if (isEmpty(reply)) return 'nothing';
	if (Array.isArray(reply))
		return areEntries(reply) ? 'a list without a total' : "a list whose entries aren't objects";
	if (!isRecord(reply)) return typeof reply === 'string' ? 'text' : `a ${typeof reply}`;
	const names = Object.keys(reply);
	if (names.length === 0) return 'an empty object';
	const shown = names.slice(0, mostNames).join(', ');
	return `an object with the fields ${shown}${names.length > mostNames ? ' and others' : ''}`;
};
