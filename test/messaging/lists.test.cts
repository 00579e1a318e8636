import type { INodeParameters } from 'n8n-workflow';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { messageErrorText } from '../../core/contract/errors';
import { messaging } from '../../core/contract/messaging';
import { demo } from '../../sandbox/demo.cts';
import { receiveInbound } from '../../sandbox/time/inbound.cts';
import { hintsOf } from '../support/n8n.cts';
import { jsonOf } from '../support/sandbox.cts';
import { json } from '../support/server.cts';
import { serve } from '../transport/service.cts';
import { fund, numberOf, runAt, sendPath, useMessaging } from './messages.cts';
import { addKnown, uuids } from './table/messages.cts';
import { addMessage } from './table/sending.cts';

const bench = useMessaging();

const fill = async (count: number) => {
	fund(bench.sandbox);
	const body = Array.from({ length: count }, (_, index) => ({
		channelType: 'SMS',
		senderName: demo.senderNames.sms,
		destination: numberOf(index),
		content: 'Hello',
	}));
	await bench.sandbox.client().call(messaging.messageSend, { body });
	bench.forget();
};

describe('Message: Get Many', () => {
	test('a text that only some messages have is empty in the others', async () => {
		const { items } = await bench.run('message.getAll', { returnAll: true });
		const all = jsonOf(items);
		const failed = all.filter(({ outcome }) => outcome === 'failed');
		expect([failed.length > 0, failed.length < all.length]).toEqual([true, true]);
		for (const message of all) {
			expect(Object.keys(message).slice(0, 3)).toEqual(['destination', 'outcome', 'reason']);
			expect(message.reason === '').toBe(message.outcome !== 'failed');
		}
	});

	test('Return All: every message once, in pages of 100', async () => {
		await fill(730);
		const result = await bench.run('message.getAll', {
			returnAll: true,
			filters: { dispatch: false },
		});
		expect(new Set(jsonOf(result.items).map(({ messageUuid }) => messageUuid)).size).toBe(730);
		expect(bench.sent('GET', '/api/v1/message')).toBe(8);
		expect(hintsOf(result)).toEqual([]);
	});

	test('a Limit within the window asks for no more than that', async () => {
		await fill(300);
		const result = await bench.run('message.getAll', { limit: 120, filters: { dispatch: false } });
		expect(result.items).toHaveLength(120);
		expect(bench.sent('GET', '/api/v1/message')).toBe(2);
	});

	test.each(['={{ "inbound, outbound" }}', '={{ ["inbound", "outbound"] }}'])(
		'directions from an expression: %s',
		async (direction) => {
			await bench.run('message.getAll', { filters: { direction } });
			const [request] = await bench.wire();
			expect(request?.query?.filter(([name]) => name === 'direction')).toEqual([
				['direction', 'inbound'],
				['direction', 'outbound'],
			]);
		},
	);
});

/** The values of a filter, request by request. */
const valuesOf = async (filter: string) =>
	(await bench.wire()).map(({ query = [] }) =>
		query.flatMap(([name, value]) => (name === filter ? [value] : [])),
	);

describe('filters that the service reads once', () => {
	test.each([
		['external_message_id', 'order-1, order-2', ['order-1', 'order-2']],
		['country_code', 'RU, KZ, RU', ['RU', 'KZ']],
		['cascade_message_uuid', uuids.slice(0, 2).join(), uuids.slice(0, 2)],
	])('%s: one request for each value', async (filter, value, expected) => {
		const { error } = await bench.run('message.getAll', { filters: { [filter]: value } });
		expect(error).toBeUndefined();
		expect(await valuesOf(filter)).toEqual(expected.map((one) => [one]));
	});

	test.each(['content', 'content_nor'])('%s: one text, with its commas', async (filter) => {
		await bench.run('message.getAll', { filters: { [filter]: 'Hello, Anna, hello' } });
		expect(await valuesOf(filter)).toEqual([['Hello, Anna, hello']]);
	});

	test('two of them: a request for each pair, and each message once', async () => {
		await addKnown(bench.sandbox, 3);
		const { items } = await bench.run('message.getAll', {
			filters: { external_message_id: 'order-1, order-2, order-1', country_code: 'RU, KZ' },
		});
		expect(jsonOf(items).map(({ externalMessageId }) => externalMessageId)).toEqual([
			'order-1',
			'order-2',
		]);
		expect(await valuesOf('country_code')).toHaveLength(4);
	});

	test('the Limit counts for all requests together', async () => {
		await addKnown(bench.sandbox, 3);
		const { items } = await bench.run('message.getAll', {
			limit: 2,
			filters: { external_message_id: 'order-1, order-2, order-3' },
		});
		expect(items).toHaveLength(2);
		expect(await valuesOf('external_message_id')).toEqual([['order-1'], ['order-2']]);
	});

	test('the others are repeated in one request', async () => {
		const filters = {
			channel_type: ['SMS', 'VK'],
			dispatch_id: '1, 2',
			message_uuid: uuids.join(),
			template_id: '512, a',
		};
		await bench.run('message.getAll', { filters });
		expect(await valuesOf('message_uuid')).toEqual([uuids]);
		expect(await valuesOf('channel_type')).toEqual([['SMS', 'VK']]);
		// What an ID looks like is not stated, so none is rejected.
		expect(await valuesOf('template_id')).toEqual([['512', 'a']]);
		expect(await valuesOf('dispatch_id')).toEqual([['1', '2']]);
	});
});

