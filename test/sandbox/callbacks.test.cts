import { events as rows } from '../../core/contract/events';
import { messaging } from '../../core/contract/messaging';
import { demo } from '../../sandbox/demo.cts';
import { z } from '../../vendor/zod';
import { splitCredentials, type CallbackRequest } from '../../sandbox/time/outbox.cts';
import { day, hour, message, minute, mts, open, tele2, type Send } from './support.cts';

const DispatchCallback = z.discriminatedUnion('event', [
	rows.delivered.dispatch.schema,
	rows.sent.dispatch.schema,
]);
const MessageCallbacks = z.array(
	z.discriminatedUnion('callback_event', [
		rows.delivered.message.schema,
		rows.sent.message.schema,
		rows.read.message.schema,
		rows.price.message.schema,
		rows.click.message.schema,
		rows.inbound_sent.message.schema,
	]),
);

const url = 'http://receiver.example/hook';
const { undelivered, unsent, unread } = demo.numbers;

/** A sandbox whose callbacks go to a receiver in the test; the receiver answers what `answer` says. */
const openWithReceiver = (
	answer: (request: CallbackRequest, count: number) => number | Error = () => 200,
) => {
	const received: Array<CallbackRequest & { at: number }> = [];
	const opened = open({
		send: async (request) => {
			received.push({ ...request, at: opened.sandbox.now });
			const status = answer(request, received.length);
			if (status instanceof Error) return await Promise.reject(status);
			return status;
		},
	});
	const bodies = () => received.map(({ body }): unknown => JSON.parse(body));
	/** Every event of every array, each checked against the contract. */
	const events = () => bodies().flatMap((body) => MessageCallbacks.parse(body));
	const send = async (fields: Partial<Send> = {}) => {
		const { items } = await opened.sendAll(message({ callbackUrl: url, ...fields }));
		expect(items[0].code).toBe(201);
		return items[0].messageUuid ?? '';
	};
	return { ...opened, received, bodies, events, send };
};
const viber = {
	channelType: 'VIBER',
	senderName: demo.senderNames.viber,
	content: { contentType: 'text', text: 'Hello' },
};

describe('callbacks of a dispatch', () => {
	test.each<[Array<'delivered' | 'sent'> | undefined, string[]]>([
		[undefined, ['delivered']],
		[['sent'], ['sent']],
		[['delivered'], ['delivered']],
		[[], []],
	])('events %j give %j', async (callbackEvents, expected) => {
		const { sandbox, createDispatch, start, bodies } = openWithReceiver();
		const { id } = await createDispatch({ callbackUrl: url, callbackEvents });
		await start(id);
		await sandbox.advance(hour);
		expect(bodies().map((body) => DispatchCallback.parse(body).event)).toEqual(expected);
	});

	test('nothing without a URL, nothing for FAILED, every message once', async () => {
		const { sandbox, createDispatch, start, received, bodies } = openWithReceiver();
		await start((await createDispatch()).id);
		await sandbox.advance(hour);
		expect(received).toEqual([]);
		const { id } = await createDispatch({
			callbackUrl: url,
			messages: [mts, unsent, undelivered, tele2].map((destination) => ({ destination })),
		});
		await start(id);
		await sandbox.advance(2 * day);
		const told = bodies().map((body) => DispatchCallback.parse(body).destination);
		expect(told.sort()).toEqual([mts, tele2].sort());
	});
});

