import fc from 'fast-check';
import type { Endpoint } from '../../core/contract/endpoint';
import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import { demo } from '../../sandbox/demo.cts';
import { contentsOf } from '../support/contents.cts';
import { message as messageWith, mts, open } from './support.cts';

const { flowers } = demo.companies;
type Ask = [method: string, path: string, body?: unknown];

/** Sends exactly this, and answers status, error and whether anything changed. */
const openRaw = async () => {
	const { sandbox, call } = open({ checkReplies: false });
	const { login, password } = demo;
	const { token } = await call(partner.token, { body: { login, password } });
	const raw = async (
		method: string,
		path: string,
		init: { body?: string; type?: string; key?: string } = {},
	) => {
		const isMessaging = path.startsWith('/api/');
		const credential = init.key ?? (isMessaging ? demo.apiKey : token);
		const before = contentsOf(sandbox);
		const response = await sandbox.fetch(
			`${sandbox.urls.origin}${isMessaging ? '' : demo.partnerPath}${path}`,
			{
				method,
				headers: {
					authorization: `Bearer ${credential}`,
					...(init.body !== undefined && { 'content-type': init.type ?? 'application/json' }),
				},
				body: init.body,
			},
		);
		const text = await response.text();
		const { code, msg } = /^\{"error":/.test(text)
			? (JSON.parse(text) as { error: { code: number; msg: string } }).error
			: { code: undefined, msg: text };
		return { status: response.status, code, msg, changed: contentsOf(sandbox) !== before };
	};
	return { sandbox, raw };
};

const refuses = async ([method, path, body]: Ask, status: number, code: number, part: string) => {
	const { sandbox, raw } = await openRaw();
	const answer = await raw(method, path, body === undefined ? {} : { body: JSON.stringify(body) });
	expect(answer).toMatchObject({ status, code, changed: false });
	expect(answer.msg).toContain(part);
	// Alive.
	expect((await sandbox.fetch(`${sandbox.urls.messagingUrl}/ping`)).status).toBe(200);
};

const company = { name: 'A', counteragentType: 'LEGAL', counteragentInn: '77' };
const sender = {
	companyId: flowers,
	senderName: 'A',
	channelType: 'SMS',
	commonType: 'COMMON',
	brand: 'MTS',
	dateFrom: '2026-03-01T00:00:00Z',
};
const dispatch = {
	companyId: flowers,
	name: 'A',
	senderIds: [demo.senders.mts],
	channelType: 'SMS',
	text: 'A',
	messages: [{ destination: mts }],
};
const message = messageWith();
const without = (object: object, field: string) =>
	Object.fromEntries(Object.entries(object).filter(([name]) => name !== field));
const { spring } = demo.dispatches;

describe('a wrong field is 4000, and named', () => {
	// The sandbox reads the partner API's requests with the contract's schemas, which test/contract holds field by field.
	test.each<[Ask, string]>([
		[['POST', '/auth/token', { login: 'x', password: 'x', extra: 1 }], 'extra'],
		[['POST', '/company', undefined], 'company: Required'],
		[['POST', '/company', []], 'body: Expected object'],
		[['POST', '/company', { company: without(company, 'name') }], 'company.name'],
		[['POST', '/company', { company, budget: -1 }], 'budget'],
		[['POST', '/company', { company, budget: 1e300 }], 'budget'],
		...['0', '1.5', 'x', '', '1&page=2'].map((page): [Ask, string] => [
			['GET', `/company?page=${page}`],
			'page',
		]),
		[['PUT', '/company/abc', {}], 'id'],
		[['GET', `/senders?companyId=${flowers}&brand=OTHER`], 'brand[0]'],
		[['GET', `/senders?companyId=${flowers}&brand[]=MTS`], 'brand[]'],
		[
			[
				'PUT',
				`/senders/${demo.senders.draft}`,
				{ dateFrom: '2026-04-02T00:00:00Z', dateTo: '2026-04-01T00:00:00Z' },
			],
			'dateTo',
		],
		[
			[
				'POST',
				'/dispatches',
				{ ...dispatch, messages: [{ destination: mts }, { destination: '+7' }] },
			],
			'messages[1].destination',
		],
		[['POST', `/dispatches/${spring}/messages`, { messages: [] }], 'messages'],
		[['GET', `/messages?dispatchId=${spring}&perPage=0`], 'perPage'],
		[['PUT', '/recipients', { companyId: flowers, msisdn: `+${mts}`, blacklist: true }], 'msisdn'],
		[['POST', '/api/v1/message', undefined], 'body: Required'],
		[['POST', '/api/v1/message', message], 'body: Expected array'],
		[['POST', '/api/v1/message', []], 'body'],
		[['POST', '/api/v1/message', Array.from({ length: 1_001 }, () => message)], 'at most 1000'],
		[['POST', '/api/v1/message', [without(message, 'content')]], '[0].content'],
		[['POST', '/api/v1/message', [{ ...message, tags: [5] }]], '[0].tags[0]'],
		[['POST', '/api/v1/message', [{ ...message, externalMessageId: '' }]], '[0].externalMessageId'],
		[
			['POST', '/api/v1/message', [{ ...message, localSendTime: '2026-03-01T10:00:00Z' }]],
			'[0].localSendTime',
		],
		[['GET', '/api/v1/message?direction=sideways'], 'direction[0]'],
		[['GET', '/api/v1/dispatch?created_from=2026-03-02T10:00:00%2B03:00'], 'created_from'],
		[['POST', '/api/v1/message/stop', { uuids: [] }], 'uuids'],
	])('%j: %s', async (ask, field) => {
		await refuses(ask, 400, 4000, field);
	});
});

test.each<[Ask]>([
	[['PUT', '/company/999', {}]],
	[['POST', '/senders', { ...sender, companyId: 999 }]],
	[['GET', '/senders?companyId=999']],
	[['POST', '/senders/999/suspend', {}]],
	[['POST', '/dispatches', { ...dispatch, senderIds: [999] }]],
	[['POST', '/dispatches', { ...dispatch, senderIds: [demo.senders.bakeryMts] }]],
	[['POST', '/dispatches', { ...dispatch, companyId: 999 }]],
	[['POST', '/dispatches/999/start']],
	[['GET', '/dispatches?companyId=999']],
	[['GET', '/messages?dispatchId=999']],
	[['GET', `/senders/${demo.senders.mts}?companyId=${demo.companies.bakery}`]],
	[['POST', '/senders', { ...sender, documentIds: ['unknown'] }]],
	[['PUT', '/recipients', { companyId: 999, msisdn: mts, blacklist: true }]],
	[['POST', '/api/v1/verifier/widget/check', { key: 'none' }]],
])('an unknown id is 4040: %j', async (ask) => {
	await refuses(ask, 404, 4040, 'does not exist');
});

const { senders } = demo;
const ofTravel = { companyId: demo.companies.travel, senderIds: [senders.travelMts] };
/** A second before the sandbox begins. */
const past = '2026-03-02T06:59:59Z';

test.each<[Ask, string]>([
	[['POST', `/dispatches/${spring}/messages`, { messages: [{ destination: mts }] }], 'COMPLETED'],
	[['POST', `/dispatches/${spring}/start`], 'COMPLETED'],
	[['POST', `/dispatches/${spring}/stop`], 'COMPLETED'],
	[['POST', '/dispatches', { ...dispatch, ...ofTravel }], 'DISABLED'],
	[
		['POST', '/dispatches', { ...dispatch, senderIds: [senders.mts, senders.inReview] }],
		'senderIds: there is more than one',
	],
	[['PUT', `/senders/${senders.mts}`, { senderName: 'X' }], 'senderName'],
	[['PUT', `/senders/${senders.inReview}`, { senderName: 'X' }], 'senderName'],
	[['PUT', `/senders/${senders.draft}`, { senderName: 'TWELVELETTER' }], 'senderName'],
	[['PUT', `/senders/${senders.closed}`, { documentIds: [] }], 'CLOSED'],
	[['PUT', `/senders/${senders.mts}`, { dateTo: past }], 'in the past'],
])('what its state forbids is 4000: %j', async (ask, part) => {
	await refuses(ask, 400, 4000, part);
});

const formWith = (...parts: Array<[name: string, value: string | Blob]>) => {
	const form = new FormData();
	for (const [name, value] of parts) form.append(name, value);
	return form;
};
const pdf = new Blob(['%PDF-']);

test.each<[string, FormData | string, string, string?]>([
	['text instead of a file', formWith(['file', 'text']), 'file: must be a file'],
	['another name', formWith(['document', pdf]), 'file: must be a file'],
	['a text in a file', formWith(['file', new Blob(['I am a picture'])]), 'file: must be a PDF'],
	['two files', formWith(['file', pdf], ['file', pdf]), 'file: was given 2 times'],
	['something else beside it', formWith(['file', pdf], ['note', 'x']), "'note'"],
	['JSON', '{"file": "x"}', 'multipart/form-data', 'application/json'],
	['half a form', '--x\r\nbroken', 'form', 'multipart/form-data; boundary=x'],
])('a document form with %s is 4000', async (_, body, part, type = '') => {
	const { sandbox, call } = open();
	await call(partner.companyList);
	const [token] = [...sandbox.world.store.tokens.keys()];
	const response = await sandbox.fetch(`${sandbox.urls.partnerUrl}/company/${flowers}/documents`, {
		method: 'POST',
		headers: {
			authorization: `Bearer ${token}`,
			...(type !== '' && { 'content-type': type }),
		},
		body,
	});
	const msg = expect.stringContaining(part) as string;
	expect(await response.json()).toEqual({ error: { code: 4000, msg } });
	expect(sandbox.world.store.documents.size).toBe(0);
});

describe('a body that is none', () => {
	test.each(['{', '{"company": }', 'null garbage', '\u0000', "{'a': 1}"])('%j', async (body) => {
		const { raw } = await openRaw();
		expect(await raw('POST', '/company', { body })).toMatchObject({
			status: 400,
			code: 4000,
			msg: expect.stringContaining('not valid JSON') as string,
			changed: false,
		});
	});

	test('another content type', async () => {
		const { raw } = await openRaw();
		const body = JSON.stringify({ company });
		for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
			expect(await raw('POST', '/company', { body, type })).toMatchObject({
				status: 400,
				msg: expect.stringContaining('Content-Type') as string,
				changed: false,
			});
		}
		const type = 'application/json; charset=utf-8';
		expect((await raw('POST', '/company', { body, type })).status).toBe(201);
	});

	test('a hundred thousand wrong recipients are one clear sentence', async () => {
		const { raw } = await openRaw();
		const messages = Array.from({ length: 100_000 }, () => ({ destination: 'x' }));
		const answer = await raw('POST', '/dispatches', {
			body: JSON.stringify({ ...dispatch, messages }),
		});
		expect(answer).toMatchObject({ status: 400, code: 4000, changed: false });
		expect(answer.msg).toContain('messages[0].destination');
		expect(answer.msg).toContain('and 99997 more');
		expect(answer.msg.length).toBeLessThan(500);
	});

	test('keys of the prototype are nothing special', async () => {
		const { sandbox, raw } = await openRaw();
		const body = `{"companyId": ${flowers}, "name": "A", "senderIds": [${demo.senders.mts}], "channelType": "SMS",
			"text": "{__proto__}{constructor}", "messages": [{"destination": "${mts}", "substitutions": {"__proto__": "x"}}]}`;
		expect((await raw('POST', '/dispatches', { body })).status).toBe(200);
		const [last] = [...sandbox.world.store.dispatches.values()].slice(-1);
		expect(last.messages[0].text).toBe('{__proto__}{constructor}');
		expect(Object.keys(Object.prototype)).toEqual([]);
	});
});

