import { messageErrors, widgetErrors } from '../../core/contract/errors';
import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import type { RequestOf } from '../../core/contract/endpoint';
import { demo } from '../../sandbox/demo.cts';
import { receiveInbound } from '../../sandbox/time/inbound.cts';
import { fromUnits } from '../../sandbox/stored/money.cts';
import {
	beeline,
	day,
	hour,
	message,
	minute,
	mts,
	open,
	refusal,
	tele2,
	type Send,
} from './support.cts';

type Filters = NonNullable<RequestOf<typeof messaging.messageList>['query']>;

const { sms, viber, whatsapp } = demo.senderNames;
const { undelivered, unsent, unread, noOperator } = demo.numbers;

const toViber = (fields: Partial<Send> = {}) =>
	message({
		channelType: 'VIBER',
		senderName: viber,
		content: { contentType: 'text', text: 'Hello' },
		...fields,
	});

const openMessaging = (options?: Parameters<typeof open>[0]) => {
	const opened = open(options);
	const { call, sendAll } = opened;
	const sendOne = async (fields: Partial<Send> = {}) => {
		const { items } = await sendAll(message(fields));
		expect(items[0]).toMatchObject({ code: 201 });
		return items[0].messageUuid ?? '';
	};
	const list = async (query: Filters = {}) => {
		const reply = await call(messaging.messageList, { query });
		if (Array.isArray(reply)) throw new Error('a bare array');
		return reply;
	};
	const read = async (uuid: string) => (await list({ message_uuid: [uuid] })).items[0];
	const balance = async () => (await call(messaging.balance)).RUB;
	return { ...opened, sendOne, list, read, balance };
};

const openRaw = (key?: string) => {
	const { sandbox, ask } = open();
	const post = async (path: string, body: unknown): Promise<unknown> =>
		await (await ask(path, body, key)).json();
	return { sandbox, ask, post };
};

describe('access', () => {
	const ask = async (
		authorization: string | undefined,
		path = '/balance',
		address = '127.0.0.1',
	) => {
		const { sandbox, control } = open();
		await control('PUT', '/keys/bound', { ips: ['10.1.2.3'] });
		await control('PUT', '/keys/off', { active: false });
		const response = await sandbox.handle(
			new Request(`${sandbox.urls.messagingUrl}${path}`, {
				headers: authorization === undefined ? {} : { authorization },
			}),
			{ address },
		);
		const text = await response.text();
		return [response.status, /"code":(\d+)/.exec(text)?.[1]];
	};

	test.each<[string, string | undefined, number, string | undefined]>([
		['no header', undefined, 401, '4010'],
		['a wrong key', 'Bearer wrong', 401, '4010'],
		['a key that is switched off', 'Bearer off', 401, '4010'],
		['another scheme', `Digest ${demo.apiKey}`, 401, '4012'],
		['a scheme without a key', 'Bearer', 401, '4012'],
		['Bearer', `Bearer ${demo.apiKey}`, 200, undefined],
		['Basic', `Basic ${demo.apiKey}`, 200, undefined],
	])('%s', async (_, authorization, status, code) => {
		expect(await ask(authorization)).toEqual([status, code]);
	});

	test('a list of addresses', async () => {
		expect(await ask('Bearer bound')).toEqual([401, '4013']);
		expect(await ask('Bearer bound', '/balance', '10.1.2.3')).toEqual([200, undefined]);
	});

	test.each([
		[demo.apiKey, 200, undefined, undefined],
		[demo.messagesOnlyKey, 200, 4030, 331],
		[demo.entitiesKey, 403, 4030, 331],
		[demo.verifierKey, 403, undefined, undefined],
		[demo.widgetKey, 403, 4030, undefined],
	])('%s: messages, codes and the widget', async (key, ofMessages, ofCode, ofWidget) => {
		expect(await ask(`Bearer ${key}`, '/balance')).toEqual([200, undefined]);
		expect((await ask(`Bearer ${key}`, '/message'))[0]).toBe(ofMessages);
		const { post } = openRaw(key);
		const codeOf = async (path: string, body: object) =>
			((await post(path, body)) as { error?: { code: number } }).error?.code;
		expect(await codeOf('/verifier/check', { uuid: 'u', code: '1' })).toBe(ofCode);
		expect(await codeOf('/verifier/widget/send', { key: 'k' })).toBe(ofWidget);
	});

	test('a reissued key: the old value stops working', async () => {
		const { call, control } = open();
		await call(messaging.balance);
		const { key } = (await control('POST', `/keys/${demo.apiKey}/reissue`)) as { key: string };
		expect(await refusal(call(messaging.balance))).toMatchObject({ status: 401, code: 4010 });
		expect(await control('GET', '/keys')).toContainEqual(expect.objectContaining({ key }));
	});
});

