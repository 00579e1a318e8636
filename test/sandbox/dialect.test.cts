import { deserialize, serialize } from 'node:v8';
import type { Endpoint } from '../../core/contract/endpoint';
import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import { demo } from '../../sandbox/demo.cts';
import { Dialect, dialectOptions, endpointNames } from '../../sandbox/api/dialect.cts';
import { fromUnits } from '../../sandbox/stored/money.cts';
import { contentsOf } from '../support/contents.cts';
import { message as single, minute, mts, open, tele2, type Send } from './support.cts';

const { flowers } = demo.companies;
const { viber } = demo.senderNames;

type Options = typeof dialectOptions;
type Choice = keyof Options;
type Rows<Member extends Choice, Row> = Record<Options[Member][number], Row>;
type Body = Record<string, unknown>;

const errorBody = { error: { code: 5000, msg: expect.any(String) as string } };
const without = (row: Body, ...names: string[]) =>
	Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

const openDialect = () => {
	const opened = open();
	const { sandbox, send, control } = opened;
	const { store } = sandbox.world;
	/** Status and body as they come; a body that is not there is `undefined`, one that is not JSON is in `text`. */
	const ask = async (endpoint: Endpoint, request?: Parameters<typeof send>[1]) => {
		const response = await send(endpoint, request);
		const text = await response.text();
		const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
		const body: unknown = isJson ? JSON.parse(text) : text === '' ? undefined : { text };
		return { status: response.status, body };
	};
	const use = async (dialect: Body) => await control('PUT', '/settings', { dialect });
	const message = (externalMessageId: string, fields: Partial<Send> = {}) =>
		single({ externalMessageId, ...fields });
	const sendMessages = async (...ids: string[]) =>
		await ask(messaging.messageSend, { body: ids.map((id) => message(id)) });
	/** What the service has kept, whatever it says. */
	const kept = () => store.singles.map(({ single }) => single?.externalMessageId);
	const found = async (query: Body) => {
		const { body } = await ask(messaging.messageList, { query: { dispatch: false, ...query } });
		const { items } = body as { items: Body[] };
		return items.map(({ destination }) => destination);
	};
	return { ...opened, askRaw: opened.ask, store, ask, use, message, sendMessages, kept, found };
};

/** One test per option, found by name: an option without a row fails as itself. */
const eachOption = <Member extends Choice, Row>(
	member: Member,
	rows: Record<string, Row>,
	check: (row: Row, option: string) => Promise<void>,
) => {
	tested.push(member);
	describe(member, () => {
		test.each<string>(dialectOptions[member])('%s', async (option) => {
			if (!Object.hasOwn(rows, option)) throw new Error(`${member} ${option} has no row`);
			await check(rows[option], option);
		});
	});
};
const tested: string[] = ['indexLagMs', 'pageSize', 'emptyReplies', 'successStatus'];

interface Sent {
	items: Body[];
	uuids: unknown[];
}
const ok = (body: unknown) => ({ status: 200, body });

const sendRows: Rows<'sendReply', (sent: Sent) => { status: number; body: unknown }> = {
	items: ({ items }) => ok({ errors: false, items }),
	array: ({ items }) => ok(items),
	single: ({ items }) => ok(items[0]),
	messages: ({ items }) => ok({ errors: false, messages: items }),
	data: ({ items }) => ok({ errors: false, data: items }),
	snake: ({ items }) =>
		ok({
			errors: false,
			items: items.map(({ messageUuid, externalMessageId }) => ({
				message_uuid: messageUuid,
				external_message_id: externalMessageId,
				code: 201,
			})),
		}),
	uuid: ({ uuids }) => ok({ errors: false, items: uuids.map((uuid) => ({ uuid })) }),
	idsOnly: ({ items }) => ok({ errors: false, items: items.map((item) => without(item, 'code')) }),
	noIds: ({ uuids }) =>
		ok({ errors: false, items: uuids.map((messageUuid) => ({ messageUuid, code: 201 })) }),
	reversed: ({ items }) => ok({ errors: false, items: items.toReversed() }),
	fewer: ({ items }) => ok({ errors: false, items: items.slice(1) }),
	emptyObject: () => ok({}),
	emptyArray: () => ok([]),
	empty202: () => ({ status: 202, body: undefined }),
	noContent: () => ({ status: 204, body: undefined }),
	text: () => ok({ text: 'OK' }),
	errorBody: () => ok(errorBody),
	errorsTrue: () => ok({ errors: true }),
};

