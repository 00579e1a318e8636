import type { IDataObject } from 'n8n-workflow';
import { hintsOf } from '../support/n8n.cts';
import { jsonOf, useSandbox } from '../support/sandbox.cts';

const bench = useSandbox();

const estimate = async (
	recipients: number | string,
	filters: IDataObject,
	text = 'Hello',
): Promise<IDataObject[]> => {
	const { items, error } = await bench.run('price.estimateCost', {
		text,
		recipients,
		filters: filters as Record<string, string>,
		simplify: false,
	});
	expect(error).toBeUndefined();
	return jsonOf(items);
};

const fixed = { senderType: 'COMMON' };

describe('Estimate Cost', () => {
	test('Simplify: at most ten fields, with everything that is charged', async () => {
		const parameters = { text: 'Hello'.repeat(40), recipients: 10, filters: {} };
		const { items } = await bench.run('price.estimateCost', parameters);
		const names = new Set(jsonOf(items).flatMap((item) => Object.keys(item)));
		expect(names.size).toBe(10);
		for (const name of ['total', 'totalIfPerPart', 'priceMauBatch']) expect(names).toContain(name);
	});

	test('FIXED: messages times the price, with all that explains it', async () => {
		expect(await estimate(10, fixed)).toEqual([
			{
				total: 32,
				currency: 'RUB',
				messages: 10,
				parts: 10,
				partsPerMessage: 1,
				encoding: 'GSM-7',
				senderType: 'COMMON',
				pricingModel: 'FIXED',
				pricePerMessage: 3.2,
				priceAppliesFrom: 0,
				priceSteppedBy: 'none',
			},
		]);
	});

	test.each([
		[{ senderType: 'PRO', brand: 'MTS', trafficType: 'SERVICE' }, 'messages', 10_000, 2.45],
		[{ senderType: 'START', pricingModel: 'MAU' }, 'recipients', 1_000, 2.1],
	])('%j: the step that so many %s reach', async (filters, steppedBy, count, price) => {
		expect(await estimate(count, filters)).toMatchObject([
			{ pricePerMessage: price, priceAppliesFrom: count, priceSteppedBy: steppedBy },
		]);
	});

	test('a text of two parts: the total counts messages, beside it is what parts would cost', async () => {
		const [entry] = await estimate(5, fixed, 'ж'.repeat(71));
		expect(entry).toMatchObject({
			encoding: 'UCS-2',
			partsPerMessage: 2,
			parts: 10,
			total: 16,
			totalIfPerPart: 32,
		});
	});

	test('one result per tariff that fits, all without a filter', async () => {
		expect(await estimate(1, {})).toHaveLength(bench.store.tariffs.length);
		const ofMegafon = await estimate(1, { brand: 'MEGAFON' });
		expect(ofMegafon.map(({ senderType }) => senderType)).toEqual(['START', 'PRO']);
	});

	test('no tariff fits: no item and no error', async () => {
		expect(await estimate(1, { brand: 'NOBODY' })).toEqual([]);
	});
});

test('an empty operator is no filter', async () => {
	const { items } = await bench.run('price.getTariffs', { filters: { brand: '' } });
	expect(items).toHaveLength(bench.store.tariffs.length);
	expect((await bench.wire())[0]?.query).toBeUndefined();
});

describe('tariffs of another shape', () => {
	const tariff = { senderType: 'COMMON', pricingModel: 'FIXED', currency: 'RUB' };
	const estimateBy = async (tariffs: object[]) => {
		bench.sandbox.faults.add({
			kind: 'status',
			status: 200,
			body: JSON.stringify({ tariffs }),
			match: { method: 'GET', path: '*/price/tariffs' },
		});
		return await bench.run('price.estimateCost', { text: 'Hello', recipients: 2 });
	};

	test('a price that is written as text is a price', async () => {
		const { items } = await estimateBy([{ ...tariff, prices: [{ price: '2.5' }] }]);
		expect(jsonOf(items)).toMatchObject([{ total: 5 }]);
	});

	test.each([
		[[], 'No tariff matches these filters.'],
		[[{ ...tariff, prices: [{ price: '2,5' }] }], 'none has a readable price'],
		[[{ ...tariff, prices: [{ price: -2 }] }], 'none has a readable price'],
		[[{ ...tariff, prices: [{ price: {} }] }], 'none has a readable price'],
		[[{ ...tariff, prices: 'none' }], 'none has a readable price'],
	])('none that can be used: a hint says so', async (tariffs, hint) => {
		const result = await estimateBy(tariffs);
		expect(jsonOf(result.items)).toEqual([]);
		expect(hintsOf(result).join(' ')).toContain(hint);
	});
});

test('Get Tariffs: every tariff has the same columns', async () => {
	const { items } = await bench.run('price.getTariffs', {});
	const columns = jsonOf(items).map((tariff) => Object.keys(tariff));
	expect(columns[0]).toEqual(expect.arrayContaining(['brand', 'trafficType']));
	expect(columns).toEqual(columns.map(() => columns[0]));
	expect(jsonOf(items).map(({ brand }) => brand)).toEqual(expect.arrayContaining(['', 'MTS']));
});
