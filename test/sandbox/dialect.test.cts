import { deserialize, serialize } from 'node:v8';
import type { Endpoint } from '../../core/contract/endpoint';
import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import { demo } from '../../sandbox/demo.cts';
import { Dialect, dialectOptions, endpointNames } from '../../sandbox/api/dialect.cts';
import { fromUnits } from '../../sandbox/stored/money.cts';
import { contentsOf } from '../support/contents.cts';
import { message, minute, mts, open, tele2, type Send } from './support.cts';

const { flowers } = demo.companies;

type Body = Record<string, unknown>;
type List = Body & { items: Body[] };
const errorBody = { error: { code: 5000, msg: expect.any(String) as string } };

const openDialect = () => {
	// Two sandboxes give the same messages the same UUIDs.
	let count = 0;
	const uuid = () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`;
	const opened = open({ uuid });
	const { sandbox, send, control } = opened;
	const { store } = sandbox.world;
	const ask = async (endpoint: Endpoint, request?: Parameters<typeof send>[1]) => {
		const response = await send(endpoint, request);
		const text = await response.text();
		const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
		const body: unknown = isJson ? JSON.parse(text) : text === '' ? undefined : { text };
		return { status: response.status, body };
	};
	const use = async (dialect: Body) => await control('PUT', '/settings', { dialect });
	const sendMessages = async (...messages: Array<Partial<Send>>) =>
		await ask(messaging.messageSend, { body: messages.map((fields) => message(fields)) });
	const found = async (query: Body) => {
		const { body } = await ask(messaging.messageList, { query: { dispatch: false, ...query } });
		return (body as List).items.map(({ destination }) => destination);
	};
	return { ...opened, askRaw: opened.ask, store, ask, use, sendMessages, found };
};

const recipients = [{ destination: mts }, { destination: tele2, customText: 'я'.repeat(71) }];
const dispatch = {
	companyId: flowers,
	name: 'New',
	channelType: 'SMS',
	text: 'Hello',
	senderIds: [demo.senders.mts, demo.senders.tele2],
};
const lists = {
	messages: [messaging.messageList, { dispatch: false }],
	companies: [partner.companyList, {}],
	dispatches: [partner.dispatchList, { companyId: flowers }],
	ofDispatch: [partner.messageList, { dispatchId: demo.dispatches.spring }],
} as const satisfies Record<string, readonly [Endpoint, Body]>;

/** The same requests in every dialect: their responses by name, and what the sandbox contains afterwards. */
const play = async (dialect: Body) => {
	const { sandbox, store, ask, use, sendMessages } = openDialect();
	await use(dialect);
	const replies: Record<string, unknown> = {};
	replies.send = await sendMessages({ externalMessageId: 'a' }, { externalMessageId: 'b' });
	const { channelType, senderName } = message();
	const cascade = [{ channelType, senderName, content: { text: 'Hi' } }];
	const cascades = ['c', 'd'].map((externalMessageId) => ({
		destination: mts,
		externalMessageId,
		cascade,
	}));
	replies.cascade = await ask(messaging.cascadeSend, { body: cascades });
	const uuids = [store.singles[0].uuid];
	replies.stopMessage = await ask(messaging.messageStop, { body: { uuids } });
	replies.create = await ask(partner.dispatchCreate, {
		body: { ...dispatch, messages: recipients },
	});
	const path = { id: store.lastIds.dispatch };
	replies.append = await ask(partner.dispatchAppend, { path, body: { messages: recipients } });
	replies.start = await ask(partner.dispatchStart, { path });
	replies.stop = await ask(partner.dispatchStop, { path });
	replies.get = await ask(partner.dispatchGet, { path });
	replies.balance = await ask(messaging.balance);
	for (const [name, [endpoint, query]] of Object.entries(lists)) {
		replies[name] = await ask(endpoint, { query });
	}
	await use({});
	return { replies, contents: contentsOf(sandbox) };
};

/** Which responses each member changes. What they look like, the nodes' tests of replies show. */
const changed = {
	sendReply: ['cascade', 'send'],
	listEnvelope: Object.keys(lists).sort(),
	keyCase: ['cascade', 'messages', 'send', 'stopMessage'],
	ownIds: ['cascade', 'messages', 'send'],
	createReply: ['create'],
	appendReply: ['append'],
	moveReply: ['start', 'stop'],
	priceEstimate: ['dispatches', 'get'],
} as const satisfies Partial<Record<keyof typeof dialectOptions, readonly string[]>>;

describe.each(Object.entries(changed))('%s', (member, names) => {
	const options: readonly string[] = dialectOptions[member as keyof typeof changed];

	test('each option changes only these responses, and nothing that is stored', async () => {
		const usual = await play({});
		const seen = new Set<string>();
		for (const option of options) {
			const { replies, contents } = await play({ [member]: option });
			const others = Object.keys(replies).filter(
				(name) => JSON.stringify(replies[name]) !== JSON.stringify(usual.replies[name]),
			);
			expect([option, others.sort()]).toEqual([option, option === options[0] ? [] : names]);
			expect(contents).toBe(usual.contents);
			seen.add(JSON.stringify(names.map((name) => replies[name])));
		}
		// `hidden` and `lost` differ in what a filter finds.
		expect(seen.size).toBe(member === 'ownIds' ? 2 : options.length);
	});
});

test.each<[Body, Body]>([
	[{ sendReply: 'fewer' }, { errors: false, items: [{ externalMessageId: 'b', code: 201 }] }],
	[{ sendReply: 'snake' }, { items: [{ external_message_id: 'a' }, { external_message_id: 'b' }] }],
	[{ sendReply: 'snake', keyCase: 'pascal' }, { items: [{ code: 201 }, { code: 201 }] }],
	// The error body is in the contract, and so it stays.
	[{ sendReply: 'errorBody', keyCase: 'pascal' }, errorBody],
])('a send in %j answers %j', async (dialect, body) => {
	expect((await play(dialect)).replies.send).toMatchObject({ status: 200, body });
});

test('lists of more than 7 keep their total without items, and two lists are one short', async () => {
	const { use, sendMessages, ask } = openDialect();
	await sendMessages(...Array.from({ length: 9 }, () => ({})));
	const list = async () =>
		(await ask(messaging.messageList, { query: { dispatch: false } })).body as List;
	await use({ listEnvelope: 'emptyWithTotal' });
	expect(await list()).toEqual({ total: 9, items: [] });
	await use({ listEnvelope: 'twoLists' });
	const { items, data } = await list();
	expect([items.length, data]).toEqual([8, expect.arrayContaining(items)]);
});

test.each([
	['camel', { totalParts: 1, price: { invoicedParts: 1 } }],
	['snake', { total_parts: 1, price: { invoiced_parts: 1 } }],
])('the content of a message in %s case keeps its own keys', async (keyCase, listed) => {
	const { ask, use, sendMessages } = openDialect();
	await use({ keyCase });
	const content = { contentType: 'text', text: 'Hello', someButton: { itsUrl: 'x' } };
	await sendMessages({ channelType: 'VIBER', senderName: demo.senderNames.viber, content });
	const { body } = await ask(messaging.messageList, { query: { dispatch: false } });
	expect((body as List).items).toMatchObject([{ ...listed, content }]);
});

test.each([
	['kept', [mts]],
	['hidden', [mts]],
	['lost', []],
])('custom message IDs that are %s are found in %j', async (ownIds, expected) => {
	const { store, use, sendMessages, found } = openDialect();
	await use({ ownIds });
	await sendMessages({ externalMessageId: 'a' });
	expect(await found({ message_uuid: [store.singles[0].uuid] })).toEqual([mts]);
	for (const name of ['message_uuid', 'external_message_id']) {
		expect(await found({ [name]: ['a'] })).toEqual(expected);
	}
});

const [one, two, three] = ['79160000001', '79160000002', '79160000003'];
const sendThree = async ({ sendMessages }: ReturnType<typeof openDialect>) =>
	await sendMessages(
		...[one, two, three].map((destination, index) => ({
			...{ destination, externalMessageId: `m${index}`, tags: [`t${index}`] },
			content: `text ${index}`,
		})),
	);

test.each<[string, string[] | undefined]>([
	['any', [one, two]],
	['first', [one]],
	['last', [two]],
	['refuse', undefined],
	['ignored', [one, two, three]],
	['none', []],
])('repeatedFilters: %s finds %j', async (repeatedFilters, expected) => {
	const opened = openDialect();
	const { ask, use, found } = opened;
	await sendThree(opened);
	await use({ repeatedFilters });
	for (const [name, values] of Object.entries({
		message_uuid: ['m0', 'm1'],
		destination: [one, two],
		tags: ['t0', 't1'],
	})) {
		if (expected === undefined) {
			const refused = await ask(messaging.messageList, { query: { [name]: values } });
			expect(refused).toMatchObject({ status: 400, body: { error: { code: 4000 } } });
		} else expect(await found({ [name]: values })).toEqual(expected);
		expect(await found({ [name]: values.slice(1) })).toEqual([two]);
	}
	expect(await found({ direction: ['inbound', 'outbound'] })).toHaveLength(3);
});

test.each([
	['refuse', 400],
	['last', 200],
])('repeatedSingles: %s answers %d', async (repeatedSingles, status) => {
	const opened = openDialect();
	await sendThree(opened);
	await opened.use({ repeatedSingles });
	for (const [query, expected] of [
		['external_message_id=m0&external_message_id=m1', [two]],
		['content=text+0&content=text+1', [two]],
		['country_code=KZ&country_code=RU', [one, two, three]],
	]) {
		const response = await opened.askRaw(`/message?dispatch=false&${query}`);
		const { items } = (await response.json()) as { items?: Array<{ destination: string }> };
		expect(response.status).toBe(status);
		if (status === 200) expect(items?.map(({ destination }) => destination)).toEqual(expected);
	}
});

test('otherId, where there is no other dispatch', async () => {
	const { store, ask, use } = openDialect();
	store.dispatches.clear();
	await use({ createReply: 'otherId' });
	const { body } = await ask(partner.dispatchCreate, { body: { ...dispatch, messages: [] } });
	expect(body).toMatchObject({ id: store.lastIds.dispatch + 1_000 });
});

test.each([
	['message', { single: 2.9, dispatch: 5.25 }],
	['part', { single: 5.8, dispatch: 7.6 }],
])('a price per %s is estimated, reserved, spent and reported', async (charges, price) => {
	const { sandbox, call, use, sendMessages, createDispatch, start, get, ledger } = openDialect();
	await use({ charges });
	const balance = async () => (await call(messaging.balance)).RUB;
	const [before, { spent }] = [await balance(), { ...ledger() }];
	const content = 'я'.repeat(71);
	const callbackUrl = 'https://receiver.example/';
	await sendMessages({ content, callbackUrl, callbackEvents: ['price'] });
	const { id, priceEstimate } = await createDispatch({ messages: recipients });
	expect(priceEstimate).toEqual({ total: price.dispatch, currency: 'RUB', parts: 3 });
	await start(id);
	expect(fromUnits(ledger().reserved)).toBe(price.dispatch);
	await sandbox.advance(minute);
	expect(await balance()).toBeCloseTo(before - price.single, 4);
	expect(fromUnits(ledger().spent - spent)).toBe(price.dispatch);
	expect(await get(id)).toMatchObject({ priceEstimate: price.dispatch, parts: { delivered: 3 } });
	expect(sandbox.callbacks.map(({ body }) => body)).toMatchObject([
		[{ callback_event: 'price', parts: 2, price: price.single }],
	]);
});

test('indexLagMs: what is new or appended is missing from the lists of both APIs until then', async () => {
	const { sandbox, call, use, sendMessages, found, createDispatch, get } = openDialect();
	const earlier = await createDispatch();
	await sandbox.advance(minute);
	await use({ indexLagMs: minute });
	await sendMessages({});
	const { id } = await createDispatch();
	await call(partner.dispatchAppend, { path: { id: earlier.id }, body: { messages: recipients } });
	const total = async (query: { dispatchId: number; status?: 'CREATED' }) =>
		(await call(partner.messageList, { query })).total;
	const seen = async () => [
		await found({}),
		await total({ dispatchId: id }),
		await total({ dispatchId: id, status: 'CREATED' }),
		await total({ dispatchId: earlier.id }),
		(await call(partner.dispatchList, { query: { companyId: flowers } })).items.at(-1)?.id === id,
		(await get(id)).messages.total,
	];
	await sandbox.advance(minute - 1);
	expect(await seen()).toEqual([[], 0, 0, 1, false, 1]);
	await sandbox.advance(1);
	expect(await seen()).toEqual([[mts], 1, 1, 3, true, 1]);
});

test.each(Object.entries(lists))('pageSize: %s is cut, refused, or left alone', async (_, list) => {
	const [endpoint, query]: readonly [Endpoint, Body] = list;
	const { ask, use, sendMessages } = openDialect();
	await sendMessages({}, {});
	const { paging } = endpoint;
	const name = typeof paging === 'object' ? paging.size : 'per_page';
	const sized = async (size: number) => await ask(endpoint, { query: { ...query, [name]: size } });
	const count = ({ body }: { body: unknown }) => (body as List).items.length;
	expect(count(await sized(50))).toBeGreaterThan(1);
	await use({ pageSize: { most: 1, mode: 'cut' } });
	expect(count(await sized(50))).toBe(1);
	await use({ pageSize: { most: 1, mode: 'refuse' } });
	expect(await sized(2)).toMatchObject({ status: 400, body: { error: { code: 4000 } } });
	expect(count(await sized(1))).toBe(1);
	// The default size is the service's own, so it is never refused.
	expect(count(await ask(endpoint, { query }))).toBe(1);
});

test.each<[string, Endpoint, Body]>([
	['PUT /company/{id}', partner.companyUpdate, { path: { id: flowers }, body: { name: 'New' } }],
	['GET /ping', messaging.ping, {}],
	['POST /v1/message', messaging.messageSend, { body: [message()] }],
])('emptyReplies: %s is carried out and answers 204', async (name, endpoint, request) => {
	const { sandbox, ask, use } = openDialect();
	await use({ emptyReplies: endpointNames });
	await use({ emptyReplies: [name] });
	const before = contentsOf(sandbox);
	expect(await ask(endpoint, request)).toEqual({ status: 204, body: undefined });
	if (endpoint.method !== 'GET') expect(contentsOf(sandbox)).not.toBe(before);
});

test('successStatus is the status of every success in JSON, and of nothing else', async () => {
	const { ask, use, sendMessages } = openDialect();
	await ask(partner.companyList);
	await use({ successStatus: 202, emptyReplies: ['POST /dispatches/{id}/start'] });
	expect(await sendMessages({})).toMatchObject({ status: 202, body: { errors: false } });
	expect(await ask(messaging.ping)).toEqual({ status: 200, body: { text: 'PONG' } });
	// A refusal stays what it is.
	expect((await ask(partner.dispatchStart, { path: { id: 999 } })).status).toBe(404);
	await use({ successStatus: 202, sendReply: 'noContent' });
	expect((await sendMessages({})).status).toBe(204);
});

describe('the setting', () => {
	test('every member is tested here', () => {
		const others = ['repeatedFilters', 'repeatedSingles', 'charges', 'indexLagMs', 'pageSize'];
		expect(Object.keys(Dialect.shape).sort()).toEqual(
			[...Object.keys(changed), ...others, 'emptyReplies', 'successStatus'].sort(),
		);
	});

	test('is replaced as a whole, and only by what makes sense', async () => {
		const { store, use } = openDialect();
		await use({ sendReply: 'array', indexLagMs: 5 });
		await use({ keyCase: 'snake' });
		const expected = { ...Dialect.parse({}), keyCase: 'snake' };
		expect(store.settings.dialect).toEqual(expected);
		for (const wrong of [
			...[199, 204, 205, 300].map((successStatus) => ({ successStatus })),
			{ sendReply: 'xml' },
			{ emptyReplies: ['POST /dispatch'] },
			{ other: 1 },
			{ indexLagMs: -1 },
			{ pageSize: { most: 0 } },
			{ pageSize: { most: 5, mode: 'hang' } },
		]) {
			await expect(use(wrong)).rejects.toThrow(Object.keys(wrong)[0]);
		}
		expect(store.settings.dialect).toEqual(expected);
	});

	test('survives a snapshot; one from before a member, or from before the dialect, has the default', async () => {
		const { sandbox, use, control } = openDialect();
		const current = () => sandbox.world.store.settings.dialect;
		await use({ sendReply: 'array', pageSize: { most: 3 } });
		const [bytes, dialect] = [sandbox.snapshot(), current()];
		await control('POST', '/reset', {});
		expect(current()).toEqual(Dialect.parse({}));
		sandbox.restore(bytes);
		expect(current()).toEqual(dialect);
		const saved = deserialize(bytes) as { store: { settings: { dialect?: Body } } };
		saved.store.settings.dialect = { sendReply: 'array' };
		sandbox.restore(serialize(saved));
		expect(current()).toEqual({ ...Dialect.parse({}), sendReply: 'array' });
		delete saved.store.settings.dialect;
		sandbox.restore(serialize(saved));
		expect(current()).toEqual(Dialect.parse({}));
	});
});
