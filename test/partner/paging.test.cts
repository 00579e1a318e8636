import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { partner } from '../../core/contract/partner';
import { demo } from '../../sandbox/demo.cts';
import { byId, jsonOf, linksOf, useSandbox } from '../support/sandbox.cts';
import { addDispatches, firstNew } from './table/dispatches.cts';

const bench = useSandbox();
const { flowers, bakery } = demo.companies;

const addCompanies = async (count: number) => {
	const { call } = bench.sandbox.client();
	for (let added = 1; added <= count; added++) {
		await call(partner.companyCreate, {
			body: {
				company: {
					name: `Company ${added}`,
					counteragentType: 'LEGAL',
					counteragentInn: '7707083893',
				},
			},
		});
	}
};

const addMessages = async (count: number) => {
	await addDispatches(bench.sandbox, 1);
	const messages = Array.from({ length: count - 1 }, (_, index) => ({
		destination: `7916${String(index).padStart(7, '0')}`,
	}));
	await bench.sandbox
		.client()
		.call(partner.dispatchAppend, { path: { id: firstNew }, body: { messages } });
};

const pagesAsked = async (size: 'per_page' | 'perPage') =>
	(await bench.wire()).map(({ query = [] }) => {
		const values = Object.fromEntries(query);
		return [Number(values.page), Number(values[size])];
	});

const range = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);

describe('Company: Get', () => {
	const lastId = flowers + 249;
	beforeEach(async () => {
		await addCompanies(247);
		bench.forget();
	});

	test('walks the pages until the company is found', async () => {
		const { items, error } = await bench.run('company.get', { companyId: byId(lastId) });
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ companyId: lastId, name: 'Company 247' }]);
		expect(await pagesAsked('per_page')).toEqual([
			[1, 100],
			[2, 100],
			[3, 100],
		]);
	});

	test('asks for no more pages once it is found', async () => {
		await bench.run('company.get', { companyId: byId(bakery) });
		expect(await pagesAsked('per_page')).toEqual([[1, 100]]);
	});

	test('an ID that does not exist: says so, after no more requests than there are pages', async () => {
		const { error } = await bench.run('company.get', { companyId: byId(lastId + 1) });
		expect(error?.message).toBe(`Company ${lastId + 1} doesn't exist in this partner account`);
		expect(error?.context?.item).toBe(1);
		expect(bench.sent('GET', '/company')).toBe(3);
	});

	test('an ID that does not exist: does not claim that nothing was sent', async () => {
		const { error } = await bench.run('company.get', { companyId: byId(lastId + 1) });
		expect(error?.description ?? '').not.toContain('Nothing was sent');
	});

	test('is found when the service allows only smaller pages', async () => {
		bench.store.settings.dialect.pageSize.most = 40;
		const { items } = await bench.run('company.get', { companyId: byId(lastId) });
		expect(jsonOf(items)).toMatchObject([{ companyId: lastId }]);
		expect(bench.sent('GET', '/company')).toBeLessThanOrEqual(7);
	});
});

describe('Company: Get Many', () => {
	test('Return All: every company once, in order', async () => {
		await addCompanies(230);
		const { items } = await bench.run('company.getAll', { returnAll: true });
		expect(jsonOf(items).map(({ companyId }) => companyId)).toEqual(range(flowers, 233));
		expect((await pagesAsked('per_page')).sort()).toEqual([
			[1, 100],
			[2, 100],
			[3, 100],
		]);
	});

	test('Limit over several pages', async () => {
		await addCompanies(230);
		const { items } = await bench.run('company.getAll', { limit: 150 });
		expect(jsonOf(items).map(({ companyId }) => companyId)).toEqual(range(flowers, 150));
		expect(bench.sent('GET', '/company')).toBe(2);
	});

	test('none at all: no items and no error', async () => {
		bench.store.companies.clear();
		const { items, error } = await bench.run('company.getAll', { returnAll: true });
		expect(error).toBeUndefined();
		expect(items).toEqual([]);
	});

	test('without a limit of its own it is 50', async () => {
		await addCompanies(60);
		const { items } = await bench.run('company.getAll');
		expect(items).toHaveLength(50);
	});
});

