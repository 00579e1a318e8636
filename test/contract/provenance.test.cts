import { readFileSync } from 'node:fs';
import type { Endpoint } from '../../core/contract/endpoint';
import { ApiMessage } from '../../core/contract/message';
import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import { levelOf, sources, type Level } from '../../core/contract/provenance';
import * as values from '../../core/contract/values';
import { fieldsOf, interfaceDocument, interfacePath, partsOf } from '../../scripts/interface.cts';
import { nameOf } from './support.cts';

/* Which parts of the contract the specification states, and which a public reference shows. Everything else is assumed. */

const statedCalls = [
	'GET /ping',
	'GET /balance',
	'POST /v1/message',
	'GET /v1/message',
	'POST /api/v1/verifier/widget/send',
];
/** "Sending parameters named for POST /v1/message" */
const sendingParameters = [
	'callbackUrl',
	'callbackEvents',
	'ttl',
	'hours',
	'days',
	'tags',
	'localCompletionTime',
	'useLocalTime',
	'shortUrl',
	'trafficType',
];
/** "Filter parameters of GET /v1/message named in the revision history" */
const filters = [
	'message_uuid',
	'external_message_id',
	'dispatch',
	'direction',
	'country_code',
	'ready_to_stop',
	'content_nor',
	'cascade_message_uuid',
	'root',
];
/** "Known members of `item`", and what the revision history names in the message object. */
const messageMembers = [
	'createdTime',
	'sentTime',
	'messageUuid',
	'direction',
	'channelType',
	'trafficCenterId',
	'senderName',
	'destination',
	'content',
	'specialContent',
	'specialContent.text',
	'specialContent.contentType',
	'totalParts',
	'ttl',
	'hours',
	'days',
	'localSendTime',
	'localCompletionTime',
	'useLocalTime',
	'callbackEvents',
	'callbackUrl',
	'readStatus',
	'readStatusTime',
	'cascadeMessageUuid',
	'cascadeStep',
	'sendingMethod',
];
/** In the message object of a public reference, and nowhere in the specification. */
const publishedMembers = [
	'externalMessageId',
	'status',
	'statusTime',
	'errorCode',
	'price',
	'price.totalPrice',
	'price.currency',
	'price.invoicedParts',
	'price.final',
	'trafficType',
	'templateId',
	'dispatchId',
	'brand',
	'country',
	'region',
	'tags',
];

type Parts = Partial<Record<string, string[]>>;
const statedParts: Record<string, Parts> = {
	'POST /v1/message': { body: sendingParameters },
	'GET /v1/message': { query: filters },
	// The message object.
	'GET /v1/message/{id}': { reply: messageMembers },
	'POST /api/v1/verifier/widget/send': { body: ['key'] },
	// Filters that the revision history names.
	'GET /templates': { query: ['template_id'] },
	'GET /sender-names': { query: ['channel_type', 'country_code'] },
};

/* What a public reference of a very similar API shows. */

