import { MessageEvent } from '../../../core/contract/events';
/**
 * The calls of the messaging API whose bodies the contract doesn't show. Only method and path come from the contract. The
 * bodies are defined here separately from the nodes, from what public clients of similar services send and check, so that a
 * wrong guess in the nodes isn't confirmed by a sandbox that shares it. Unknown fields are accepted.
 */
import { messagingEndpoint, type Endpoint } from '../../../core/contract/endpoint';
import { messaging } from '../../../core/contract/messaging';
import { z } from '../../../vendor/zod';
import { dispatchCalls } from './dispatchCalls.cts';
import { entityCalls } from './entityCalls.cts';

const at = ({ method, path }: Endpoint) => [method, path] as const;

const mostMessages = 1_000;
const mostStops = 10_000;
/** The limit of `page × per_page`. */
export const listWindow = 10_000;

const Whole = z.number().int();
const Text = z.string().min(1);
const PhoneNumber = z.string().regex(/^\d{5,15}$/, 'must be digits, country code first');

const isDate = (text: string) => {
	const time = new Date(`${text.replace(' ', 'T')}Z`);
	// JavaScript reads 30 February as 1 March.
	return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, 10));
};
const LocalTime = z
	.string()
	.regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, 'must look like 2026-03-01 10:00:00')
	.refine(isDate, 'is not a valid date');

/** Options of both messages and cascades: when to send, and which events to report. */
const options = {
	useLocalTime: z.boolean().optional(),
	localSendTime: LocalTime.optional(),
	localCompletionTime: LocalTime.optional(),
	hours: z.array(Whole.min(0).max(23)).min(1).optional(),
	days: z.array(Whole.min(1).max(7)).min(1).optional(),
	shortUrl: z.boolean().optional(),
	callbackUrl: z
		.string()
		.regex(/^https?:\/\/[^/]/i, 'must start with http:// or https://')
		.refine((text) => URL.canParse(text), 'is not a URL')
		.optional(),
	callbackEvents: z.array(MessageEvent).optional(),
	externalMessageId: Text.optional(),
};

/** A plain string or an object: the channel decides (contents.cts). */
const Content = z.union([Text, z.object({ text: z.string().optional() }).passthrough()]);
export type StoredContent = z.output<typeof Content>;

const messageFields = z
	.object({
		channelType: Text,
		senderName: Text,
		destination: PhoneNumber,
		content: Content,
		...options,
		tags: z.array(Text).optional(),
		ttl: Whole.positive().optional(),
		trafficType: Text.optional(),
		templateId: z.union([Whole, Text]).optional(),
	})
	.passthrough();
const NewMessage = messageFields;

const CascadeStep = z
	.object({
		channelType: Text,
		senderName: Text,
		content: Content,
		condition: Text.optional(),
		ttl: Whole.optional(),
	})
	.passthrough();
export type CascadeStep = z.output<typeof CascadeStep>;

/** A step with the options of its cascade. It must be a message that could be sent by itself. */
export const StepMessage = messageFields;
export type SingleInput = z.output<typeof StepMessage>;

const Cascade = z
	.object({ destination: PhoneNumber, ...options, cascade: z.array(CascadeStep).min(1) })
	.passthrough();
export type CascadeInput = z.output<typeof Cascade>;

const Results = z
	.object({
		errors: z.boolean(),
		items: z.array(
			z
				.object({
					messageUuid: z.string().nullable(),
					externalMessageId: z.string().nullable(),
					code: Whole,
					msg: z.string().optional(),
				})
				.strict(),
		),
	})
	.strict();
export type Results = z.output<typeof Results>;

const text = z.string().nullable();
const number = Whole.nullable();
const ListedMessage = z
	.object({
		createdTime: z.string(),
		channelType: z.string().optional(),
		sendingMethod: z.string(),
		trafficType: text,
		templateId: z.union([Whole, z.string()]).nullable(),
		dispatchId: number,
		messageUuid: z.string(),
		externalMessageId: text,
		trafficCenterId: Whole,
		senderName: text,
		destination: z.string(),
		brand: text,
		country: text,
		region: text,
		content: Content.or(z.literal('')),
		specialContent: z.object({ text: z.string(), contentType: z.string() }).strict().nullable(),
		tags: z.array(z.string()).nullable(),
		ttl: number,
		hours: z.array(Whole).nullable(),
		days: z.array(Whole).nullable(),
		localSendTime: text,
		localCompletionTime: text,
		useLocalTime: z.boolean().nullable(),
		callbackEvents: z.array(z.string()).nullable(),
		callbackUrl: text,
		totalParts: Whole,
		price: z
			.object({
				totalPrice: z.number(),
				currency: z.string(),
				invoicedParts: Whole,
				final: z.boolean(),
			})
			.strict(),
		sentTime: text,
		statusTime: text,
		status: z.string(),
		readStatus: text,
		readStatusTime: text,
		cascadeMessageUuid: text,
		cascadeStep: number,
		errorCode: number,
		direction: z.string(),
	})
	.strict();