eachOption('sendReply', sendRows, async (row, option) => {
	const { store, ask, use, message, sendMessages, kept, sandbox } = openDialect();
	await use({ sendReply: option });
	const rowFor = (from: number) => {
		const sent = store.singles.slice(from);
		const uuids = sent.map(({ uuid }) => uuid);
		const items = sent.map(({ uuid, single }) => ({
			messageUuid: uuid,
			externalMessageId: single?.externalMessageId,
			code: 201,
		}));
		return row({ items, uuids });
	};
	const answer = await sendMessages('a', 'b', 'c');
	expect(kept()).toEqual(['a', 'b', 'c']);
	expect(answer).toEqual(rowFor(0));
	const cascades = ['d', 'e'].map((externalMessageId) => ({
		destination: mts,
		externalMessageId,
		cascade: [
			{ ...without(message(''), 'destination', 'externalMessageId'), content: { text: 'Hi' } },
		],
	}));
	const cascaded = await ask(messaging.cascadeSend, { body: cascades });
	expect(kept()).toEqual(['a', 'b', 'c', 'd', 'e']);
	expect(cascaded).toEqual(rowFor(3));
	// A stop says what it did in every dialect of sending.
	const uuids = [store.singles[0].uuid];
	expect((await ask(messaging.messageStop, { body: { uuids } })).body).toEqual({
		errors: false,
		items: [{ messageUuid: uuids[0], code: 201 }],
	});
	await sandbox.advance(minute);
	expect(store.singles.map(({ state }) => state)).toEqual([
		'unsent',
		...Array.from({ length: 4 }, () => 'delivered'),
	]);
});

type List = Body & { items: Body[]; total: number };
const listRows: Rows<'listEnvelope', (list: List) => unknown> = {
	items: (list) => list,
	array: ({ items }) => items,
	data: ({ items, ...rest }) => ({ ...rest, data: items }),
	results: ({ items, ...rest }) => ({ ...rest, results: items }),
	noTotal: (list) => without(list, 'total'),
	totalAsText: (list) => ({ ...list, total: `${list.total}` }),
	emptyObject: () => ({}),
	itemsNull: (list) => ({ ...list, items: null }),
	errorBody: () => errorBody,
	emptyWithTotal: (list) => ({ ...list, total: Math.max(7, list.total), items: [] }),
	twoLists: (list) => ({ ...list, items: list.items.slice(1), data: list.items }),
};
const lists: Array<[Endpoint, Body]> = [
	[messaging.messageList, {}],
	[partner.companyList, {}],
	[partner.dispatchList, { companyId: flowers }],
	[partner.messageList, { dispatchId: demo.dispatches.spring }],
];

eachOption('listEnvelope', listRows, async (row, option) => {
	const { sandbox, ask, use } = openDialect();
	for (const [endpoint, query] of lists) {
		await use({});
		const usual = await ask(endpoint, { query });
		await use({ listEnvelope: option });
		const before = contentsOf(sandbox);
		const list = usual.body as List;
		expect(list.items.length).toBeGreaterThan(1);
		expect(await ask(endpoint, { query })).toEqual(ok(row(list)));
		expect(contentsOf(sandbox)).toBe(before);
	}
});

test('emptyWithTotal counts truly above 7', async () => {
	const { use, sendMessages, ask } = openDialect();
	await sendMessages(...Array.from({ length: 9 }, (_, index) => `m${index}`));
	await use({ listEnvelope: 'emptyWithTotal' });
	const { body } = await ask(messaging.messageList, { query: { dispatch: false } });
	expect(body).toEqual({ total: 9, items: [] });
});

