import { z } from '../../vendor/zod';
import { messagingEndpoint } from './endpoint';
import { MessageEvent } from './events';
import { ApiMessage } from './message';
import { messagingDispatchEndpoints } from './messagingDispatch';
import { allAssumed, whyAssumed } from './provenance';
import { publishedEndpoints } from './published';
import { senderNameEndpoints } from './senderName';
import { templateEndpoints } from './template';
import {
	CallbackUrl,
	CascadeCondition,
	ChannelType,
	Days,
	Destination,
	destinationDigits,
	Direction,
	Hours,
	Id,
	Int,
	looseObject,
	strictObject,
	TrafficTypeOpen,
	VerificationChannel,
} from './values';

/** An object keyed by currency code, for example `{RUB: 120.5}`. */
const Balance = z.record(z.number());

/** Channels whose content is a plain string. */
export const plainTextChannels: ReadonlySet<string> = new Set(['SMS', 'FLASHCALL']);

/**
 * Usually a plain string for these channels, and an object `{contentType: "text", text, …}` for the other channels. The fields of
 * the object depend on the channel and the account. The interface doesn't show them, so any object is allowed.
 */
export const MessageContent = z.union([z.string().min(1), looseObject({})]);

/** The node sends `2026-03-01 10:00:00`, but 'Additional Fields' may contain any other format. */
const LocalTime = z.string().min(1);

export const messageLimits = {
	perRequest: 1000,
	perStop: 10_000,
	externalIdLength: 100,
	lookUpWindow: 10_000,
} as const;

const isNotBlank = (id: string) => id.trim() !== '';
/** A text that was cut inside an emoji ends with half of it. No URL can contain that, so the message couldn't be found again. */
const hasWholeCharacters = (text: string) => !/\p{Cs}/u.test(text);

const externalMessageId = z
	.string()
	.refine(isNotBlank, 'is blank')
	.refine(
		hasWholeCharacters,
		'contains half of an emoji, because it was cut there. Use another ID',
	);
const callback = {
	callbackUrl: CallbackUrl.optional(),
	callbackEvents: z.array(MessageEvent).optional(),
};

const Ttl = Int.positive();

/** Limits that public clients of similar services use. The interface doesn't state them, so a value beyond them only gets a hint. */
export const usualMessage = {
	ttl: (ttl: unknown, channelType: string): boolean =>
		typeof ttl === 'number' && ttl >= (channelType === 'VOICECODE' ? 30 : 60) && ttl <= 90_000,
	tags: (tags: unknown): boolean =>
		Array.isArray(tags) && tags.every((tag) => typeof tag === 'string' && /^\w+$/.test(tag)),
	externalMessageId: (id: unknown): boolean =>
		typeof id === 'string' && id.length <= messageLimits.externalIdLength,
	content: (content: unknown, channelType: string): boolean =>
		channelType === 'FLASHCALL'
			? typeof content === 'string' && /^\d{4}$/.test(content)
			: (typeof content === 'string') === plainTextChannels.has(channelType),
} as const;

/** One message to send. An account may have parameters that aren't listed, so unknown fields are allowed. */
export const MessageSendFields = looseObject({
	...allAssumed(whyAssumed.body, {
		channelType: ChannelType,
		senderName: z.string().min(1),
		destination: Destination,
		content: MessageContent,
	}),
	tags: z.array(z.string()).optional(),
	useLocalTime: z.boolean().optional(),
	localCompletionTime: LocalTime.optional(),
	ttl: Ttl.optional(),
	hours: Hours.optional(),
	days: Days.optional(),
	shortUrl: z.boolean().optional(),
	...callback,
	trafficType: TrafficTypeOpen.optional(),
	...allAssumed(whyAssumed.body, {
		localSendTime: LocalTime.optional(),
		externalMessageId: externalMessageId.optional(),
		templateId: z.union([Int, z.string().min(1)]).optional(),
	}),
});

/**
 * Whether the fields that differ from message to message certainly fit `MessageSendFields`, as they do if the content is a text.
 * The schema gives the same result, but takes as long as everything else that is done for a message. If this is false, ask the
 * schema.
 */
export const surelyMatchesSchema = ({
	destination,
	content,
	externalMessageId: id,
}: z.input<typeof MessageSendFields>): boolean =>
	typeof destination === 'string' &&
	destinationDigits.test(destination) &&
	typeof content === 'string' &&
	content !== '' &&
	typeof id === 'string' &&
	isNotBlank(id) &&
	hasWholeCharacters(id);

const CascadeStep = looseObject({
	...allAssumed(whyAssumed.named, {
		channelType: ChannelType,
		senderName: z.string().min(1),
		content: MessageContent,
		condition: CascadeCondition.optional(),
		ttl: Ttl.optional(),
	}),
});

