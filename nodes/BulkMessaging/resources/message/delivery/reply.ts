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

/**
 * Finds each message's entry in a response: by its ID, or by its place if the entry has no ID and there are as many entries as
 * messages. `undefined` for a message that the response doesn't mention.
 */
export const matchReply = (
	ids: ReadonlyArray<string | undefined>,
	reply: unknown,
	name: IdName,
): Array<ReplyEntry | undefined> => {
	const items = isRecord(reply) ? reply.items : undefined;
	const entries = Array.isArray(items) && items.every(isRecord) ? items : [];
	const byId = new Map<string, ReplyEntry | undefined>();
	for (const entry of entries) {
		const id = idIn(entry[name]);
		if (id === undefined) continue;
		const key = toIdKey(id, name);
		// If two entries have the same ID, neither is used: they may contradict each other.
		byId.set(key, byId.has(key) ? undefined : entry);
	}
	return ids.map((id, place) => {
		const key = id === undefined ? undefined : toIdKey(id, name);
		if (key !== undefined && byId.has(key)) return byId.get(key);
		const entry = entries.length === ids.length ? entries[place] : undefined;
		// An entry with another ID belongs to another message, whatever its place.
		return entry === undefined || idIn(entry[name]) !== undefined ? undefined : entry;
	});
};

export const codeIn = ({ code }: ReplyEntry): number | undefined => wholeNumberIn(code);

/** HTTP status codes, and the service's codes such as 4000. After 408 or 5xx, the message may have been sent. */
const isRefusal = (code: number) =>
	(code >= 400 && code < 500 && code !== 408) || (code >= 4_000 && code < 5_000);

/** The list of messages has such a field; whether a response to a send has it isn't published. */
export const hasErrorCode = ({ errorCode }: ReplyEntry): boolean => Boolean(errorCode);

/** `errors: false` means that every message was created, `true` that some weren't: then each needs a code of its own. */
const reportIn = (entry: ReplyEntry, errors: unknown): EntryReport => {
	const code = codeIn(entry);
	const messageUuid = idIn(entry.messageUuid);
	// A code that can't be read may be any. Only a missing one leaves the decision to `errors`.
	const hasNoErrors = entry.code === undefined && (errors === undefined || errors === false);
	const isCreated = code === undefined ? hasNoErrors : isSuccess(code);
	const isMentioned = code !== undefined || messageUuid !== undefined;
	if (isCreated && isMentioned && !hasErrorCode(entry) && !saysFailure(entry)) {
		return { is: 'done', value: { messageUuid } };
	}
	// It certainly wasn't sent only if nothing in the response contradicts the rejection.
	const isRefused = code !== undefined && isRefusal(code);
	const isContradicted = messageUuid !== undefined || errors === false;
	const error = new EntryError(code, wordsIn(entry) ?? '', isMentioned || saysFailure(entry));
	return { is: isRefused && !isContradicted ? 'refused' : 'unknown', error };
};

/**
 * Whether entries without our IDs can be told apart by their places. The service describes a UUID for each created message; without
 * one, if not all of them say the same, or if an entry with an ID is elsewhere, another order would take one message for another.
 */
const isInOrder = (
	ids: ReadonlyArray<string | undefined>,
	entries: readonly ReplyEntry[],
	errors: unknown,
): boolean => {
	const isInPlace = ({ externalMessageId }: ReplyEntry, place: number) =>
		[undefined, ids[place]].includes(idIn(externalMessageId));
	const reports = entries
		.filter(({ externalMessageId }) => idIn(externalMessageId) === undefined)
		.map((entry) => reportIn(entry, errors));
	const hasUuid = (report: EntryReport) =>
		report.is !== 'done' || report.value.messageUuid !== undefined;
	return (
		entries.every(isInPlace) &&
		new Set(reports.map(({ is }) => is)).size < 2 &&
		reports.every(hasUuid)
	);
};

const repeatedIn = (entries: readonly ReplyEntry[], name: IdName): ReadonlySet<string> => {
	const once = new Set<string>();
	const ids = entries.flatMap((entry) => idIn(entry[name]) ?? []);
	return new Set(ids.filter((id) => once.has(id) || !once.add(id)));
};

/** What the response to a send request says about each message, in the order of the messages. */
export const readSendReply = (
	ids: ReadonlyArray<string | undefined>,
	reply: unknown,
): EntryReport[] => {
	const { errors, items } = isRecord(reply) ? reply : {};
	const isReadable = Array.isArray(items) && items.every(isRecord);
	const entries = isReadable ? items : [];
	// The same ID for two messages says nothing about either of them.
	const twice = {
		messageUuid: repeatedIn(entries, 'messageUuid'),
		externalMessageId: repeatedIn(entries, 'externalMessageId'),
	};
	const isClear = twice.messageUuid.size === 0 && twice.externalMessageId.size === 0;
	const hasOrder = isClear && isInOrder(ids, entries, errors);
	const known = new Set(ids);
	const contradicts = (entry: ReplyEntry): boolean => {
		const id = idIn(entry.externalMessageId);
		const isFailed = entry.code !== undefined && !isSuccess(codeIn(entry));
		return (
			(id !== undefined && !known.has(id)) || isFailed || hasErrorCode(entry) || saysFailure(entry)
		);
	};
	// `errors: false` guarantees that every message was created, even those that the response doesn't mention. A response that
	// contradicts itself, or is about another request, guarantees nothing.
	const isGuaranteed =
		errors === false &&
		isReadable &&
		isClear &&
		entries.length <= ids.length &&
		isRecord(reply) &&
		!saysFailure(reply) &&
		!entries.some(contradicts);
	return matchReply(ids, reply, 'externalMessageId').map((entry): EntryReport => {
		const isNamed = idIn(entry?.externalMessageId) !== undefined;
		const isOwn = !twice.messageUuid.has(idIn(entry?.messageUuid) ?? '');
		const isTrusted = isOwn && (isNamed || hasOrder);
		const report = entry !== undefined && isTrusted ? reportIn(entry, errors) : undefined;
		if (report?.is === 'done') return report;
		if (isGuaranteed) return { is: 'done', value: {} };
		return (
			report ?? { is: 'unknown', error: new EntryError(undefined, wordsIn(reply) ?? '', false) }
		);
	});
};
