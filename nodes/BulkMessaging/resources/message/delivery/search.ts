import type { z } from '../../../../../vendor/zod';
import type { ApiMessage } from '../../../../../core/contract/message';
import { messaging } from '../../../../../core/contract/messaging';
import type { Caller } from '../../../../../core/transport/connection';
import { ServiceError } from '../../../../../core/transport/errors';
import { list } from '../../../../../core/transport/list';
import { idIn, textIn, type ReplyEntry } from '../../../../../core/transport/replyShape';
import type { IdName } from './reply';
import { inUrlGroups } from './urlGroups';

/** The fields of a looked-up message that are used. */
export type FoundMessage = Pick<
	z.output<typeof ApiMessage>,
	| 'messageUuid'
	| 'destination'
	| 'channelType'
	| 'status'
	| 'statusTime'
	| 'readStatus'
	| 'readStatusTime'
	| 'errorCode'
>;

const toFound = (entry: ReplyEntry): FoundMessage => ({
	messageUuid: idIn(entry.messageUuid) ?? '',
	destination: textIn(entry, 'destination'),
	channelType: textIn(entry, 'channelType'),
	status: textIn(entry, 'status')?.toLowerCase(),
	statusTime: textIn(entry, 'statusTime'),
	readStatus: textIn(entry, 'readStatus')?.toLowerCase(),
	readStatusTime: textIn(entry, 'readStatusTime'),
	errorCode: typeof entry.errorCode === 'number' ? entry.errorCode : undefined,
});

/** The service returned messages that weren't requested, so what it didn't return may exist as well. */
export class UnreliableListError extends Error {
	constructor() {
		super("The service doesn't find messages by their IDs correctly");
		this.name = 'UnreliableListError';
	}
}

const hasId = ({ externalMessageId, messageUuid }: ReplyEntry, ids: ReadonlySet<unknown>) =>
	ids.has(idIn(externalMessageId)) || ids.has(idIn(messageUuid));

const ask = async (caller: Caller, ids: readonly string[]): Promise<ReplyEntry[]> => {
	const wanted = new Set(ids);
	const isStranger = (entry: ReplyEntry) => !hasId(entry, wanted);
	const entries = await list(
		caller,
		messaging.messageList,
		// "matches both `message_uuid` and `external_message_id`"
		{ query: { message_uuid: [...ids] } },
		{ until: isStranger },
	);
	if (entries.some(isStranger)) throw new UnreliableListError();
	return entries;
};

const requestsAtATime = 4;

/** Waits for all requests, even after a failure: none may still be running when the node ends. */
const askForEach = async <T>(
	all: readonly T[],
	askFor: (one: T) => Promise<ReplyEntry[]>,
): Promise<ReplyEntry[]> => {
	const entries: ReplyEntry[] = [];
	for (let next = 0; next < all.length; next += requestsAtATime) {
		const some = await Promise.allSettled(all.slice(next, next + requestsAtATime).map(askFor));
		for (const one of some) {
			if (one.status === 'rejected') throw one.reason;
			for (const entry of one.value) entries.push(entry);
		}
	}
	return entries;
};

/** The contract doesn't say that the filter may be repeated, so a service may reject or misread a request for several IDs. */
const isNotUnderstood = (error: unknown) =>
	error instanceof UnreliableListError ||
	(error instanceof ServiceError && error.outcome === 'refused' && !error.wasAnswered);

/**
 * Asks for several IDs at once. The controls exist and stand in the middle: if the response doesn't contain them, the service
 * doesn't read all of the IDs. Then, and without controls to rely on, each ID is asked for separately.
 */
const askForGroup = async (
	caller: Caller,
	ids: readonly string[],
	controls: readonly string[] | null,
): Promise<ReplyEntry[]> => {
	if (ids.length > 1 && controls !== null) {
		const middle = Math.ceil(ids.length / 2);
		const all = [...ids.slice(0, middle), ...controls, ...ids.slice(middle)];
		const entries = await ask(caller, all).catch((error: unknown) => {
			if (isNotUnderstood(error)) return undefined;
			throw error;
		});
		const isShown = (id: string) => entries?.some((entry) => hasId(entry, new Set([id])));
		if (entries !== undefined && controls.every(isShown)) return entries;
	}
	return await askForEach(ids, async (id) => await ask(caller, [id]));
};

/** By ID. */
type Found = ReadonlyMap<string, readonly FoundMessage[]>;

/** Searches for messages. Without other controls, one that isn't found may exist, so nothing may be sent because of it. */
export const findMessages = async (
	caller: Caller,
	ids: readonly string[],
	name: IdName,
	controls: readonly string[] | null = [],
): Promise<Found> => {
	const groups = [...inUrlGroups(ids)];
	const entries = await askForEach(
		groups,
		async (some) => await askForGroup(caller, some, controls),
	);
	const found = new Map(ids.map((id): [string, FoundMessage[]] => [id, []]));
	for (const entry of entries) found.get(idIn(entry[name]) ?? '')?.push(toFound(entry));
	return found;
};

/** Searches for messages with these custom message IDs, where those that aren't found are sent. */
export const findEarlier = async (caller: Caller, ids: readonly string[]): Promise<Found> => {
	// Any message of the account can be the control.
	const [any] = ids.length > 1 ? await list(caller, messaging.messageList, {}, { limit: 1 }) : [];
	const control = idIn(any?.messageUuid);
	const controls = control === undefined ? null : [control];
	return await findMessages(caller, ids, 'externalMessageId', controls);
};