describe('sending', () => {
	test('from created to delivered, with the money', async () => {
		const { sandbox, sendOne, read, balance } = openMessaging();
		const before = await balance();
		const uuid = await sendOne({ externalMessageId: 'order-1', tags: ['a', 'b'], ttl: 600 });
		expect(await read(uuid)).toMatchObject({
			messageUuid: uuid,
			externalMessageId: 'order-1',
			status: 'sending',
			direction: 'outbound',
			senderName: sms,
			brand: 'Mobile TeleSystems PJSC',
			country: 'Russia',
			region: 'Moscow',
			content: 'Hello',
			tags: ['a', 'b'],
			ttl: 600,
			totalParts: 1,
			useLocalTime: true,
			sendingMethod: 'API',
			price: { totalPrice: 2.9, currency: 'RUB', invoicedParts: 1, final: false },
			dispatchId: null,
		});
		expect(await balance()).toBeCloseTo(before - 2.9, 4);
		await sandbox.advance(1_000);
		expect(await read(uuid)).toMatchObject({ status: 'sent', sentTime: expect.any(String) });
		await sandbox.advance(minute);
		expect(await read(uuid)).toMatchObject({ status: 'delivered', price: { final: true } });
		expect(await balance()).toBeCloseTo(before - 2.9, 4);
	});

	test('what is not delivered costs nothing; without a ttl it lives for 25 hours', async () => {
		const { sandbox, sendOne, read, balance } = openMessaging();
		const before = await balance();
		const late = await sendOne({ destination: undelivered, ttl: 60 });
		const last = await sendOne({ destination: undelivered });
		const never = await sendOne({ destination: unsent });
		expect(await balance()).toBeCloseTo(before - 8.7, 4);
		await sandbox.advance(1_000);
		expect(await read(never)).toMatchObject({ status: 'unsent', errorCode: 455 });
		await sandbox.advance(minute - 1);
		expect((await read(late)).status).toBe('sent');
		await sandbox.advance(1);
		expect(await read(late)).toMatchObject({ status: 'undelivered', price: { totalPrice: 0 } });
		await sandbox.advance(25 * hour - minute - 1);
		expect((await read(last)).status).toBe('sent');
		await sandbox.advance(1);
		expect((await read(last)).status).toBe('undelivered');
		expect(await balance()).toBe(before);
	});

	test('one item per message, in order; one that fails fails alone', async () => {
		const { sandbox, sendAll } = openMessaging();
		const reply = await sendAll(
			message({ externalMessageId: 'a' }),
			message({ externalMessageId: 'b', senderName: 'UNKNOWN' }),
			message({ externalMessageId: 'c', destination: noOperator }),
			message({ externalMessageId: 'd', content: { contentType: 'text', text: 'x' } }),
			toViber({ externalMessageId: 'e', content: 'plain' }),
			toViber({ externalMessageId: 'f' }),
		);
		expect(reply.errors).toBe(true);
		expect(reply.items.map(({ externalMessageId, code }) => [externalMessageId, code])).toEqual([
			['a', 201],
			['b', 404],
			['c', 404],
			['d', 400],
			['e', 400],
			['f', 201],
		]);
		expect(reply.items[1].messageUuid).toBeNull();
		expect(sandbox.world.store.singles).toHaveLength(2);
	});

	test.each([
		{ localSendTime: '2026-99-99 00:00:00' },
		{ localCompletionTime: '2026-02-03 77:00:00' },
	])('%j is no date: the request is refused and nothing is sent', async (time) => {
		const { sandbox, sendAll } = openMessaging();
		await expect(sendAll(message(), message(time))).rejects.toThrow('not a valid date');
		expect(sandbox.world.store.singles).toEqual([]);
	});

	test('the blacklist, and the status of the name and of the company that owns it', async () => {
		const { sandbox, call, control, sendAll, sendOne, read } = openMessaging();
		const waiting = [await sendOne(), await sendOne({ destination: tele2 })];
		const blacklisted = { companyId: demo.companies.flowers, msisdn: mts, blacklist: true };
		await call(partner.recipientUpdate, { body: blacklisted });
		expect((await sendAll(message())).items[0].code).toBe(403);
		await control('PUT', `/senders/${demo.senders.tele2}/status`, { status: 'CLOSED' });
		await sandbox.advance(minute);
		for (const uuid of waiting) expect((await read(uuid)).status).toBe('unsent');
		const travel = message({ senderName: 'NORTHWIND' });
		expect((await sendAll(travel)).items[0].code).toBe(404);
	});

	test('a balance that does not cover it', async () => {
		const { sandbox, control, sendAll, balance } = openMessaging();
		await control('PUT', '/balance', { RUB: 5 });
		const { errors, items } = await sendAll(message(), message());
		expect([errors, items.map(({ code }) => code)]).toEqual([true, [201, 402]]);
		expect(await balance()).toBe(2.1);
		await sandbox.advance(hour);
		expect(fromUnits(sandbox.world.store.funds)).toBe(2.1);
	});

	test('hours and days in UTC+3, localSendTime, and localCompletionTime after which it is unsent', async () => {
		// Monday 10:00 in UTC+3.
		const { sandbox, sendOne, read } = openMessaging();
		const onTuesday = await sendOne({ hours: [9], days: [2] });
		const later = await sendOne({ localSendTime: '2026-03-02 12:00:00' });
		const never = await sendOne({ hours: [23], localCompletionTime: '2026-03-02 15:00:00' });
		await sandbox.advance(2 * day);
		expect((await read(onTuesday)).sentTime).toBe('2026-03-03T06:00:00.000Z');
		expect((await read(later)).sentTime).toBe('2026-03-02T09:00:00.000Z');
		expect(await read(never)).toMatchObject({
			status: 'unsent',
			sentTime: null,
			statusTime: '2026-03-02T12:00:00.000Z',
		});
	});

	test('read on a messenger, unread after the lifetime', async () => {
		const { sandbox, sendAll, read } = openMessaging();
		const { items } = await sendAll(toViber(), toViber({ destination: unread, ttl: 3_600 }));
		const [one, other] = items.map(({ messageUuid }) => messageUuid ?? '');
		await sandbox.advance(minute);
		expect(await read(one)).toMatchObject({ status: 'delivered', readStatus: 'read' });
		expect(await read(other)).toMatchObject({ status: 'delivered', readStatus: null });
		await sandbox.advance(hour);
		expect((await read(other)).readStatus).toBe('unread');
	});

	test('short links, in the text and in the parts', async () => {
		const { sandbox, sendOne, read } = openMessaging();
		const url = `https://shop.example/${'long/'.repeat(40)}`;
		const uuid = await sendOne({ content: `Look: ${url} or ${url}`, shortUrl: true });
		const { content, totalParts } = await read(uuid);
		expect(content).toMatch(/^Look: http:\/\/127\.0\.0\.1:8787\/s\/\w+ or http:\S+\/s\/\w+$/);
		expect(totalParts).toBe(1);
		const short = String(content).split(' ')[1];
		const response = await sandbox.fetch(short, { redirect: 'manual' });
		expect([response.status, response.headers.get('location')]).toEqual([302, url]);
		expect((await sandbox.fetch(`${sandbox.urls.origin}/s/none`)).status).toBe(404);
	});
});

