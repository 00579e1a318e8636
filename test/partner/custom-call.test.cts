import type { INodeParameters } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { jsonOf, linksOf, useSandbox } from '../support/sandbox.cts';

const bench = useSandbox();
const { flowers } = demo.companies;

const call = async (parameters: INodeParameters) => await bench.run('customCall.call', parameters);

/** Answers the next request, whatever it is, so that calls the service does not have can be looked at. */
const answer = (body: string, status = 200) =>
	bench.sandbox.faults.add({
		kind: 'status',
		status,
		body,
		headers: { 'content-type': 'application/json' },
		match: { path: '*/company*' },
	});

const query = (...pairs: Array<[string, string]>): INodeParameters => ({
	parameter: pairs.map(([name, value]) => ({ name, value })),
});

describe('each method', () => {
	test('GET', async () => {
		const { items } = await call({ method: 'GET', path: `/dispatches/${demo.dispatches.spring}` });
		expect(jsonOf(items)).toMatchObject([{ id: demo.dispatches.spring }]);
		expect(await bench.wire()).toEqual([
			{ method: 'GET', path: `/dispatches/${demo.dispatches.spring}` },
		]);
	});

	test('POST', async () => {
		const body = { reason: 'Complaints' };
		const path = `/senders/${demo.senders.mts}/suspend`;
		const { items } = await call({ method: 'POST', path, body: JSON.stringify(body) });
		expect(jsonOf(items)).toMatchObject([{ id: demo.senders.mts, suspended: true }]);
		expect(await bench.wire()).toEqual([{ method: 'POST', path, body }]);
		expect(bench.store.senders.get(demo.senders.mts)?.suspendReason).toBe('Complaints');
	});

	test('PUT', async () => {
		const path = `/company/${flowers}`;
		const { error } = await call({ method: 'PUT', path, body: '={{ { name: "Camomile" } }}' });
		expect(error).toBeUndefined();
		expect(await bench.wire()).toEqual([{ method: 'PUT', path, body: { name: 'Camomile' } }]);
		expect(bench.store.companies.get(flowers)?.name).toBe('Camomile');
	});

	test.each(['PATCH', 'DELETE'])('%s, which the service does not have', async (method) => {
		const { error } = await call({ method, path: `/company/${flowers}` });
		expect(error?.httpCode).toBe('404');
		expect(await bench.wire()).toEqual([{ method, path: `/company/${flowers}` }]);
	});

	test('PATCH with a body', async () => {
		await call({ method: 'PATCH', path: `/company/${flowers}`, body: '{ "a": [1, null] }' });
		expect((await bench.wire())[0]?.body).toEqual({ a: [1, null] });
	});
});

describe('query parameters', () => {
	test('a name that is given twice is sent twice', async () => {
		const { items } = await call({
			method: 'GET',
			path: '/senders',
			query: query(['companyId', String(flowers)], ['brand', 'MTS'], ['brand', 'TELE2']),
		});
		expect(items.length).toBeGreaterThan(1);
		expect(linksOf(items)).toEqual(items.map(() => 0));
		expect((await bench.wire())[0]?.query).toEqual([
			['brand', 'MTS'],
			['brand', 'TELE2'],
			['companyId', String(flowers)],
		]);
	});

	test.each(['constructor', '__proto__', 'toString'])(
		'one called %s is sent like any other',
		async (name) => {
			const { error } = await call({
				method: 'GET',
				path: '/company',
				query: { parameter: [{ name, value: 'x' }] },
			});
			expect(error?.message).not.toContain('is not a function');
			expect((await bench.wire())[0]?.query).toEqual([[name, 'x']]);
		},
	);

	test('anything in a value arrives as it is; a parameter without a name is left out', async () => {
		const odd = 'a&b=c d+%2F#?ж';
		await call({ method: 'GET', path: '/company', query: query(['odd', odd], ['', 'x']) });
		expect((await bench.wire())[0]?.query).toEqual([['odd', odd]]);
	});
});

describe('replies', () => {
	test('an empty one gives one item', async () => {
		answer('');
		const { items, error } = await call({ method: 'GET', path: '/company' });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(linksOf(items)).toEqual([0]);
	});

	test.each([
		['a list: one item per entry', '[{ "a": 1 }, { "a": 2 }]', [{ a: 1 }, { a: 2 }]],
		['an empty list: no item', '[]', []],
		['a text', '"done"', [{ reply: 'done' }]],
		['a list of texts', '["a", "b"]', [{ reply: 'a' }, { reply: 'b' }]],
	])('%s', async (_, body, expected) => {
		answer(body);
		const { items, error } = await call({ method: 'GET', path: '/company' });
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toEqual(expected);
	});

	test('a POST whose outcome is not known is not sent again', async () => {
		bench.sandbox.faults.add({ kind: 'commit-then-reset', match: { path: '*/company' } });
		const body = {
			company: { name: 'A', counteragentType: 'LEGAL', counteragentInn: '7707083893' },
		};
		const { error } = await call({ method: 'POST', path: '/company', body: JSON.stringify(body) });
		expect(error?.description).toContain('It is not known whether the service carried this out');
		expect(bench.sent('POST', '/company')).toBe(1);
	});
});

describe('only below Base URL', () => {
	test.each([
		['climbing', '/../_sandbox/state'],
		['climbing on the way', '/company/../../_sandbox/state'],
		['climbing with backslashes', '/..\\_sandbox/state'],
		['climbing, encoded', '/%2e%2e/_sandbox/state'],
		['climbing, half encoded', '/.%2E/_sandbox/state'],
		['climbing with a tab in between', '/.\t./_sandbox/state'],
		['climbing with a line break in between', '/.\n./_sandbox/state'],
		['another host', '//example.invalid/company'],
		['a whole address', 'http://example.invalid/company'],
		['no slash in front', 'company'],
		['a question mark', '/company?page=2'],
		['a fragment', '/company#top'],
	])('%s is refused', async (_, path) => {
		const { error } = await call({ method: 'GET', path: `={{ ${JSON.stringify(path)} }}` });
		expect(error?.message).toMatch(/^'Path' must start with one "\/"/);
		expect(error?.description).toBe('Nothing was sent.');
		expect(error?.context?.item).toBe(1);
		expect(await bench.everything()).toEqual([]);
	});

	test.each(['/a..b', '/..a', '/...', '/a{b}', '/a b', '/ж'])('%j passes', async (path) => {
		await call({ method: 'GET', path });
		const [request] = await bench.wire();
		expect(decodeURIComponent(request?.path ?? '')).toBe(path);
	});
});

test('a body that is no JSON is refused before anything is sent', async () => {
	const { error } = await call({ method: 'POST', path: '/company', body: '{ name }' });
	expect(error?.message).toMatch(/^'Body \(JSON\)' isn't valid JSON/);
	expect(await bench.everything()).toEqual([]);
});

test('the body of an earlier choice is not sent with GET', async () => {
	const { error } = await call({ method: 'GET', path: '/company', body: '{ "a": 1 }' });
	expect(error).toBeUndefined();
	expect((await bench.wire())[0]?.body).toBeUndefined();
});