interface Cased {
	sent: (uuid: string) => unknown;
	listed: unknown;
}
const content = { contentType: 'text', text: 'Hello', someButton: { itsUrl: 'x' } };
const price = { currency: 'RUB', final: false };
const caseRows: Rows<'keyCase', Cased> = {
	camel: {
		sent: (messageUuid) => ({
			errors: false,
			items: [{ messageUuid, externalMessageId: 'a', code: 201 }],
		}),
		listed: {
			total: 1,
			items: [{ totalParts: 1, price: { ...price, invoicedParts: 1 }, content }],
		},
	},
	snake: {
		sent: (uuid) => ({
			errors: false,
			items: [{ message_uuid: uuid, external_message_id: 'a', code: 201 }],
		}),
		listed: {
			total: 1,
			items: [{ total_parts: 1, price: { ...price, invoiced_parts: 1 }, content }],
		},
	},
	pascal: {
		sent: (uuid) => ({
			Errors: false,
			Items: [{ MessageUuid: uuid, ExternalMessageId: 'a', Code: 201 }],
		}),
		listed: {
			Total: 1,
			Items: [
				{
					TotalParts: 1,
					Price: { Currency: 'RUB', Final: false, InvoicedParts: 1 },
					Content: content,
				},
			],
		},
	},
};

eachOption('keyCase', caseRows, async ({ sent, listed }, option) => {
	const { store, ask, use, message, kept } = openDialect();
	await use({ keyCase: option });
	const fields = { channelType: 'VIBER', senderName: viber, content };
	const { body } = await ask(messaging.messageSend, { body: [message('a', fields)] });
	expect(kept()).toEqual(['a']);
	expect(body).toEqual(sent(store.singles[0].uuid));
	const list = await ask(messaging.messageList, { query: { message_uuid: ['a'] } });
	expect(list.body).toMatchObject(listed as object);
	expect((await ask(messaging.balance)).body).toHaveProperty('RUB');
	// The error body is in the contract, and so it stays.
	await use({ keyCase: option, sendReply: 'errorBody' });
	expect((await ask(messaging.messageSend, { body: [message('b')] })).body).toEqual(errorBody);
});

const ownIdRows: Rows<'ownIds', { shown: boolean; found: boolean }> = {
	kept: { shown: true, found: true },
	hidden: { shown: false, found: true },
	lost: { shown: false, found: false },
};

eachOption('ownIds', ownIdRows, async (row, option) => {
	const { store, ask, use, sendMessages, found, kept } = openDialect();
	await use({ ownIds: option });
	const answer = await sendMessages('a');
	const hasOwnId = (body: unknown) => JSON.stringify(body).includes('"externalMessageId":"a"');
	expect(kept()).toEqual(['a']);
	expect(hasOwnId(answer.body)).toBe(row.shown);
	expect(JSON.stringify(answer.body)).toContain(store.singles[0].uuid);
	const byUuid = { message_uuid: [store.singles[0].uuid] };
	const listed = await ask(messaging.messageList, { query: byUuid });
	expect([listed.body].map(hasOwnId)).toEqual([row.shown]);
	expect(await found(byUuid)).toEqual([mts]);
	for (const name of ['message_uuid', 'external_message_id']) {
		expect(await found({ [name]: ['a'] })).toEqual(row.found ? [mts] : []);
	}
});

const [one, two, three] = ['79160000001', '79160000002', '79160000003'];
const filterRows: Rows<'repeatedFilters', string[] | 'refused'> = {
	any: [one, two],
	first: [one],
	last: [two],
	refuse: 'refused',
	ignored: [one, two, three],
	none: [],
};

eachOption('repeatedFilters', filterRows, async (row, option) => {
	const { sandbox, ask, use, message, found } = openDialect();
	await ask(messaging.messageSend, {
		body: [one, two, three].map((destination, index) =>
			message(`m${index}`, { destination, tags: [`t${index}`] }),
		),
	});
	await use({ repeatedFilters: option });
	const before = contentsOf(sandbox);
	for (const query of [
		{ message_uuid: ['m0', 'm1'] },
		{ destination: [one, two] },
		{ tags: ['t0', 't1'] },
	]) {
		const [[name, values]] = Object.entries(query);
		if (row === 'refused') {
			const { status, body } = await ask(messaging.messageList, { query });
			expect([status, body]).toMatchObject([400, { error: { code: 4000 } }]);
		} else expect(await found(query)).toEqual(row);
		expect(await found({ [name]: values.slice(1) })).toEqual([two]);
	}
	expect(await found({ direction: ['inbound', 'outbound'] })).toHaveLength(3);
	expect(contentsOf(sandbox)).toBe(before);
});

const singleRows: Rows<'repeatedSingles', string[] | 'refused'> = {
	refuse: 'refused',
	last: [two],
};

