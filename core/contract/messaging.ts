import { z } from '../../vendor/zod';
import { messagingEndpoint } from './endpoint';
import { MessageEvent } from './events';
import { ApiMessage } from './message';
import { messagingDispatchEndpoints } from './messagingDispatch';
import { from, type SourceName } from './provenance';
import { senderNameEndpoints } from './senderName';
import { templateEndpoints } from './template';
import {
	CallbackUrl,
	CascadeCondition,
	ChannelType,
	CodeStatus,
	Days,
	Destination,
	Direction,
	FlashCallResult,
	Hours,
	Id,
	Int,
	ListedStatus,
	looseObject,
	OpenValue,
	SendingMethod,
	strictObject,
	TrafficTypeOpen,
	VerificationChannel,
} from './values';

/** An object keyed by currency code, for example `{RUB: 120.5}`. */
const Balance = z.record(z.number());

/**
 * A plain string for some channels (`plainTextChannels`), and an object `{contentType: "text", text, …}` for the others. The fields
 * of the object depend on the channel and the account. The interface doesn't show them, so any object is allowed.
 */
export const MessageContent = z.union([z.string().min(1), looseObject({})]);

export const messageLimits = {
	perRequest: 1000,
	perStop: 10_000,
	lookUpWindow: 10_000,
	idLength: 100,
} as const;

const externalMessageId = z
	.string()
	// A service may cut a longer one off, and the message couldn't be found again.
	.max(messageLimits.idLength)
	.refine((id) => id.trim() !== '', 'is blank')
	// No URL can contain half of an emoji, so the message couldn't be found again.
	.refine(
		(id) => !/\p{Cs}/u.test(id),
		'contains half of an emoji, because it was cut there. Use another ID',
	);
const callback = {
	callbackUrl: CallbackUrl.optional(),
	callbackEvents: z.array(MessageEvent).optional(),
};

/**
 * One message to send. An account may have parameters that aren't listed, so unknown fields are allowed. The interface names the
 * options without their types, so 'Additional Fields' may contain any.
 */
export const MessageSendFields = looseObject({
	...from('page', {
		channelType: ChannelType,
		senderName: z.string().min(1),
		destination: Destination,
		content: MessageContent,
	}),
	tags: z.union([z.array(OpenValue), OpenValue]).optional(),
	useLocalTime: OpenValue.optional(),
	localCompletionTime: OpenValue.optional(),
	ttl: OpenValue.optional(),
	hours: Hours.optional(),
	days: Days.optional(),
	shortUrl: OpenValue.optional(),
	...callback,
	trafficType: TrafficTypeOpen.optional(),
	...from('page', {
		localSendTime: OpenValue.optional(),
		externalMessageId: externalMessageId.optional(),
	}),
	...from('guess', { templateId: z.union([Int, z.string().min(1)]).optional() }),
});

const CascadeStep = looseObject(
	from('client', {
		channelType: ChannelType,
		senderName: z.string().min(1),
		content: MessageContent,
		condition: CascadeCondition.optional(),
		ttl: OpenValue.optional(),
	}),
);

export const CascadeSend = looseObject({
	...from('client', {
		destination: Destination,
		...callback,
		useLocalTime: OpenValue.optional(),
		localSendTime: OpenValue.optional(),
		localCompletionTime: OpenValue.optional(),
		hours: Hours.optional(),
		days: Days.optional(),
		shortUrl: OpenValue.optional(),
		cascade: z.array(CascadeStep).min(1, 'needs at least one step'),
	}),
	...from('guess', { externalMessageId: externalMessageId.optional() }),
});

/** `errors: true` can come with HTTP 200; the items show which of them failed. `items` are in the order of the request. */
const entriesReply = (source: SourceName, others: z.ZodRawShape = {}) =>
	looseObject(
		from(source, {
			errors: z.boolean(),
			items: z.array(
				looseObject({
					...from(source, { messageUuid: z.string().nullish(), code: Int }),
					...others,
				}),
			),
		}),
	);

const ownIdIn = { externalMessageId: z.string().nullish() };

const text = z.string().optional();
const texts = z.array(z.string()).optional();

/**
 * Filters of `GET /v1/message`, in the service's snake_case. A list is sent by repeating the parameter. Only those that the
 * interface or a public reference marks as repeatable are lists: the service reads every other one once.
 */
