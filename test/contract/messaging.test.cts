import { ApiMessage } from '../../core/contract/message';
import { messaging } from '../../core/contract/messaging';
import type { z } from '../../vendor/zod';
import {
	addressOf,
	bool,
	endpointOf,
	holds,
	holdsCall,
	int,
	limited,
	listOf,
	mapOf,
	nameOf,
	objectWith,
	objectWithSome,
	oneOf,
	openSet,
	optional,
	required,
	string,
	unsaid,
	unshown,
	verdict,
	type Call,
	type Table,
	type Type,
} from './support.cts';
import {
	callbackUrl,
	channelType,
	destination,
	hour,
	trafficTypes,
	weekday,
} from './vocabulary.cts';

/*
 * The messaging API. The specification states these messageCalls, the balance, the filters and the sending parameters; it leaves
 * their types and the other fields open ("not shown"; docs/interface.md has which). Public documentation and public clients of
 * messaging APIs of the same family fill it in: good defaults, not promises. So the shapes below are sent, others are
 * understood in replies, and a value is never refused only because it is not listed.
 */

/** "a plain string for SMS, FLASHCALL and VK, an object {contentType, text, …} for the other channels" */
const content: Type = {
	kind: 'string or object',
	good: [
		'text',
		{ contentType: 'text', text: 'text' },
		{ contentType: 'text', text: 'a', more: 1 },
	],
	bad: [1, true, []],
};
const localTime = unshown('2026-03-01 10:00:00', '2026-03-01T10:00:00Z', 'tomorrow', 1_700_000_000);
const isOn = unshown(true, false, 'yes', 1);
const callbackEvents = listOf(oneOf('delivered', 'sent', 'read', 'price', 'click'));

const messageSend = objectWith({
	channelType: required(channelType),
	senderName: required(string),
	destination: required(destination),
	content: required(content),
	tags: optional(unshown(['spring', 'A_1', 'two words', 'a-b', 'весна', 1], 'spring')),
	useLocalTime: optional(isOn),
	localSendTime: optional(localTime),
	localCompletionTime: optional(localTime),
	ttl: optional(unshown(60, 0, -1, 1.5, 90_000, '60')),
	hours: optional(listOf(limited(int, hour))),
	days: optional(listOf(limited(int, weekday))),
	shortUrl: optional(isOn),
	callbackUrl: optional(callbackUrl),
	callbackEvents: optional(callbackEvents),
	externalMessageId: optional(unshown('order-17', 'x'.repeat(100))),
	trafficType: optional(openSet(...trafficTypes)),
	templateId: optional(unshown(17, 'abc')),
});

const cascadeSend = objectWith({
	destination: required(destination),
	callbackUrl: optional(callbackUrl),
	callbackEvents: optional(callbackEvents),
	useLocalTime: optional(isOn),
	localSendTime: optional(localTime),
	localCompletionTime: optional(localTime),
	hours: optional(listOf(limited(int, hour))),
	days: optional(listOf(limited(int, weekday))),
	shortUrl: optional(isOn),
	externalMessageId: optional(unshown('order-17')),
	cascade: required(
		listOf(
			objectWith({
				channelType: required(channelType),
				senderName: required(string),
				content: required(content),
				condition: optional(openSet('not_delivered', 'not_read')),
				ttl: optional(unshown(3600)),
			}),
		),
	),
});

const messageObject = objectWith({
	createdTime: unsaid(unshown('2026-03-01T10:00:00Z')),
	channelType: unsaid(unshown('SMS', 'NOT_LISTED')),
	sendingMethod: unsaid(unshown('VERIFIER_API', 'VERIFIER_WIDGET', 'NOT_LISTED')),
	trafficType: unsaid(unshown('PROMO', 'NOT_LISTED')),
	templateId: unsaid(unshown(17)),
	dispatchId: unsaid(unshown(17)),
	messageUuid: unsaid(string),
	externalMessageId: unsaid(string),
	trafficCenterId: unsaid(int),
	senderName: unsaid(string),
	destination: unsaid(string),
	brand: unsaid(unshown('MTS', 'NOT_LISTED')),
	country: unsaid(unshown('RU')),
	region: unsaid(unshown('Moscow')),
	content: unsaid(unshown('text', { contentType: 'text', text: 'text' })),
	tags: unsaid(listOf(string)),
	ttl: unsaid(unshown(3600)),
	hours: unsaid(listOf(int)),
	days: unsaid(listOf(int)),
	localSendTime: unsaid(unshown('2026-03-01 10:00:00')),
	localCompletionTime: unsaid(unshown('2026-03-01 20:00:00')),
	useLocalTime: unsaid(bool),
	callbackEvents: unsaid(unshown(['delivered', 'NOT_LISTED'])),
	callbackUrl: unsaid(string),
	totalParts: unsaid(int),
	price: unsaid(
		objectWith({
			totalPrice: unsaid(unshown(2.5)),
			currency: unsaid(string),
			invoicedParts: unsaid(unshown(1)),
			final: unsaid(bool),
		}),
	),
	sentTime: unsaid(unshown('2026-03-01T10:00:00Z')),
	statusTime: unsaid(unshown('2026-03-01T10:00:00Z')),
	status: unsaid(unshown('delivered', 'NOT_LISTED')),
	readStatus: unsaid(unshown('read', 'NOT_LISTED')),
	readStatusTime: unsaid(unshown('2026-03-01T10:00:00Z')),
	cascadeMessageUuid: unsaid(string),
	cascadeStep: unsaid(int),
	errorCode: unsaid(int),
	direction: unsaid(unshown('inbound', 'outbound', 'NOT_LISTED')),
	specialContent: unsaid(objectWith({ text: unsaid(string), contentType: unsaid(string) })),
});