eachOption('repeatedSingles', singleRows, async (row, option) => {
	const { askRaw, ask, use, message } = openDialect();
	await ask(messaging.messageSend, {
		body: [one, two].map((destination, index) =>
			message(`m${index}`, { destination, content: `text ${index}` }),
		),
	});
	await use({ repeatedSingles: option });
	for (const [name, values] of [
		['external_message_id', ['m0', 'm1']],
		['content', ['text 0', 'text 1']],
		['content_nor', ['text 1', 'text 0']],
		['country_code', ['KZ', 'RU']],
	] as const) {
		// The contract has no list for these.
		const query = new URLSearchParams(values.map((value) => [name, value]));
		const response = await askRaw(`/message?dispatch=false&${query}`);
		const { items = [] } = (await response.json()) as { items?: Array<{ destination: string }> };
		const found = items.map(({ destination }) => destination);
		if (row === 'refused') expect(response.status).toBe(400);
		else expect([name, found]).toEqual([name, name === 'country_code' ? [one, two] : row]);
	}
});

type Made = Body & { id: number };
const madeRows: Rows<
	'createReply',
	(made: Made, other: number) => { status: number; body: unknown }
> = {
	contract: ok,
	emptyObject: () => ok({}),
	emptyArray: () => ok([]),
	errorBody: () => ok(errorBody),
	noId: (made) => ok(without(made, 'id')),
	otherId: (made, other) => ok({ ...made, id: other }),
	textId: (made) => ok({ ...made, id: `${made.id}` }),
	noMessages: (made) => ok(without(made, 'messages')),
	noCounts: (made) => ok(without(made, 'total', 'success', 'failed')),
	snake: ({ id, status, total, success, failed, priceEstimate, messages }) =>
		ok({
			...{ id, status, total, success, failed, price_estimate: priceEstimate },
			messages: (messages as Body[]).map(({ messageUuid, senderId, ...rest }) => ({
				...rest,
				message_uuid: messageUuid,
				sender_id: senderId,
			})),
		}),
	wrapped: (made) => ok({ data: made }),
	noContent: () => ({ status: 204, body: undefined }),
};

const checkMade =
	(member: 'createReply' | 'appendReply') =>
	async (row: (typeof madeRows)['contract'], option: string) => {
		const { store, ask, use, createDispatch } = openDialect();
		const earlier = (await createDispatch({ name: 'Earlier' })).id;
		const messages = [{ destination: mts }, { destination: tele2 }];
		const create = { companyId: flowers, name: 'New', channelType: 'SMS', text: 'Hello' };
		const senderIds = [demo.senders.mts, demo.senders.tele2];
		const count = store.dispatches.size;
		await use({ [member]: option });
		const answer =
			member === 'createReply'
				? await ask(partner.dispatchCreate, { body: { ...create, senderIds, messages } })
				: await ask(partner.dispatchAppend, { path: { id: earlier }, body: { messages } });
		const [id, dispatch] = [...store.dispatches].at(-1)!;
		const other = member === 'createReply' ? earlier : demo.dispatches.reminder;
		const added = dispatch.messages.slice(-2);
		expect(store.dispatches.size - count).toBe(member === 'createReply' ? 1 : 0);
		expect(dispatch.messages.map(({ destination }) => destination)).toEqual([
			...(member === 'createReply' ? [] : [mts]),
			mts,
			tele2,
		]);
		const made = {
			id,
			status: 'CREATED',
			priceEstimate: { total: expect.any(Number) as number, currency: 'RUB', parts: 2 },
			total: 2,
			success: 2,
			failed: 0,
			messages: added.map(({ uuid, destination, senderId }) => ({
				messageUuid: uuid,
				destination,
				parts: 1,
				senderId,
			})),
		};
		expect(answer).toEqual(row(made, other));
	};
eachOption('createReply', madeRows, checkMade('createReply'));
eachOption('appendReply', madeRows, checkMade('appendReply'));