export type ListedMessage = z.output<typeof ListedMessage>;

const texts = z.array(z.string()).optional();
/** The filters that are read once. What a repeated one does is a part of the dialect. */
export const singleFilters: ReadonlySet<string> = new Set([
	'external_message_id',
	'country_code',
	'content',
	'content_nor',
	'cascade_message_uuid',
]);

/** Arrays are given by repeating the parameter. */
const Filters = z.object({
	message_uuid: texts,
	external_message_id: texts,
	dispatch: z.boolean().optional(),
	dispatch_id: z.array(Whole).optional(),
	traffic_center_id: z.array(Whole).optional(),
	sending_method: texts,
	direction: z.array(z.enum(['inbound', 'outbound'])).optional(),
	country_code: texts,
	ready_to_stop: z.boolean().optional(),
	content: texts,
	content_nor: texts,
	cascade_message_uuid: texts,
	root: z.boolean().optional(),
	destination: texts,
	status: texts,
	tags: texts,
	channel_type: texts,
	traffic_type: texts,
	sender_name: texts,
	template_id: texts,
	time_from: z.string().optional(),
	time_to: z.string().optional(),
	sort: z.string().optional(),
	page: Whole.positive().optional(),
	per_page: Whole.positive().optional(),
});
export type Filters = z.output<typeof Filters>;

const Key = z.object({ key: Text }).passthrough();

export const calls = {
	messageSend: messagingEndpoint(...at(messaging.messageSend), {
		body: z.array(NewMessage).min(1).max(mostMessages),
		reply: Results,
	}),
	messageList: messagingEndpoint(...at(messaging.messageList), {
		query: Filters,
		reply: z.object({ total: Whole, items: z.array(ListedMessage) }).strict(),
	}),
	messageStop: messagingEndpoint(...at(messaging.messageStop), {
		body: z.object({ uuids: z.array(z.string()).min(1).max(mostStops) }).passthrough(),
		reply: z
			.object({
				errors: z.boolean(),
				items: z.array(z.object({ messageUuid: z.string(), code: Whole }).strict()),
			})
			.strict(),
	}),
	cascadeSend: messagingEndpoint(...at(messaging.cascadeSend), {
		body: z.array(Cascade).min(1).max(mostMessages),
		reply: Results,
	}),
	verificationSend: messagingEndpoint(...at(messaging.verificationSend), {
		body: Key,
		reply: z.object({ messageUuid: z.string() }).strict(),
	}),
	verificationCheck: messagingEndpoint(...at(messaging.verificationCheck), {
		body: Key,
		reply: z.object({ status: z.enum(['PENDING', 'CONFIRMED']) }).strict(),
	}),
	codeSend: messagingEndpoint(...at(messaging.codeSend), {
		body: z
			.object({ channelType: Text, destination: PhoneNumber, gatewayId: z.union([Text, Whole]) })
			.passthrough(),
		reply: z.object({ uuid: z.string() }).strict(),
	}),
	codeCheck: messagingEndpoint(...at(messaging.codeCheck), {
		body: z.object({ uuid: Text, code: Text }).passthrough(),
		reply: z
			.object({ status: z.enum(['CONFIRMED', 'WRONG_CODE', 'EXPIRED', 'NOT_FOUND']) })
			.strict(),
	}),
	messageGet: messagingEndpoint(...at(messaging.messageGet), {
		pathParams: z.object({ id: Text }),
		reply: ListedMessage,
	}),
	/** The response isn't published. Here it has no body. */
	flashCallResult: messagingEndpoint(...at(messaging.flashCallResult), {
		body: z
			.object({
				messageUuid: Text,
				result: z.enum(['NUMBER_VERIFIERD', 'WRONG_CODE']),
				code: Text.optional(),
			})
			.strict(),
		replyType: 'text',
		reply: z.literal(''),
	}),
	...dispatchCalls,
	...entityCalls,
};