describe('callbacks of single messages', () => {
	test('every event that was asked for', async () => {
		const { sandbox, send, events } = openWithReceiver();
		await send({ ...viber, callbackEvents: ['sent', 'delivered', 'read', 'price', 'click'] });
		await sandbox.advance(hour);
		expect(events().map((event) => event.callback_event)).toEqual([
			'sent',
			'delivered',
			'price',
			'read',
		]);
		expect(events()[2]).toMatchObject({ parts: 1, price: 2.6, currency: 'RUB' });
		expect(events()[3]).toMatchObject({ status: 'read' });
	});

	test.each<[string, Partial<Send>, string, object]>([
		['undelivered', { destination: undelivered, ttl: 60 }, 'delivered', { status: 'undelivered' }],
		['unsent', { destination: unsent }, 'delivered', { status: 'unsent', error_code: 455 }],
		[
			'unread',
			{ ...viber, destination: unread, ttl: 60, callbackEvents: ['read'] },
			'read',
			{ status: 'unread' },
		],
	])('%s', async (_, fields, event, expected) => {
		const { sandbox, send, events } = openWithReceiver();
		await send(fields);
		await sandbox.advance(hour);
		expect(events()).toEqual([expect.objectContaining({ callback_event: event, ...expected })]);
	});

	test('events of one moment travel in one array, up to the largest one', async () => {
		const { sandbox, sendAll, control, received, events } = openWithReceiver();
		await control('PUT', '/settings', { deliveredSpreadMs: 0 });
		await sendAll(...Array.from({ length: 250 }, () => message({ callbackUrl: url })));
		await sandbox.advance(hour);
		expect(received.map(({ body }) => (JSON.parse(body) as unknown[]).length)).toEqual([
			100, 100, 50,
		]);
		expect(new Set(events().map(({ message_uuid }) => message_uuid)).size).toBe(250);
	});

	test('cascade members, on both steps', async () => {
		const { sandbox, call, events } = openWithReceiver();
		const { content } = viber;
		const cascade = [
			{ channelType: 'VIBER', senderName: demo.senderNames.viber, content, ttl: 60 },
			{ channelType: 'SMS', senderName: demo.senderNames.sms, content: { text: 'Hi' }, ttl: 60 },
		];
		const body = [{ destination: undelivered, callbackUrl: url, cascade }];
		const { items } = await call(messaging.cascadeSend, { body });
		await sandbox.advance(hour);
		const root = items[0].messageUuid;
		expect(events()).toEqual([
			expect.objectContaining({
				cascade_message_uuid: root,
				cascade_step: 1,
				channel_type: 'VIBER',
			}),
			expect.objectContaining({ cascade_message_uuid: root, cascade_step: 2, channel_type: 'SMS' }),
		]);
	});

	test('a click: by following the link, and by hand', async () => {
		const { sandbox, control, send, events } = openWithReceiver();
		const link = 'https://shop.example/tulips?a=1';
		const uuid = await send({ content: `See ${link}`, shortUrl: true, callbackEvents: ['click'] });
		const text = sandbox.world.store.byUuid.get(uuid)?.text.split(' ')[1] ?? '';
		await sandbox.fetch(text, { redirect: 'manual' });
		await sandbox.advance(minute);
		await control('POST', `/messages/${uuid}/click`, {});
		await control('POST', `/messages/${uuid}/click`, { url: link });
		await sandbox.advance(minute);
		expect(events()).toHaveLength(3);
		for (const event of events()) {
			expect(event).toMatchObject({ callback_event: 'click', url: link, short_url: text });
		}
		await expect(control('POST', `/messages/${uuid}/click`, { url: 'x' })).rejects.toThrow('400');
	});

	test('a price change, never above the reservation', async () => {
		const { sandbox, control, send, events } = openWithReceiver();
		const funds = sandbox.world.store.funds;
		const uuid = await send({ callbackEvents: ['price'] });
		await sandbox.advance(minute);
		await control('POST', `/messages/${uuid}/price`, { price: 1.25 });
		await sandbox.advance(minute);
		expect(events().map((event) => event.price)).toEqual([2.9, 1.25]);
		expect(funds - sandbox.world.store.funds).toBe(12_500);
		await expect(control('POST', `/messages/${uuid}/price`, { price: 3 })).rejects.toThrow(
			'reserved',
		);
	});

	test('inbound messages: the rule of the name, the general rule, or nobody', async () => {
		const { sandbox, control, events, received } = openWithReceiver();
		const inbound = async (senderName: string) =>
			await control('POST', '/inbound', { senderName, destination: mts, text: 'Hi' });
		await inbound('First');
		await control('PUT', '/inbound-rules', {
			rules: [
				{ trafficCenterId: 5, callbackUrl: 'http://general.example/' },
				{ trafficCenterId: 7, callbackUrl: url, senderNames: [demo.senderNames.whatsapp] },
			],
		});
		const before = sandbox.now;
		await inbound(demo.senderNames.whatsapp);
		await inbound('Another');
		await sandbox.advance(minute);
		expect(received.map((one) => one.url).sort()).toEqual(['http://general.example/', url].sort());
		const own = events().find(
			(event) => event.callback_event === 'inbound_sent' && event.item.trafficCenterId === 7,
		);
		expect(own).toMatchObject({
			status: 'inbound_sent',
			channel_type: 'WHATSAPP',
			status_time: new Date(before).toISOString(),
			item: {
				direction: 'inbound',
				channelType: 'WHATSAPP',
				senderName: demo.senderNames.whatsapp,
				destination: mts,
				content: 'Hi',
				specialContent: { text: 'Hi', contentType: 'text' },
				totalParts: 1,
				trafficCenterId: 7,
			},
		});
		const sms = { channelType: 'SMS', senderName: 'x', destination: mts, text: 'Hi' };
		await expect(control('POST', '/inbound', sms)).rejects.toThrow('WHATSAPP');
		await control('PUT', '/settings', { inboundEnabled: false });
		await expect(inbound('x')).rejects.toThrow('not enabled');
	});
});

