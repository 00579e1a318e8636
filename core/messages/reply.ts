import { isRecord } from '../json';
import {
	fieldOf,
	idIn,
	readList,
	saysFailure,
	wholeNumberIn,
	wordsIn,
} from '../transport/replyShape';

type Entry = Record<string, unknown>;

/** What a reply says about one message. */
export type Told =
	| { kind: 'accepted'; messageUuid?: string; code?: number }
	/** The service certainly didn't accept it. */
	| { kind: 'refused'; code?: number; words: string }
	/** It names an error, and whether the message was sent stays open. */
	| { kind: 'unclear'; code?: number; words: string }
	/** The request was accepted, and the reply says nothing about this message. */
	| { kind: 'silent' };

const uuidNames = ['messageUuid', 'uuid'];

/** The ID the service gave a message. */
export const uuidIn = (entry: Entry): string | undefined => {
	for (const name of uuidNames) {
		const id = idIn(fieldOf(entry, name));
		if (id !== undefined) return id;
	}
	return undefined;
};

/** The ID the user, or this node, gave a message. */
export const ownIdIn = (entry: Entry): string | undefined =>
	idIn(fieldOf(entry, 'externalMessageId'));

/** The entries of a reply; one object that stands for a single message is one entry. */
const entriesOf = (reply: unknown): Entry[] => {
	const listed = readList(reply);
	if (listed !== undefined) return listed.entries;
	return isRecord(reply) && (uuidIn(reply) ?? ownIdIn(reply)) !== undefined ? [reply] : [];
};

/**
 * Gives each message its entry: by its ID, or by its place where the service does not repeat IDs and answers for as many as
 * were sent. `undefined` for a message the reply is silent about.
 */
export const matchReply = (
	ids: ReadonlyArray<string | undefined>,
	reply: unknown,
	idOf: (entry: Entry) => string | undefined = ownIdIn,
): Array<Entry | undefined> => {
	const entries = entriesOf(reply);
	const byId = new Map<string | undefined, Entry | undefined>();
	for (const entry of entries) {
		const id = idOf(entry);
		// Two entries of one ID contradict each other: neither is believed.
		if (id !== undefined) byId.set(id, byId.has(id) ? undefined : entry);
	}
	const inOrder = entries.length === ids.length ? entries : [];
	return ids.map((id, place) => {
		if (byId.has(id)) return byId.get(id);
		const entry = inOrder[place];
		// One that names another ID belongs to another message, wherever it stands.
		return entry === undefined || idOf(entry) !== undefined ? undefined : entry;
	});
};

export const codeIn = (entry: Entry): number | undefined => wholeNumberIn(fieldOf(entry, 'code'));

const isSuccess = (code = 0) => code >= 200 && code < 300;
/** HTTP's own, and the service's, such as 4000. Like the whole answer, an entry with 408 or 5xx leaves it open. */
const isRefusal = (code = 0) =>
	(code >= 400 && code < 500 && code !== 408) || (code >= 4_000 && code < 5_000);

/** What the service says about one message. Only a code of refusal without an ID means that it certainly was not sent. */
const toldIn = (entry: Entry | undefined, errors: { words: string } | undefined): Told => {
	if (entry === undefined) return errors ? { kind: 'unclear', ...errors } : { kind: 'silent' };
	const code = codeIn(entry);
	const messageUuid = uuidIn(entry);
	const words = wordsIn(entry) ?? '';
	if (isSuccess(code)) {
		return saysFailure(entry)
			? { kind: 'unclear', code, words }
			: { kind: 'accepted', messageUuid, code };
	}
	if (isRefusal(code) && messageUuid === undefined) {
		return { kind: 'refused', code, words };
	}
	const isBlamed = code !== undefined || saysFailure(entry) || errors !== undefined;
	if (isBlamed) return { kind: 'unclear', code, words };
	return messageUuid === undefined ? { kind: 'silent' } : { kind: 'accepted', messageUuid };
};

/** Without an ID only its place says whose entry it is: then neither a refusal nor an acceptance is certain. */
const withoutCertainty = (told: Told): Told => {
	if (told.kind === 'refused') return { ...told, kind: 'unclear' };
	return told.kind === 'accepted' ? { kind: 'silent' } : told;
};

/**
 * What a reply to sending says about each message, in their order. The place of an entry is believed where it decides
 * nothing but the ID: if some messages were accepted and others not, a service with another order would have us send again
 * what was sent.
 */
export const readSendReply = (ids: ReadonlyArray<string | undefined>, reply: unknown): Told[] => {
	const hasErrors = isRecord(reply) && saysFailure(reply);
	const errors = hasErrors ? { words: wordsIn(reply) ?? '' } : undefined;
	const entries = matchReply(ids, reply);
	const all = entries.map((entry) => toldIn(entry, errors));
	const isMixed = new Set(all.map(({ kind }) => kind)).size > 1;
	if (!isMixed) return all;
	return all.map((told, place) => {
		const entry = entries[place];
		const isNamed = entry !== undefined && ownIdIn(entry) !== undefined;
		return isNamed ? told : withoutCertainty(told);
	});
};
