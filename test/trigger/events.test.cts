import * as bodies from './bodies.cts';
import { itemsFrom, startHost, type Address } from './host.cts';

const message = {
	messageUuid: '6a1f3c1e-0000-4000-8000-000000000001',
	channelType: 'VIBER',
	source: 'message',
};
const own = { ...message, externalMessageId: 'crm-17' };
const ofDispatch = {
	messageUuid: '6a1f3c1e-0000-4000-8000-000000000d01',
	destination: '79161234567',
	source: 'dispatch',
};

const about = (event: string, outcome: string, status: string, occurredAt: string) => ({
	event,
	outcome,
	status,
	occurredAt,
});

/** Exactly these fields: what the event does not have is not there. */
const simplified = {
	delivered: {
		...own,
		...about('deliveryResult', 'delivered', 'delivered', '2026-03-02T07:00:05Z'),
		cascadeMessageUuid: '6a1f3c1e-0000-4000-8000-00000000000c',
		cascadeStep: 2,
	},
	undelivered: {
		...own,
		...about('deliveryResult', 'failed', 'undelivered', '2026-03-03T08:00:00Z'),
		errorCode: 149,
		reason:
			"Telegram couldn't send the message. Try another channel, or ask your provider what the code means.",
	},
	// The contract does not say what 999 means: the status is the reason.
	unsent: {
		...own,
		...about('deliveryResult', 'failed', 'unsent', '2026-03-02T07:00:01Z'),
		reason: "The message couldn't be sent.",
		errorCode: 999,
	},
	sent: { ...own, ...about('sent', 'sent', 'sent', '2026-03-02T07:00:02Z') },
	read: { ...own, ...about('readResult', 'read', 'read', '2026-03-02T07:01:00Z') },
	unread: {
		...own,
		...about('readResult', 'notRead', 'unread', '2026-03-03T08:00:05Z'),
		reason: "The message wasn't read within its lifetime.",
	},
	price: {
		...own,
		...{ event: 'priceChanged', outcome: 'priced', occurredAt: '2026-03-02T07:00:06Z' },
		...{ parts: 2, price: 3.14, currency: 'RUB' },
	},
	click: {
		...own,
		...{ event: 'linkClicked', outcome: 'clicked', occurredAt: '2026-03-02T07:02:00Z' },
		...{ url: 'https://shop.example/tulips', shortUrl: 'https://s.example/a1' },
	},
	inbound: {
		...about('inboundMessage', 'received', 'inbound_sent', '2026-03-02T07:03:00Z'),
		messageUuid: '6a1f3c1e-0000-4000-8000-000000000009',
		channelType: 'WHATSAPP',
		destination: '79161234567',
		senderName: 'FLOWERS',
		text: 'Are tulips in?',
		contentType: 'text',
		trafficCenterId: 7,
		direction: 'inbound',
		sendingMethod: 'API',
		createdTime: '2026-03-02T07:03:00Z',
		sentTime: '2026-03-02T07:02:59Z',
		parts: 1,
		source: 'message',
	},
	dispatchDelivered: {
		...ofDispatch,
		...about('deliveryResult', 'delivered', 'DELIVERED', '2026-03-02T10:00:05+03:00'),
	},
	dispatchSent: { ...ofDispatch, ...about('sent', 'sent', 'SENT', '2026-03-02T10:00:02+03:00') },
};
const wire = { ...bodies.ofMessages, ...bodies.ofDispatches };
type Name = keyof typeof simplified;
const names = Object.keys(simplified) as Name[];
const addresses: Address[] = ['fast', 'confirmed'];

describe.each(addresses)('every event on the address %s', (address) => {
	test.each(names)('%s: simplified', async (name) => {
		const body = name in bodies.ofDispatches ? wire[name] : [wire[name]];

		expect(await itemsFrom(address, body)).toEqual([simplified[name]]);
	});

	test.each(names)('%s: raw', async (name) => {
		const parameters = { output: 'raw' };
		expect(await itemsFrom(address, [wire[name]], { parameters })).toEqual([wire[name]]);
	});

	test('one item per event, in the order received, in one execution', async () => {
		const host = await startHost();

		expect(await host.deliver(address, Object.values(wire))).toBe(200);
		expect(host.started).toEqual([[Object.keys(wire).map((name) => simplified[name as Name])]]);
	});
});

