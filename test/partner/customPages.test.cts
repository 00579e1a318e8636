import type { INodeParameters } from 'n8n-workflow';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { hintsOf, runNode } from '../support/n8n.cts';
import { jsonOf, linksOf, useSandbox } from '../support/sandbox.cts';
import { json, text, type Received } from '../support/server.cts';
import {
	messagingCredential,
	partnerCredential,
	serve,
	servePartner,
	type Answer,
} from '../transport/service.cts';

const all: INodeParameters = {
	resource: 'customCall',
	operation: 'call',
	method: 'GET',
	path: '/things',
	pages: 'all',
};

const queryOf = ({ url }: Received) =>
	Object.fromEntries(new URL(url, 'http://127.0.0.1').searchParams);

const things = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));

/** The page that a request asks for, by the names that the service has for number and size. */
const pageOf = <T,>(
	entries: readonly T[],
	request: Received,
	number = 'page',
	size = 'perPage',
) => {
	const query = queryOf(request);
	const length = Number(query[size]);
	const start = (Number(query[number]) - 1) * length;
	return entries.slice(start, start + length);
};

/** Calls a service that answers as the test says. */
const call = async (answer: Answer, parameters: INodeParameters = {}) => {
	const server = await servePartner(answer);
	const result = await runNode({
		node: new BulkMessagingPartner(),
		parameters: { ...all, ...parameters },
		credentials: partnerCredential(server.url),
	});
	return { ...result, asked: server.calls.map(queryOf), calls: server.calls };
};

describe.each([
	['{total, items}', (entries: object[], total: number) => ({ total, items: entries })],
	['{items}', (entries: object[]) => ({ items: entries })],
	[
		'{data, total} with the total as text',
		(data: object[], total: number) => ({ data, total: `${total}` }),
	],
	['a bare array', (entries: object[]) => entries],
])('a list as %s', (_, shape) => {
	test.each([0, 1, 99, 100, 101, 250, 1000])('of %i entries: all of them, once', async (count) => {
		const entries = things(count);
		const { items, error, asked } = await call((request) =>
			json(200, shape(pageOf(entries, request), count)),
		);

		expect(error).toBeUndefined();
		expect(jsonOf(items)).toEqual(entries);
		expect(linksOf(items)).toEqual(entries.map(() => 0));
		expect(asked[0]).toEqual({ page: '1', perPage: '100' });
		// At most one round beyond the end.
		expect(asked.length).toBeLessThanOrEqual(Math.ceil(count / 100) + 4);
	});
});

describe('the parameters', () => {
	test('own names, an own size, and other parameters on every page', async () => {
		const entries = things(7);
		const { items, asked } = await call(
			(request) => json(200, { total: 7, items: pageOf(entries, request, 'p', 'count') }),
			{
				pageName: 'p',
				sizeName: 'count',
				pageSize: 3,
				query: { parameter: [{ name: 'state', value: 'new' }] },
			},
		);

		expect(jsonOf(items)).toEqual(entries);
		expect(asked).toEqual(['1', '2', '3'].map((p) => ({ p, count: '3', state: 'new' })));
	});

	test.each([
		['/company', 'per_page'],
		['/dispatches', 'perPage'],
		['/messages', 'perPage'],
		['/whatever', 'perPage'],
	])('the partner API: %s has %s', async (path, size) => {
		const { asked } = await call(() => json(200, { total: 0, items: [] }), { path });

		expect(asked).toEqual([{ page: '1', [size]: '100' }]);
	});

	test.each(['/message', '/v1/message', '/templates'])('the messaging API: %s', async (path) => {
		const server = await serve(() => json(200, { total: 0, items: [] }));
		const { error } = await runNode({
			node: new BulkMessaging(),
			parameters: { ...all, path },
			credentials: messagingCredential(`${server.url}/api/v1`),
		});

		expect(error).toBeUndefined();
		expect(server.received.map(queryOf)).toEqual([{ page: '1', per_page: '100' }]);
	});

	test.each<[string, INodeParameters, string]>([
		[
			'a page size of 0',
			{ pageSize: '={{ 0 }}' },
			"'Page Size' must be a whole number, 1 or greater",
		],
		[
			'half an item',
			{ maxItems: '={{ 1.5 }}' },
			"'Max Items' must be a whole number, 1 or greater",
		],
		['no page parameter', { pageName: '={{ "" }}' }, "'Page Parameter' is empty"],
		['one name for both', { sizeName: 'page' }, "'Page Size Parameter' must not be the same"],
		[
			'a page among the query parameters',
			{ query: { parameter: [{ name: 'page', value: '3' }] } },
			'\'Query Parameters\' contains "page"',
		],
		[
			'a size among the query parameters',
			{ query: { parameter: [{ name: 'perPage', value: '3' }] } },
			'\'Query Parameters\' contains "perPage"',
		],
	])('%s: nothing is sent', async (_, parameters, message) => {
		const { error, calls } = await call(() => json(200, []), parameters);

		expect(error?.message).toContain(message);
		expect(error?.description).toBe('Nothing was sent.');
		expect(calls).toEqual([]);
	});
});

