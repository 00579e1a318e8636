import { z } from '../../vendor/zod';
import { Destination } from '../../core/contract/values';
import { badRequest, found } from '../api/apiError.cts';
import { reportEvent } from '../time/callbacks.cts';
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
} from '../time/delivery.cts';
import type { Message } from '../stored/entities.cts';
import { receiveInbound } from '../time/inbound.cts';
import { followLink } from '../time/links.cts';
import { fromUnits, toUnits } from '../stored/money.cts';
import { accountLedger } from '../stored/store.cts';
import { apiMessageView, isoOf } from '../stored/views.cts';
import type { World } from '../stored/world.cts';
import type { Control, Controls } from './control.cts';

const messageOf = ({ store }: World, uuid: string): Message =>
	found(store.byUuid.get(uuid), 'message', uuid);

const view = (world: World, message: Message) => ({
	...apiMessageView(world.store, message),
	reserved: fromUnits(message.reserved),
	reason: message.reason,
});

const Status = z.enum(handStatuses);

/** Moves a message by hand, through all states in between, so that the usual callbacks are sent. */
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

/** Changes the price in the ledger at once. The new price can't be above the reserved amount. */
const reprice = (world: World, message: Message, price: number): void => {
	if (message.single === undefined) throw badRequest('only single messages have price events');
	const units = toUnits(price);
	if (units > message.reserved) {
		throw badRequest(`price: must not be above the reserved ${fromUnits(message.reserved)}`);
	}
	if (message.final) {
		const ledger = world.store.ledger(accountLedger, world.timeline.now);
		ledger.spent += units - message.price;
		world.store.funds -= units - message.price;
	}
	message.price = units;
	reportEvent(world, message, 'price');
};

export const messageControls = (control: Control, { world }: Controls): void => {
	control({
		method: 'GET',
		path: '/messages/{uuid}',
		does: 'Shows a message of either API, with its reserved amount and the reason if it failed.',
		input: z.object({}).strict(),
		handle: (_, { uuid }) => view(world, messageOf(world, uuid)),
	});

	control({
		method: 'POST',
		path: '/messages/{uuid}/status',
		does: 'Makes a message sent, delivered, undelivered, unsent, read or unread: {"status": "...", "errorCode": n}.',
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
		does: 'Clicks a short link of the message: the first one, or {"url": original link}.',
		input: z.object({ url: z.string().optional() }).strict(),
		handle: ({ url }, { uuid }) => {
			const message = messageOf(world, uuid);
			const links = message.single?.links ?? [];
			const link = links.find((one) => url === undefined || one.url === url);
			if (link === undefined) throw badRequest('the message has no short link for this URL');
			const { url: target, shortUrl } = followLink(world, link.code);
			return { code: link.code, url: target, shortUrl };
		},
	});

	control({
		method: 'POST',
		path: '/messages/{uuid}/price',
		does: 'Changes the price of a single message: {"price": rubles}, not above the reserved amount.',
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
		does: 'Sends a reply from a recipient: {"senderName", "destination": the recipient, "text"}. WhatsApp only.',
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
		does: 'Lists the verification codes that were sent by SMS, newest first.',
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
		does: 'Confirms a verification, as if the user had typed the code.',
		input: z.object({}).strict(),
		handle: (_, { key }) => {
			const verification = found(world.store.verifications.get(key), 'verification', key);
			verification.status = 'CONFIRMED';
			return verification;
		},
	});
};