describe('content and times, as a public reference has them', () => {
	const codeOf = async (fields: Partial<Send>) => {
		const { post, sandbox } = openRaw();
		if (fields.channelType === 'WHATSAPP') {
			receiveInbound(sandbox.world, {
				channelType: 'WHATSAPP',
				senderName: whatsapp,
				destination: tele2,
				text: 'Hi',
			});
		}
		const { items } = (await post('/message', [message(fields)])) as { items: [{ code: number }] };
		return items[0].code;
	};
	const vk = { channelType: 'VK', senderName: 'any' };
	const voice = { channelType: 'VOICECODE', senderName: 'voicecode' };
	const flash = { channelType: 'FLASHCALL', senderName: 'any' };
	const wa = { channelType: 'WHATSAPP', senderName: whatsapp };
	const text = (words: string) => ({ contentType: 'text', text: words });

	test.each<[string, Partial<Send>, number]>([
		['VK: a plain text', { ...vk, content: 'я'.repeat(2_048) }, 201],
		['VK: too long', { ...vk, content: 'я'.repeat(2_049) }, 400],
		['VK: an object', { ...vk, content: text('Hello') }, 400],
		['SMS: an object', { content: text('Hello') }, 400],
		['FLASHCALL: four digits', { ...flash, content: '4821' }, 201],
		['FLASHCALL: six digits', { ...flash, content: '482100' }, 400],
		['VOICECODE: joined', { ...voice, content: text('Код авторизации от Тюльпан: 4821') }, 201],
		['VOICECODE: spaced', { ...voice, content: text('Код авторизации от Т: 4 8 2 1') }, 201],
		['VOICECODE: a sign', { ...voice, content: text('Код авторизации от Т: 48-21') }, 201],
		['VOICECODE: another text', { ...voice, content: text('Your code is 4821') }, 400],
		[
			'VOICECODE: without its type',
			{ ...voice, content: { text: 'Код авторизации от Т: 4821' } },
			400,
		],
		['VOICECODE: plain', { ...voice, content: 'Код авторизации от Т: 4821' }, 400],
		['VOICECODE: another name', { ...voice, senderName: 'T', content: text('x') }, 400],
		['WHATSAPP: a template', { ...wa, content: text('Order 17 is ready') }, 201],
		['WHATSAPP: no template', { ...wa, content: text('Buy now') }, 400],
		['WHATSAPP: after a reply', { ...wa, destination: tele2, content: text('Buy now') }, 201],
		['the earliest time', { localSendTime: '2026-03-01 19:00:00' }, 201],
		['too early', { localSendTime: '2026-03-01 18:59:59' }, 400],
		['the latest time', { localSendTime: '2026-03-09 07:00:00' }, 201],
		['too late', { localSendTime: '2026-03-09 07:00:01' }, 400],
		['completion after 70 days', { localCompletionTime: '2026-05-11 07:00:00' }, 201],
		['completion too late', { localCompletionTime: '2026-05-11 07:00:01' }, 400],
		[
			'completion before the start',
			{ localSendTime: '2026-03-03 07:00:00', localCompletionTime: '2026-03-03 06:00:00' },
			400,
		],
		['ttl 60', { ttl: 60 }, 201],
		['tags', { tags: ['Spring_26'] }, 201],
		['tags with a hyphen', { tags: ['spring', 'a-b'] }, 400],
		['an ID of 100 characters', { externalMessageId: 'x'.repeat(100) }, 201],
		['an ID of 101 characters', { externalMessageId: 'x'.repeat(101) }, 400],
		['the name for tests', { senderName: 'sms_promo' }, 201],
		['ttl 59', { ttl: 59 }, 400],
		['ttl 86,401', { ttl: 86_401 }, 400],
		[
			'ttl 30 of a voice code',
			{ ...voice, ttl: 30, content: text('Код авторизации от Т: 1') },
			201,
		],
		['hours twice', { hours: [9, 9] }, 400],
		['days twice', { days: [1, 1] }, 400],
	])('%s', async (_, fields, code) => {
		expect(await codeOf(fields)).toBe(code);
	});

	test('WHATSAPP: 24 hours after the reply, only templates again', async () => {
		const { sandbox, sendAll } = openMessaging();
		const input = { channelType: 'WHATSAPP', senderName: whatsapp, destination: mts, text: 'Hi' };
		receiveInbound(sandbox.world, input);
		const send = async () =>
			(await sendAll(message({ ...wa, content: text('Buy now') }))).items[0].code;
		await sandbox.advance(day - 1);
		expect(await send()).toBe(201);
		await sandbox.advance(1);
		expect(await send()).toBe(400);
	});
});