test('a message callback outside an array and dispatch callbacks inside one are understood too', async () => {
	const host = await startHost();

	expect(await host.post('fast', bodies.delivered)).toMatchObject({ status: 200 });
	expect(await host.deliver('fast', Object.values(bodies.ofDispatches))).toBe(200);
	expect(host.items).toEqual([
		simplified.delivered,
		simplified.dispatchDelivered,
		simplified.dispatchSent,
	]);
});

test('a click on a link to reply shows neither the link nor its short form', async () => {
	const url = 'https://n8n.example/webhook-waiting/17/2?ask=0a1b&signature=0a1b2c';
	expect(await itemsFrom('fast', [{ ...bodies.click, url }])).toEqual([
		{ ...simplified.click, url: '…', shortUrl: '…' },
	]);
});

describe('how a callback may be written', () => {
	test.each([
		['optional fields that are null', { error_code: null, cascade_step: null }],
		['an optional field of another type', { error_code: '149', cascade_step: 'second' }],
		['fields nobody has heard of', { attempt: 3, nested: { deep: [1, 2] } }],
		['a status nobody has heard of', { status: 'lost_at_sea' }],
		['a channel nobody has heard of', { channel_type: 'MAX' }],
		['a time without a zone', { status_time: '2026-03-02 07:00:05' }],
	])('%s: it is still what it is', async (_, change) => {
		const items = await itemsFrom('fast', [{ ...bodies.sent, ...change }]);
		expect(items).toMatchObject([{ event: 'sent', messageUuid: message.messageUuid }]);
		for (const item of items) expect(Object.values(item)).not.toContain(null);
	});

	test('a status without a plain outcome has none', async () => {
		const [item] = await itemsFrom('fast', [{ ...bodies.sent, status: 'lost_at_sea' }]);
		expect(item).not.toHaveProperty('outcome');
	});

	const asJson = JSON.stringify(bodies.dispatchSent);
	const form = 'application/x-www-form-urlencoded';
	test.each([
		['JSON without a content type', '', asJson],
		['JSON as text', 'text/plain', asJson],
		['JSON as something else', 'application/octet-stream', asJson],
		['JSON as a form', form, asJson],
		['a form', form, new URLSearchParams(bodies.dispatchSent).toString()],
	])('%s is read', async (_, type, body) => {
		const host = await startHost();
		expect(await host.deliver('fast', body, { headers: { 'content-type': type } })).toBe(200);
		expect(host.items).toEqual([simplified.dispatchSent]);
	});

	test('JSON written as a JSON text', async () => {
		const body = JSON.stringify(JSON.stringify([bodies.sent]));
		expect(await itemsFrom('fast', body)).toEqual([simplified.sent]);
	});

	const picture = { contentType: 'image', text: 'Look', url: 'https://cdn.example/1.jpg' };
	test.each<[string, object, object]>([
		['a text as an object', { content: { text: 'Yes' }, specialContent: null }, { text: 'Yes' }],
		['sendingMethodg', { sendingMethod: undefined, sendingMethodg: 'UI' }, { sendingMethod: 'UI' }],
		[
			'a picture, with everything the service says about it',
			{ content: null, specialContent: picture },
			{ text: 'Look', contentType: 'image', specialContent: picture },
		],
	])('an inbound message with %s', async (_, change, expected) => {
		const item = { ...bodies.inbound.item, ...change };
		expect(await itemsFrom('fast', [{ ...bodies.inbound, item }])).toMatchObject([expected]);
	});
});

