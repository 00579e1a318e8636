import { DispatchEvent, eventNames, events, MessageEvent } from '../../core/contract/events';
import type { z } from '../../vendor/zod';
import {
	datetime,
	double,
	exactly,
	holds,
	int,
	limited,
	objectWith,
	objectWithSome,
	openSet,
	optional,
	required,
	string,
	unsaid,
} from './support.cts';
import type { Table, Type } from './support.cts';
import { channelType } from './vocabulary.cts';

/** "The callback `status` field takes these values"; a value that is not listed must not lose the callback. */
const callbackStatus = openSet(
	'sent',
	'delivered',
	'undelivered',
	'unsent',
	'read',
	'unread',
	'inbound_sent',
);
/** `status (string, DELIVERED)`: a string that is known to take one value. */
const statusText = (value: string) => limited(string, { inside: [value, 'NEW'], outside: [] });

const ofDispatch = { messageUuid: required(string), destination: required(string) };
const dispatchBodies: Array<[string, z.ZodTypeAny, Type]> = [
	[
		'delivered',
		events.delivered.dispatch.schema,
		objectWith({
			event: required(exactly('delivered')),
			...ofDispatch,
			status: required(statusText('DELIVERED')),
			deliveredAt: required({ ...datetime, good: [...datetime.good, '2028-02-29T10:00:00+03:00'] }),
		}),
	],
	[
		'sent',
		events.sent.dispatch.schema,
		objectWith({
			event: required(exactly('sent')),
			...ofDispatch,
			status: required(statusText('SENT')),
			sentAt: required(datetime),
		}),
	],
];

const ofMessage = (event: string): Table => ({
	message_uuid: required(string),
	channel_type: required(channelType),
	cascade_message_uuid: optional(string),
	cascade_step: optional(int),
	callback_event: required(exactly(event)),
	external_message_id: optional(string),
});
const statusBody = (event: string): Table => ({
	...ofMessage(event),
	status: required(callbackStatus),
	status_time: required(string),
	error_code: optional(int),
});
const priceBody: Table = {
	...ofMessage('price'),
	parts: required(int),
	price: required(double),
	// "three-letter code per ISO 4217"
	currency: required(limited(string, { inside: ['RUB', 'EUR'], outside: ['RU', 'RUBL', ''] })),
	price_time: required(string),
};
const clickBody: Table = {
	...ofMessage('click'),
	url: required(string),
	short_url: required(string),
	click_time: required(string),
};
/** "Known members of `item`"; the specification does not say which of them are always there. */
const inboundItem = objectWithSome({
	createdTime: unsaid(datetime),
	sentTime: unsaid(datetime),
	messageUuid: unsaid(string),
	direction: unsaid(string),
	channelType: unsaid(string),
	trafficCenterId: unsaid(int),
	senderName: unsaid(string),
	destination: unsaid(string),
	// A string here. The same schema serves messages of other channels, whose content is not shown: no kind is held.
	content: unsaid({ ...string, kind: undefined, bad: [1, true] }),
	specialContent: unsaid(objectWith({ text: unsaid(string), contentType: unsaid(string) })),
	totalParts: unsaid(int),
});
const inboundBody: Table = {
	message_uuid: required(string),
	callback_event: required(exactly('inbound_sent')),
	channel_type: required(channelType),
	status: required(callbackStatus),
	status_time: required(string),
	item: required(inboundItem),
};
const messageBodies: Array<[string, z.ZodTypeAny, Type]> = [
	['delivered', events.delivered.message.schema, objectWith(statusBody('delivered'))],
	['sent', events.sent.message.schema, objectWith(statusBody('sent'))],
	['read', events.read.message.schema, objectWith(statusBody('read'))],
	['price', events.price.message.schema, objectWith(priceBody)],
	['click', events.click.message.schema, objectWith(clickBody)],
	['inbound_sent', events.inbound_sent.message.schema, objectWith(inboundBody)],
];

describe('callbacks of the partner API', () => {
	for (const [event, schema, type] of dispatchBodies) {
		describe(`event ${event}`, () => holds(schema, type, 'reply'));
	}
	it('there is no other event', () => {
		expect([...DispatchEvent.options].sort()).toEqual(['delivered', 'sent']);
	});
});

describe('callbacks of the messaging API', () => {
	for (const [event, schema, type] of messageBodies) {
		describe(`event ${event}`, () => holds(schema, type, 'reply'));
	}
	it('there is no other event', () => {
		expect([...eventNames].sort()).toEqual(messageBodies.map(([event]) => event).sort());
	});
	it('all but inbound messages can be asked for', () => {
		expect([...MessageEvent.options].sort()).toEqual(
			['delivered', 'sent', 'read', 'price', 'click'].sort(),
		);
	});
});
