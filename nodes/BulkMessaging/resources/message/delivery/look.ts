import type { IExecuteFunctions } from 'n8n-workflow';
import { ChannelType } from '../../../../../core/contract/values';
import { absent, lookForAMinute } from '../../../../../core/transport/outcome';
import { messagesOf, type Outgoing } from './outgoing';
import { findEarlier, findMessages, type FoundMessage } from './search';

type FoundEntries = ReadonlyMap<Outgoing, FoundMessage>;

const nationalDigits = 10;

/** Whether it certainly is another number. A masked number, or one in another format, may be the same. */
const isOtherNumber = (found: string | undefined, wanted: string): boolean =>
	found !== undefined &&
	/^\+?\d{10,15}$/.test(found) &&
	found.slice(-nationalDigits) !== wanted.slice(-nationalDigits);

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
	const sent = new Map<Outgoing, FoundMessage>();
	for (const entry of wanted) {
		const known = older.get(entry.itemIndex);
		const message = found
			.get(entry.ownId ?? '')
			?.find((one) => isFor(entry, one) && !known?.has(one.messageUuid));
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