describe('magic numbers with an error code', () => {
	test.each(Object.keys(messageErrors).map(Number))('%d', async (code) => {
		const { sandbox, sendOne, read } = openMessaging();
		const destination = `79169990${String(code).padStart(3, '0')}`;
		const uuid = await sendOne({ destination });
		await sandbox.advance(minute);
		const isBlocked = code >= 453 && code <= 458;
		expect(await read(uuid)).toMatchObject({
			status: isBlocked ? 'unsent' : 'undelivered',
			errorCode: code,
			price: { totalPrice: 0 },
		});
	});
});

describe('GET /v1/message', () => {
	const uuids = (reply: { items: Array<{ messageUuid: string }> }) =>
		reply.items.map(({ messageUuid }) => messageUuid);

	test('finds by uuid and by external id, in one parameter', async () => {
		const { sendOne, list } = openMessaging();
		const one = await sendOne({ externalMessageId: 'mine' });
		const two = await sendOne();
		expect(uuids(await list({ message_uuid: ['mine'] }))).toEqual([one]);
		expect(uuids(await list({ message_uuid: [two] }))).toEqual([two]);
		expect(uuids(await list({ message_uuid: ['mine', two] })).sort()).toEqual([one, two].sort());
		expect(uuids(await list({ external_message_id: 'mine' }))).toEqual([one]);
		expect(uuids(await list({ external_message_id: two }))).toEqual([]);
		expect(await list({ message_uuid: ['none'] })).toEqual({ total: 0, items: [] });
	});

	test('filters', async () => {
		const { sandbox, control, sendOne, sendAll, list, createDispatch } = openMessaging();
		const first = await sendOne({ tags: ['x'], content: 'apple' });
		await sandbox.advance(minute);
		const second = await sendOne({ tags: ['x', 'y'], destination: tele2, content: 'pear' });
		const { items } = await sendAll(toViber({ destination: beeline }));
		const third = items[0].messageUuid ?? '';
		const inbound = { senderName: whatsapp, destination: mts, text: 'Hi' };
		await control('POST', '/inbound', inbound);
		const { id } = await createDispatch();
		const total = async (query: Filters) => (await list(query)).total;
		const singles = (query: Filters) =>
			list({ dispatch: false, direction: ['outbound'], ...query });
		expect(await total({ dispatch: false })).toBe(3);
		expect(await total({ dispatch_id: [String(id)] })).toBe(1);
		expect(await total({ dispatch: true })).toBe(10);
		expect(await total({ direction: ['inbound'] })).toBe(1);
		const both: Filters = { direction: ['inbound', 'outbound'] };
		expect(await total(both)).toBe(14);
		// Without a direction: only outbound. `dispatch` counts for outbound messages only.
		expect(await total({})).toBe(13);
		expect(await total({ ...both, dispatch: true })).toBe(11);
		expect(await total({ country_code: 'RU' })).toBe(13);
		expect(await total({ country_code: 'KZ' })).toBe(0);
		expect(uuids(await singles({ ready_to_stop: true })).sort()).toEqual([second, third].sort());
		expect(uuids(await singles({ content: 'app' }))).toEqual([first]);
		expect(uuids(await singles({ content: 'pea', content_nor: 'apple' }))).toEqual([second]);
		expect(
			uuids(await singles({ sending_method: ['API'], traffic_center_id: ['1'] })),
		).toHaveLength(3);
		expect(uuids(await singles({ sending_method: ['UI'] }))).toEqual([]);
		expect(uuids(await singles({ status: ['sending'] })).sort()).toEqual([second, third].sort());
		expect(uuids(await singles({ destination: [tele2, beeline] }))).toEqual([second, third]);
		expect(uuids(await singles({ status: ['delivered'] }))).toEqual([first]);
		expect(uuids(await singles({ tags: ['y'] }))).toEqual([second]);
		expect(uuids(await singles({ channel_type: ['VIBER'] }))).toEqual([third]);
		expect(uuids(await singles({ sender_name: [viber] }))).toEqual([third]);
		expect(uuids(await singles({ traffic_type: ['SERVICE'], root: true }))).toHaveLength(3);
		const inUtc = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;
		// The time of sending counts. Those that wait have none.
		expect(uuids(await singles({ time_to: inUtc(sandbox.now) }))).toEqual([first]);
		expect(uuids(await singles({ time_from: inUtc(sandbox.now - minute) }))).toEqual([first]);
		expect(uuids(await singles({ time_from: inUtc(sandbox.now) }))).toEqual([]);
		expect(uuids(await singles({ sort: 'createdTime' }))).toEqual([first, second, third]);
		expect(uuids(await singles({}))).toEqual([second, third, first]);
	});

	test('pages, up to page × per_page = 10,000', async () => {
		const { sendAll, list } = openMessaging();
		await sendAll(...Array.from({ length: 250 }, () => message()));
		expect((await list({ dispatch: false })).items).toHaveLength(100);
		expect((await list({ dispatch: false, page: 3 })).items).toHaveLength(50);
		expect(await list({ dispatch: false, page: 2, per_page: 5_000 })).toEqual({
			total: 250,
			items: [],
		});
		expect((await refusal(list({ page: 101, per_page: 100 }))).message).toContain('10000');
	});

	test.each<Filters>([{ time_from: 'yesterday' }, { time_to: 'x' }])(
		'%j is refused',
		async (query) => {
			const { list } = openMessaging();
			expect(await refusal(list(query))).toMatchObject({ status: 400, code: 4000 });
		},
	);
});