describe('both directions', () => {
	const reply = () =>
		receiveInbound(bench.sandbox.world, {
			channelType: 'WHATSAPP',
			senderName: demo.senderNames.whatsapp,
			destination: demo.numbers.mts,
			text: 'Hi',
		});

	test('Get finds an inbound message by the UUID that the trigger reports', async () => {
		const { uuid } = reply();
		const { items, error } = await bench.run('message.get', { message_uuid: uuid });
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ messageUuid: uuid, outcome: 'received', text: 'Hi' }]);
		expect(bench.sent('GET', sendPath)).toBe(0);
	});

	test('Get finds it in the list too, where there is no path for one message', async () => {
		const { uuid } = reply();
		bench.respond('status', 'GET', `*/message/${uuid}`, undefined, { status: 404 });
		const { items } = await bench.run('message.get', { message_uuid: uuid });
		expect(jsonOf(items)).toMatchObject([{ messageUuid: uuid, outcome: 'received' }]);
	});

	test('Get Many lists both, or what is chosen', async () => {
		await addKnown(bench.sandbox, 1);
		const { uuid } = reply();
		const found = async (filters: INodeParameters) => {
			const { items } = await bench.run('message.getAll', { filters });
			return jsonOf(items).map(({ messageUuid }) => messageUuid);
		};
		const both = await found({});
		expect(both).toEqual(expect.arrayContaining([uuid, uuids[0]]));
		expect(await found({ direction: [] })).toEqual(both);
		expect(await found({ direction: ['inbound'] })).toEqual([uuid]);
		expect(await found({ direction: ['outbound'] })).not.toContain(uuid);
		// The service applies this filter to outbound messages only.
		expect(await found({ dispatch: true })).not.toContain(uuid);
	});
});

describe('times and statuses', () => {
	test.each([
		['2026-03-01T10:00:00+03:00', '2026-03-01T07:00:00Z'],
		['2026-03-01T07:00:00.000Z', '2026-03-01T07:00:00Z'],
		// The workflow's time zone is New York.
		['2026-03-01 10:00', '2026-03-01T15:00:00Z'],
	])('%s is sent as %s', async (time, expected) => {
		await bench.run('message.getAll', { filters: { time_from: time, time_to: time } });
		expect(await valuesOf('time_from')).toEqual([[expected]]);
		expect(await valuesOf('time_to')).toEqual([[expected]]);
	});

	test('a fraction of a second makes the span longer, never shorter', async () => {
		const time = '2026-03-01T07:00:00.500Z';
		await bench.run('message.getAll', { filters: { time_from: time, time_to: time } });
		expect(await valuesOf('time_from')).toEqual([['2026-03-01T07:00:00Z']]);
		expect(await valuesOf('time_to')).toEqual([['2026-03-01T07:00:01Z']]);
	});

	test('they bound the time of sending: what waits is found by its status only', async () => {
		await addKnown(bench.sandbox, 1);
		await bench.sandbox.advance(60_000);
		const later = await addMessage(bench.sandbox, { localSendTime: '2026-03-03 10:00:00' });
		const found = async (filters: INodeParameters) => {
			const { items } = await bench.run('message.getAll', { filters });
			return jsonOf(items).map(({ messageUuid, outcome }) => [messageUuid, outcome]);
		};
		const since = { dispatch: false, time_from: '2026-03-01T00:00:00Z' };
		expect(await found(since)).toEqual([[uuids[0], 'delivered']]);
		expect(await found({ dispatch: false, status: ['sending'] })).toEqual([[later, 'pending']]);
	});

	test('a status that is not listed travels as the service writes it', async () => {
		await bench.run('message.getAll', { filters: { status: '={{ ["Sending", "GONE"] }}' } });
		expect(await valuesOf('status')).toEqual([['sending', 'gone']]);
	});

	test('read and unread are another field', () => {
		const filters = new BulkMessaging().description.properties.find(
			({ name, displayOptions }) =>
				name === 'filters' && displayOptions?.show?.resource?.includes('message'),
		);
		const statuses = filters?.options?.find(({ name }) => name === 'status') as
			| { options: Array<{ value: string }> }
			| undefined;
		expect(statuses?.options.map(({ value }) => value)).toEqual([
			'delivered',
			'inbound_sent',
			'sending',
			'sent',
			'undelivered',
			'unsent',
		]);
	});

	test.each([
		['79169990453', 453],
		['79169990508', 508],
	])('%s: what its error code means and what to do', async (destination, errorCode) => {
		const uuid = await addMessage(bench.sandbox, { destination });
		await bench.sandbox.advance(60_000);
		const { items } = await bench.run('message.get', { message_uuid: uuid });
		expect(jsonOf(items)).toMatchObject([
			{ outcome: 'failed', reason: messageErrorText(errorCode) },
		]);
	});
});

