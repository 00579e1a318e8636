import { DispatchCallback, MessageCallback } from '../../core/contract/callbacks';
import { z } from '../../vendor/zod';
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
	verdict,
} from './support';
import type { Table, Type } from './support';
import { channelType } from './vocabulary';

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
const dispatchBodies: Array<[string, Type]> = [
	[
		'delivered',
		objectWith({
			event: required(exactly('delivered')),
			...ofDispatch,
			status: required(statusText('DELIVERED')),
			deliveredAt: required(datetime),
		}),
	],
	[
		'sent',
		objectWith({
			event: required(exactly('sent')),
			...ofDispatch,
			status: required(statusText('SENT')),
			sentAt: required(datetime),
		}),
	],
];

const statusBody = (event: string): Table => ({
	message_uuid: required(string),
	channel_type: required(channelType),
	cascade_message_uuid: optional(string),
	cascade_step: optional(int),
	callback_event: required(exactly(event)),
	external_message_id: optional(string),
	status: required(callbackStatus),
	status_time: required(string),
	error_code: optional(int),
});
const priceBody: Table = {
	message_uuid: required(string),
	channel_type: required(channelType),
	cascade_message_uuid: optional(string),
	cascade_step: optional(int),
	callback_event: required(exactly('price')),
	external_message_id: optional(string),
	parts: required(int),
	price: required(double),
	// "three-letter code per ISO 4217"
	currency: required(limited(string, { inside: ['RUB', 'EUR'], outside: ['RU', 'RUBL', ''] })),
	price_time: required(string),
};
const clickBody: Table = {
	message_uuid: required(string),
	channel_type: required(channelType),
	cascade_message_uuid: optional(string),
	cascade_step: optional(int),
	callback_event: required(exactly('click')),
	external_message_id: optional(string),
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
const messageBodies: Array<[string, Type]> = [
	['delivered', objectWith(statusBody('delivered'))],
	['sent', objectWith(statusBody('sent'))],
	['read', objectWith(statusBody('read'))],
	['price', objectWith(priceBody)],
	['click', objectWith(clickBody)],
	['inbound_sent', objectWith(inboundBody)],
];

/** The part of a union that is for this event. */
const schemaOf = (
	{ optionsMap }: typeof DispatchCallback | typeof MessageCallback,
	event: string,
): z.ZodTypeAny => {
	const schema = optionsMap.get(event);
	if (schema === undefined) throw new Error(`core/contract has no callback ${event}`);
	return schema;
};

describe('callbacks of the partner API', () => {
	for (const [event, type] of dispatchBodies) {
		describe(`event ${event}`, () => holds(schemaOf(DispatchCallback, event), type, 'reply'));
		it(`the body may be one of event ${event}`, () => {
			expect(verdict(DispatchCallback, type.good[0])).toBe('taken');
		});
	}
	it('there is no other event', () => {
		expect([...DispatchCallback.optionsMap.keys()].sort()).toEqual(['delivered', 'sent']);
	});
});

describe('callbacks of the messaging API', () => {
	for (const [event, type] of messageBodies) {
		describe(`event ${event}`, () => holds(schemaOf(MessageCallback, event), type, 'reply'));
	}
	const examples = messageBodies.map(([, type]) => type.good[0]);

	it('the objects of a body may be of different events', () => {
		expect(z.array(MessageCallback).parse(examples)).toEqual(examples);
	});
	it('there is no other event', () => {
		const events = messageBodies.map(([event]) => event);
		expect([...MessageCallback.optionsMap.keys()].sort()).toEqual([...events].sort());
	});
});