describe('moved by hand', () => {
	test.each<[string, string[]]>([
		['sent', ['sent:sent']],
		['delivered', ['sent:sent', 'delivered:delivered']],
		['undelivered', ['sent:sent', 'delivered:undelivered']],
		['unsent', ['delivered:unsent']],
		['read', ['sent:sent', 'delivered:delivered', 'read:read']],
		['unread', ['sent:sent', 'delivered:delivered', 'read:unread']],
	])('%s tells what lies between', async (status, expected) => {
		const { sandbox, control, send, events } = openWithReceiver();
		await control('PUT', '/settings', { sentAfterMs: day });
		const uuid = await send({ ...viber, callbackEvents: ['sent', 'delivered', 'read'] });
		await control('POST', `/messages/${uuid}/status`, { status });
		await sandbox.advance(1_000);
		const told = events().map(
			(event) => `${event.callback_event}:${'status' in event ? event.status : ''}`,
		);
		expect(told).toEqual(expected);
		await expect(control('POST', `/messages/${uuid}/status`, { status })).rejects.toThrow(
			'already',
		);
	});

	test('a message of a dispatch, once it is started', async () => {
		const { control, createDispatch, start, get } = openWithReceiver();
		const { id, messages } = await createDispatch();
		const path = `/messages/${messages[0].messageUuid}/status`;
		await expect(control('POST', path, { status: 'delivered' })).rejects.toThrow('CREATED');
		await start(id);
		await expect(control('POST', path, { status: 'read' })).rejects.toThrow('no read status');
		await control('POST', path, { status: 'delivered' });
		expect(await get(id)).toMatchObject({ status: 'COMPLETED', messages: { delivered: 1 } });
		await expect(control('POST', '/messages/none/status', { status: 'read' })).rejects.toThrow(
			'404',
		);
	});
});

describe('credentials in the URL', () => {
	test.each([
		['http://user:pass@host.example/a?b=1', 'http://host.example/a?b=1', 'user:pass'],
		['https://us%40er:p%3Ass@10.0.0.1:8443/', 'https://10.0.0.1:8443/', 'us@er:p:ss'],
		['http://user@host.example/', 'http://host.example/', 'user:'],
		['http://us%er:x@host.example/', 'http://host.example/', 'us%er:x'],
	])('%s', (given, sent, pair) => {
		const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
		expect(splitCredentials(given)).toEqual({ url: sent, authorization });
	});

	test('travel as a header, and are not in the log', async () => {
		const { sandbox, control, send, received } = openWithReceiver();
		await send({ callbackUrl: 'http://me:secret@receiver.example/hook' });
		await sandbox.advance(hour);
		expect(received[0].url).toBe(url);
		expect(received[0].headers.authorization).toBe(
			`Basic ${Buffer.from('me:secret').toString('base64')}`,
		);
		const log = JSON.stringify(await control('GET', '/callbacks'));
		expect(log).toContain('"authorized":true');
		expect(log).not.toContain('secret');
		expect(log).not.toContain(Buffer.from('me:secret').toString('base64'));
	});
});

