import { ApiMessage } from '../../core/contract/message';
import { messaging } from '../../core/contract/messaging';
import {
	bool,
	endpointOf,
	holdsCall,
	int,
	listOf,
	mapOf,
	objectWith,
	objectWithSome,
	openSet,
	optional,
	required,
	string,
	unsaid,
	unshown,
	type Call,
} from './support.cts';
import { destination } from './vocabulary.cts';

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

const calls: Call[] = [
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

describe('calls as the public reference shows them', () => {
	for (const call of [...calls, ...entityCalls]) holdsCall(messaging, call);

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