describe('another list than the sandbox gives', () => {
	const list = async (
		reply: (page: number) => unknown,
		parameters: object,
		operation = 'message.getAll',
	) => {
		const server = await serve(({ url }) =>
			json(200, reply(Number(new URL(url, 'http://127.0.0.1').searchParams.get('page')))),
		);
		return await runAt(server.url, operation, parameters);
	};
	const page = (from: number, count: number) =>
		Array.from({ length: count }, (_, index) => ({ messageUuid: `uuid-${from + index}` }));

	/** A service that gives at most `cap` messages at a time. */
	const capped = (total: number, cap: number) => (number: number) => ({
		total,
		items: page((number - 1) * cap, Math.max(0, Math.min(cap, total - (number - 1) * cap))),
	});

	test.each([
		[100, 10_100, { returnAll: true }, '10,000', '10,100'],
		[100, 10_100, { limit: 10_050 }, '10,000', '10,100'],
		[60, 10_010, { returnAll: true }, '9,960', '10,010'],
		[30, 20_000, { returnAll: true }, '9,990', '20,000'],
		[60, 10_000, { returnAll: true }, '9,960', '10,000'],
		[60, 10_010, { limit: 9_995 }, '9,960', '10,010'],
	])('pages of at most %d of %d, %j: never cut in silence', async (cap, total, size, most, all) => {
		const message = `The service lists at most ${most} messages, but there are ${all}`;
		const result = await list(capped(total, cap), size);
		expect(result.items).toHaveLength(Number(most.replace(',', '')));
		expect(hintsOf(result)).toEqual([
			`${message}. Filter by 'Sent After' and 'Sent Before', and get the messages in several steps. Messages that still wait to be sent are in none of these steps: get them by the status 'Sending'.`,
		]);
		if (!('returnAll' in size)) return;
		const { error } = await list(capped(total, cap), { ...size, whenMore: 'error' });
		expect(error?.message).toBe(message);
		expect(error?.description).toContain('Sent After');
	});

	test('exactly as many as the service lists: nothing to tell', async () => {
		const result = await list(capped(10_000, 100), { returnAll: true, whenMore: 'error' });
		expect(result.error).toBeUndefined();
		expect(result.items).toHaveLength(10_000);
		expect(hintsOf(result)).toEqual([]);
	});

	test('a look-up that the service cuts is an error: what is missing would be taken for absent', async () => {
		const own = { findBy: 'external_message_id', external_message_id: 'a' };
		const { error } = await list(capped(10_010, 60), own, 'message.get');
		expect(error?.message).toBe("The service's list is incomplete");
		expect(error?.description).toContain('The service sent 9960 of 10010 entries.');
	});

	test.each<[object, string, string | undefined]>([
		// Whatever its code says.
		[{ status: 'delivered', errorCode: 453 }, 'reason', undefined],
		[{ status: 'undelivered', errorCode: 453 }, 'reason', messageErrorText(453)],
		[{ status: 'gone', errorCode: 453 }, 'reason', messageErrorText(453)],
		[{ content: '', specialContent: { text: 'hey' } }, 'text', 'hey'],
		[{ content: 'Hi', specialContent: { text: 'hey' } }, 'text', 'Hi'],
		[{ content: '' }, 'text', ''],
		[{ content: { text: 'Hi' } }, 'text', 'Hi'],
	])('of %j: %s is %j', async (message, field, expected) => {
		const items = [{ messageUuid: 'u', ...message }];
		const result = await list(() => ({ total: 1, items }), {});
		expect(result.items[0]?.json[field]).toBe(expected);
	});

	test('a bare list may not be all of it: an error', async () => {
		const { error } = await list((number) => page(number * 100, [100, 100, 7][number - 1] ?? 0), {
			returnAll: true,
		});
		expect(error?.message).toBe("The service's response doesn't contain a readable list");
	});
});