const MessageFilters = z.object({
	message_uuid: texts,
	external_message_id: text,
	dispatch: z.boolean().optional(),
	direction: z.array(Direction).optional(),
	country_code: text,
	ready_to_stop: z.boolean().optional(),
	content_nor: text,
	cascade_message_uuid: text,
	root: z.boolean().optional(),
	...from('page', {
		content: text,
		dispatch_id: texts,
		destination: texts,
		status: z.array(ListedStatus).optional(),
		tags: texts,
		channel_type: z.array(ChannelType).optional(),
		traffic_type: z.array(TrafficTypeOpen).optional(),
		sender_name: texts,
		template_id: texts,
		traffic_center_id: texts,
		sending_method: z.array(SendingMethod).optional(),
		time_from: text,
		time_to: text,
		sort: text,
		page: Id.optional(),
		per_page: Id.optional(),
	}),
});

/** Every call of the messaging API at `{api_base_url}`. */
export const messaging = {
	ping: messagingEndpoint('GET', '/ping', { auth: 'none', replyType: 'text', reply: z.string() }),
	balance: messagingEndpoint('GET', '/balance', { key: 'any', reply: Balance }),
	messageSend: messagingEndpoint('POST', '/v1/message', {
		body: z.array(MessageSendFields).min(1).max(messageLimits.perRequest),
		reply: entriesReply('page', from('client', ownIdIn)),
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
		reply: looseObject(from('client', { total: Int, items: z.array(ApiMessage) })),
	}),
	/** Repeatable, because a stopped message stays stopped. */
	messageStop: messagingEndpoint('POST', '/v1/message/stop', {
		source: 'page',
		pathSetting: 'stopPath',
		repeatable: true,
		body: strictObject(
			from('page', { uuids: z.array(z.string()).min(1).max(messageLimits.perStop) }),
		),
		reply: entriesReply('page'),
	}),
	cascadeSend: messagingEndpoint('POST', '/v1/message/cascade', {
		source: 'client',
		pathSetting: 'cascadePath',
		body: z.array(CascadeSend).min(1).max(messageLimits.perRequest),
		reply: entriesReply('guess', from('guess', ownIdIn)),
	}),
	/** The interface doesn't show the body beyond `key`. */
	verificationSend: messagingEndpoint('POST', '/api/v1/verifier/widget/send', {
		key: 'widget',
		...from('client', { body: looseObject({ key: z.string().min(1) }) }),
		reply: looseObject(from('client', { messageUuid: z.string().optional() })),
	}),
	/** Repeatable, because it only reads. */
	verificationCheck: messagingEndpoint('POST', '/api/v1/verifier/widget/check', {
		source: 'client',
		pathSetting: 'widgetCheckPath',
		key: 'widget',
		repeatable: true,
		body: looseObject(from('client', { key: z.string().min(1) })),
		reply: looseObject(from('client', { status: z.string() })),
	}),
	codeSend: messagingEndpoint('POST', '/verifier/send', {
		source: 'client',
		pathSetting: 'codeSendPath',
		key: 'verification',
		body: looseObject(
			from('client', {
				channelType: VerificationChannel,
				destination: Destination,
				gatewayId: z.union([z.string().min(1), Int]),
			}),
		),
		reply: looseObject(from('client', { uuid: z.string() })),
	}),
	/** Not repeatable, because the service counts the tries. */
	codeCheck: messagingEndpoint('POST', '/verifier/check', {
		source: 'page',
		pathSetting: 'codeCheckPath',
		key: 'verification',
		body: looseObject(from('page', { uuid: z.string().min(1), code: z.string().min(1) })),
		reply: looseObject(from('page', { status: CodeStatus })),
		echoes: { uuid: 'body.uuid' },
	}),
	/** Also finds inbound messages, unlike the list without its filter `direction`. The reference doesn't show its path. */
	messageGet: messagingEndpoint('GET', '/v1/message/{id}', {
		source: 'client',
		pathParams: z.object(from('client', { id: z.string().min(1) })),
		reply: ApiMessage,
		echoes: { messageUuid: 'path.id' },
	}),
	/** The response isn't published. */
	flashCallResult: messagingEndpoint('POST', '/flashcall-conversion', {
		source: 'page',
		body: strictObject(
			from('page', {
				messageUuid: z.string().min(1),
				result: FlashCallResult,
				code: z.string().optional(),
			}),
		),
		reply: z.unknown(),
		echoes: { messageUuid: 'body.messageUuid' },
	}),
	...messagingDispatchEndpoints,
	...templateEndpoints,
	...senderNameEndpoints,
};
