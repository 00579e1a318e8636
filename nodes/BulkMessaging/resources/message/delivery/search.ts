import type { IExecuteFunctions } from 'n8n-workflow';
import { messaging } from '../../../../../core/contract/messaging';
import { ChannelType } from '../../../../../core/contract/values';
import { nationalPart } from '../../../../../core/recipients/phone';
import { inBatches, inUrlGroups } from '../../../../../core/transport/batches';
import type { Caller } from '../../../../../core/transport/connection';
import { list } from '../../../../../core/transport/list';
import { absent, lookForAMinute } from '../../../../../core/transport/outcome';
import { idIn, textIn, type ReplyEntry } from '../../../../../core/transport/replyShape';
import { othersMessages } from './idClaims';
import { messagesOf, type FoundMessage, type Outgoing } from './outgoing';
import { toIdKey, type IdName } from './reply';

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

/** Whether a message has one of these IDs, as its own or as its custom message ID. */
const havingOneOf = (ids: readonly string[]) => {
	const own = new Set(ids);
	const uuids = new Set(ids.map((id) => toIdKey(id, 'messageUuid')));
	return ({ externalMessageId, messageUuid }: ReplyEntry): boolean =>
		own.has(idIn(externalMessageId) ?? '') ||
		uuids.has(toIdKey(idIn(messageUuid) ?? '', 'messageUuid'));
};

/**
 * Asks for several IDs in one request. The control is a message that exists, and stands in the middle: if the response doesn't
 * contain it, the service doesn't read all of the IDs.
 */
const ask = async (
	caller: Caller,
	ids: readonly string[],
	control: string | undefined,
): Promise<ReplyEntry[]> => {
	const middle = Math.ceil(ids.length / 2);
	const controls = ids.length > 1 && control !== undefined ? [control] : [];
	const all = [...ids.slice(0, middle), ...controls, ...ids.slice(middle)];
	const isWanted = havingOneOf(all);
	const isStranger = (entry: ReplyEntry) => !isWanted(entry);
	const entries = await list(
		caller,
		messaging.messageList,
		// "matches both `message_uuid` and `external_message_id`"
		{ query: { message_uuid: all } },
		{ until: isStranger },
	);
	const isShown = (id: string) => entries.some(havingOneOf([id]));
	if (entries.some(isStranger) || !controls.every(isShown)) throw new UnreliableListError();
	return entries;
};

const requestsAtATime = 4;

/** By ID. */
type Found = ReadonlyMap<string, readonly FoundMessage[]>;

/** Searches for messages. Without a control, one that isn't found may exist, so nothing may be sent because of it. */
export const findMessages = async (
	caller: Caller,
	ids: readonly string[],
	name: IdName,
	control?: string,
): Promise<Found> => {
	const found = new Map(ids.map((id): [string, FoundMessage[]] => [toIdKey(id, name), []]));
	for (const groups of inBatches(inUrlGroups(ids), requestsAtATime)) {
		// All requests are waited for, even after a failure: none may still be running when the node ends.
		const replies = await Promise.allSettled(
			groups.map(async (group) => await ask(caller, group, control)),
		);
		for (const reply of replies) {
			if (reply.status === 'rejected') throw reply.reason;
			for (const entry of reply.value) {
				found.get(toIdKey(idIn(entry[name]) ?? '', name))?.push(toFound(entry));
			}
		}
	}
	return new Map(ids.map((id) => [id, found.get(toIdKey(id, name)) ?? []]));
};

/** Searches for messages with these custom message IDs, where those that aren't found are sent. */
const findEarlier = async (caller: Caller, ids: readonly string[]): Promise<Found> => {
	// Any message of the account can be the control. If there is none, nothing was sent before.
	const [any] = ids.length > 1 ? await list(caller, messaging.messageList, {}, { limit: 1 }) : [];
	const control = idIn(any?.messageUuid);
	if (any !== undefined && control === undefined) throw new UnreliableListError();
	return await findMessages(caller, ids, 'externalMessageId', control);
};

type FoundEntries = ReadonlyMap<Outgoing, FoundMessage>;