test('otherId, where there is no other dispatch', async () => {
	const { control, ask, use, forgetToken } = openDialect();
	await control('POST', '/reset', { data: 'empty' });
	forgetToken();
	const senders = [{ senderName: 'ONE', brand: 'MTS' }];
	const seeded = await control('POST', '/seed', { companies: [{ name: 'One', senders }] });
	const [{ companyId, senderIds }] = (seeded as { companies: Array<Record<string, unknown>> })
		.companies;
	await use({ createReply: 'otherId' });
	const body = { companyId, senderIds, name: 'A', channelType: 'SMS', text: 'A', messages: [] };
	expect((await ask(partner.dispatchCreate, { body })).body).toMatchObject({ id: 4_001 });
});

type Move = { id: number; status: string };
const moveRows: Rows<'moveReply', (move: Move) => { status: number; body: unknown }> = {
	contract: ok,
	emptyObject: () => ok({}),
	stillCreated: ({ id }) => ok({ id, status: 'CREATED' }),
	noStatus: ({ id }) => ok({ id }),
	noContent: () => ({ status: 204, body: undefined }),
	errorBody: () => ok(errorBody),
};

eachOption('moveReply', moveRows, async (row, option) => {
	const { store, ask, use, createDispatch } = openDialect();
	const { id } = await createDispatch();
	const dispatch = store.dispatches.get(id)!;
	await use({ moveReply: option });
	const started = await ask(partner.dispatchStart, { path: { id } });
	expect([dispatch.status, dispatch.run]).toEqual(['STARTED', 1]);
	expect(started).toEqual(row({ id, status: 'STARTED' }));
	const stopped = await ask(partner.dispatchStop, { path: { id } });
	expect(dispatch.status).toBe('STOPPED');
	expect(stopped).toEqual(row({ id, status: 'STOPPED' }));
});

const missing = Symbol('the key is not there');
const priceRows: Rows<'priceEstimate', unknown> = {
	number: 8.7,
	missing,
	null: null,
	commaText: '8,70',
	text: '8.70',
	object: { total: 8.7, currency: 'RUB' },
	nan: 'NaN',
};

eachOption('priceEstimate', priceRows, async (row, option) => {
	const { store, ask, use, createDispatch } = openDialect();
	const messages = [mts, mts, mts].map((destination) => ({ destination }));
	const { id, priceEstimate } = await createDispatch({ messages });
	await use({ priceEstimate: option });
	const read = (await ask(partner.dispatchGet, { path: { id } })).body as Body;
	const { body } = await ask(partner.dispatchList, { query: { companyId: flowers } });
	const listed = (body as List).items.at(-1)!;
	for (const shown of [read, listed]) {
		expect(shown.id).toBe(id);
		expect('priceEstimate' in shown ? shown.priceEstimate : missing).toEqual(row);
	}
	expect([priceEstimate.total, store.dispatches.get(id)?.priceEstimate]).toEqual([8.7, 87_000]);
});

const chargeRows: Rows<'charges', { single: number; dispatch: number }> = {
	message: { single: 2.9, dispatch: 5.25 },
	part: { single: 5.8, dispatch: 7.6 },
};

eachOption('charges', chargeRows, async (row, option) => {
	const { sandbox, ask, call, use, message, createDispatch, start, get, ledger } = openDialect();
	await use({ charges: option });
	const long = 'я'.repeat(71);
	const balance = async () => (await call(messaging.balance)).RUB;
	const [before, { spent }] = [await balance(), { ...ledger() }];
	const callbackUrl = 'https://receiver.example/';
	const fields: Partial<Send> = { content: long, callbackUrl, callbackEvents: ['price'] };
	await ask(messaging.messageSend, { body: [message('a', fields)] });
	expect(await balance()).toBeCloseTo(before - row.single, 4);
	const { id, priceEstimate } = await createDispatch({
		messages: [{ destination: mts }, { destination: tele2, customText: long }],
	});
	expect(priceEstimate).toEqual({ total: row.dispatch, currency: 'RUB', parts: 3 });
	await start(id);
	expect(fromUnits(ledger().reserved)).toBe(row.dispatch);
	await sandbox.advance(minute);
	expect(await balance()).toBeCloseTo(before - row.single, 4);
	expect(fromUnits(ledger().spent - spent)).toBe(row.dispatch);
	expect(await get(id)).toMatchObject({ priceEstimate: row.dispatch, parts: { delivered: 3 } });
	const { items } = await call(partner.messageList, { query: { dispatchId: id } });
	expect(items.map(({ parts }) => parts)).toEqual([1, 2]);
	expect(items.reduce((sum, { price }) => sum + (price ?? 0), 0)).toBe(row.dispatch);
	const { body } = await ask(messaging.messageList, { query: { message_uuid: ['a'] } });
	expect((body as List).items).toMatchObject([
		{ totalParts: 2, price: { totalPrice: row.single } },
	]);
	expect(sandbox.callbacks.map((callback) => callback.body)).toMatchObject([
		[{ callback_event: 'price', parts: 2, price: row.single }],
	]);
});

