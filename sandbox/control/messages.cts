import { z } from '../../vendor/zod';
import { Destination } from '../../core/contract/values';
import { badRequest, found } from '../api/apiError.cts';
import { pageOf } from '../api/pages.cts';
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
import { setHolding } from '../time/events.cts';
import { receiveInbound } from '../time/inbound.cts';
import { followLink } from '../time/links.cts';
import { isBeforeSending } from '../time/outcomes.cts';
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
const number = z.coerce.number().int().positive();

/** Moves a message by hand, through all states in between, so that the usual callbacks are sent. */
const move = (world: World, message: Message, status: HandStatus, errorCode: number | null) => {
	const obstacle = obstacleToMove(world, message, status);
	if (obstacle !== undefined) throw badRequest(obstacle);
	if (status === 'read' || status === 'unread') {
		if (!isFinal(message)) move(world, message, 'delivered', null);
		markRead(world, message, status);
		return;
	}
	if (status === 'failed') {
		const isEarly = errorCode !== null && isBeforeSending(errorCode);
		move(world, message, isEarly ? 'unsent' : 'undelivered', errorCode);
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
		does: 'Makes a message sent, delivered, undelivered, unsent, failed (undelivered or unsent, depending on the code), read or unread: {"status": "...", "errorCode": n}.',
		input: z.object({ status: Status, errorCode: z.number().int().optional() }).strict(),
		handle: ({ status, errorCode = null }, { uuid }) => {
			const message = messageOf(world, uuid);
			move(world, message, status, errorCode);
			return view(world, message);
		},
	});

	control({
		method: 'PUT',
		path: '/hold',
		does: 'Keeps new messages waiting until you decide: {"on": true}. {"on": false} sends those that wait, as usual.',
		input: z.object({ on: z.boolean() }).strict(),
		handle: ({ on }) => {
			setHolding(world, on);
			return { on };
		},
	});

	control({
		method: 'GET',
		path: '/held',
		does: 'Lists the messages that wait for a decision: ?page=1&perPage=100.',
		input: z.object({ page: number.optional(), perPage: number.optional() }).strict(),
		handle: ({ page, perPage }) => {
			const cut = pageOf([...world.store.held], { page, size: perPage, usual: 100 });
			const items = cut.items.map((uuid) => view(world, messageOf(world, uuid)));
			return { on: world.store.isHolding, ...cut, items };
		},
	});

	control({
		method: 'POST',
		path: '/held/status',
		does: 'Decides for all messages that wait, or for those of one dispatch: {"status": "delivered", "errorCode": n, "dispatchId": n}.',
		input: z
			.object({
				status: Status,
				errorCode: z.number().int().optional(),
				dispatchId: z.number().int().optional(),
			})
			.strict(),
		handle: ({ status, errorCode = null, dispatchId }) => {
			const { held } = world.store;
			const before = held.size;
			for (const uuid of [...held]) {
				const message = messageOf(world, uuid);
				if (dispatchId !== undefined && message.dispatchId !== dispatchId) continue;
				if (obstacleToMove(world, message, status) !== undefined) continue;
				move(world, message, status, errorCode);
			}
			return { decided: before - held.size, waiting: held.size };
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