describe('stop', () => {
	test('201, 403 for what is sent, 404 for what is unknown; unsent a moment later, and the reservation is given back', async () => {
		const { sandbox, call, sendOne, read, balance } = openMessaging();
		const before = await balance();
		const sent = await sendOne();
		await sandbox.advance(1_000);
		const waiting = await sendOne();
		const uuids = [waiting, sent, 'none'];
		const reply = await call(messaging.messageStop, { body: { uuids } });
		expect(reply.errors).toBe(true);
		expect(reply.items.map(({ messageUuid, code }) => [messageUuid, code])).toEqual([
			[waiting, 201],
			[sent, 403],
			['none', 404],
		]);
		expect((await read(waiting)).status).toBe('sending');
		await sandbox.advance(2_000);
		expect((await read(waiting)).status).toBe('unsent');
		await sandbox.advance(day);
		expect(await read(waiting)).toMatchObject({ status: 'unsent', sentTime: null });
		expect(await balance()).toBeCloseTo(before - 2.9, 4);
	});

	test('an unknown field passes, here and in a message', async () => {
		const { sandbox, post } = openRaw();
		const sent = await post('/message', [{ ...message(), unheardOf: { a: 1 }, templateId: 'T-1' }]);
		expect(sent).toMatchObject({ errors: false });
		const uuids = [sandbox.world.store.singles[0].uuid];
		const stopped = await post('/message/stop', { uuids, unheardOf: 1 });
		expect(stopped).toMatchObject({ errors: false, items: [{ code: 201 }] });
	});

	test('works for a message of a dispatch', async () => {
		const { sandbox, call, createDispatch, start, get } = openMessaging();
		const { id, messages } = await createDispatch({
			messages: [{ destination: mts }, { destination: tele2 }],
		});
		await start(id);
		const uuids = [messages[0].messageUuid];
		expect((await call(messaging.messageStop, { body: { uuids } })).items[0].code).toBe(201);
		await sandbox.advance(hour);
		expect(await get(id)).toMatchObject({
			status: 'COMPLETED',
			messages: { delivered: 1, failed: 1 },
		});
	});
});

describe('templates', () => {
	test('a message keeps its templateId, and template_id finds it', async () => {
		const { ask, post } = openRaw();
		const body = ['T-1', 17, 18, undefined].map((templateId) => ({ ...message(), templateId }));
		expect(await post('/message', body)).toMatchObject({ errors: false });
		const found = async (...ids: string[]) => {
			const query = new URLSearchParams(ids.map((id) => ['template_id', id]));
			const response = await ask(`/message?${String(query)}`);
			const { items } = (await response.json()) as { items: Array<{ templateId: unknown }> };
			return items.map(({ templateId }) => templateId);
		};
		expect(await found('T-1')).toEqual(['T-1']);
		expect(await found('17')).toEqual([17]);
		expect(await found('T-1', '18')).toEqual(['T-1', 18]);
		expect(await found('undefined')).toEqual([]);
	});

	const code = demo.authorizationTemplate.replace('{code}', '1234');

	test.each<[string, Partial<Send>, string, number?]>([
		['AUTHORIZE has its own price', { trafficType: 'AUTHORIZE' }, 'AUTHORIZE', 1.8],
		['an authorization template', { content: code }, 'AUTHORIZE', 1.8],
		[
			'the template, and its own traffic type',
			{ content: code, trafficType: 'PROMO' },
			'PROMO',
			3.4,
		],
		['more than the template', { content: `${code}!` }, 'SERVICE'],
		['no value', { content: demo.authorizationTemplate.replace('{code}', '') }, 'SERVICE'],
	])('%s', async (_, fields, trafficType, totalPrice = 2.9) => {
		const { sendOne, read } = openMessaging();
		const found = await read(await sendOne(fields));
		expect(found).toMatchObject({ trafficType, price: { totalPrice } });
	});

	test('on Viber too, and not without the demo data', async () => {
		const { sandbox, sendAll, sendOne, read } = openMessaging();
		const content = { contentType: 'text', text: code };
		const { items } = await sendAll(toViber({ content }));
		expect(await read(items[0].messageUuid ?? '')).toMatchObject({ trafficType: 'AUTHORIZE' });
		sandbox.world.store.authorizationTemplates = [];
		expect(await read(await sendOne({ content: code }))).toMatchObject({ trafficType: 'SERVICE' });
	});
});

