import type { z } from '../vendor/zod';
import type {
	ClickCallback,
	DeliveredCallback,
	DispatchCallback,
	InboundCallback,
	PriceCallback,
} from '../core/contract/callbacks';
import type { Dispatch, InboundRule, Message, MessageEvent, SingleDetails } from './entities.cts';
import { currency, fromUnits } from './money.cts';
import { apiMessageView, isoOf } from './views.cts';
import type { World } from './world.cts';

/** A message of a dispatch: one camelCase object per change. Nothing is sent for FAILED: the contract has no event for it. */
export const tellDispatch = (
	{ outbox }: World,
	dispatch: Dispatch,
	{ uuid, destination, sentAt, statusAt }: Message,
	event: 'delivered' | 'sent',
): void => {
	if (dispatch.callbackUrl === undefined || !dispatch.callbackEvents.includes(event)) return;
	const base = { messageUuid: uuid, destination };
	const body: z.input<typeof DispatchCallback> =
		event === 'sent'
			? { event, ...base, status: 'SENT', sentAt: isoOf(sentAt ?? 0) }
			: { event, ...base, status: 'DELIVERED', deliveredAt: isoOf(statusAt ?? 0) };
	outbox.post('dispatch', dispatch.callbackUrl, body, uuid);
};

const identityOf = (
	message: Message,
	{ channelType, cascade, externalMessageId }: SingleDetails,
) => ({
	message_uuid: message.uuid,
	channel_type: channelType,
	...(cascade && { cascade_message_uuid: cascade.rootUuid, cascade_step: cascade.step }),
	...(externalMessageId !== undefined && { external_message_id: externalMessageId }),
});

const tellSingle = (
	world: World,
	single: SingleDetails,
	event: MessageEvent,
	body: object,
): void => {
	if (single.callbackUrl === undefined) return;
	// "`delivered` is the default event when `callbackUrl` is given and `callbackEvents` is absent."
	if (!(single.callbackEvents ?? ['delivered']).includes(event)) return;
	const { batchWindowMs, batchMax } = world.store.settings;
	world.outbox.batch(single.callbackUrl, body, batchWindowMs, batchMax);
};

/** `delivered` also carries undelivered and unsent, `read` also carries unread. */
export const tellStatus = (
	world: World,
	message: Message,
	event: 'delivered' | 'sent' | 'read',
) => {
	const { single } = message;
	if (single === undefined) return;
	const body: Omit<z.input<typeof DeliveredCallback>, 'callback_event'> = {
		...identityOf(message, single),
		callback_event: event,
		status: event === 'read' ? (single.read ?? 'read') : message.state,
		status_time: isoOf((event === 'read' ? single.readAt : message.statusAt) ?? 0),
		...(message.errorCode !== null && { error_code: message.errorCode }),
	};
	tellSingle(world, single, event, body);
};

export const tellPrice = (world: World, message: Message): void => {
	const { single } = message;
	if (single === undefined) return;
	const body: z.input<typeof PriceCallback> = {
		...identityOf(message, single),
		callback_event: 'price',
		parts: message.parts,
		price: fromUnits(message.price),
		currency,
		price_time: isoOf(world.timeline.now),
	};
	tellSingle(world, single, 'price', body);
};

export const tellClick = (world: World, message: Message, url: string, shortUrl: string): void => {
	const { single } = message;
	if (single === undefined) return;
	const body: z.input<typeof ClickCallback> = {
		...identityOf(message, single),
		callback_event: 'click',
		url,
		short_url: shortUrl,
		click_time: isoOf(world.timeline.now),
	};
	tellSingle(world, single, 'click', body);
};

export const tellInbound = (world: World, message: Message, rule: InboundRule): void => {
	// `item` has the format of `GET /v1/message`, which the contract does not show: it is the sandbox's own.
	const body: Omit<z.input<typeof InboundCallback>, 'item'> = {
		message_uuid: message.uuid,
		callback_event: 'inbound_sent',
		channel_type: message.single?.channelType ?? '',
		status: 'inbound_sent',
		status_time: isoOf(message.createdAt),
		item: apiMessageView(world.store, message),
	};
	const { batchWindowMs, batchMax } = world.store.settings;
	world.outbox.batch(rule.callbackUrl, body, batchWindowMs, batchMax);
};
