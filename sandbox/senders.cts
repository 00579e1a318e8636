import type { Message, Sender } from './entities.cts';
import { operatorOf } from './operators.cts';
import type { Store } from './store.cts';
import { senderTypeOf, tariffFor, trafficTypeOf, type PricedTariff } from './tariffs.cts';

/** Approved, not suspended, and within its validity. */
export const isUsable = (sender: Sender, now: number): boolean =>
	sender.status === 'APPROVED' &&
	!sender.suspended &&
	sender.dateFrom <= now &&
	(sender.dateTo === null || now < sender.dateTo);

/** "The service determines the operator of each number and assigns the matching sender from `senderIds`." */
export const matchSender = (
	senders: readonly Sender[],
	channelType: string,
	destination: string,
	now: number,
): Sender | undefined => {
	const brand = operatorOf(destination);
	if (brand === undefined) return undefined;
	return senders.find(
		(sender) =>
			sender.brand === brand && sender.channelType === channelType && isUsable(sender, now),
	);
};

/**
 * The registered name for a single message. SMS needs the name at the operator of the number; a messenger does not
 * ask for the operator.
 */
export const findSenderByName = (
	store: Store,
	{
		senderName,
		channelType,
		destination,
	}: Record<'senderName' | 'channelType' | 'destination', string>,
	now: number,
): Sender | undefined => {
	const brand = operatorOf(destination);
	let anyOperator: Sender | undefined;
	for (const sender of store.senders.values()) {
		if (sender.senderName !== senderName || sender.channelType !== channelType) continue;
		if (!isUsable(sender, now)) continue;
		if (store.companies.get(sender.companyId)?.status !== 'ACTIVE') continue;
		if (sender.brand === brand) return sender;
		anyOperator ??= sender;
	}
	return channelType === 'SMS' ? undefined : anyOperator;
};

export const tariffOfSender = (
	store: Store,
	sender: Sender,
	trafficType: string = trafficTypeOf(sender),
): PricedTariff | undefined =>
	tariffFor(store.tariffs, { senderType: senderTypeOf(sender), brand: sender.brand, trafficType });

export const tariffOfMessage = (store: Store, message: Message): PricedTariff | undefined => {
	const sender = message.senderId === null ? undefined : store.senders.get(message.senderId);
	return sender && tariffOfSender(store, sender, message.single?.trafficType);
};
