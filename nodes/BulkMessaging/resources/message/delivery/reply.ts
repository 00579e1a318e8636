import { isRecord } from '../../../../../core/json';
import {
	fieldOf,
	idIn,
	readList,
	saysFailure,
	wholeNumberIn,
	wordsIn,
	type ReplyEntry,
} from '../../../../../core/transport/replyShape';

/** What a response says about one message. */
export type EntryReport =
	| { kind: 'accepted'; messageUuid?: string; code?: number }
	/** The service certainly rejected it. */
	| { kind: 'refused'; code: number; words: string }
	/** The response contains an error, but doesn't say whether the message was sent. */
	| { kind: 'unclear'; code?: number; words: string }
	/** The request was accepted, but the response doesn't mention this message. */
	| { kind: 'silent' };

const uuidNames = ['messageUuid', 'uuid'];

/** The ID that the service assigned to a message. */
export const uuidIn = (entry: ReplyEntry): string | undefined => {
	for (const name of uuidNames) {
		const id = idIn(fieldOf(entry, name));
		if (id !== undefined) return id;
	}
	return undefined;
};

/** The ID that the user or this node assigned to a message. */
export const ownIdIn = (entry: ReplyEntry): string | undefined =>
	idIn(fieldOf(entry, 'externalMessageId'));

/** The entries of a response. A single object with an ID is one entry. */
const entriesOf = (reply: unknown): ReplyEntry[] => {
	const listed = readList(reply);
	if (listed !== undefined) return listed.entries;
	return isRecord(reply) && (uuidIn(reply) ?? ownIdIn(reply)) !== undefined ? [reply] : [];
};

/**
 * Finds each message's entry in a response: by its ID, or by its place if the entry has no ID and there are as many entries as
 * messages. `undefined` for a message that the response doesn't mention.
 */
export const matchReply = (
	ids: ReadonlyArray<string | undefined>,
	reply: unknown,
	idOf: (entry: ReplyEntry) => string | undefined = ownIdIn,
): Array<ReplyEntry | undefined> => {
	const entries = entriesOf(reply);
	const byId = new Map<string, ReplyEntry | undefined>();
	for (const entry of entries) {
		const id = idOf(entry);
		// If two entries have the same ID, neither is used: they may contradict each other.
		if (id !== undefined) byId.set(id, byId.has(id) ? undefined : entry);
	}
	const inOrder = entries.length === ids.length ? entries : [];
	return ids.map((id, place) => {
		if (id !== undefined && byId.has(id)) return byId.get(id);
		const entry = inOrder[place];
		// An entry with another ID belongs to another message, whatever its place.
		return entry === undefined || idOf(entry) !== undefined ? undefined : entry;
	});
};

export const codeIn = (entry: ReplyEntry): number | undefined =>
	wholeNumberIn(fieldOf(entry, 'code'));

const isSuccess = (code: number) => code >= 200 && code < 300;
/** HTTP status codes, and the service's codes such as 4000. After 408 or 5xx, the message may have been sent. */
const isRefusal = (code: number) =>
	(code >= 400 && code < 500 && code !== 408) || (code >= 4_000 && code < 5_000);

/** A message certainly wasn't sent only if its entry has a rejection code and no ID from the service. */
const reportIn = (
	entry: ReplyEntry | undefined,
	errors: { words: string } | undefined,
): EntryReport => {
	if (entry === undefined) return errors ? { kind: 'unclear', ...errors } : { kind: 'silent' };
	const code = codeIn(entry);
	const messageUuid = uuidIn(entry);
	// Most messages are accepted, and their entries have no words.
	if (code !== undefined && isSuccess(code) && !saysFailure(entry)) {
		return { kind: 'accepted', messageUuid, code };
	}
	const words = wordsIn(entry) ?? '';
	if (code !== undefined && isSuccess(code)) return { kind: 'unclear', code, words };
	if (code !== undefined && isRefusal(code) && messageUuid === undefined) {
		return { kind: 'refused', code, words };
	}
	const hasError = code !== undefined || saysFailure(entry) || errors !== undefined;
	if (hasError) return { kind: 'unclear', code, words };
	return messageUuid === undefined ? { kind: 'silent' } : { kind: 'accepted', messageUuid };
};

/** An entry without an ID is matched only by its place, so neither a rejection nor an acceptance is certain. */
const withoutCertainty = (report: EntryReport): EntryReport => {
	if (report.kind === 'refused') return { ...report, kind: 'unclear' };
	return report.kind === 'accepted' ? { kind: 'silent' } : report;
};

/**
 * What the response to a send request says about each message, in the order of the messages. If all entries report the same,
 * their places only decide which message gets which UUID. If some messages were accepted and others weren't, an entry is
 * trusted only by its ID: if the service used another order, messages would be sent twice.
 */
export const readSendReply = (
	ids: ReadonlyArray<string | undefined>,
	reply: unknown,
): EntryReport[] => {
	const hasErrors = isRecord(reply) && saysFailure(reply);
	const errors = hasErrors ? { words: wordsIn(reply) ?? '' } : undefined;
	const entries = matchReply(ids, reply);
	const all = entries.map((entry) => reportIn(entry, errors));
	const isMixed = new Set(all.map(({ kind }) => kind)).size > 1;
	if (!isMixed) return all;
	return all.map((report, place) => {
		const entry = entries[place];
		const isNamed = entry !== undefined && ownIdIn(entry) !== undefined;
		return isNamed ? report : withoutCertainty(report);
	});
};