/** Whether it certainly is another number. A masked number, or one in another format, may be the same. */
const isOtherNumber = (found: string | undefined, wanted: string): boolean =>
	found !== undefined &&
	/^\+?\d{10,15}$/.test(found) &&
	nationalPart(found) !== nationalPart(wanted);

/** Whether it certainly is another channel. A channel that the contract doesn't know may be the same. */
const isOtherChannel = (found: string | undefined, wanted: string | undefined): boolean => {
	const name = found?.toUpperCase() ?? '';
	const known: readonly string[] = ChannelType.known;
	return wanted !== undefined && known.includes(name) && name !== wanted.toUpperCase();
};

/** A cascade has several. */
export const channelOf = ({ body }: Outgoing): string | undefined =>
	'channelType' in body ? String(body.channelType) : undefined;

/** The same ID for another number or channel is another message: for example, Viber first and SMS if that fails. */
const isFor = (entry: Outgoing, { destination, channelType }: FoundMessage): boolean =>
	// A generated ID belongs to this message only.
	!entry.isGiven ||
	(!isOtherNumber(destination, entry.body.destination) &&
		!isOtherChannel(channelType, channelOf(entry)));

const idsOf = (entries: readonly Outgoing[]) => entries.flatMap(({ ownId }) => ownId ?? []);

/**
 * Looks for earlier messages with the IDs that the user gave; generated ones are new. Returns those that must not be sent again,
 * and remembers the others' UUIDs, so that an earlier message is never taken for the new one.
 */
export const lookBefore = async (
	context: IExecuteFunctions,
	entries: readonly Outgoing[],
): Promise<FoundEntries> => {
	const { older } = messagesOf(context);
	const earlier = new Map<Outgoing, FoundMessage>();
	const found = await findEarlier(context, idsOf(entries));
	for (const entry of entries) {
		const messages = found.get(entry.ownId ?? '') ?? [];
		const message = messages.find((one) => isFor(entry, one));
		if (entry.usedBefore === 'skip') {
			if (message !== undefined) earlier.set(entry, message);
		} else if (messages.every(({ messageUuid }) => messageUuid !== '')) {
			older.set(entry.itemIndex, new Set(messages.map(({ messageUuid }) => messageUuid)));
		}
	}
	return earlier;
};

/** Messages that can be found again. An earlier message with the same ID must be known, or it would be taken for this one. */
const findable = (context: IExecuteFunctions, entries: readonly Outgoing[]): Outgoing[] => {
	const { older } = messagesOf(context);
	return entries.filter(
		({ ownId, isGiven, usedBefore, itemIndex }) =>
			ownId !== undefined && (!isGiven || usedBefore === 'skip' || older.has(itemIndex)),
	);
};

/** Looks once for messages that were sent. */
export const lookForSent = async (
	context: IExecuteFunctions,
	entries: readonly Outgoing[],
): Promise<FoundEntries> => {
	const { older } = messagesOf(context);
	const wanted = findable(context, entries);
	const found = await findMessages(context, idsOf(wanted), 'externalMessageId');
	const mayBeOthers = await othersMessages(context);
	const sent = new Map<Outgoing, FoundMessage>();
	for (const entry of wanted) {
		const known = older.get(entry.itemIndex);
		const message = found
			.get(entry.ownId ?? '')
			?.find(
				(one) => isFor(entry, one) && !known?.has(one.messageUuid) && !mayBeOthers(entry, one),
			);
		if (message !== undefined) sent.set(entry, message);
	}
	return sent;
};

/** Looks for more than a minute for messages that may have been sent. */
export const lookForLost = async (
	context: IExecuteFunctions,
	lost: readonly Outgoing[],
): Promise<FoundEntries> => {
	const entries = findable(context, lost);
	const found = new Map<Outgoing, FoundMessage>();
	if (entries.length === 0) return found;
	await lookForAMinute(async () => {
		const missing = entries.filter((entry) => !found.has(entry));
		for (const [entry, message] of await lookForSent(context, missing)) found.set(entry, message);
		return found.size === entries.length ? { is: 'found', value: found } : absent;
	}, context.getExecutionCancelSignal());
	return found;
};
