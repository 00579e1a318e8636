import type { Dispatch, Message, Sender } from '../stored/entities.cts';
import {
	completeWhenDone,
	markDelivered,
	markFailed,
	markRead,
	markSent,
	planDelivery,
} from './delivery.cts';
import { planSendingOf, takeBackHeld } from './dispatches.cts';
import { errorCodeOf, isBeforeSending, outcomeOf } from './outcomes.cts';
import { nextAllowed } from './schedule.cts';
import { planReview, takeReviewStep } from './review.cts';
import { isBlacklisted, isOfActive, isUsable } from '../stored/senders.cts';
import { isTooLate, planSending } from './singles.cts';
import type { TimedEvent } from './timeline.cts';
import type { World } from '../stored/world.cts';

/** How often a running dispatch sends its next messages. */
const burstMs = 100;

/** Why a message isn't sent, with its error code. */
interface Obstacle {
	reason: string;
	code: number | null;
}

const senderObstacle = (
	{ store, timeline }: World,
	sender: Sender | undefined,
	destination: string,
): Obstacle | undefined => {
	if (sender === undefined || !isUsable(sender, timeline.now)) {
		return { reason: 'the sender name can no longer be used', code: 454 };
	}
	if (!isOfActive(store, sender)) return { reason: 'the company is disabled', code: 458 };
	return isBlacklisted(store, sender, destination)
		? { reason: 'the number is blacklisted', code: 453 }
		: undefined;
};

const obstacleOf = (world: World, message: Message): Obstacle | undefined => {
	const { store, timeline } = world;
	const { senderId, destination } = message;
	const sender = senderId === null ? undefined : store.senders.get(senderId);
	// Messages that need no registered sender name, such as test messages and calls, have no senderId.
	const obstacle = senderId === null ? undefined : senderObstacle(world, sender, destination);
	if (obstacle !== undefined) return obstacle;
	if (message.single !== undefined && isTooLate(message.single, timeline.now)) {
		return { reason: 'the completion time has passed', code: null };
	}
	const outcome = outcomeOf(store.settings, destination);
	const isSms = (sender?.channelType ?? 'SMS') === 'SMS';
	if (outcome === 'smsOnly' && !isSms) return { reason: 'the number has no messenger', code: 456 };
	if (outcome === 'unsent') return { reason: 'messages to this number are never sent', code: 455 };
	const code = errorCodeOf(destination);
	return code !== undefined && isBeforeSending(code)
		? { reason: `the number causes the error ${code}`, code }
		: undefined;
};

/** Sends one message, or fails it if something has changed since it was accepted. */
const sendMessage = (world: World, message: Message): void => {
	if (message.isStopping) return;
	const obstacle = obstacleOf(world, message);
	if (obstacle !== undefined) {
		markFailed(world, message, 'unsent', obstacle.reason, obstacle.code);
		return;
	}
	if (world.store.isHolding) {
		world.store.held.add(message.uuid);
		return;
	}
	markSent(world, message);
	planDelivery(world, message);
};

/** Whether new messages wait for a person. When that ends, those that wait are sent as usual, within their hours. */
export const setHolding = (world: World, isHolding: boolean): void => {
	const { store, timeline } = world;
	store.isHolding = isHolding;
	if (isHolding) return;
	for (const dispatch of store.dispatches.values()) {
		if (!takeBackHeld(store, dispatch)) continue;
		// A burst that is still planned belongs to the run before.
		dispatch.run++;
		planSendingOf(world, dispatch, timeline.now);
	}
	for (const uuid of store.held) {
		const message = store.byUuid.get(uuid);
		if (message !== undefined) planSending(world, message);
	}
	store.held.clear();
};

const sendBurst = (world: World, dispatch: Dispatch): void => {
	const { now } = world.timeline;
	if (dispatch.window !== null && nextAllowed(dispatch.window, now) > now) {
		planSendingOf(world, dispatch, now);
		return;
	}
	const most = Math.max(1, Math.round((world.store.settings.messagesPerSecond * burstMs) / 1_000));
	for (let sent = 0; sent < most && dispatch.cursor < dispatch.messages.length; ) {
		const message = dispatch.messages[dispatch.cursor++];
		if (message.state !== 'created') continue;
		sendMessage(world, message);
		sent++;
	}
	if (dispatch.cursor < dispatch.messages.length) planSendingOf(world, dispatch, now + burstMs);
	else completeWhenDone(dispatch);
};

/** Applies a timed event to a message. An event that is too late, because the message was moved by hand, changes nothing. */
const moveMessage = (world: World, message: Message, kind: TimedEvent['kind']): void => {
	const { state, single } = message;
	if (kind === 'single-send' && state === 'created') sendMessage(world, message);
	if (kind === 'stop' && state === 'created') markFailed(world, message, 'unsent', 'stopped');
	if (kind === 'deliver' && state === 'sent') markDelivered(world, message);
	if (kind === 'expire' && state === 'sent') {
		const code = errorCodeOf(message.destination) ?? null;
		const reason = code === null ? 'not delivered within the lifetime' : `the error ${code}`;
		markFailed(world, message, 'undelivered', reason, code);
	}
	if ((kind === 'read' || kind === 'unread') && state === 'delivered' && single?.read === null) {
		markRead(world, message, kind);
	}
};

export const handleEvent = (world: World, event: TimedEvent): void => {
	const { store, outbox, timeline } = world;
	if ('uuid' in event) {
		const message = store.byUuid.get(event.uuid);
		if (message !== undefined) moveMessage(world, message, event.kind);
	} else if (event.kind === 'dispatch-send') {
		const dispatch = store.dispatches.get(event.dispatchId);
		if (dispatch?.status === 'STARTED' && dispatch.run === event.run) sendBurst(world, dispatch);
	} else if (event.kind === 'sender-close') {
		const sender = store.senders.get(event.senderId);
		// The date may have been changed meanwhile.
		if (sender?.dateTo != null && sender.dateTo <= timeline.now) sender.status = 'CLOSED';
	} else if (event.kind === 'sender-review') {
		const sender = store.senders.get(event.senderId);
		if (sender !== undefined && takeReviewStep(sender)) planReview(world, sender);
	} else if (event.kind === 'callback-flush') {
		outbox.flush(event.url);
	} else {
		outbox.resendIfDue(event.id);
	}
};
