import type { IExecuteFunctions } from 'n8n-workflow';
import { messaging } from '../../../../../core/contract/messaging';
import { ChannelType } from '../../../../../core/contract/values';
import { nationalPart } from '../../../../../core/recipients/phone';
import { inBatches, inUrlGroups } from '../../../../../core/transport/batches';
import type { Caller } from '../../../../../core/transport/connection';
import { list } from '../../../../../core/transport/list';
import { absent, lookForAMinute } from '../../../../../core/transport/outcome';
import { idIn, textIn, type ReplyEntry } from '../../../../../core/transport/replyShape';
import type { FoundMessage, Outgoing } from './outgoing';
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

const requestsAtATime = 4;

/** By ID. */
type Found = ReadonlyMap<string, readonly FoundMessage[]>;

/** Searches for messages by one of their IDs. */
export const findMessages = async (
	caller: Caller,
	ids: readonly string[],
	name: IdName,
): Promise<Found> => {
	const found = new Map(ids.map((id): [string, FoundMessage[]] => [toIdKey(id, name), []]));
	for (const groups of inBatches(inUrlGroups(ids), requestsAtATime)) {
		// All requests are waited for, even after a failure: none may still be running when the node ends.
		const replies = await Promise.allSettled(
			groups.map(
				async (group) =>
					// "matches both `message_uuid` and `external_message_id`"
					await list(caller, messaging.messageList, { query: { message_uuid: group } }),
			),
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

/** Whether a message with its ID can only be this one, or one that makes sending it again needless. */
const isFindable = ({ ownId, isGiven, usedBefore }: Outgoing): boolean =>
	ownId !== undefined && !(isGiven && usedBefore === 'sendAnyway');

/** Looks once for messages with these IDs. With 'Send Anyway', an earlier message would be taken for the new one. */
export const lookForSent = async (
	caller: Caller,
	entries: readonly Outgoing[],
): Promise<FoundEntries> => {
	const wanted = entries.filter(isFindable);
	const ids = wanted.flatMap(({ ownId }) => ownId ?? []);
	const found = await findMessages(caller, ids, 'externalMessageId');
	const sent = new Map<Outgoing, FoundMessage>();
	for (const entry of wanted) {
		const message = found.get(entry.ownId ?? '')?.find((one) => isFor(entry, one));
		if (message !== undefined) sent.set(entry, message);
	}
	return sent;
};

/** Looks for more than a minute for messages that may have been sent. */
export const lookForLost = async (
	context: IExecuteFunctions,
	lost: readonly Outgoing[],
): Promise<FoundEntries> => {
	const entries = lost.filter(isFindable);
	const found = new Map<Outgoing, FoundMessage>();
	if (entries.length === 0) return found;
	await lookForAMinute(async () => {
		const missing = entries.filter((entry) => !found.has(entry));
		for (const [entry, message] of await lookForSent(context, missing)) found.set(entry, message);
		return found.size === entries.length ? { is: 'found', value: found } : absent;
	}, context.getExecutionCancelSignal());
	return found;
};