const publishedCalls = [
	'POST /v1/message/stop',
	'POST /v1/message/cascade',
	'POST /api/v1/verifier/widget/check',
	'POST /verifier/send',
	'POST /verifier/check',
	'GET /v1/message/{id}',
	'POST /flashcall-conversion',
	'GET /dispatch',
	'POST /dispatch/{dispatchId}/messages',
	'POST /dispatch/{dispatchId}/start',
	'POST /dispatch/{dispatchId}/stop',
	'GET /templates/{template_id}',
	'PUT /templates/{template_id}',
	'POST /sender-names',
];
/** Of these, only programs show method and path. */
const clientCalls = [
	'POST /v1/message/cascade',
	'POST /api/v1/verifier/widget/check',
	'POST /verifier/send',
	'GET /v1/message/{id}',
];
const counters = ['total', 'delivered', 'undelivered', 'unsent', 'sent', 'sending'];
const templateMembers = [
	'id',
	'channelType',
	'templateType',
	'pattern',
	'dateFrom',
	'dateTo',
	'senderNameId',
	'senderName',
	'brand',
	'countryCode',
	'managerComment',
	'status',
	'createdAt',
	'rejectedAt',
	'content',
];
/** The partner API's names for a sender name: the reference shows no response. */
const senderNameMembers = [
	'id',
	'senderName',
	'channelType',
	'commonType',
	'brand',
	'status',
	'dateFrom',
	'dateTo',
	'managerComment',
	'createdAt',
	'rejectedAt',
];
const ofItems = (names: readonly string[]) => names.map((name) => `items.${name}`);
/** "HTTP 200 {errors, items: [{messageUuid, code}]}", and the custom ID if one was given */
const entries = ['errors', 'items', 'items.messageUuid', 'items.code'];
const publishedParts: Record<string, Parts> = {
	'POST /v1/message': {
		body: [
			'channelType',
			'senderName',
			'destination',
			'content',
			'localSendTime',
			'externalMessageId',
		],
		reply: [...entries, 'items.externalMessageId'],
	},
	'GET /v1/message': {
		query: [
			'page',
			'per_page',
			'sort',
			'time_from',
			'time_to',
			'dispatch_id',
			'destination',
			'status',
			'tags',
			'channel_type',
			'traffic_type',
			'sender_name',
			'traffic_center_id',
			'sending_method',
			'template_id',
			'content',
		],
		reply: ['total', 'items'],
	},
	'POST /v1/message/stop': { body: ['uuids'], reply: entries },
	'POST /v1/message/cascade': {
		body: [
			'destination',
			'cascade',
			'localSendTime',
			'localCompletionTime',
			'useLocalTime',
			'hours',
			'days',
			'shortUrl',
			'callbackUrl',
			'callbackEvents',
			'cascade.channelType',
			'cascade.senderName',
			'cascade.content',
			'cascade.condition',
			'cascade.ttl',
		],
	},
	'POST /api/v1/verifier/widget/send': { body: ['{}'], reply: ['messageUuid'] },
	'POST /api/v1/verifier/widget/check': { body: ['key'], reply: ['status'] },
	'POST /verifier/send': { body: ['channelType', 'destination', 'gatewayId'], reply: ['uuid'] },
	'POST /verifier/check': { body: ['uuid', 'code'], reply: ['status'] },
	'GET /v1/message/{id}': { path: ['id'], reply: publishedMembers },
	'POST /flashcall-conversion': { body: ['messageUuid', 'result', 'code'] },
	'GET /dispatch': {
		query: [
			'created_from',
			'created_to',
			'status',
			'dispatch_id',
			'dispatch_name',
			'traffic_center_id',
		],
		reply: [
			'total',
			'items',
			...ofItems([
				'dispatchId',
				'dispatchName',
				'created',
				'localSendTime',
				'localCompletionTime',
				'useLocalTime',
				'status',
				'source',
				'message',
				'trafficCenterId',
				'trafficCenterName',
				'base',
				...['base.included', 'base.excluded'].flatMap((one) => [one, `${one}.type`, `${one}.name`]),
				'parts',
				'messages',
				...['parts', 'messages'].flatMap((one) => counters.map((name) => `${one}.${name}`)),
			]),
		],
	},
	'POST /dispatch/{dispatchId}/messages': {
		path: ['dispatchId'],
		body: ['destination', 'substitutions'],
		reply: ['destination', 'messageUuid', 'errorCode'],
	},
	'POST /dispatch/{dispatchId}/start': { path: ['dispatchId'], reply: ['dispatchId'] },
	'POST /dispatch/{dispatchId}/stop': { path: ['dispatchId'] },
	'GET /templates/{template_id}': { path: ['template_id'], reply: templateMembers },
	'PUT /templates/{template_id}': {
		path: ['template_id'],
		body: ['dateFrom', 'dateTo', 'pattern'],
	},
	'GET /templates': { reply: ofItems(templateMembers) },
	'POST /sender-names': { body: ['body', 'file'] },
};
/** Shown nowhere. */
const assumedParts: Record<string, Parts> = {
	'POST /v1/message': { body: ['templateId'] },
	'POST /v1/message/cascade': {
		body: ['externalMessageId'],
		reply: ['errors', 'items', 'items.messageUuid', 'items.code', 'items.externalMessageId'],
	},
	'GET /dispatch': { query: ['page', 'per_page'] },
	// That the body is a list.
	'POST /dispatch/{dispatchId}/messages': { body: ['[]'] },
	'GET /templates': { query: ['page', 'per_page'], reply: ['total', 'items'] },
	'POST /sender-names': {
		body: ['body.senderName', 'body.channelType', 'body.commonType', 'body.brand', 'body.dateFrom'],
		reply: senderNameMembers,
	},
	'GET /sender-names': {
		query: ['page', 'per_page'],
		reply: ['total', 'items', ...ofItems(senderNameMembers)],
	},
};