describe('fields that are missing or of another type: it is still the event', () => {
	const without = (body: object, ...names: string[]) =>
		Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
	const { sent, inbound, dispatchDelivered } = bodies;
	/** The event of that name without these fields of the body: it leaves without these fields of the item. */
	const lacking = (name: Name, fields: string[], inItem = fields): [string, object, object] => [
		`${name} without ${fields.join()}`,
		without(wire[name], ...fields),
		without(simplified[name], ...inItem),
	];
	/** The event of that name with other values. */
	const having = (name: Name, body: object, item: object = body): [string, object, object] => [
		`${name} with ${JSON.stringify(body)}`,
		{ ...wire[name], ...body },
		{ ...simplified[name], ...item },
	];
	const failed = { event: 'deliveryResult', outcome: 'failed', status: 'FAILED' };
	const ofFailed = { ...failed, reason: "A dispatch's message couldn't be delivered." };
	const undelivered = {
		outcome: 'failed',
		status: ' Undelivered ',
		reason: "The message wasn't delivered within its lifetime.",
	};
	const ofItem = [
		...['destination', 'senderName', 'parts', 'contentType', 'trafficCenterId'],
		...['direction', 'sendingMethod', 'createdTime', 'sentTime'],
	];
	const read = { status: 'read', status_time: '2026-03-02T07:01:00Z' };
	const cases: Array<[string, object, object]> = [
		[
			'a dispatch callback with FAILED',
			{ ...without(dispatchDelivered, 'deliveredAt'), status: 'FAILED' },
			{ ...ofDispatch, ...ofFailed },
		],
		lacking('dispatchDelivered', ['deliveredAt'], ['occurredAt']),
		lacking('dispatchSent', ['sentAt'], ['occurredAt']),
		lacking('dispatchSent', ['destination']),
		[
			'a dispatch callback with nothing but its event and ID',
			{ event: 'sent', messageUuid: 'a' },
			{ event: 'sent', messageUuid: 'a', source: 'dispatch' },
		],
		[
			'a message callback with nothing but its event and ID',
			{ callback_event: 'read', message_uuid: 'a' },
			{ event: 'readResult', messageUuid: 'a', source: 'message' },
		],
		having('sent', { message_uuid: 1_700_000_017 }, { messageUuid: '1700000017' }),
		having('dispatchSent', { messageUuid: 17 }, { messageUuid: '17' }),
		having('delivered', { status: ' Undelivered ' }, undelivered),
		[
			'a status that is an object',
			{ ...sent, status: { code: 2 } },
			{ ...without(simplified.sent, 'outcome'), status: { code: 2 } },
		],
		lacking('sent', ['status'], ['status', 'outcome']),
		['no time', { ...sent, status_time: null }, without(simplified.sent, 'occurredAt')],
		having('sent', { status_time: 1_772_434_802 }, { occurredAt: 1_772_434_802 }),
		lacking('sent', ['channel_type'], ['channelType']),
		// Passed on unchanged.
		having('price', { price: '1.50', parts: '3' }),
		lacking('price', ['price', 'parts', 'currency']),
		lacking('click', ['url', 'short_url'], ['url', 'shortUrl']),
		having('click', read, { status: 'read' }),
		lacking('inbound', ['status']),
		[
			'an inbound message whose item is its text',
			{ ...inbound, item: 'Are tulips in?' },
			without(simplified.inbound, ...ofItem),
		],
	];
	test.each(cases)('%s', async (_, body, expected) => {
		expect(await itemsFrom('fast', [body])).toEqual([expected]);
	});

	test.each([
		['without an item', without(inbound, 'item')],
		['with its text elsewhere', { ...without(inbound, 'item'), content: 'Are tulips in?' }],
		['with an item of another type', { ...inbound, item: ['Are tulips in?'] }],
		['without a text', { ...inbound, item: { content: { image: 'tulips.jpg' } } }],
	])('an inbound message %s: what was written leaves as raw', async (_, body) => {
		const items = await itemsFrom('fast', [body]);
		const { event, outcome, messageUuid } = simplified.inbound;
		expect(items).toMatchObject([{ event, outcome, messageUuid, raw: body }]);
		expect(items[0]).not.toHaveProperty('text');
	});
});

describe('headers and query', () => {
	test('are left out unless asked for', async () => {
		const host = await startHost();
		await host.deliver('fast', bodies.dispatchSent, { query: '?shop=1' });
		expect(host.items).toEqual([simplified.dispatchSent]);
	});

	test.each(['simplified', 'raw'])('are added to every item: %s', async (output) => {
		const host = await startHost({
			parameters: { output, options: { includeHeaders: true, includeQuery: true } },
		});
		await host.deliver('fast', [bodies.sent, bodies.read], {
			query: '?shop=1',
			headers: { 'x-shop': 'north', cookie: 'a=b' },
		});
		expect(host.items).toHaveLength(2);
		for (const item of host.items) {
			expect(item).toMatchObject({ query: { shop: '1' }, headers: { 'x-shop': 'north' } });
			expect(item.headers).not.toHaveProperty('authorization');
			expect(item.headers).not.toHaveProperty('cookie');
		}
	});
});