describe('indexLagMs', () => {
	test('a new message is missing from the lists of both APIs until then, and its dispatch knows it', async () => {
		const { sandbox, call, use, sendMessages, found, createDispatch, get } = openDialect();
		await use({ indexLagMs: minute });
		await sendMessages('a');
		const { id } = await createDispatch();
		const seen = async () => [
			await found({ message_uuid: ['a'] }),
			(await call(partner.messageList, { query: { dispatchId: id } })).total,
			(await call(partner.messageList, { query: { dispatchId: id, status: 'CREATED' } })).total,
			(await call(partner.dispatchList, { query: { companyId: flowers } })).items.at(-1)?.id === id,
			(await get(id)).messages.total,
		];
		expect(await seen()).toEqual([[], 0, 0, false, 1]);
		await sandbox.advance(minute - 1);
		expect(await seen()).toEqual([[], 0, 0, false, 1]);
		await sandbox.advance(1);
		expect(await seen()).toEqual([[mts], 1, 1, true, 1]);
	});

	test('of an appended message too', async () => {
		const { sandbox, call, use, createDispatch } = openDialect();
		const { id } = await createDispatch();
		await sandbox.advance(minute);
		await use({ indexLagMs: minute });
		const messages = [{ destination: tele2 }];
		await call(partner.dispatchAppend, { path: { id }, body: { messages } });
		const { total, items } = await call(partner.messageList, { query: { dispatchId: id } });
		expect([total, items.map(({ destination }) => destination)]).toEqual([1, [mts]]);
	});
});

describe('pageSize', () => {
	const sizes = (endpoint: Endpoint, query: Body, size: number) => ({
		query: {
			...query,
			[typeof endpoint.paging === 'object' ? endpoint.paging.size : 'per_page']: size,
		},
	});

	test.each(lists.map(([endpoint, query]) => [endpoint.path, endpoint, query] as const))(
		'%s: cut, refused, or left alone',
		async (_, endpoint, query) => {
			const { ask, use } = openDialect();
			const count = ({ body }: { body: unknown }) => (body as List).items.length;
			const { paging } = endpoint;
			if (endpoint.api === 'partner' && typeof paging === 'object') {
				const perPage = paging.defaultSize;
				expect((await ask(endpoint, { query })).body).toMatchObject({ page: 1, perPage });
			}
			const all = count(await ask(endpoint, sizes(endpoint, query, 50)));
			expect(all).toBeGreaterThan(1);
			await use({ pageSize: { most: 1, mode: 'cut' } });
			expect(count(await ask(endpoint, sizes(endpoint, query, 50)))).toBe(1);
			await use({ pageSize: { most: 1, mode: 'refuse' } });
			const refused = await ask(endpoint, sizes(endpoint, query, 2));
			expect([refused.status, refused.body]).toMatchObject([400, { error: { code: 4000 } }]);
			expect(count(await ask(endpoint, sizes(endpoint, query, 1)))).toBe(1);
			// The default size is the service's own, so it is never refused.
			expect(count(await ask(endpoint, { query }))).toBe(1);
		},
	);
});

