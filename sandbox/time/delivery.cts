import { countAndPrice } from '../stored/budget.cts';
import { reportEvent, reportDispatchEvent } from './callbacks.cts';
import { sendNextStep, waitsForRead } from './cascade.cts';
import { timesCharged } from '../api/dialect.cts';
import type { Dispatch, Message } from '../stored/entities.cts';
import type { Units } from '../stored/money.cts';
import { deliveryTime, errorCodeOf, outcomeOf } from './outcomes.cts';
import { tariffOfMessage } from '../stored/senders.cts';
import { accountLedger } from '../stored/store.cts';
import type { World } from '../stored/world.cts';

/** The channels that report reading. */
const channelsWithRead = new Set(['VIBER', 'WHATSAPP', 'VK']);

const dispatchOf = ({ store }: World, { dispatchId }: Message): Dispatch | undefined =>
	dispatchId === null ? undefined : store.dispatches.get(dispatchId);

/** A company pays for its dispatches, the account for everything else. */
const payerOf = (world: World, message: Message) =>
	dispatchOf(world, message)?.companyId ?? accountLedger;

const ledgerOf = (world: World, message: Message) =>
	world.store.ledger(payerOf(world, message), world.timeline.now);

const lifetimeOf = ({ store }: World, { single }: Message): number =>
	single?.ttl === undefined ? store.settings.lifetimeMs : single.ttl * 1_000;

export const isFinal = ({ state }: Message): boolean => state !== 'created' && state !== 'sent';

/** `failed` is unsent or undelivered, depending on the error code. */
export const handStatuses = [
	'sent',
	'delivered',
	'undelivered',
	'unsent',
	'failed',
	'read',
	'unread',
] as const;
export type HandStatus = (typeof handStatuses)[number];

/** Why a message can't be moved to this status by hand, or `undefined`. */
export const obstacleToMove = (
	world: World,
	message: Message,
	status: HandStatus,
): string | undefined => {
	const { state, single } = message;
	if (state === 'inbound_sent') return 'an inbound message has no delivery';
	const dispatch = dispatchOf(world, message);
	// Nothing is reserved before the start, so nothing can be spent.
	if (state === 'created' && dispatch !== undefined && dispatch.status !== 'STARTED') {
		return `dispatch ${dispatch.id} is ${dispatch.status}`;
	}
	if (status === 'read' || status === 'unread') {
		if (single === undefined) return 'messages of a dispatch have no read status';
		if (single.read !== null) return `the message is already ${single.read}`;
		return isFinal(message) && state !== 'delivered' ? `the message is ${state}` : undefined;
	}
	if (isFinal(message)) return `the message is already ${state}`;
	const needsUnsent = status === 'unsent' || status === 'sent';
	return needsUnsent && state === 'sent' ? 'the message is already sent' : undefined;
};

/** CREATED → SENT. The price is known from here on; it is spent when the message is delivered. */
export const markSent = (world: World, message: Message): void => {
	const { store, timeline } = world;
	const counted = countAndPrice(
		ledgerOf(world, message),
		tariffOfMessage(store, message),
		message.destination,
		timesCharged(store.settings.dialect, message.parts),
	);
	message.price = Math.min(counted, message.reserved);
	message.state = 'sent';
	store.held.delete(message.uuid);
	message.sentAt = timeline.now;
	message.statusAt = timeline.now;
	const dispatch = dispatchOf(world, message);
	if (dispatch === undefined) {
		reportEvent(world, message, 'sent');
		return;
	}
	dispatch.version++;
	reportDispatchEvent(world, dispatch, message, 'sent');
};

/** "The final cost is fixed after delivery and may be lower than the reservation." A failed message costs nothing. */
const finalizePrice = (world: World, message: Message, cost: Units): void => {
	const ledger = ledgerOf(world, message);
	ledger.reserved -= message.reserved;
	ledger.spent += cost;
	if (payerOf(world, message) === accountLedger) world.store.funds -= cost;
	message.price = cost;
	message.final = true;
};

export const completeWhenDone = (dispatch: Dispatch): void => {
	const { total, delivered, failed } = dispatch.messageCount;
	if (dispatch.status === 'STARTED' && total === delivered + failed) dispatch.status = 'COMPLETED';
};

const countDone = (dispatch: Dispatch, message: Message, as: 'delivered' | 'failed'): void => {
	dispatch.messageCount[as]++;
	dispatch.partCount[as] += message.parts;
	dispatch.version++;
	completeWhenDone(dispatch);
};

export const markDelivered = (world: World, message: Message): void => {
	message.state = 'delivered';
	message.statusAt = world.timeline.now;
	finalizePrice(world, message, message.price);
	const dispatch = dispatchOf(world, message);
	if (dispatch !== undefined) {
		countDone(dispatch, message, 'delivered');
		reportDispatchEvent(world, dispatch, message, 'delivered');
		return;
	}
	reportEvent(world, message, 'delivered');
	reportEvent(world, message, 'price');
	planReading(world, message);
};

const planReading = (world: World, message: Message): void => {
	const { single, uuid } = message;
	if (single === undefined) return;
	const { settings } = world.store;
	const { now } = world.timeline;
	const hasRead = channelsWithRead.has(single.channelType);
	if (hasRead && outcomeOf(settings, message.destination) !== 'unread') {
		world.timeline.plan(now + settings.readAfterMs, { kind: 'read', uuid });
	} else if (hasRead || waitsForRead(world.store, single)) {
		world.timeline.plan(now + lifetimeOf(world, message), { kind: 'unread', uuid });
	}
};

/** "undelivered: not delivered within the lifetime", "unsent: not sent". Both are FAILED in the partner API. */
export const markFailed = (
	world: World,
	message: Message,
	state: 'undelivered' | 'unsent',
	reason: string,
	errorCode: number | null = null,
): void => {
	message.state = state;
	world.store.held.delete(message.uuid);
	message.statusAt = world.timeline.now;
	message.reason = reason;
	message.errorCode = errorCode;
	finalizePrice(world, message, 0);
	const dispatch = dispatchOf(world, message);
	if (dispatch !== undefined) {
		countDone(dispatch, message, 'failed');
		return;
	}
	reportEvent(world, message, 'delivered');
	reportEvent(world, message, 'price');
	sendNextStep(world, message, 'not_delivered');
};

export const markRead = (world: World, message: Message, read: 'read' | 'unread'): void => {
	const { single } = message;
	if (single === undefined) return;
	single.read = read;
	single.readAt = world.timeline.now;
	reportEvent(world, message, 'read');
	if (read === 'unread') sendNextStep(world, message, 'not_read');
};

/** Plans what happens to a sent message, depending on its number. */
export const planDelivery = (world: World, message: Message): void => {
	const { settings } = world.store;
	const { uuid, destination } = message;
	const outcome = outcomeOf(settings, destination);
	const lifetime = lifetimeOf(world, message);
	const deliveryMs = deliveryTime(settings, destination, outcome);
	if (errorCodeOf(destination) !== undefined) {
		// The operator reports an error as fast as a delivery.
		world.timeline.plan(world.timeline.now + deliveryMs, { kind: 'expire', uuid });
	} else if (outcome === 'undelivered' || deliveryMs > lifetime) {
		world.timeline.plan(world.timeline.now + lifetime, { kind: 'expire', uuid });
	} else {
		world.timeline.plan(world.timeline.now + deliveryMs, { kind: 'deliver', uuid });
	}
};