describe('Get by UUID from another service than the sandbox', () => {
	const capitals = '9B2D0C4E-6A1F-4A53-9D3E-2F6F6A0F7C11';
	const run = async (stored: string, ids: string[], hasPath: boolean) => {
		const asked: string[] = [];
		const server = await serve(({ url }) => {
			const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
			asked.push(pathname);
			if (pathname !== '/api/v1/message') {
				return hasPath && pathname.endsWith(`/${stored}`)
					? json(200, { messageUuid: stored })
					: json(404, {});
			}
			const isFound = searchParams.getAll('message_uuid').includes(stored);
			return json(200, { total: Number(isFound), items: isFound ? [{ messageUuid: stored }] : [] });
		});
		const parameters = { message_uuid: '={{ $json.id }}' };
		const items = ids.map((id) => ({ id }));
		const result = await runAt(server.url, 'message.get', parameters, { items });
		return { ...result, asked };
	};

	test.each([
		['in capitals, as typed', capitals, capitals, true],
		['in capitals, as typed, without a path for one message', capitals, capitals, false],
		['in small letters, typed in capitals', capitals.toLowerCase(), capitals, true],
		['in small letters, typed in capitals, no path', capitals.toLowerCase(), capitals, false],
	])('%s: found', async (_, stored, typed, hasPath) => {
		const { items, error } = await run(stored, [typed], hasPath);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ messageUuid: stored }]);
	});

	test('a path that is not offered is tried for one item only', async () => {
		const { items, asked } = await run(capitals, [capitals, capitals, capitals], false);
		expect(items).toHaveLength(3);
		expect(asked.filter((path) => path === '/api/v1/message')).toHaveLength(3);
		// Under both forms of the path, for the first item.
		expect(asked).toHaveLength(5);
	});
});

describe('what a message shows', () => {
	const secret = 'https://user:pass-word-1@n8n.example/hook?a=1&signature=abc';
	beforeEach(async () => {
		await addKnown(bench.sandbox, 1);
		const message = bench.store.byUuid.get(uuids[0] ?? '');
		if (message?.single !== undefined) message.single.callbackUrl = secret;
	});

	test.each([
		['message.get', { message_uuid: uuids[0], simplify: false }],
		['message.getAll', { filters: { message_uuid: uuids[0] }, simplify: false }],
	])(
		'%s hides the login and the signature of the callback address',
		async (operation, parameters) => {
			const { items, run } = await bench.run(operation, parameters);
			expect(items[0]?.json.callbackUrl).toBe('https://***:***@n8n.example/hook?a=1&signature=***');
			expect(JSON.stringify(run)).not.toContain('pass-word-1');
		},
	);

	test('an own ID of several messages: all of them', async () => {
		const sent = [];
		for (let count = 0; count < 3; count++) {
			sent.push(await addMessage(bench.sandbox, { externalMessageId: 'same' }));
		}
		const { items } = await bench.run('message.get', {
			findBy: 'external_message_id',
			external_message_id: 'same',
		});
		expect(jsonOf(items).map(({ messageUuid }) => messageUuid)).toEqual(sent);
	});

	test('an own ID that looks like a UUID is found as it was written', async () => {
		const own = '9B2D0C4E-6A1F-4A53-9D3E-2F6F6A0F7C11';
		const sent = await addMessage(bench.sandbox, { externalMessageId: own });
		const { items } = await bench.run('message.get', {
			findBy: 'external_message_id',
			external_message_id: own,
		});
		expect(jsonOf(items)).toMatchObject([{ messageUuid: sent, externalMessageId: own }]);
	});
});