describe('emptyReplies', () => {
	test.each<[string, Endpoint, Body]>([
		[
			'PUT /recipients',
			partner.recipientUpdate,
			{ body: { companyId: flowers, msisdn: mts, blacklist: true } },
		],
		['PUT /company/{id}', partner.companyUpdate, { path: { id: flowers }, body: { name: 'New' } }],
		['GET /company', partner.companyList, {}],
		['GET /ping', messaging.ping, {}],
		['POST /v1/message', messaging.messageSend, { body: [single()] }],
	])('%s is carried out and answers 204', async (name, endpoint, request) => {
		const { sandbox, store, ask, use } = openDialect();
		await use({ emptyReplies: [name] });
		const before = contentsOf(sandbox);
		expect(await ask(endpoint, request)).toEqual({ status: 204, body: undefined });
		if (endpoint.method !== 'GET') expect(contentsOf(sandbox)).not.toBe(before);
		expect(store.singles).toHaveLength(name === 'POST /v1/message' ? 1 : 0);
	});

	test('a refusal stays what it is', async () => {
		const { ask, use } = openDialect();
		await use({ emptyReplies: ['POST /dispatches/{id}/start'] });
		const answer = await ask(partner.dispatchStart, { path: { id: 999 } });
		expect([answer.status, answer.body]).toMatchObject([404, { error: { code: 4040 } }]);
	});

	test('takes every endpoint of the contract, and no other name', async () => {
		const { use } = openDialect();
		await use({ emptyReplies: endpointNames });
		await expect(use({ emptyReplies: ['POST /dispatch'] })).rejects.toThrow('emptyReplies');
	});
});

describe('successStatus', () => {
	test('is the status of every success in JSON, and of nothing else', async () => {
		const { ask, use, sendMessages, kept } = openDialect();
		await ask(partner.companyList);
		await use({ successStatus: 202 });
		const sent = await sendMessages('a');
		expect([sent.status, sent.body]).toMatchObject([202, { errors: false }]);
		expect(kept()).toEqual(['a']);
		const company = { name: 'A', counteragentType: 'LEGAL', counteragentInn: '77' };
		expect((await ask(partner.companyCreate, { body: { company } })).status).toBe(202);
		expect(await ask(messaging.ping)).toEqual(ok({ text: 'PONG' }));
		expect((await ask(partner.dispatchGet, { path: { id: 999 } })).status).toBe(404);
		await use({ successStatus: 202, sendReply: 'noContent' });
		expect((await sendMessages('b')).status).toBe(204);
	});

	test.each([199, 204, 205, 300])('%d is refused', async (successStatus) => {
		await expect(openDialect().use({ successStatus })).rejects.toThrow('successStatus');
	});
});

describe('the setting', () => {
	test('every member is tested here', () => {
		expect(Object.keys(Dialect.shape).sort()).toEqual([...tested].sort());
	});

	test('the default of a choice is its first option', () => {
		const defaults = Object.entries(dialectOptions).map(([name, [first]]) => [name, first]);
		expect(Dialect.parse({})).toMatchObject(Object.fromEntries(defaults) as object);
	});

	test('is replaced as a whole, and only by what makes sense', async () => {
		const { store, use } = openDialect();
		await use({ sendReply: 'array', indexLagMs: 5 });
		await use({ keyCase: 'snake' });
		expect(store.settings.dialect).toEqual({ ...Dialect.parse({}), keyCase: 'snake' });
		for (const wrong of [
			{ sendReply: 'xml' },
			{ other: 1 },
			{ indexLagMs: -1 },
			{ pageSize: { most: 0 } },
			{ pageSize: { most: 5, mode: 'hang' } },
		]) {
			await expect(use(wrong)).rejects.toThrow(Object.keys(wrong)[0]);
		}
		expect(store.settings.dialect.keyCase).toBe('snake');
	});

	test('survives a snapshot, and reset forgets it', async () => {
		const { sandbox, use, control } = openDialect();
		await use({ sendReply: 'array', pageSize: { most: 3 } });
		const saved = sandbox.snapshot();
		const { dialect } = sandbox.world.store.settings;
		await control('POST', '/reset', {});
		expect(sandbox.world.store.settings.dialect).toEqual(Dialect.parse({}));
		sandbox.restore(saved);
		expect(sandbox.world.store.settings.dialect).toEqual(dialect);
	});

	test('a snapshot from before a member, or from before the dialect, has the default', () => {
		const { sandbox } = openDialect();
		const saved = deserialize(sandbox.snapshot()) as { store: { settings: { dialect?: Body } } };
		saved.store.settings.dialect = { sendReply: 'array' };
		sandbox.restore(serialize(saved));
		expect(sandbox.world.store.settings.dialect).toEqual({
			...Dialect.parse({}),
			sendReply: 'array',
		});
		delete saved.store.settings.dialect;
		sandbox.restore(serialize(saved));
		expect(sandbox.world.store.settings.dialect).toEqual(Dialect.parse({}));
	});
});
