import { z } from '../../vendor/zod';
import { messagingEndpoint } from './endpoint';
import { MessageEvent } from './events';
import { ApiMessage } from './message';
import {
	CallbackUrl,
	CascadeCondition,
	ChannelType,
	Days,
	Destination,
	Direction,
	Hours,
	Id,
	Int,
	isCalendarDate,
	TrafficTypeOpen,
} from './values';

/** An object keyed by currency code, for example `{RUB: 120.5}`. */
const Balance = z.record(z.number());

/** Channels whose content is a plain string. */
export const plainTextChannels: ReadonlySet<string> = new Set(['SMS', 'FLASHCALL']);

/**
 * A plain string for these channels, an object `{contentType: "text", text, …}` for the other channels.
 * What an object may hold depends on the channel and the account, so unknown members pass.
 */
export const MessageContent = z.union([
	z.string().min(1),
	z.object({ contentType: z.string(), text: z.string().optional() }).passthrough(),
]);

const LocalTime = z
	.string()
	.regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, 'must look like 2026-03-01 10:00:00')
	.refine((text) => isCalendarDate(`${text.replace(' ', 'T')}Z`), 'is not a date of the calendar');

export const messageLimits = {
	perRequest: 1000,
	perStop: 10_000,
	externalIdLength: 100,
	lookUpWindow: 10_000,
} as const;

const externalMessageId = z.string().min(1).max(messageLimits.externalIdLength);
const callback = {
	callbackUrl: CallbackUrl.optional(),
	callbackEvents: z.array(MessageEvent).optional(),
};

const shortestTtl = 60;
const shortestOfVoiceCode = 30;
const Ttl = Int.min(shortestOfVoiceCode).max(86_400);

/** One message to send. An account may have parameters that are not listed: they pass. */
export const MessageSendFields = z
	.object({
		channelType: ChannelType,
		senderName: z.string().min(1),
		destination: Destination,
		content: MessageContent,
		tags: z.array(z.string().regex(/^\w+$/, 'may hold letters, digits and _ only')).optional(),
		useLocalTime: z.boolean().optional(),
		localSendTime: LocalTime.optional(),
		localCompletionTime: LocalTime.optional(),
		ttl: Ttl.optional(),
		hours: Hours.optional(),
		days: Days.optional(),
		shortUrl: z.boolean().optional(),
		...callback,
		externalMessageId: externalMessageId.optional(),
		trafficType: TrafficTypeOpen.optional(),
		templateId: Int.optional(),
	})
	.passthrough();

/** Only a voice code may live for less than a minute. */
export const MessageSend = MessageSendFields.superRefine(({ channelType, ttl }, context) => {
	if (ttl === undefined || ttl >= shortestTtl || channelType === 'VOICECODE') return;
	// Told already.
	if (ttl < shortestOfVoiceCode) return;
	context.addIssue({
		code: 'custom',
		path: ['ttl'],
		message: `must be at least ${shortestTtl} seconds`,
	});
});

const CascadeStep = z
	.object({
		channelType: ChannelType,
		senderName: z.string().min(1),
		content: MessageContent,
		condition: CascadeCondition.optional(),
		ttl: Ttl.optional(),
	})
	.passthrough();

export const CascadeSend = z
	.object({
		destination: Destination,
		...callback,
		cascade: z.array(CascadeStep).min(1, 'needs at least one step'),
	})
	.passthrough();

/** `errors: true` can come with HTTP 200: the items say which of them failed. `items` keep the order sent. */
const EntriesReply = z
	.object({
		errors: z.boolean(),
		items: z.array(
			z
				.object({
					messageUuid: z.string().nullish(),
					externalMessageId: z.string().nullish(),
					code: Int,
				})
				.passthrough(),
		),
	})
	.passthrough();

const strings = z.array(z.string()).optional();

/** Filters of `GET /v1/message`, snake_case as the service has them. Arrays are sent by repeating the parameter. */
const MessageFilters = z.object({
	message_uuid: strings,
	external_message_id: strings,
	dispatch: z.boolean().optional(),
	dispatch_id: z.array(Int).optional(),
	direction: z.array(Direction).optional(),
	country_code: strings,
	ready_to_stop: z.boolean().optional(),
	content_nor: strings,
	cascade_message_uuid: strings,
	root: z.boolean().optional(),
	destination: strings,
	status: strings,
	tags: strings,
	channel_type: strings,
	traffic_type: strings,
	sender_name: strings,
	time_from: z.string().optional(),
	time_to: z.string().optional(),
	sort: z.string().optional(),
	page: Id.optional(),
	per_page: Id.optional(),
});

/** Every call of the messaging API at `{api_base_url}`. */
export const messaging = {
	ping: messagingEndpoint({
		method: 'GET',
		path: '/ping',
		auth: 'none',
		replyType: 'text',
		reply: z.string(),
	}),
	balance: messagingEndpoint({ method: 'GET', path: '/balance', reply: Balance }),
	messageSend: messagingEndpoint({
		method: 'POST',
		path: '/v1/message',
		body: z.array(MessageSend).min(1).max(messageLimits.perRequest),
		reply: EntriesReply,
	}),
	messageList: messagingEndpoint({
		method: 'GET',
		path: '/v1/message',
		query: MessageFilters,
		paging: {
			number: 'page',
			size: 'per_page',
			defaultSize: 100,
			key: 'messageUuid',
			window: messageLimits.lookUpWindow,
		},
		// The envelope is not in the contract: a bare array is understood too.
		reply: z.union([
			z.object({ total: Int, items: z.array(ApiMessage) }).passthrough(),
			z.array(ApiMessage),
		]),
	}),
	/** Repeatable: a message that is stopped stays stopped. */
	messageStop: messagingEndpoint({
		method: 'POST',
		path: '/v1/message/stop',
		repeatable: true,
		body: z.object({ uuids: z.array(z.string()).min(1).max(messageLimits.perStop) }).strict(),
		reply: EntriesReply,
	}),
	cascadeSend: messagingEndpoint({
		method: 'POST',
		path: '/v1/message/cascade',
		body: z.array(CascadeSend).min(1).max(messageLimits.perRequest),
		reply: EntriesReply,
	}),
	verificationSend: messagingEndpoint({
		method: 'POST',
		path: '/api/v1/verifier/widget/send',
		body: z.object({ key: z.string().min(1) }).passthrough(),
		reply: z.object({ messageUuid: z.string().optional() }).passthrough(),
	}),
	/** Repeatable: it only reads. */
	verificationCheck: messagingEndpoint({
		method: 'POST',
		path: '/api/v1/verifier/widget/check',
		repeatable: true,
		body: z.object({ key: z.string().min(1) }).passthrough(),
		reply: z.object({ status: z.string() }).passthrough(),
	}),
};