describe('test numbers', () => {
	const { test: own } = demo.numbers;
	const unregistered = { senderName: 'MYTEST' };

	test('an SMS from a name that is not registered is delivered, at the price of a general name', async () => {
		const { sandbox, sendOne, read, balance } = openMessaging();
		const before = await balance();
		const uuid = await sendOne({ ...unregistered, destination: own });
		await sandbox.advance(minute);
		expect(await read(uuid)).toMatchObject({
			status: 'delivered',
			senderName: 'MYTEST',
			price: { totalPrice: 3.2, final: true },
		});
		expect(await balance()).toBeCloseTo(before - 3.2, 4);
		// A registered name is paid as ever.
		expect(await read(await sendOne({ destination: own }))).toMatchObject({
			senderName: sms,
			price: { totalPrice: 2.9 },
		});
	});

	test.each<[string, Partial<Send>]>([
		['another number', { ...unregistered, destination: mts }],
		['another channel', { ...toViber(), ...unregistered, destination: own }],
		['a name in DRAFT', { senderName: 'FLOWERSALE', destination: own }],
		['a suspended name', { senderName: 'FLOWERSVIP', destination: own }],
	])('%s: as ever', async (_, fields) => {
		const { sandbox, sendAll } = openMessaging();
		expect((await sendAll(message(fields))).items[0].code).toBe(404);
		expect(sandbox.world.store.singles).toEqual([]);
	});

	test('the setting says which numbers; a reset brings the one of the demo back', async () => {
		const { sandbox, control, sendAll } = openMessaging();
		const codes = async () => {
			const both = [own, tele2].map((destination) => message({ ...unregistered, destination }));
			return (await sendAll(...both)).items.map(({ code }) => code);
		};
		await control('PUT', '/settings', { testNumbers: [tele2] });
		expect(await codes()).toEqual([404, 201]);
		await control('POST', '/reset', {});
		expect(await codes()).toEqual([201, 404]);
		await expect(control('PUT', '/settings', { testNumbers: ['+7'] })).rejects.toThrow(
			'testNumbers',
		);
		await control('POST', '/reset', { data: 'empty' });
		expect(sandbox.world.store.settings.testNumbers).toEqual([]);
	});
});