export const CascadeSend = looseObject(
	allAssumed(whyAssumed.named, {
		destination: Destination,
		...callback,
		useLocalTime: z.boolean().optional(),
		localSendTime: LocalTime.optional(),
		localCompletionTime: LocalTime.optional(),
		hours: Hours.optional(),
		days: Days.optional(),
		shortUrl: z.boolean().optional(),
		externalMessageId: externalMessageId.optional(),
		cascade: z.array(CascadeStep).min(1, 'needs at least one step'),
	}),
);

/** `errors: true` can come with HTTP 200; the items show which of them failed. `items` are in the order of the request. */
const EntriesReply = looseObject(
	allAssumed(whyAssumed.reply, {
		errors: z.boolean(),
		items: z.array(
			looseObject({
				messageUuid: z.string().nullish(),
				externalMessageId: z.string().nullish(),
				code: Int,
			}),
		),
	}),
);

const strings = z.array(z.string()).optional();

/** Filters of `GET /v1/message`, in the service's snake_case. Arrays are sent by repeating the parameter. */
const MessageFilters = z.object({
	message_uuid: strings,
	external_message_id: strings,
	dispatch: z.boolean().optional(),
	direction: z.array(Direction).optional(),
	country_code: strings,
	ready_to_stop: z.boolean().optional(),
	content_nor: strings,
	cascade_message_uuid: strings,
	root: z.boolean().optional(),
	...allAssumed(whyAssumed.filter, {
		dispatch_id: z.array(Int).optional(),
		destination: strings,
		status: strings,
		tags: strings,
		channel_type: strings,
		traffic_type: strings,
		sender_name: strings,
		template_id: z.array(Int).optional(),
		time_from: z.string().optional(),
		time_to: z.string().optional(),
		sort: z.string().optional(),
	}),
	...allAssumed(whyAssumed.paging, { page: Id.optional(), per_page: Id.optional() }),
});

/** Every call of the messaging API at `{api_base_url}`. */
export const messaging = {
	ping: messagingEndpoint('GET', '/ping', { auth: 'none', replyType: 'text', reply: z.string() }),
	balance: messagingEndpoint('GET', '/balance', { reply: Balance }),
	messageSend: messagingEndpoint('POST', '/v1/message', {
		body: z.array(MessageSendFields).min(1).max(messageLimits.perRequest),
		reply: EntriesReply,
	}),
	messageList: messagingEndpoint('GET', '/v1/message', {
		query: MessageFilters,
		paging: {
			number: 'page',
			size: 'per_page',
			defaultSize: 100,
			key: 'messageUuid',
			window: messageLimits.lookUpWindow,
		},
		reply: looseObject(allAssumed(whyAssumed.reply, { total: Int, items: z.array(ApiMessage) })),
	}),
	/** Repeatable, because a stopped message stays stopped. */
	messageStop: messagingEndpoint('POST', '/v1/message/stop', {
		assumed: whyAssumed.named,
		pathSetting: 'stopPath',
		repeatable: true,
		body: strictObject(
			allAssumed(whyAssumed.named, {
				uuids: z.array(z.string()).min(1).max(messageLimits.perStop),
			}),
		),
		reply: EntriesReply,
	}),
	cascadeSend: messagingEndpoint('POST', '/v1/message/cascade', {
		assumed: whyAssumed.named,
		pathSetting: 'cascadePath',
		body: z.array(CascadeSend).min(1).max(messageLimits.perRequest),
		reply: EntriesReply,
	}),
	verificationSend: messagingEndpoint('POST', '/api/v1/verifier/widget/send', {
		body: looseObject({ key: z.string().min(1) }),
		reply: looseObject(allAssumed(whyAssumed.reply, { messageUuid: z.string().optional() })),
	}),
	/** Repeatable, because it only reads. */
	verificationCheck: messagingEndpoint('POST', '/api/v1/verifier/widget/check', {
		assumed: whyAssumed.named,
		pathSetting: 'widgetCheckPath',
		repeatable: true,
		body: looseObject(allAssumed(whyAssumed.named, { key: z.string().min(1) })),
		reply: looseObject(allAssumed(whyAssumed.named, { status: z.string() })),
	}),
	codeSend: messagingEndpoint('POST', '/verifier/send', {
		assumed: whyAssumed.named,
		pathSetting: 'codeSendPath',
		body: looseObject(
			allAssumed(whyAssumed.named, {
				channelType: VerificationChannel,
				destination: Destination,
				gatewayId: z.union([z.string().min(1), Int]),
			}),
		),
		reply: looseObject(allAssumed(whyAssumed.named, { uuid: z.string() })),
	}),
	/** Not repeatable, because a service may count the tries. */
	codeCheck: messagingEndpoint('POST', '/verifier/check', {
		assumed: whyAssumed.named,
		pathSetting: 'codeCheckPath',
		body: looseObject(
			allAssumed(whyAssumed.named, { uuid: z.string().min(1), code: z.string().min(1) }),
		),
		reply: looseObject(allAssumed(whyAssumed.named, { status: z.string() })),
	}),
	...publishedEndpoints,
	...messagingDispatchEndpoints,
	...templateEndpoints,
	...senderNameEndpoints,
};
