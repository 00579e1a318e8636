import { isRecord } from '../../../../../core/json';
import type { Outcome } from '../../../../../core/transport/outcome';
import {
	idIn,
	isSuccess,
	saysFailure,
	wholeNumberIn,
	wordsIn,
	type ReplyEntry,
} from '../../../../../core/transport/replyShape';

/** What a response says about one message. */
export type EntryReport = Outcome<{ messageUuid?: string }>;

/** The service accepted the request. For this entry it reported an error, or nothing at all. */
export class EntryError extends Error {
	constructor(
		readonly code: number | undefined,
		readonly words: string,
		/** Whether the response is about this entry. */
		readonly isAbout: boolean,
	) {
		super(words);
		this.name = 'EntryError';
	}
}

/** `messageUuid` is the service's ID of a message, `externalMessageId` the user's or this node's. */
export type IdName = 'messageUuid' | 'externalMessageId';

/** A UUID is the same in capitals. */
export const isSameUuid = (found: unknown, id: string): boolean =>
	typeof found === 'string' && found.toLowerCase() === id.toLowerCase();

/** A UUID in one spelling. A custom message ID is the user's own text. */
export const toIdKey = (id: string, name: IdName): string =>
	name === 'messageUuid' ? id.toLowerCase() : id;

const entriesOf = (reply: unknown): ReplyEntry[] => {
	const items = isRecord(reply) ? reply.items : undefined;
	return Array.isArray(items) && items.every(isRecord) ? items : [];
};

/**
 * Finds each message's entry in a response: by its ID, or by its place if the entry has no ID and there are as many entries as
 * messages. `undefined` for a message that the response doesn't mention.
 */
export const matchReply = (
	ids: ReadonlyArray<string | undefined>,
	reply: unknown,
	name: IdName,
): Array<ReplyEntry | undefined> => {
	const entries = entriesOf(reply);
	const byId = new Map<string, ReplyEntry>();
	for (const entry of entries) {
		const id = idIn(entry[name]);
		if (id !== undefined) byId.set(toIdKey(id, name), entry);
	}
	return ids.map((id, place) => {
		const named = id === undefined ? undefined : byId.get(toIdKey(id, name));
		const entry = named ?? (entries.length === ids.length ? entries[place] : undefined);
		// An entry with another ID belongs to another message, whatever its place.
		return entry === named || idIn(entry?.[name]) === undefined ? entry : undefined;
	});
};

export const codeIn = ({ code }: ReplyEntry): number | undefined => wholeNumberIn(code);

/** HTTP status codes, and the service's codes such as 4000. After 408 or 5xx, the message may have been sent. */
const isRefusal = (code = 0) =>
	(code >= 400 && code < 500 && code !== 408) || (code >= 4_000 && code < 5_000);

/** What an entry says about its message; `undefined` if it says nothing. */
const reportIn = (entry: ReplyEntry, errors: unknown): EntryReport | undefined => {
	const code = codeIn(entry);
	const messageUuid = idIn(entry.messageUuid);
	if (isSuccess(code)) return { is: 'done', value: { messageUuid } };
	if (entry.code !== undefined || saysFailure(entry)) {
		// A code that can't be read may be any.
		const error = new EntryError(code, wordsIn(entry) ?? '', true);
		return { is: isRefusal(code) ? 'refused' : 'unknown', error };
	}
	// If some messages weren't created, each entry needs a code of its own.
	const isCreated = messageUuid !== undefined && (errors === undefined || errors === false);
	return isCreated ? { is: 'done', value: { messageUuid } } : undefined;
};

/** What the response to a send request says about each message, in the order of the messages. */
export const readSendReply = (
	ids: ReadonlyArray<string | undefined>,
	reply: unknown,
): EntryReport[] => {
	const { errors } = isRecord(reply) ? reply : {};
	const known = new Set(ids);
	const isOurs = ({ externalMessageId }: ReplyEntry) =>
		idIn(externalMessageId) === undefined || known.has(idIn(externalMessageId));
	// It means that every message was created, even those that the response doesn't list.
	const areAllCreated = errors === false && entriesOf(reply).every(isOurs);
	return matchReply(ids, reply, 'externalMessageId').map((entry): EntryReport => {
		const report = entry && reportIn(entry, errors);
		if (report !== undefined) return report;
		if (areAllCreated) return { is: 'done', value: {} };
		return { is: 'unknown', error: new EntryError(undefined, wordsIn(reply) ?? '', false) };
	});
};