describe('cascade', () => {
	type Cascade = RequestOf<typeof messaging.cascadeSend>['body'][number];
	const viberStep = {
		channelType: 'VIBER',
		senderName: viber,
		content: { contentType: 'text', text: 'Hi' },
		ttl: 60,
	};
	const smsStep = { channelType: 'SMS', senderName: sms, content: { text: 'Hi' } };

	const run = async (cascade: Cascade['cascade'], destination: string, time = day) => {
		const opened = openMessaging();
		const { sandbox, call, list } = opened;
		const body = [{ destination, externalMessageId: 'c', cascade }];
		const { errors, items } = await call(messaging.cascadeSend, { body });
		expect([errors, items[0].code]).toEqual([false, 201]);
		await sandbox.advance(time);
		const root = items[0].messageUuid ?? '';
		const reply = await list({ cascade_message_uuid: root, sort: 'createdTime' });
		return { ...opened, root, steps: reply.items };
	};

	const untilRead = { ...viberStep, condition: 'not_read' };

	test.each<[string, Cascade['cascade'], string, unknown[][], number?]>([
		[
			'continues at once without a messenger, which SMS does not need',
			[viberStep, smsStep],
			demo.numbers.smsOnly,
			[
				['VIBER', 1, 'unsent', null],
				['SMS', 2, 'delivered', null],
			],
			20_000,
		],
		[
			'continues when the message is not delivered',
			[viberStep, smsStep],
			undelivered,
			[
				['VIBER', 1, 'undelivered', null],
				['SMS', 2, 'sent', null],
			],
		],
		[
			'continues when it is not read',
			[untilRead, smsStep],
			unread,
			[
				['VIBER', 1, 'delivered', 'unread'],
				['SMS', 2, 'delivered', null],
			],
		],
		[
			'leaves a step out that cannot be sent',
			[viberStep, { ...smsStep, senderName: 'GONE' }, smsStep],
			undelivered,
			[
				['VIBER', 1, 'undelivered', null],
				['SMS', 3, 'sent', null],
			],
		],
		['ends when it is unread', [viberStep, smsStep], unread, [['VIBER', 1, 'delivered', 'unread']]],
		['ends when it is delivered', [viberStep, smsStep], mts, [['VIBER', 1, 'delivered', 'read']]],
		['ends when it is read', [untilRead, smsStep], mts, [['VIBER', 1, 'delivered', 'read']]],
	])('%s', async (_, cascade, destination, expected, time = day) => {
		const { sandbox, root, steps, list } = await run(cascade, destination, time);
		expect(
			steps.map(({ channelType, cascadeStep, status, readStatus }) => [
				channelType,
				cascadeStep,
				status,
				readStatus,
			]),
		).toEqual(expected);
		for (const step of steps) {
			expect(step).toMatchObject({ cascadeMessageUuid: root, externalMessageId: 'c' });
		}
		expect((await list({ dispatch: false, root: true })).total).toBe(1);
		expect((await list({ dispatch: false, root: false })).total).toBe(expected.length - 1);
		expect(sandbox.world.store.singles).toHaveLength(expected.length);
	});

	test.each([
		[{ condition: 'not_delivered' }, 'cascade[1].condition: the last step has none'],
		[{ hours: 5 }, 'cascade[1].hours'],
	])('a last step with %j is refused with its cascade', async (wrong, msg) => {
		const { sandbox, call } = openMessaging();
		const body = [{ destination: mts, cascade: [viberStep, { ...smsStep, ...wrong }] }];
		const { errors, items } = await call(messaging.cascadeSend, { body });
		expect([errors, items[0].code]).toEqual([true, 400]);
		expect(items[0].msg).toContain(msg);
		expect(sandbox.world.store.singles).toEqual([]);
	});

	test('content of a step may be an object on every channel, with or without contentType', async () => {
		const { sandbox, post } = openRaw();
		for (const content of [{ text: 'Hi' }, { contentType: 'text', text: 'Hi' }]) {
			const body = [{ destination: mts, cascade: [{ ...smsStep, content }] }];
			expect(await post('/message/cascade', body)).toMatchObject({ items: [{ code: 201 }] });
			expect(sandbox.world.store.singles.at(-1)?.text).toBe('Hi');
		}
		const plain = [{ destination: mts, cascade: [{ ...viberStep, content: 'Hi' }] }];
		expect(await post('/message/cascade', plain)).toMatchObject({ items: [{ code: 400 }] });
		const text = [{ destination: mts, cascade: [{ ...smsStep, content: 'Hi' }] }];
		expect(await post('/message/cascade', text)).toMatchObject({ items: [{ code: 400 }] });
		expect(sandbox.world.store.singles).toHaveLength(2);
	});

	test('hours and times of the whole cascade hold for its steps', async () => {
		const { sandbox, post } = openRaw();
		const later = { localSendTime: '2026-03-02 12:00:00', shortUrl: true };
		const content = { text: 'Look: https://shop.example/' };
		const body = [{ destination: mts, ...later, cascade: [{ ...smsStep, content }] }];
		expect(await post('/message/cascade', body)).toMatchObject({ items: [{ code: 201 }] });
		await sandbox.advance(day);
		const [{ sentAt, text }] = sandbox.world.store.singles;
		expect(new Date(sentAt ?? 0).toISOString()).toBe('2026-03-02T09:00:00.000Z');
		expect(text).toContain('/s/');
	});

	test('a stop ends the steps that have not begun', async () => {
		const opened = await run([viberStep, smsStep], undelivered, 2_000);
		const { sandbox, call, root, list } = opened;
		const stopped = await call(messaging.messageStop, { body: { uuids: [root] } });
		expect(stopped).toMatchObject({ errors: false, items: [{ code: 202 }] });
		await sandbox.advance(day);
		expect((await list({ cascade_message_uuid: root })).total).toBe(1);
		expect((await call(messaging.messageStop, { body: { uuids: [root] } })).items[0].code).toBe(
			403,
		);
	});

	test('a stop of the first message stops the derived one that waits', async () => {
		const waiting = { ...smsStep, hours: [3] };
		const { sandbox, call, root, list } = await run([viberStep, waiting], undelivered, 10 * minute);
		const stopped = await call(messaging.messageStop, { body: { uuids: [root] } });
		expect(stopped.items[0].code).toBe(201);
		await sandbox.advance(2_000);
		const { items } = await list({ cascade_message_uuid: root, root: false });
		expect(items[0].status).toBe('unsent');
	});
});