describe('resending', () => {
	const kinds: Array<[string, (opened: ReturnType<typeof openWithReceiver>) => Promise<void>]> = [
		[
			'a dispatch',
			async ({ createDispatch, start }) =>
				void (await start((await createDispatch({ callbackUrl: url })).id)),
		],
		['a single message', async ({ send }) => void (await send())],
	];

	test.each(kinds)('%s: every 5 minutes until a 2xx', async (_, begin) => {
		const answers = [500, new Error('refused'), 302, 404, 204];
		const opened = openWithReceiver((_request, count) => answers[count - 1]);
		const { sandbox, received, control } = opened;
		await begin(opened);
		await sandbox.advance(day);
		expect(received).toHaveLength(5);
		const gaps = received.slice(1).map(({ at }, index) => at - received[index].at);
		expect(gaps).toEqual([5 * minute, 5 * minute, 5 * minute, 5 * minute]);
		expect(new Set(received.map(({ body }) => body)).size).toBe(1);
		expect(await control('GET', '/callbacks')).toMatchObject({
			total: 1,
			items: [
				{
					state: 'delivered',
					attempts: [
						{ status: 500 },
						{ error: 'refused' },
						{ status: 302 },
						{ status: 404 },
						{ status: 204 },
					],
				},
			],
		});
	});

	test.each(kinds)('%s: for one day, and no longer', async (_, begin) => {
		const opened = openWithReceiver(() => 503);
		const { sandbox, received, control } = opened;
		await begin(opened);
		await sandbox.advance(3 * day);
		expect(received).toHaveLength(1 + (24 * 60) / 5);
		expect(received[received.length - 1].at - received[0].at).toBe(day);
		expect(await control('GET', '/callbacks?state=expired')).toMatchObject({ total: 1 });
	});

	test('one step of the clock sees every resend in it, small steps see the same', async () => {
		const times = async (steps: number[]) => {
			const opened = openWithReceiver(() => 500);
			const start = opened.sandbox.now;
			await opened.send();
			for (const ms of steps) await opened.sandbox.advance(ms);
			return opened.received.map(({ at }) => at - start);
		};
		const once = await times([hour]);
		expect(once).toHaveLength(12);
		expect(await times(Array.from({ length: 3_600 }, () => 1_000))).toEqual(once);
	});

	/** A receiver that answers only when the test says so. */
	const openWithSlowReceiver = async () => {
		let answer: (status: number) => void = () => undefined;
		const opened = open({
			send: async () => await new Promise<number>((resolve) => (answer = resolve)),
		});
		await opened.sendAll(message({ callbackUrl: url }));
		return { ...opened, answer: (status: number) => answer(status) };
	};

	test('the real clock does not wait for a receiver', async () => {
		const { sandbox, answer } = await openWithSlowReceiver();
		const before = sandbox.now;
		sandbox.tick(hour);
		expect(sandbox.now - before).toBe(hour);
		expect(sandbox.callbacks).toMatchObject([{ state: 'pending', attempts: [] }]);
		answer(200);
		await sandbox.advance(0);
		expect(sandbox.callbacks).toMatchObject([{ state: 'delivered' }]);
	});

	test('a reset forgets attempts that are under way', async () => {
		const { sandbox, answer } = await openWithSlowReceiver();
		sandbox.tick(hour);
		sandbox.reset();
		answer(500);
		await sandbox.advance(day);
		expect(sandbox.callbacks).toEqual([]);
	});
});
