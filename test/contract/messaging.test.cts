import { MessageSendFields, messaging } from '../../core/contract/messaging';
import {
	double,
	endpointOf,
	holds,
	holdsCall,
	kindOf,
	listOf,
	mapOf,
	objectWithSome,
	oneOf,
	optional,
	required,
	string,
	unshown,
	verdict,
} from './support.cts';
import type { Call } from './support.cts';
import { callbackUrl } from './vocabulary.cts';

const calls: Call[] = [
	{
		call: 'GET /ping',
		auth: 'none',
		status: 'not shown',
		replyType: 'text',
		reply: 'not shown',
	},
	{
		call: 'GET /balance',
		reply: mapOf([{ RUB: double.good[0] }, { RUB: 0, EUR: 1.5 }, {}], [{ RUB: '1' }, []]),
	},
	{ call: 'POST /v1/message', status: 'not shown', body: 'not shown', reply: 'not shown' },
	{
		call: 'POST /api/v1/verifier/widget/send',
		status: 'not shown',
		body: objectWithSome({ key: required(string) }),
		bodySide: 'extensible request',
		reply: 'not shown',
	},
];

describe('calls of the messaging API', () => {
	for (const call of calls) holdsCall(messaging, call);

	it('GET /v1/message is there, with authorization and without a body', () => {
		const { auth, encoding, body } = endpointOf(messaging, 'GET /v1/message');
		expect({ auth, encoding, body }).toEqual({
			auth: 'credential',
			encoding: 'none',
			body: undefined,
		});
	});
	it('GET /ping replies the plain text PONG', () => {
		const { reply } = endpointOf(messaging, 'GET /ping');
		expect(kindOf(reply)).toBe('string');
		expect(verdict(reply, 'PONG')).toBe('taken');
	});
});

describe('filter parameters of GET /v1/message', () => {
	holds(
		messaging.messageList.query,
		objectWithSome({
			message_uuid: optional(unshown()),
			external_message_id: optional(unshown()),
			dispatch: optional(unshown()),
			// "may be repeated to get both"
			direction: optional(listOf(oneOf('inbound', 'outbound'))),
			country_code: optional(unshown()),
			ready_to_stop: optional(unshown()),
			content_nor: optional(unshown()),
			cascade_message_uuid: optional(unshown()),
			root: optional(unshown()),
		}),
		'query',
	);
});

describe('sending parameters of POST /v1/message', () => {
	const sending = objectWithSome({
		// The required fields are not shown; these are defaults, held with the other defaults.
		channelType: required(unshown('SMS')),
		senderName: required(unshown('ACME')),
		destination: required(unshown('79123456789')),
		content: required(unshown('text')),
		callbackUrl: optional(callbackUrl),
		callbackEvents: optional(listOf(oneOf('delivered', 'sent', 'read', 'price', 'click'))),
		ttl: optional(unshown(3600)),
		hours: optional(unshown([9, 18])),
		days: optional(unshown([1, 5])),
		tags: optional(unshown(['spring'])),
		localCompletionTime: optional(unshown('2026-03-01 20:00:00')),
		useLocalTime: optional(unshown(true, false)),
		shortUrl: optional(unshown(true, false)),
		trafficType: optional(unshown('AUTHORIZE', 'NOT_LISTED')),
		// "The client's own message id is accepted on single-message sending."
		externalMessageId: optional(unshown('order-17')),
	});
	holds(MessageSendFields, sending, 'extensible request');
});
