import type { INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { BulkMessagingTrigger } from '../../nodes/BulkMessagingTrigger/BulkMessagingTrigger.node';
import { matchesPattern } from '../../nodes/BulkMessagingTrigger/callbacks/filter';
import * as bodies from './bodies.cts';
import { drawn } from './drawn.cts';
import { itemsFrom, startHost } from './host.cts';

const all = [...Object.values(bodies.ofMessages), ...Object.values(bodies.ofDispatches)];

/** Which of all events pass, by their raw form. */
const passing = async (parameters: INodeParameters) =>
	await itemsFrom('fast', all, { parameters: { output: 'raw', ...parameters } });

describe('Trigger On', () => {
	test('by default every one', async () => {
		expect(await passing({})).toEqual(all);
	});

	test('nothing of interest: answered 200 at once, and nothing starts', async () => {
		const host = await startHost({ parameters: { events: ['click'] } });
		expect(await host.post('fast', [bodies.sent, bodies.read])).toMatchObject({ status: 200 });
		expect(await host.post('confirmed', bodies.dispatchSent)).toMatchObject({ status: 200 });
		expect(host.started).toEqual([]);
	});
});

describe('filters', () => {
	const { delivered, undelivered, unsent, price, click } = bodies.ofMessages;
	const { dispatchDelivered, dispatchSent } = bodies.ofDispatches;

	test('statuses: both ways to write them; events without a status pass', async () => {
		expect(await passing({ filters: { status: ['delivered'] } })).toEqual([
			delivered,
			price,
			click,
			dispatchDelivered,
		]);
		expect(await passing({ filters: { status: ['undelivered', 'unsent'] } })).toEqual([
			undelivered,
			unsent,
			price,
			click,
		]);
	});

	test('statuses: only those that a callback can report are offered', () => {
		const { properties } = new BulkMessagingTrigger().description;
		const filters = properties.find(({ name }) => name === 'filters')?.options ?? [];
		const statuses = filters.find(({ name }) => name === 'status');
		const offered = (statuses as INodeProperties).options ?? [];
		const reported = all.flatMap((one) => ('status' in one ? [one.status.toLowerCase()] : []));
		expect(new Set(offered.map((one) => (one as INodePropertyOptions).value))).toEqual(
			new Set(['anyFailure', ...reported]),
		);
	});

	test('any failure: the failed statuses of both APIs; events without a status pass', async () => {
		const isFailure = [undelivered, unsent, price, click];
		expect(await passing({ filters: { status: ['anyFailure'] } })).toEqual(isFailure);
		expect(await passing({ filters: { status: ['anyFailure', 'delivered'] } })).toEqual([
			delivered,
			...isFailure,
			dispatchDelivered,
		]);
		const some = ['FAILED', 'DELIVERED', ' Unsent ', 'lost_at_sea'].map((status) => ({
			...dispatchDelivered,
			status,
		}));
		expect(await among({ filters: { status: ['anyFailure'] } }, some)).toEqual([0, 2]);
	});

	test('channels: callbacks of dispatches name none and pass', async () => {
		expect(await passing({ filters: { channelType: ['WHATSAPP'] } })).toEqual([
			bodies.inbound,
			dispatchDelivered,
			dispatchSent,
		]);
	});

	test('callbacks of dispatches, or of single messages', async () => {
		expect(await passing({ filters: { source: ['dispatch'] } })).toEqual([
			dispatchDelivered,
			dispatchSent,
		]);
		expect(await passing({ filters: { source: ['message'] } })).toEqual(
			Object.values(bodies.ofMessages),
		);
		expect(await passing({ filters: { source: ['message', 'dispatch'] } })).toEqual(all);
	});

	test('own ID: events without one do not pass', async () => {
		const own = all.filter((one) => 'external_message_id' in one);
		expect(await passing({ filters: { externalMessageId: 'crm-*' } })).toEqual(own);
		expect(await passing({ filters: { externalMessageId: 'crm-17' } })).toEqual(own);
		expect(await passing({ filters: { externalMessageId: ' crm-* ' } })).toEqual(own);
		expect(await passing({ filters: { externalMessageId: 'shop-*' } })).toEqual([]);
	});

	/** Which of these pass, by their places. */
	const among = async (parameters: INodeParameters, some: object[]) => {
		const numbered = some.map((one, place) => ({ ...one, place }));
		const items = await itemsFrom('fast', numbered, { parameters });
		const raw = { parameters: { ...parameters, output: 'raw' } };
		const places = (await itemsFrom('fast', numbered, raw)).map(({ place }) => place);
		expect(items).toHaveLength(places.length);
		return places;
	};

	test('letter case and spaces do not matter to statuses and channels', async () => {
		const different = [
			{ ...delivered, status: 'Delivered' },
			{ ...delivered, status: 'DELIVERED ' },
			{ ...dispatchDelivered, status: 'delivered' },
			{ ...dispatchDelivered, status: 'FAILED' },
		];
		expect(await among({ filters: { status: ['delivered'] } }, different)).toEqual([0, 1, 2]);
		expect(await among({ filters: { status: ['anyFailure'] } }, different)).toEqual([3]);
		const channels = ['viber', ' Viber ', 'VIBER', 'SMS'].map((channel_type) => ({
			...delivered,
			channel_type,
		}));
		expect(await among({ filters: { channelType: ['VIBER'] } }, channels)).toEqual([0, 1, 2]);
	});

	test('an event without a readable status or channel passes: it cannot be compared', async () => {
		const unreadable = [undefined, null, '', ' ', 17, {}, ['read']];
		const places = unreadable.map((_, place) => place);
		const statuses = unreadable.map((status) => ({ ...delivered, status }));
		expect(await among({ filters: { status: ['unread'] } }, statuses)).toEqual(places);
		const channels = unreadable.map((channel_type) => ({ ...delivered, channel_type }));
		expect(await among({ filters: { channelType: ['SMS'] } }, channels)).toEqual(places);
	});

	test('the channel and own ID inside an inbound message count, as in its item', async () => {
		const item = { ...bodies.inbound.item, channelType: 'VK', externalMessageId: 'crm-9' };
		const inside = [{ ...bodies.inbound, channel_type: undefined, item }];
		expect(await among({ filters: { channelType: ['VK'] } }, inside)).toEqual([0]);
		expect(await among({ filters: { channelType: ['WHATSAPP'] } }, inside)).toEqual([]);
		expect(await among({ filters: { externalMessageId: 'crm-*' } }, inside)).toEqual([0]);
	});

	test('an own ID that came as a number', async () => {
		const some = [17, 18, { id: 17 }, true].map((external_message_id) => ({
			...delivered,
			external_message_id,
		}));
		expect(await among({ filters: { externalMessageId: '17' } }, some)).toEqual([0]);
	});

	test('filters that an expression leaves empty filter nothing; a single value is a list of one', async () => {
		const nothing = { status: null, channelType: '', source: undefined, externalMessageId: null };
		expect(await passing({ filters: nothing as never })).toEqual(all);
		expect(await passing({ events: 'click', filters: { source: 'message' } })).toEqual([click]);
		expect(await passing({ filters: { status: 'undelivered' } })).toEqual([
			undelivered,
			price,
			click,
		]);
		expect(
			await among({ filters: { externalMessageId: 17 } }, [
				{ ...delivered, external_message_id: '17' },
				delivered,
			]),
		).toEqual([0]);
	});

	test.each<[INodeParameters, string]>([
		[{ events: '' }, "'Trigger On' is empty"],
		[{ events: [17] as never }, "'Trigger On' contains a value that isn't text"],
		[{ filters: { status: [{}] } as never }, "'Statuses' contains a value that isn't text"],
		[{ filters: { externalMessageId: {} } }, "'Custom Message ID' must be text or a number"],
	])('settings that cannot be read are told at activation: %j', async (parameters, reason) => {
		const host = await startHost({ parameters });
		await expect(host.activate()).rejects.toThrow(reason);
		expect(await host.post('fast', [delivered])).toMatchObject({ status: 500 });
		expect(host.started).toEqual([]);
	});

	test('all at once', async () => {
		const filters = {
			status: ['delivered'],
			channelType: ['VIBER'],
			source: ['message'],
			externalMessageId: '*17',
		};
		expect(await passing({ events: ['delivered'], filters })).toEqual([delivered]);
	});
});

describe('patterns', () => {
	test.each([
		['crm-*', 'crm-17', true],
		['crm-*', 'CRM-17', false],
		['*', '', true],
		['', 'x', false],
		['a.c', 'abc', false],
		['(a+)+$', 'aaaa', false],
		['[*]', '[x]', true],
		['a*bc*c', 'abc', false],
	] as const)('%s and %s: %s', (pattern, text, expected) => {
		expect(matchesPattern(pattern, text)).toBe(expected);
	});

	test('agree with the regular expression they stand for', () => {
		const letters = ['a', 'b', '*'];
		const texts = Array.from({ length: 2 ** 6 }, (_, bits) =>
			bits.toString(2).replaceAll('0', 'a').replaceAll('1', 'b'),
		);
		for (let number = 0; number < 3 ** 6; number++) {
			const pattern = [...number.toString(3)].map((digit) => letters[Number(digit)]).join('');
			const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
			for (const text of texts)
				expect([pattern, text, matchesPattern(pattern, text)]).toEqual([
					pattern,
					text,
					expression.test(text),
				]);
		}
	});

	test('no pattern is slow', async () => {
		const pattern = `${'a*'.repeat(500)}b`;
		expect(await passing({ filters: { externalMessageId: pattern } })).toEqual([]);
		expect(matchesPattern(pattern, 'a'.repeat(1_000_000))).toBe(false);
	});
});

describe('outputs', () => {
	const given = async (parameters: INodeParameters) => {
		const host = await startHost({ parameters });
		await host.deliver('fast', [...all, 17]);
		return host.started[0].map((output) => output.map(({ event }) => event).join(' '));
	};
	const results = 'deliveryResult deliveryResult deliveryResult';
	const others =
		'sent readResult readResult priceChanged linkClicked inboundMessage deliveryResult sent';
	const perEvent = { branchPerEvent: true };
	/** The name of each output, and the events that leave there. */
	const cases: Array<[string, INodeParameters, Record<string, string>]> = [
		['one for all', {}, { main: `${results} ${others} unknown` }],
		[
			'two',
			{ events: ['read'], options: { unrecognised: 'branch' } },
			{ Events: 'readResult readResult', Unrecognized: 'unknown' },
		],
		[
			'one per event',
			{ options: perEvent },
			{
				'Delivery Result': `${results} deliveryResult`,
				'Inbound Message': 'inboundMessage',
				'Link Clicked': 'linkClicked',
				'Price Changed': 'priceChanged',
				'Read Result': 'readResult readResult',
				Sent: 'sent sent',
				Unrecognized: 'unknown',
			},
		],
		[
			'one per chosen event, in their own order',
			{ events: ['sent', 'click'], options: { ...perEvent, unrecognised: 'item' } },
			{ 'Link Clicked': 'linkClicked', Sent: 'sent sent', Unrecognized: 'unknown' },
		],
	];
	test.each(cases)('%s: what the editor draws is what leaves', async (_, parameters, outputs) => {
		expect(drawn(parameters).outputs).toEqual(Object.keys(outputs));
		expect(await given(parameters)).toEqual(Object.values(outputs));
	});
});
