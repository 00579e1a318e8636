import { z } from '../../vendor/zod';
import { Destination } from '../../core/contract/values';
import { badRequest, found } from '../apiError.cts';
import { tell } from '../callbacks.cts';
import {
	handStatuses,
	isFinal,
	markDelivered,
	markFailed,
	markRead,
	markSent,
	obstacleToMove,
	planDelivery,
	type HandStatus,
} from '../delivery.cts';
import type { Message } from '../entities.cts';
import { receiveInbound } from '../inbound.cts';
import { followLink } from '../links.cts';
import { fromUnits, toUnits } from '../money.cts';
import { accountLedger } from '../store.cts';
import { apiMessageView, isoOf } from '../views.cts';
import type { World } from '../world.cts';
import type { Control, Controls } from './control.cts';

const messageOf = ({ store }: World, uuid: string): Message =>
	found(store.byUuid.get(uuid), 'message', uuid);

const view = (world: World, message: Message) => ({
	...apiMessageView(world.store, message),
	reserved: fromUnits(message.reserved),
	reason: message.reason,
});

const Status = z.enum(handStatuses);

/** Moves a message by hand, through the states in between, so that callbacks come as they would have come. */
const move = (world: World, message: Message, status: HandStatus, errorCode: number | null) => {
	const obstacle = obstacleToMove(world, message, status);
	if (obstacle !== undefined) throw badRequest(obstacle);
	if (status === 'read' || status === 'unread') {
		if (!isFinal(message)) move(world, message, 'delivered', null);
		markRead(world, message, status);
		return;
	}
	if (status === 'unsent') {
		markFailed(world, message, 'unsent', 'set by hand', errorCode);
		return;
	}
	if (message.state === 'created') markSent(world, message);
	if (status === 'sent') planDelivery(world, message);
	if (status === 'delivered') markDelivered(world, message);
	if (status === 'undelivered') markFailed(world, message, 'undelivered', 'set by hand', errorCode);
};

/** The new price takes effect in the ledger at once, and is never above what was reserved. */
const reprice = (world: World, message: Message, price: number): void => {
	if (message.single === undefined) throw badRequest('only single messages have price events');
	const units = toUnits(price);
	if (units > message.reserved) {
		throw badRequest(`price: is above the reserved ${fromUnits(message.reserved)}`);
	}
	if (message.final) {
		const ledger = world.store.ledger(accountLedger, world.timeline.now);
		ledger.spent += units - message.price;
		world.store.funds -= units - message.price;
	}
	message.price = units;
	tell(world, message, 'price');
};

export const messageControls = (control: Control, { world }: Controls): void => {
	control({
		method: 'GET',
		path: '/messages/{uuid}',
		does: 'A message of either API, with what is reserved for it and why it failed.',
		input: z.object({}).strict(),
		handle: (_, { uuid }) => view(world, messageOf(world, uuid)),
	});

	control({
		method: 'POST',
		path: '/messages/{uuid}/status',
		does: 'Makes it sent, delivered, undelivered, unsent, read or unread: {"status": "...", "errorCode": n}.',
		input: z.object({ status: Status, errorCode: z.number().int().optional() }).strict(),
		handle: ({ status, errorCode = null }, { uuid }) => {
			const message = messageOf(world, uuid);
			move(world, message, status, errorCode);
			return view(world, message);
		},
	});

	control({
		method: 'POST',
		path: '/messages/{uuid}/click',
		does: 'Follows a short link of the message: the first one, or {"url": original link}.',
		input: z.object({ url: z.string().optional() }).strict(),
		handle: ({ url }, { uuid }) => {
			const message = messageOf(world, uuid);
			const links = message.single?.links ?? [];
			const link = links.find((one) => url === undefined || one.url === url);
			if (link === undefined) throw badRequest('the message has no such short link');
			const { url: target, shortUrl } = followLink(world, link.code);
			return { code: link.code, url: target, shortUrl };
		},
	});

	control({
		method: 'POST',
		path: '/messages/{uuid}/price',
		does: 'Changes the price of a single message: {"price": roubles}, not above the reservation.',
		input: z.object({ price: z.number().nonnegative() }).strict(),
		handle: ({ price }, { uuid }) => {
			const message = messageOf(world, uuid);
			reprice(world, message, price);
			return view(world, message);
		},
	});

	control({
		method: 'POST',
		path: '/inbound',
		does: 'A subscriber writes: {"senderName", "destination": the subscriber, "text"}; WHATSAPP only.',
		input: z
			.object({
				channelType: z.string().default('WHATSAPP'),
				senderName: z.string().min(1),
				destination: Destination,
				text: z.string().min(1),
			})
			.strict(),
		handle: (input) => view(world, receiveInbound(world, input)),
	});

	control({
		method: 'GET',
		path: '/codes',
		does: 'The codes that were sent, newest first, as the SMS shows them.',
		input: z.object({}).strict(),
		handle: () =>
			[...world.store.codes]
				.map(([uuid, { code, sentAt }]) => ({
					code,
					destination: messageOf(world, uuid).destination,
					sentAt: isoOf(sentAt),
					uuid,
				}))
				.reverse(),
	});

	control({
		method: 'POST',
		path: '/verifications/{key}/confirm',
		does: 'The user typed the code of this verification.',
		input: z.object({}).strict(),
		handle: (_, { key }) => {
			const verification = found(world.store.verifications.get(key), 'verification', key);
			verification.status = 'CONFIRMED';
			return verification;
		},
	});
};