describe('Max Items', () => {
	test('no more than that, no page more than needed, and a hint with the total', async () => {
		const entries = things(500);
		const result = await call(
			(request) => json(200, { total: 500, items: pageOf(entries, request) }),
			{
				maxItems: 150,
			},
		);

		expect(jsonOf(result.items)).toEqual(things(150));
		expect(result.asked).toHaveLength(2);
		expect(hintsOf(result)).toEqual([
			"'Max Items' limited the result to 150 items. The list contains 500 entries.",
		]);
	});

	test('without a total the hint says that there may be more', async () => {
		const entries = things(500);
		const result = await call((request) => json(200, pageOf(entries, request)), { maxItems: 10 });

		expect(jsonOf(result.items)).toEqual(things(10));
		expect(hintsOf(result)).toEqual([
			"'Max Items' limited the result to 10 items. The list may contain more.",
		]);
	});

	test('a list that is exactly so long needs no hint', async () => {
		const entries = things(20);
		const result = await call(
			(request) => json(200, { total: 20, items: pageOf(entries, request) }),
			{
				maxItems: 20,
			},
		);

		expect(result.items).toHaveLength(20);
		expect(hintsOf(result)).toEqual([]);
	});
});

describe('a service that ignores the page', () => {
	test('without a total: its list once, and it ends', async () => {
		const { items, error, asked } = await call(() => json(200, things(100)));

		expect(error).toBeUndefined();
		expect(jsonOf(items)).toEqual(things(100));
		expect(asked.length).toBeLessThanOrEqual(5);
	});

	test('a short list without a total: one more page is asked for', async () => {
		const { items, asked } = await call(() => json(200, { items: things(3) }));

		expect(jsonOf(items)).toEqual(things(3));
		expect(asked).toHaveLength(2);
	});

	test('with a total that it never reaches: an error, not a part of the list', async () => {
		const { items, error, asked } = await call(() =>
			json(200, { total: 1000, items: things(100) }),
		);

		expect(items).toEqual([]);
		expect(error?.message).toBe("The service's list is incomplete");
		expect(error?.description).toContain('100 of 1000 entries');
		expect(asked.length).toBeLessThanOrEqual(9);
	});

	test('with entries that look new every time: it ends at Max Items', async () => {
		let made = 0;
		const { items, error, asked } = await call(
			() =>
				json(
					200,
					Array.from({ length: 10 }, () => ({ seen: ++made })),
				),
			{ pageSize: 10, maxItems: 95 },
		);

		expect(error).toBeUndefined();
		expect(items).toHaveLength(95);
		expect(asked.length).toBeLessThanOrEqual(10);
	});
});

describe('an answer that is no list is an error, never an empty list', () => {
	test.each([
		['an object', json(200, { id: 1, name: 'A' }), 'an object with the fields id, name'],
		['two lists', json(200, { items: [], data: [] }), 'an object with the fields items, data'],
		['texts', json(200, ['a', 'b']), "a list whose entries aren't objects"],
		['a text', text(200, 'done'), 'text'],
		['a total that is none', json(200, { total: 'many', items: [] }), 'total, items'],
		['204', text(204, ''), 'nothing'],
	])('%s', async (_, answer, found) => {
		const { items, error, calls } = await call(() => answer);

		expect(items).toEqual([]);
		expect(error?.message).toBe("The service's response isn't a list");
		expect(error?.description).toContain("set 'Pages' to 'One Page'");
		expect(error?.description).toContain(found);
		expect(calls).toHaveLength(1);
	});

	test('a later page of another shape stops all of it', async () => {
		const entries = things(250);
		const { items, error } = await call((request) =>
			queryOf(request).page === '3'
				? json(200, { oops: true })
				: json(200, { total: 250, items: pageOf(entries, request) }),
		);

		expect(items).toEqual([]);
		expect(error?.message).toBe("The service's response isn't a list");
	});

	test("the service's own error keeps its words", async () => {
		const { error } = await call(() => json(404, { error: { code: 4040, msg: 'No things' } }));

		expect(error?.httpCode).toBe('404');
		expect(error?.description).toContain('The service says: No things');
	});
});

test('a page size that the service rejects: smaller ones are tried', async () => {
	const entries = things(25);
	const { items, error } = await call((request) =>
		Number(queryOf(request).perPage) > 10
			? json(400, { error: { code: 4000, msg: 'Bad Request' } })
			: json(200, { total: 25, items: pageOf(entries, request) }),
	);

	expect(error).toBeUndefined();
	expect(jsonOf(items)).toEqual(entries);
});

test('One Page is the default, and gives the answer as it is', async () => {
	const { items, asked } = await call(() => json(200, { total: 500, items: things(2) }), {
		pages: 'one',
	});

	expect(jsonOf(items)).toEqual([{ total: 500, items: things(2) }]);
	expect(asked).toEqual([{}]);
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
	'%s is sent once, even if the method is an expression and All Pages was chosen',
	async (method) => {
		const { calls, asked } = await call(() => json(200, { total: 500, items: things(100) }), {
			method: `={{ "${method}" }}`,
		});

		expect(calls.map((one) => one.method)).toEqual([method]);
		expect(asked).toEqual([{}]);
	},
);

describe('the sandbox', () => {
	const bench = useSandbox();

	test('all companies', async () => {
		const { items, error } = await bench.run('customCall.call', {
			method: 'GET',
			path: '/company',
			pages: 'all',
			pageSize: 1,
		});

		expect(error).toBeUndefined();
		expect(items.map(({ json: entry }) => entry.companyId).sort()).toEqual(
			[...bench.store.companies.keys()].sort(),
		);
	});
});

test.each([undefined, 3])('equal entries are all returned, total %s', async (total) => {
	const items = [{ a: 1 }, { a: 1 }, { a: 1 }];
	const { items: output, error } = await call(() => json(200, { total, items }));
	expect(error).toBeUndefined();
	expect(jsonOf(output)).toEqual(items);
});