describe('anything at all', () => {
	const endpoints = [...Object.values(partner), ...Object.values(messaging)] as Endpoint[];
	const withBody = endpoints.filter(
		({ body, encoding }) => body !== undefined && encoding === 'json',
	);
	const pathOf = ({ api, path }: Endpoint) =>
		`${api === 'partner' || path.startsWith('/api/') ? '' : demo.messagingPath}${path.replace('{id}', String(flowers))}`;

	test.each(withBody.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
		'%s answers below 500, and a refusal changes nothing',
		async (_, endpoint) => {
			const { raw } = await openRaw();
			await fc.assert(
				fc.asyncProperty(fc.oneof(fc.json(), fc.string()), async (body) => {
					const answer = await raw(endpoint.method, pathOf(endpoint), { body });
					expect(answer.status).toBeLessThan(500);
					if (answer.status >= 400) expect(answer.changed).toBe(false);
				}),
				{ numRuns: 40 },
			);
		},
	);

	test('as a query', async () => {
		const { raw } = await openRaw();
		const lists = [
			'/company',
			'/senders',
			'/dispatches',
			'/messages',
			'/price/tariffs',
			'/api/v1/message',
		];
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...lists), fc.webQueryParameters(), async (path, query) => {
				const answer = await raw('GET', `${path}?${query}`);
				expect(answer.status).toBeLessThan(500);
				expect(answer.changed).toBe(false);
			}),
		);
	});
});