const namesAt = (fields: ReturnType<typeof fieldsOf>, level: Level) =>
	fields.flatMap(({ name, source }) => (levelOf(source) === level ? [name] : [])).sort();

test('the partner API is stated, down to every field', () => {
	for (const endpoint of Object.values<Endpoint>(partner)) {
		const parts = Object.values(partsOf(endpoint)).flat();
		const others = parts.filter(({ source }) => source !== undefined);
		expect({ call: nameOf(endpoint), others, source: endpoint.source }).toEqual({
			call: nameOf(endpoint),
			others: [],
			source: undefined,
		});
	}
});

describe.each(Object.values<Endpoint>(messaging))('$method $path', (endpoint) => {
	const name = `${endpoint.method} ${endpoint.path}`;

	test('has its level', () => {
		const isStated = statedCalls.includes(name);
		const isPublished = publishedCalls.includes(name);
		const expected = isStated ? 'stated' : isPublished ? 'published' : 'assumed';
		expect(levelOf(endpoint.source)).toBe(expected);
		expect(endpoint.source === 'client').toBe(clientCalls.includes(name));
	});

	test.each([
		['stated', statedParts],
		['published', publishedParts],
		['assumed', assumedParts],
	] as const)('marks exactly the fields that are %s', (level, parts) => {
		const isList = endpoint === messaging.messageList;
		const found = Object.entries(partsOf(endpoint)).map(([part, fields]) => [
			part,
			// The entries of the list are the message object, which is held below.
			namesAt(
				fields.filter((field) => !isList || !field.name.startsWith('items.')),
				level,
			),
		]);
		const expected = ['path', 'query', 'body', 'reply'].map((part) => [
			part,
			[...(parts[name]?.[part] ?? [])].sort(),
		]);
		expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
	});
});

test('the message object: marks exactly the fields that are not stated', () => {
	expect(namesAt(fieldsOf(ApiMessage), 'stated')).toEqual([...messageMembers].sort());
	expect(namesAt(fieldsOf(ApiMessage), 'published')).toEqual([...publishedMembers].sort());
	expect(namesAt(fieldsOf(ApiMessage), 'assumed')).toEqual([]);
});

test('every source has a reason, and a set of values names only its own', () => {
	for (const { why } of Object.values(sources)) expect(why).toMatch(/\w/);
	for (const { known, sources: of } of [
		values.ListedStatus,
		values.SendingMethod,
		values.CodeStatus,
	]) {
		expect(known).toEqual(expect.arrayContaining(Object.keys(of)));
	}
});

test.each([
	['Codes for too little money', ['402']],
	['Codes of the messages in a stop', ['200', '201', '202', '403', '404']],
	['`readStatus`', ['read', 'unread']],
	['Statuses of dispatches, messaging API', ['sending']],
	['Types of the recipients of a dispatch, messaging API', ['FILE']],
	['Types of templates', ['SERVICE']],
	['Statuses of templates', ['INTERNAL_REVIEW', 'EXTERNAL_REVIEW', 'REJECTED', 'CLOSED']],
	['Reserved sender names', ['voicecode', 'sms_promo']],
])('docs/interface.md shows what is published: %s', (set, published) => {
	const shown = published.map((value) => `\`${value}\``).join(', ');
	expect(interfaceDocument()).toContain(`| ${set} |  | ${shown} |  |`);
});

test.each([
	'| Directions | `inbound`, `outbound` |  |  |',
	// The interface states it for the name itself; a message's field of this name is only published.
	'| Sender name for SMS, when you register it | 11 characters | stated | rejected before anything is sent |',
	"| A message's `senderName`, `SMS` | 3 to 11 characters long | published (1) | sent, with a hint |",
	"| A message's `content`, `VOICECODE` | an object with a text of 1 to 1,000 characters",
])('docs/interface.md says what the nodes do: %s', (row) => {
	expect(interfaceDocument()).toContain(row);
});

test('docs/interface.md is made from it, with a count for each level', () => {
	const document = interfaceDocument();
	expect(readFileSync(interfacePath, 'utf8')).toBe(document);
	expect(document).toMatch(/\| Calls \| \d+ \| \d+ \| \d+ \|/);
	for (const set of Object.values(values)) {
		if (!(typeof set === 'object' && 'known' in set)) continue;
		for (const value of set.known) expect(document).toContain(`\`${value}\``);
	}
});