describe('Dispatch: Get Many', () => {
	test('Return All by status: the filter is on every page', async () => {
		await addDispatches(bench.sandbox, 205);
		const { items } = await bench.run('dispatch.getAll', {
			companyId: byId(flowers),
			returnAll: true,
			filters: { status: 'CREATED' },
		});
		expect(jsonOf(items).map(({ dispatchId }) => dispatchId)).toEqual(range(firstNew, 205));
		const requests = await bench.wire();
		expect(requests).toHaveLength(3);
		for (const { query } of requests) {
			expect(query).toContainEqual(['status', 'CREATED']);
			expect(query).toContainEqual(['companyId', String(flowers)]);
		}
	});

	test('Limit over several pages', async () => {
		await addDispatches(bench.sandbox, 205);
		const { items } = await bench.run('dispatch.getAll', { companyId: byId(flowers), limit: 101 });
		expect(items).toHaveLength(101);
		expect(bench.sent('GET', '/dispatches')).toBe(2);
	});
});

describe('Message: Get Many', () => {
	test('Return All: every message once', async () => {
		await addMessages(750);
		const { items } = await bench.run('message.getAll', {
			dispatchId: byId(firstNew),
			returnAll: true,
		});
		const stored = bench.store.dispatches.get(firstNew)?.messages.map(({ uuid }) => uuid);
		expect(jsonOf(items).map(({ messageUuid }) => messageUuid)).toEqual(stored);
		expect(bench.sent('GET', '/messages')).toBe(8);
	});

	test('Limit and status over several pages', async () => {
		await addMessages(750);
		const { items } = await bench.run('message.getAll', {
			dispatchId: byId(firstNew),
			limit: 250,
			filters: { status: 'CREATED' },
		});
		expect(items).toHaveLength(250);
		const requests = await bench.wire();
		expect(requests).toHaveLength(3);
		for (const { query } of requests) expect(query).toContainEqual(['status', 'CREATED']);
	});
});

describe('items that name the same dispatch', () => {
	const counts = async (items: IDataObject[], parameters: INodeParameters) => {
		const { items: output, error } = await bench.run(
			'message.getAll',
			{ dispatchId: byId(firstNew), ...parameters },
			{ items },
		);
		expect(error).toBeUndefined();
		return linksOf(output);
	};
	beforeEach(async () => {
		await addMessages(5);
		bench.forget();
	});

	test('with the same limit: read once, linked to all of them', async () => {
		const both = [{ item: 0 }, { item: 1 }];
		expect(await counts([{ n: 2 }, { n: 2 }], { limit: '={{ $json.n }}' })).toEqual([both, both]);
		expect(bench.sent('GET', '/messages')).toBe(1);
	});

	test('with other limits: each gets its own', async () => {
		const limit = '={{ $json.n }}';
		expect(await counts([{ n: 1 }, { n: 3 }], { limit })).toEqual([0, 1, 1, 1]);
	});

	test('one of them with Return All', async () => {
		const parameters = { returnAll: '={{ $json.all }}', limit: 1 };
		expect(await counts([{ all: false }, { all: true }], parameters)).toEqual([0, 1, 1, 1, 1, 1]);
	});

	test('one of them simplified', async () => {
		const parameters = { limit: 1, simplify: '={{ $json.simple }}' };
		expect(await counts([{ simple: true }, { simple: false }], parameters)).toEqual([0, 1]);
	});
});

test('each item gets its own list, linked to it', async () => {
	const { items } = await bench.run(
		'sender.getAll',
		{ companyId: { __rl: true, mode: 'id', value: '={{ $json.id }}' } },
		{ items: [{ id: bakery }, { id: demo.companies.travel }] },
	);
	expect(items.map(({ json, pairedItem }) => [json.senderName, pairedItem])).toEqual([
		['BAKERY', { item: 0 }],
		['BAKERY', { item: 0 }],
		['NORTHWIND', { item: 1 }],
	]);
});
