import type { Message, Sender } from './entities.cts';
import { operatorOf } from './operators.cts';
import { accountLedger, type Store } from './store.cts';
import { senderTypeOf, tariffFor, trafficTypeOf, type PricedTariff } from './tariffs.cts';

/** The fields of a single message that decide which sender name it uses. */
type SenderFields = Record<'senderName' | 'channelType' | 'destination', string>;

/** Approved, not suspended, and within its dates. */
export const isUsable = (sender: Sender, now: number): boolean =>
	sender.status === 'APPROVED' &&
	!sender.suspended &&
	sender.dateFrom <= now &&
	(sender.dateTo === null || now < sender.dateTo);

/** Whether its company may send. Sender names that were created with the messaging API belong to the account itself. */
export const isOfActive = ({ companies }: Store, { companyId }: Sender): boolean =>
	companyId === accountLedger || companies.get(companyId)?.status === 'ACTIVE';

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
 * The registered sender name for a single message. For SMS it must be registered with the number's operator. For
 * messengers any operator will do.
 */
export const findSenderByName = (
	store: Store,
	{ senderName, channelType, destination }: SenderFields,
	now: number,
): Sender | undefined => {
	const brand = operatorOf(destination);
	let anyOperator: Sender | undefined;
	for (const sender of store.senders.values()) {
		if (sender.senderName !== senderName || sender.channelType !== channelType) continue;
		if (!isUsable(sender, now)) continue;
		if (!isOfActive(store, sender)) continue;
		if (sender.brand === brand) return sender;
		anyOperator ??= sender;
	}
	return channelType === 'SMS' ? undefined : anyOperator;
};

/**
 * Whether a message can be sent from a sender name that isn't registered: calls and VK take any name, an SMS for a test has a
 * reserved one, and an SMS to a test number needs none. A name in the list of senders follows the usual rules, whatever its status.
 */
export const needsNoSender = (
	{ settings, senders }: Store,
	{ senderName, channelType, destination }: SenderFields,
): boolean => {
	if (channelType === 'FLASHCALL' || channelType === 'VK') return true;
	if (channelType === 'VOICECODE') return senderName === 'voicecode';
	if (channelType === 'SMS' && senderName === 'sms_promo') return true;
	return (
		channelType === 'SMS' &&
		settings.testNumbers.includes(destination) &&
		![...senders.values()].some(
			(sender) => sender.senderName === senderName && sender.channelType === channelType,
		)
	);
};

/** Whether the number is blacklisted for the company that owns the sender name. */
export const isBlacklisted = (
	{ blacklists }: Store,
	{ companyId }: Sender,
	destination: string,
): boolean => blacklists.get(companyId)?.has(destination) === true;

export const tariffOfSender = (
	store: Store,
	sender: Sender | undefined,
	trafficType: string = trafficTypeOf(sender),
): PricedTariff | undefined =>
	tariffFor(store.tariffs, { senderType: senderTypeOf(sender), brand: sender?.brand, trafficType });

export const tariffOfMessage = (store: Store, message: Message): PricedTariff | undefined => {
	const sender = message.senderId === null ? undefined : store.senders.get(message.senderId);
	return tariffOfSender(store, sender, message.single?.trafficType);
};
