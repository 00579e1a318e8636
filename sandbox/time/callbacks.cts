import type {
	DispatchEventName,
	EventName,
	events,
	MessageEventName,
} from '../../core/contract/events';
import type { z } from '../../vendor/zod';
import type {
	Dispatch,
	InboundRule,
	Message,
	ShortLink,
	SingleDetails,
} from '../stored/entities.cts';
import { currency, fromUnits } from '../stored/money.cts';
import { apiMessageView, isoOf } from '../stored/views.cts';
import type { World } from '../stored/world.cts';

type DispatchBody<Name extends DispatchEventName> = z.input<
	(typeof events)[Name]['dispatch']['schema']
>;
type MessageBody<Name extends EventName> = z.input<(typeof events)[Name]['message']['schema']>;

/** The fields that a callback has for each event of a dispatch message. */
const aboutDispatch: {
	[Name in DispatchEventName]: (
		message: Message,
	) => Omit<DispatchBody<Name>, 'event' | 'messageUuid' | 'destination'>;
} = {
	delivered: ({ statusAt }) => ({ status: 'DELIVERED', deliveredAt: isoOf(statusAt ?? 0) }),
	sent: ({ sentAt }) => ({ status: 'SENT', sentAt: isoOf(sentAt ?? 0) }),
};

/** Reports an event of a dispatch message as one camelCase object. FAILED isn't reported: the contract has no event for it. */
export const reportDispatchEvent = (
	{ outbox }: World,
	dispatch: Dispatch,
	message: Message,
	event: DispatchEventName,
): void => {
	if (dispatch.callbackUrl === undefined || !dispatch.callbackEvents.includes(event)) return;
	const { uuid, destination } = message;
	const body = { event, messageUuid: uuid, destination, ...aboutDispatch[event](message) };
	outbox.post('dispatch', dispatch.callbackUrl, body, uuid);
};

interface Occasion {
	world: World;
	message: Message;
	single: SingleDetails;
	/** The link that was clicked. */
	link?: Pick<ShortLink, 'url' | 'shortUrl'>;
}

const identityOf = ({ message, single }: Occasion) => {
	const { channelType, cascade, externalMessageId } = single;
	return {
		message_uuid: message.uuid,
		channel_type: channelType,
		...(cascade && { cascade_message_uuid: cascade.rootUuid, cascade_step: cascade.step }),
		...(externalMessageId !== undefined && { external_message_id: externalMessageId }),
	};
};

/** `delivered` also carries undelivered and unsent, `read` also carries unread. */
const aboutStatus = (message: Message, status: string, at: number | null) => ({
	status,
	status_time: isoOf(at ?? 0),
	...(message.errorCode !== null && { error_code: message.errorCode }),
});

/** The fields that a callback has for each event of a single message. */
const aboutMessage: {
	[Name in EventName]: (
		occasion: Occasion,
	) => Omit<MessageBody<Name>, 'callback_event' | 'message_uuid' | 'channel_type'>;
} = {
	delivered: ({ message }) => aboutStatus(message, message.state, message.statusAt),
	// `item` has the format of `GET /v1/message`. The contract doesn't show it, so the format is our choice.
	inbound_sent: ({ world, message }) => ({
		status: 'inbound_sent',
		status_time: isoOf(message.createdAt),
		item: apiMessageView(world.store, message) as MessageBody<'inbound_sent'>['item'],
	}),
	click: ({ world, link }) => ({
		url: link?.url ?? '',
		short_url: link?.shortUrl ?? '',
		click_time: isoOf(world.timeline.now),
	}),
	price: ({ world, message }) => ({
		parts: message.parts,
		price: fromUnits(message.price),
		currency,
		price_time: isoOf(world.timeline.now),
	}),
	read: ({ message, single }) => aboutStatus(message, single.read ?? 'read', single.readAt),
	sent: ({ message }) => aboutStatus(message, message.state, message.statusAt),
};

const bodyOf = (event: EventName, occasion: Occasion) => ({
	...identityOf(occasion),
	callback_event: event,
	...aboutMessage[event](occasion),
});

/** Reports an event of a single message, if the sender asked for this event. */
export const reportEvent = (
	world: World,
	message: Message,
	event: MessageEventName,
	link?: Occasion['link'],
): void => {
	const { single } = message;
	if (single?.callbackUrl === undefined) return;
	// "`delivered` is the default event when `callbackUrl` is given and `callbackEvents` is absent."
	if (!(single.callbackEvents ?? ['delivered']).includes(event)) return;
	const { batchWindowMs, batchMax } = world.store.settings;
	const body = bodyOf(event, { world, message, single, link });
	world.outbox.batch(single.callbackUrl, body, batchWindowMs, batchMax);
};

/** Reports a recipient's reply to the URL of its inbound rule. */
export const reportInbound = (world: World, message: Message, rule: InboundRule): void => {
	const { single } = message;
	if (single === undefined) return;
	const { batchWindowMs, batchMax } = world.store.settings;
	const body = bodyOf('inbound_sent', { world, message, single });
	world.outbox.batch(rule.callbackUrl, body, batchWindowMs, batchMax);
};
