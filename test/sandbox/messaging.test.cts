import { messageErrors } from '../../core/contract/errors';
import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import type { RequestOf } from '../../core/contract/endpoint';
import { demo } from '../../sandbox/demo.cts';
import { receiveInbound } from '../../sandbox/time/inbound.cts';
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
const { undelivered, unsent, unread } = demo.numbers;

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

test.each<[string, string | undefined, string | undefined, string?]>([
	['no header', undefined, '4010'],
	['a wrong key', 'Bearer wrong', '4010'],
	['a key that is switched off', 'Bearer off', '4010'],
	['another scheme', `Digest ${demo.apiKey}`, '4012'],
	['a scheme without a key', 'Bearer', '4012'],
	['another IP address', 'Bearer bound', '4013'],
	['its IP address', 'Bearer bound', undefined, '10.1.2.3'],
	['a key that was reissued', `Bearer ${demo.messagesOnlyKey}`, '4010'],
	['Bearer', `Bearer ${demo.apiKey}`, undefined],
	['Basic', `Basic ${demo.apiKey}`, undefined],
])('access with %s', async (_, authorization, code, address = '127.0.0.1') => {
	const { sandbox, control } = open();
	await control('PUT', '/keys/bound', { ips: ['10.1.2.3'] });
	await control('PUT', '/keys/off', { active: false });
	const reissued = await control('POST', `/keys/${demo.messagesOnlyKey}/reissue`);
	expect(await control('GET', '/keys')).toContainEqual(reissued);
	const headers = new Headers(
		authorization === undefined ? [] : [['authorization', authorization]],
	);
	const request = new Request(`${sandbox.urls.messagingUrl}/balance`, { headers });
	const response = await sandbox.handle(request, { address });
	expect(response.status).toBe(code === undefined ? 200 : 401);
	expect(/"code":(\d+)/.exec(await response.text())?.[1]).toBe(code);
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
			{ ...voice, content: { text: 'Код авторизации от Т: 1' } },
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

	test.each([
		{ localSendTime: '2026-99-99 00:00:00' },
		{ localCompletionTime: '2026-02-03 77:00:00' },
	])('%j is no date: the request is refused and nothing is sent', async (time) => {
		const { sandbox, sendAll } = openMessaging();
		await expect(sendAll(message(), message(time))).rejects.toThrow('not a valid date');
		expect(sandbox.world.store.singles).toEqual([]);
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
	test('filters', async () => {
		const { sandbox, control, sendOne, sendAll, list, createDispatch } = openMessaging();
		const names = new Map<string | undefined, string>();
		names.set(await sendOne({ tags: ['x'], content: 'apple', externalMessageId: 'own' }), 'first');
		const [sent] = [...names.keys()];
		await sandbox.advance(minute);
		names.set(await sendOne({ tags: ['x', 'y'], destination: tele2, content: 'pear' }), 'second');
		const { items } = await sendAll(toViber({ destination: beeline }));
		names.set(items[0].messageUuid ?? '', 'third');
		await control('POST', '/inbound', { senderName: whatsapp, destination: mts, text: 'Hi' });
		const { id } = await createDispatch();
		const inUtc = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;
		const single = { dispatch: false, direction: ['outbound'] };
		const both = { direction: ['inbound', 'outbound'] };
		for (const [query, expected] of [
			[{ dispatch: false }, 3],
			[{ dispatch_id: [String(id)] }, 1],
			[{ dispatch: true }, 10],
			[{ direction: ['inbound'] }, 1],
			[both, 14],
			// Without a direction: only outbound. `dispatch` counts for outbound messages only.
			[{}, 13],
			[{ ...both, dispatch: true }, 11],
			[{ country_code: 'RU' }, 13],
			[{ country_code: 'KZ' }, 0],
			[{ message_uuid: ['own', String(sent)] }, ['first']],
			[{ message_uuid: ['own'] }, ['first']],
			[{ external_message_id: 'own' }, ['first']],
			[{ external_message_id: sent }, []],
			[{ ...single, ready_to_stop: true }, ['second', 'third']],
			[{ ...single, content: 'app' }, ['first']],
			[{ ...single, content: 'pea', content_nor: 'apple' }, ['second']],
			[{ ...single, sending_method: ['API'], traffic_center_id: ['1'] }, 3],
			[{ ...single, sending_method: ['UI'] }, 0],
			[{ ...single, status: ['sending'] }, ['second', 'third']],
			[{ ...single, destination: [tele2, beeline] }, ['second', 'third']],
			[{ ...single, status: ['delivered'] }, ['first']],
			[{ ...single, tags: ['y'] }, ['second']],
			[{ ...single, channel_type: ['VIBER'] }, ['third']],
			[{ ...single, sender_name: [viber] }, ['third']],
			[{ ...single, traffic_type: ['SERVICE'], root: true }, 3],
			// The time of sending counts. Those that wait have none.
			[{ ...single, time_to: inUtc(sandbox.now) }, ['first']],
			[{ ...single, time_from: inUtc(sandbox.now - minute) }, ['first']],
			[{ ...single, time_from: inUtc(sandbox.now) }, []],
			[{ ...single, sort: 'createdTime' }, ['first', 'second', 'third']],
			[single, ['second', 'third', 'first']],
			[{ ...single, page: 2, per_page: 5_000 }, []],
		] as Array<[Filters, number | string[]]>) {
			const found = await list(query);
			const seen =
				typeof expected === 'number'
					? found.total
					: found.items.map(({ messageUuid }) => names.get(messageUuid));
			expect([query, seen]).toEqual([query, expected]);
		}
	});

	test.each<Filters>([{ time_from: 'yesterday' }, { time_to: 'x' }, { page: 101, per_page: 100 }])(
		'%j is refused',
		async (query) => {
			expect(await refusal(openMessaging().list(query))).toMatchObject({ status: 400, code: 4000 });
		},
	);
});

test('a stop has an effect a moment later, and gives the reservation back; 402 without balance', async () => {
	const { sandbox, control, call, sendOne, sendAll, read, balance } = openMessaging();
	const before = await balance();
	const sent = await sendOne();
	await sandbox.advance(1_000);
	const waiting = await sendOne();
	const { items } = await call(messaging.messageStop, { body: { uuids: [waiting, sent, 'none'] } });
	expect(items.map(({ code }) => code)).toEqual([201, 403, 404]);
	expect((await read(waiting)).status).toBe('sending');
	await sandbox.advance(day);
	expect(await read(waiting)).toMatchObject({ status: 'unsent', sentTime: null });
	expect(await balance()).toBeCloseTo(before - 2.9, 4);
	await control('PUT', '/balance', { RUB: 5 });
	const reply = await sendAll(message(), message());
	expect([reply.errors, reply.items.map(({ code }) => code)]).toEqual([true, [201, 402]]);
	await sandbox.advance(hour);
	expect(await balance()).toBe(2.1);
});

const authorization = (code: string) => demo.authorizationTemplate.replace('{code}', code);

test.each<[string, Partial<Send>, string, number]>([
	['AUTHORIZE has its own price', { trafficType: 'AUTHORIZE' }, 'AUTHORIZE', 1.8],
	['its template', { content: authorization('1234') }, 'AUTHORIZE', 1.8],
	['more than the template', { content: `${authorization('1234')}!` }, 'SERVICE', 2.9],
	['no value', { content: authorization('') }, 'SERVICE', 2.9],
	[
		'its template, and another traffic type',
		{ content: authorization('1234'), trafficType: 'PROMO' },
		'PROMO',
		3.4,
	],
])('traffic types: %s', async (_, fields, trafficType, totalPrice) => {
	const { sendOne, read } = openMessaging();
	const found = await read(await sendOne(fields));
	expect(found).toMatchObject({ trafficType, price: { totalPrice } });
});

describe('test numbers', () => {
	const { test: own } = demo.numbers;
	const unregistered = { senderName: 'MYTEST', destination: own };

	test('an SMS from a name that is not registered is delivered, at the price of a general name', async () => {
		const { sandbox, sendOne, read } = openMessaging();
		const [uuid, registered] = [await sendOne(unregistered), await sendOne({ destination: own })];
		await sandbox.advance(minute);
		const price = { totalPrice: 3.2, final: true };
		expect(await read(uuid)).toMatchObject({ status: 'delivered', senderName: 'MYTEST', price });
		expect(await read(registered)).toMatchObject({ senderName: sms, price: { totalPrice: 2.9 } });
	});

	test.each<[string, Partial<Send>]>([
		['another number', { ...unregistered, destination: mts }],
		['another channel', { ...toViber(), ...unregistered }],
		['a name in DRAFT', { senderName: 'FLOWERSALE', destination: own }],
		['a suspended name', { senderName: 'FLOWERSVIP', destination: own }],
	])('%s: as ever', async (_, fields) => {
		expect((await openMessaging().sendAll(message(fields))).items[0].code).toBe(404);
	});

	test('the setting says which numbers; a reset brings the one of the demo back', async () => {
		const { control, sendAll } = openMessaging();
		const codes = async () => {
			const both = [own, tele2].map((destination) => message({ ...unregistered, destination }));
			return (await sendAll(...both)).items.map(({ code }) => code);
		};
		await control('PUT', '/settings', { testNumbers: [tele2] });
		expect(await codes()).toEqual([404, 201]);
		await control('POST', '/reset', {});
		expect(await codes()).toEqual([201, 404]);
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

	test.each<[string, Cascade['cascade'], string, string[], number?]>([
		[
			'continues at once without a messenger, which SMS does not need',
			[viberStep, smsStep],
			demo.numbers.smsOnly,
			['VIBER 1 unsent', 'SMS 2 delivered'],
			20_000,
		],
		[
			'continues when the message is not delivered',
			[viberStep, smsStep],
			undelivered,
			['VIBER 1 undelivered', 'SMS 2 sent'],
		],
		[
			'continues when it is not read',
			[untilRead, smsStep],
			unread,
			['VIBER 1 delivered unread', 'SMS 2 delivered'],
		],
		[
			'leaves a step out that cannot be sent',
			[viberStep, { ...smsStep, senderName: 'GONE' }, smsStep],
			undelivered,
			['VIBER 1 undelivered', 'SMS 3 sent'],
		],
		['ends when it is unread', [viberStep, smsStep], unread, ['VIBER 1 delivered unread']],
		['ends when it is delivered', [viberStep, smsStep], mts, ['VIBER 1 delivered read']],
		['ends when it is read', [untilRead, smsStep], mts, ['VIBER 1 delivered read']],
	])('%s', async (_, cascade, destination, expected, time = day) => {
		const { sandbox, root, steps, list } = await run(cascade, destination, time);
		expect(
			steps.map(({ channelType, cascadeStep, status, readStatus }) =>
				[channelType, cascadeStep, status, readStatus ?? ''].join(' ').trim(),
			),
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

test('a code of the verification module: listed, and checked until it expires', async () => {
	const { sandbox, call, control } = openMessaging();
	const body = { channelType: 'SMS', destination: mts, gatewayId: '42' };
	const [first, second] = [
		await call(messaging.codeSend, { body }),
		await call(messaging.codeSend, { body }),
	];
	const check = async (uuid: string, code: string) =>
		(await call(messaging.codeCheck, { body: { uuid, code } })).status;
	expect(await control('GET', '/codes')).toMatchObject([
		{ code: '1001', destination: mts, uuid: second.uuid },
		{ code: '1000', uuid: first.uuid },
	]);
	expect(await check(second.uuid, '1001')).toBe('CONFIRMED');
	await sandbox.advance(10 * minute + 1);
	expect(await check(second.uuid, '1001')).toBe('EXPIRED');
	await control('PUT', '/settings', { codeLifetimeMs: 20 * minute });
	for (let checks = 0; checks < 5; checks++) {
		expect(await check(first.uuid, '9999')).toBe('WRONG_CODE');
	}
	expect(await check(first.uuid, '1000')).toBe('EXPIRED');
});

type Opened = ReturnType<typeof open>;

test.each<[number, object, string, (opened: Opened) => unknown]>([
	[320, { key: '' }, demo.apiKey, () => undefined],
	[330, { key: 'k' }, 'two words', () => undefined],
	[330, { key: 'k' }, 'off', ({ control }) => control('PUT', '/keys/off', { active: false })],
	[
		4013,
		{ key: 'k' },
		'bound',
		({ control }) => control('PUT', '/keys/bound', { ips: ['10.0.0.1'] }),
	],
	[210, { key: 'k' }, demo.apiKey, ({ control }) => control('PUT', '/balance', { RUB: 0 })],
	[
		230,
		{ key: 'k' },
		demo.apiKey,
		({ control }) =>
			control('PUT', `/senders/${demo.senders.general}/status`, { status: 'CLOSED' }),
	],
])('the widget answers %d to %j with the key "%s"', async (code, body, key, change) => {
	const opened = open();
	await change(opened);
	const response = await opened.ask('/verifier/widget/send', body, key);
	expect(await response.json()).toMatchObject({ error: { code } });
	expect(opened.sandbox.world.store.singles).toEqual([]);
});
