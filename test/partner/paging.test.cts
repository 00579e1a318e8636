import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { partner } from '../../core/contract/partner';
import { demo } from '../../sandbox/demo.cts';
import { byId, linksOf, useSandbox } from '../support/sandbox.cts';
import { addDispatches, firstNew } from './table/dispatches.cts';

const bench = useSandbox();
const { bakery } = demo.companies;

const addMessages = async (count: number) => {
	await addDispatches(bench.sandbox, 1);
	const messages = Array.from({ length: count - 1 }, (_, index) => ({
		destination: `7916${String(index).padStart(7, '0')}`,
	}));
	await bench.sandbox
		.client()
		.call(partner.dispatchAppend, { path: { id: firstNew }, body: { messages } });
};

/* That lists are read page by page, and up to a limit: test/transport/list and test/nodes/contractWalk. */

test('Company: Get with an ID that does not exist says so, and does not claim that nothing was sent', async () => {
	const { error } = await bench.run('company.get', { companyId: byId(999) });
	expect(error?.message).toBe("Company 999 doesn't exist in this partner account");
	expect(error?.context?.item).toBe(1);
	expect(error?.description ?? '').not.toContain('Nothing was sent');
	expect(bench.sent('GET', '/company')).toBe(1);
});

test('a list that is empty: no items and no error', async () => {
	bench.store.companies.clear();
	const { items, error } = await bench.run('company.getAll', { returnAll: true });
	expect(error).toBeUndefined();
	expect(items).toEqual([]);
});

test('without a limit of its own it is 50', async () => {
	await addMessages(60);
	const { items } = await bench.run('message.getAll', { dispatchId: byId(firstNew) });
	expect(items).toHaveLength(50);
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
