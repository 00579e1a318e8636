import { isRecord } from '../json';

export type ReplyEntry = Record<string, unknown>;

/** A list as it stands in a reply. */
export interface ReadList {
	entries: ReplyEntry[];
	/** How many entries there are on all pages, where the reply says so. */
	total?: number;
}

/** Under which names a reply may hold its list: those of the contract, and those other services use. */
const envelopeNames = [
	'items',
	'data',
	'results',
	'result',
	'messages',
	'list',
	'rows',
	'records',
	'entries',
	'content',
	'tariffs',
	'senderFees',
];

/** `message_uuid`, `messageUuid` and `MessageUuid` are the same name. */
const plainName = (name: string) => name.replaceAll('_', '').toLowerCase();

/** The value of a field, whichever case the service writes its name in. The contract's own spelling wins. */
export const fieldOf = (entry: ReplyEntry, name: string): unknown => {
	if (Object.hasOwn(entry, name)) return entry[name];
	const plain = plainName(name);
	for (const key of Object.keys(entry)) if (plainName(key) === plain) return entry[key];
	return undefined;
};

const wholeNumber = /^\d{1,15}$/;

/** A count or an ID that plainly is a whole number from 0 on, also written as text. */
export const wholeNumberIn = (value: unknown): number | undefined => {
	if (typeof value === 'string' && wholeNumber.test(value)) return Number(value);
	return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
};

/** A text that says something. A number is an ID too. */
export const idIn = (value: unknown): string | undefined => {
	if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
	return typeof value === 'string' && value.trim() !== '' ? value : undefined;
};

/** A text, or a number as text. */
export const textIn = (entry: ReplyEntry, name: string): string | undefined => {
	const value = fieldOf(entry, name);
	return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
};

/** A reply without any content. */
export const isAbsent = (reply: unknown): reply is undefined | null | '' =>
	reply === undefined || reply === null || reply === '';

const areEntries = (value: unknown): value is ReplyEntry[] =>
	Array.isArray(value) && value.every(isRecord);

/**
 * The list in a reply: a bare array, or the one array under a known name. `undefined` when there is none, when two could be
 * meant, or when the total contradicts it. That never means "empty": whoever asks must treat it as "cannot tell".
 */
export const readList = (reply: unknown): ReadList | undefined => {
	if (Array.isArray(reply)) return areEntries(reply) ? { entries: reply } : undefined;
	if (!isRecord(reply)) return undefined;
	const lists = envelopeNames.map((name) => fieldOf(reply, name)).filter(Array.isArray);
	const [entries] = lists;
	if (lists.length !== 1 || !areEntries(entries)) return undefined;
	const given = fieldOf(reply, 'total') ?? undefined;
	const total = wholeNumberIn(given);
	if (given !== undefined && total === undefined) return undefined;
	return total !== undefined && total < entries.length ? undefined : { entries, total };
};

const wordsNames = ['msg', 'message', 'description', 'detail', 'error', 'errors'];

/** The words of an error, wherever it has them. */
export const wordsIn = (value: unknown): string | undefined => {
	if (typeof value === 'string') return value.trim() === '' ? undefined : value;
	if (Array.isArray(value)) return wordsIn(value[0]);
	if (!isRecord(value)) return undefined;
	for (const name of wordsNames) {
		const words = wordsIn(fieldOf(value, name));
		if (words !== undefined) return words;
	}
	return undefined;
};

const reasonName = /reason|error|cause|fail/i;

/**
 * Why something failed, in whatever field the service says so: the contract has none for it. `undefined` where no field looks
 * like a reason.
 */
export const reasonIn = (entry: ReplyEntry): string | undefined => {
	const reasons = Object.entries(entry).flatMap(([name, value]) => {
		if (!reasonName.test(name)) return [];
		// 0 stands for none.
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

/** Whether a reply plainly says that something failed, although it came with a status of success. */
export const saysFailure = (reply: ReplyEntry): boolean => {
	if (isSomething(fieldOf(reply, 'error')) || isSomething(fieldOf(reply, 'errors'))) return true;
	if (fieldOf(reply, 'success') === false || fieldOf(reply, 'ok') === false) return true;
	if (wordsIn(reply) === undefined) return false;
	const status = fieldOf(reply, 'status');
	const code = wholeNumberIn(fieldOf(reply, 'code'));
	return (
		(typeof status === 'string' && failedStatus.test(status)) || (code !== undefined && code >= 400)
	);
};

/** The error in a reply that came with a status of success. Entries speak for themselves, each for its own. */
export const errorIn = (reply: unknown): { code?: number; words?: string } | undefined => {
	if (!isRecord(reply) || !saysFailure(reply)) return undefined;
	if ((readList(reply)?.entries.length ?? 0) > 0) return undefined;
	const error = fieldOf(reply, 'error');
	const code = wholeNumberIn(fieldOf(isRecord(error) ? error : reply, 'code'));
	return { code, words: wordsIn(reply) };
};

const mostNames = 8;

/** What came instead, for people: its fields, never its values. */
export const describeShape = (reply: unknown): string => {
	if (isAbsent(reply)) return 'nothing';
	if (Array.isArray(reply)) return 'a list whose entries are not objects';
	if (!isRecord(reply)) return `a ${typeof reply === 'string' ? 'text' : typeof reply}`;
	const names = Object.keys(reply);
	if (names.length === 0) return 'an empty object';
	const shown = names.slice(0, mostNames).join(', ');
	return `an object with the fields ${shown}${names.length > mostNames ? ' and others' : ''}`;
};