const accepted = (item: Type) =>
	objectWith({ errors: required(bool), items: required(listOf(item)) });

const repeatable = (): Table => {
	const names = [
		'dispatch_id',
		'message_uuid',
		'destination',
		'status',
		'tags',
		'channel_type',
		'traffic_type',
		'sender_name',
		'template_id',
		'traffic_center_id',
		'sending_method',
		'direction',
	];
	// "may be repeated to get both"
	const values: Record<string, Type> = { direction: listOf(oneOf('inbound', 'outbound')) };
	return Object.fromEntries(
		names.map((name) => [name, optional(values[name] ?? unshown(['a'], ['a', 'b']))]),
	);
};

/** A filter that isn't marked as repeatable has one value. */
const single: Type = { good: ['a'], bad: [['a'], ['a', 'b']] };

const messageCalls: Call[] = [
	{
		call: 'GET /ping',
		auth: 'none',
		replyType: 'text',
		reply: { kind: 'string', good: ['PONG'], bad: [] },
	},
	{
		call: 'GET /balance',
		reply: mapOf([{ RUB: 12.5 }, { RUB: 0, EUR: 1.5 }, {}], [{ RUB: '1' }, []]),
	},
	{
		call: 'POST /v1/message',
		body: listOf(messageSend),
		bodySide: 'extensible request',
		reply: accepted(
			objectWith({
				messageUuid: unsaid(string),
				externalMessageId: unsaid(string),
				code: required(int),
			}),
		),
	},
	{
		call: 'GET /v1/message',
		query: objectWith({
			page: optional(int),
			per_page: optional(int),
			sort: optional(unshown('-created_time')),
			time_from: optional(unshown('2026-03-01T10:00:00Z')),
			time_to: optional(unshown('2026-03-01T10:00:00Z')),
			...repeatable(),
			// The filters of the specification, whose types are not shown.
			external_message_id: optional(single),
			content: optional(single),
			dispatch: optional(unshown()),
			country_code: optional(single),
			ready_to_stop: optional(unshown()),
			content_nor: optional(single),
			cascade_message_uuid: optional(single),
			root: optional(unshown()),
		}),
		paging: { number: 'page', size: 'per_page', defaultSize: 100, window: 10_000 },
		reply: 'not shown',
	},
	{
		call: 'POST /message/stop',
		body: objectWith({ uuids: required(listOf(string)) }),
		reply: accepted(objectWithSome({ messageUuid: unsaid(string), code: required(int) })),
	},
	{
		call: 'POST /message/cascade',
		body: listOf(cascadeSend),
		bodySide: 'extensible request',
		reply: 'not shown',
	},
	{
		call: 'POST /api/v1/verifier/widget/send',
		body: objectWith({ key: required(string) }),
		bodySide: 'extensible request',
		reply: objectWith({ messageUuid: unsaid(string) }),
	},
	{
		call: 'POST /verifier/widget/check',
		body: objectWith({ key: required(string) }),
		bodySide: 'extensible request',
		reply: objectWith({
			status: required(limited(string, { inside: ['CONFIRMED', 'NOT_LISTED'], outside: [] })),
		}),
	},
	{
		call: 'POST /verifier/send',
		body: objectWith({
			channelType: required(unshown('SMS', 'TELEGRAM_GATEWAY')),
			destination: required(destination),
			gatewayId: required(unshown('17', 17)),
		}),
		bodySide: 'extensible request',
		reply: objectWith({ uuid: required(string) }),
	},
	{
		call: 'POST /verifier/check',
		body: objectWith({ uuid: required(string), code: required(string) }),
		bodySide: 'extensible request',
		reply: objectWith({
			status: required(openSet('CONFIRMED', 'EXPIRED', 'NOT_FOUND', 'WRONG_CODE')),
		}),
	},
];