test('a code of the verification module: sent, shown by the control route, checked until it expires', async () => {
	const { sandbox, call, control, read } = openMessaging();
	const send = async () =>
		await call(messaging.codeSend, {
			body: { channelType: 'SMS', destination: mts, gatewayId: '42' },
		});
	const check = async (uuid: string, code: string) =>
		(await call(messaging.codeCheck, { body: { uuid, code } })).status;
	const first = await send();
	const second = await send();
	const codes = (await control('GET', '/codes')) as unknown as Array<Record<string, string>>;
	expect(codes).toEqual([
		{ code: '1001', destination: mts, sentAt: expect.any(String), uuid: second.uuid },
		{ code: '1000', destination: mts, sentAt: expect.any(String), uuid: first.uuid },
	]);
	expect(await read(second.uuid)).toMatchObject({ content: 'Your code is 1001' });
	expect(await check(second.uuid, '1000')).toBe('WRONG_CODE');
	expect(await check(second.uuid, '1001')).toBe('CONFIRMED');
	await sandbox.advance(10 * minute + 1);
	expect(await check(second.uuid, '1001')).toBe('EXPIRED');
	await control('PUT', '/settings', { codeLifetimeMs: 20 * minute });
	expect(await check(second.uuid, '1001')).toBe('CONFIRMED');
	expect(await check('nobody', '1001')).toBe('NOT_FOUND');
	for (let checks = 0; checks < 5; checks++) {
		expect(await check(first.uuid, '9999')).toBe('WRONG_CODE');
	}
	expect(await check(first.uuid, '1000')).toBe('EXPIRED');
});

describe('the verification widget', () => {
	test('send, check, confirm', async () => {
		const { call, control, read } = openMessaging();
		const { messageUuid } = await call(messaging.verificationSend, {
			body: { key: 'k1', destination: mts },
		});
		expect(await read(messageUuid ?? '')).toMatchObject({
			sendingMethod: 'VERIFIER_WIDGET',
			destination: mts,
		});
		expect(await call(messaging.verificationCheck, { body: { key: 'k1' } })).toEqual({
			status: 'PENDING',
		});
		await control('POST', '/verifications/k1/confirm');
		expect(await call(messaging.verificationCheck, { body: { key: 'k1' } })).toEqual({
			status: 'CONFIRMED',
		});
		expect(await refusal(call(messaging.verificationCheck, { body: { key: 'k2' } }))).toMatchObject(
			{
				status: 404,
			},
		);
	});

	const post = async (
		body: unknown,
		key: string = demo.apiKey,
		change?: (opened: ReturnType<typeof open>) => Promise<unknown>,
	) => {
		const opened = open();
		await change?.(opened);
		const response = await opened.ask('/verifier/widget/send', body, key);
		const reply = (await response.json()) as { error?: { code: number } };
		return [response.status, reply.error?.code];
	};

	test('320 without a key, 330 and 331 with an API key that may not call it', async () => {
		expect(await post({})).toEqual([400, 320]);
		expect(await post({ key: '' })).toEqual([400, 320]);
		expect(await post({ key: 'k' }, demo.messagesOnlyKey)).toEqual([403, 331]);
		expect(await post({ key: 'k' }, demo.verifierKey)).toEqual([200, undefined]);
		expect(await post({ key: 'k' }, 'wrong')).toEqual([401, 330]);
		expect(await post({ key: 'k' }, 'two words')).toEqual([401, 330]);
		const off = async ({ control }: ReturnType<typeof open>) =>
			await control('PUT', '/keys/off', { active: false });
		expect(await post({ key: 'k' }, 'off', off)).toEqual([401, 330]);
		const bound = async ({ control }: ReturnType<typeof open>) =>
			await control('PUT', '/keys/bound', { ips: ['10.1.2.3'] });
		expect(await post({ key: 'k' }, 'bound', bound)).toEqual([401, 4013]);
	});

	test('the check has the codes of the other calls', async () => {
		const { ask } = open();
		const check = async (key: string) => {
			const response = await ask('/verifier/widget/check', {}, key);
			return ((await response.json()) as { error: { code: number } }).error.code;
		};
		expect(await check('wrong')).toBe(4010);
		expect(await check(demo.messagesOnlyKey)).toBe(4030);
		expect(await check(demo.apiKey)).toBe(4000);
	});

	test.each(Object.entries(widgetErrors))('a fault plays %s', async (number, { cause }) => {
		const { sandbox, control, call } = open();
		const code = Number(number);
		const path = messaging.verificationSend.path;
		await control('POST', '/faults', { kind: 'status', status: 400, code, match: { path } });
		const send = async () => await call(messaging.verificationSend, { body: { key: 'k' } });
		const refused = await refusal(send());
		expect(refused).toMatchObject({ status: 400, code, message: `400: ${cause}` });
		expect(sandbox.world.store.singles).toEqual([]);
		expect(await send()).toMatchObject({ messageUuid: expect.any(String) });
	});

	test('210 without money, 230 with a name that is closed', async () => {
		expect(
			await post({ key: 'k' }, demo.apiKey, async ({ control }) => {
				await control('PUT', '/balance', { RUB: 0 });
			}),
		).toEqual([400, 210]);
		expect(
			await post({ key: 'k' }, demo.apiKey, async ({ control }) => {
				await control('PUT', `/senders/${demo.senders.general}/status`, { status: 'CLOSED' });
			}),
		).toEqual([400, 230]);
	});
});