/* Calls of the messaging API, transcribed from the provider's public reference. The specification only names them. */

const counts = objectWith(
	Object.fromEntries(
		['total', 'delivered', 'undelivered', 'unsent', 'sent', 'sending'].map((name) => [
			name,
			required(int),
		]),
	),
);

/** Only `sending` was seen as the API writes it, so any other word is accepted too. */
const dispatch = objectWith({
	dispatchId: required(int),
	dispatchName: required(string),
	created: unsaid(unshown('2026-03-01T07:00:00Z')),
	localSendTime: unsaid(unshown('2026-03-01 10:00:00', null)),
	localCompletionTime: unsaid(unshown('2026-03-01 20:00:00', null)),
	useLocalTime: unsaid(bool),
	status: required(unshown('sending', 'NOT_LISTED')),
	source: unsaid(string),
	message: unsaid(string),
	trafficCenterId: unsaid(int),
	trafficCenterName: unsaid(string),
	base: unsaid(unshown({ included: { type: 'FILE', name: 'a.csv' }, excluded: null })),
	parts: unsaid(counts),
	messages: required(counts),
});

/** Its type is shown only in responses, as a number. */
const dispatchId = unshown(17, '17', 'D-17');

const dispatchCalls: Call[] = [
	{
		call: 'GET /dispatch',
		query: objectWithSome({
			created_from: optional(unshown('2026-03-01T07:00:00Z')),
			created_to: optional(unshown('2026-03-01T07:00:00Z')),
			status: optional(unshown('sending', 'NOT_LISTED')),
			dispatch_id: optional(unshown(17, 'D-17')),
			dispatch_name: optional(string),
			traffic_center_id: optional(unshown(17, 'T-1')),
		}),
		// Not published for this list; the message list is divided like this.
		paging: { number: 'page', size: 'per_page', defaultSize: 100 },
		reply: objectWith({ total: required(int), items: required(listOf(dispatch)) }),
	},
	{
		call: 'POST /dispatch/{dispatchId}/messages',
		id: dispatchId,
		body: listOf(
			objectWith({
				destination: required(destination),
				substitutions: optional(mapOf([{ name: 'Anna' }, { amount: 8.7, isNew: true }, {}], [])),
			}),
		),
		reply: listOf(
			objectWith({
				destination: required(string),
				messageUuid: unsaid(string),
				errorCode: unsaid(unshown(7401)),
			}),
		),
	},
	{
		call: 'POST /dispatch/{dispatchId}/start',
		id: dispatchId,
		reply: objectWith({ dispatchId: required(int) }),
	},
	// "200 with an empty body"
	{
		call: 'POST /dispatch/{dispatchId}/stop',
		id: dispatchId,
		replyType: 'any',
		reply: 'not shown',
	},
];

/** Named with its fields, without saying which are always there. */
const template = objectWith({
	id: required(int),
	channelType: unsaid(unshown('SMS', 'NOT_LISTED')),
	templateType: unsaid(unshown('SERVICE', 'NOT_LISTED')),
	pattern: unsaid(unshown('Your order %w is ready')),
	dateFrom: unsaid(unshown('2026-03-01T07:00:00Z', '2026-03-01')),
	dateTo: unsaid(unshown('2026-03-01T07:00:00Z', null)),
	senderNameId: unsaid(int),
	senderName: unsaid(string),
	brand: unsaid(unshown('MTS', 'NOT_LISTED')),
	countryCode: unsaid(unshown('RU')),
	managerComment: unsaid(string),
	status: unsaid(unshown('CLOSED', 'NOT_LISTED')),
	createdAt: unsaid(unshown('2026-03-01T07:00:00Z')),
	rejectedAt: unsaid(unshown('2026-03-01T07:00:00Z', null)),
	content: unsaid(unshown({ header: { text: 'Tulips' } })),
});

/** Its type is shown only for messages, as a number there and as text in a filter. */
const templateId = unshown(512, '512', 'T-1');

const entityCalls: Call[] = [
	{ call: 'GET /templates/{template_id}', id: templateId, reply: template },
	{
		call: 'PUT /templates/{template_id}',
		id: templateId,
		body: objectWith({
			dateFrom: optional(unshown('2026-03-01T07:00:00Z', '2026-03-01')),
			dateTo: optional(unshown('2026-03-01T07:00:00Z', '2026-03-01')),
			pattern: optional(string),
		}),
		replyType: 'any',
		reply: 'not shown',
	},
	{
		call: 'POST /flashcall-conversion',
		body: objectWith({
			messageUuid: required(string),
			// Spelled like this.
			result: required(openSet('NUMBER_VERIFIERD', 'WRONG_CODE')),
			code: optional(string),
		}),
		reply: 'not shown',
	},
	// "a part `body` with the JSON and parts `file1`, `file2`, …"
	{ call: 'POST /sender-names', encoding: 'multipart', body: 'not shown', reply: 'not shown' },
];

/** Calls whose requests and responses have no table: they were seen only as names, or have those of another call. */
const others = ['GET /templates', 'GET /sender-names', 'GET /message/{id}'];

describe('calls of the messaging API', () => {
	const calls = [...messageCalls, ...dispatchCalls, ...entityCalls];
	for (const call of calls) holdsCall(messaging, call);

	it('there is no other', () => {
		const transcribed = [...calls.map(({ call }) => call), ...others];
		expect(Object.values(messaging).map(nameOf).map(addressOf).sort()).toEqual(
			transcribed.map(addressOf).sort(),
		);
		expect(new Set(Object.values(messaging).map(({ api }) => api))).toEqual(new Set(['messaging']));
	});

	it('of /v1/, where the specification says so', () => {
		const names = Object.values(messaging).map(nameOf);
		expect(names).toEqual(expect.arrayContaining(['POST /v1/message', 'GET /v1/message']));
	});
});

describe('messages', () => {
	describe('message object of GET /v1/message', () => holds(ApiMessage, messageObject, 'reply'));

	it('GET /v1/message replies {total, items}', () => {
		const { reply } = endpointOf(messaging, 'GET /v1/message');
		const items = messageObject.good.slice(0, 1);
		for (const value of [
			{ total: 1, items },
			{ total: 0, items: [] },
		]) {
			expect(reply.parse(value)).toEqual(value);
		}
		expect(reply.parse({ total: 1, items, more: 1 })).toEqual({ total: 1, items, more: 1 });
		for (const value of ['text', items, []]) expect(verdict(reply, value)).toBe('refused there');
		expect(verdict(reply, { total: 1, items: 'text' })).toBe('refused there');
	});

	it('a failed item may lack its message id, with `errors` true', () => {
		const { reply } = endpointOf(messaging, 'POST /v1/message');
		expect(verdict(reply, { errors: true, items: [{ code: 400 }] })).toBe('taken');
	});
});

describe('limits the specification does not show', () => {
	const many = <Item,>(length: number, item: Item) => Array.from({ length }, () => item);
	const bodyOf = (call: string): z.ZodTypeAny => endpointOf(messaging, call).body!;

	it('1 to 1,000 messages in a request', () => {
		const message = messageSend.good[1];
		const verdicts = [0, 1, 1000, 1001].map((length) =>
			verdict(bodyOf('POST /v1/message'), many(length, message)),
		);
		expect(verdicts).toEqual(['refused there', 'taken', 'taken', 'refused there']);
	});

	it('at most 10,000 messages in a stop', () => {
		const verdicts = [1, 10_000, 10_001].map((length) =>
			verdict(bodyOf('POST /message/stop'), { uuids: many(length, 'a') }),
		);
		expect(verdicts).toEqual(['taken', 'taken', 'refused there']);
	});
});

describe('calls as the public reference shows them', () => {
	it('GET /message/{id} has a message as its response', () => {
		const { reply, pathParams } = endpointOf(messaging, 'GET /message/{id}');
		expect(reply).toBe(ApiMessage);
		expect(pathParams?.safeParse({ id: 'any text' }).success).toBe(true);
	});

	/** The rules of the specification for the messaging API: MegaFon's characters, and 11 characters for SMS. */
	it.each([
		[{ senderName: 'TULIPS', channelType: 'SMS' }, true],
		[{ senderName: 'A'.repeat(11), channelType: 'SMS', brand: 'MTS', commonType: 'PROMO' }, true],
		[{ senderName: 'A'.repeat(12), channelType: 'SMS' }, false],
		[{ senderName: 'A'.repeat(12), channelType: 'VIBER' }, true],
		[{ senderName: 'TU LIPS', channelType: 'SMS', brand: 'MEGAFON' }, false],
		[{ senderName: 'TU+LIPS', channelType: 'VIBER', brand: 'MEGAFON' }, false],
		[{ senderName: 'TULIPS!', channelType: 'SMS', brand: 'MEGAFON' }, true],
		[{ senderName: 'TULIPS', channelType: 'SMS', brand: 'NOT_LISTED', more: 1 }, true],
		[{ senderName: '', channelType: 'SMS' }, false],
	])('POST /sender-names with %j: %j', (fields, isTaken) => {
		const { body } = endpointOf(messaging, 'POST /sender-names');
		expect(body?.safeParse({ body: fields, file: [] }).success).toBe(isTaken);
	});
});
