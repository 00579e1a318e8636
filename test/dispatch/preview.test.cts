import type { INodeParameters } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { dialectOptions } from '../../sandbox/api/dialect.cts';
import { fromUnits } from '../../sandbox/stored/money.cts';
import { jsonOf } from '../support/sandbox.cts';
import { fromItems, itemOf, itemsUpTo, numberOf, textFor } from './recipients.cts';
import { useDispatches } from './useDispatches.cts';

// Time passes only in pauses.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

const { bench, run } = useDispatches();

describe('Preview', () => {
	const preview = async (more: INodeParameters, items = itemsUpTo(3)) =>
		await run('preview', more, items);

	test('counts parts, and shows the first three texts', async () => {
		const long = 'я'.repeat(71);
		const { items } = await preview({ text: '{name}' }, [
			{ phone: numberOf(0), name: 'я'.repeat(70) },
			{ phone: numberOf(1), name: long },
			{ phone: numberOf(2), name: 'a'.repeat(160) },
			{ phone: 'x', name: 'a' },
			{ phone: numberOf(2), name: 'a' },
			{ phone: numberOf(3), name: 'b' },
		]);
		expect(jsonOf(items)).toMatchObject([
			{
				name: 'Spring sale',
				recipients: 5,
				wouldReach: 4,
				failed: 0,
				leftOut: 1,
				duplicates: 1,
				parts: 5,
			},
		]);
		expect(items[0]?.json.texts).toEqual([
			{ destination: numberOf(0), text: 'я'.repeat(70), parts: 1 },
			{ destination: numberOf(1), text: long, parts: 2 },
			{ destination: numberOf(2), text: 'a'.repeat(160), parts: 1 },
		]);
		expect(items[0]?.json.reasons).toEqual({ unreadableNumber: 1 });
		expect(items[0]?.json.notReached).toEqual([
			{
				destination: 'x',
				name: 'a',
				outcome: 'skipped',
				reason: '"x" contains letters',
				reasonCode: 'unreadableNumber',
				item: 4,
			},
		]);
		expect(items[0]?.pairedItem).toEqual([0, 1, 2, 3, 4, 5].map((item) => ({ item })));
	});

	test.each(dialectOptions.charges)(
		'the service charges by the %s: it costs what was announced',
		async (charges) => {
			bench.store.settings.dialect.charges = charges;
			const spent = () => {
				const ledger = bench.store.ledger(demo.companies.flowers, bench.sandbox.now);
				return fromUnits(ledger.spent);
			};
			// All on MTS, so that one tariff tells the price: one part, two parts, three parts.
			const people = ['Anna', 'я'.repeat(71), 'a'.repeat(350)].map((name, index) => ({
				phone: `7916200000${index}`,
				name,
			}));
			const { items } = await preview({ text: '{name}' }, people);
			const { from, to } = items[0]?.json.price as { from: number; to: number };
			const before = spent();
			const options = { items: people };
			const sent = await bench.run('dispatch.send', { ...fromItems, text: '{name}' }, options);
			expect(sent.error).toBeUndefined();
			await bench.sandbox.advance(60_000);
			const cost = spent() - before;
			expect(cost).toBeCloseTo(charges === 'message' ? 8.7 : 17.4, 4);
			expect(cost).toBeGreaterThanOrEqual(from);
			expect(cost).toBeLessThanOrEqual(to);
		},
	);

	const withoutCode = [itemOf(0), { phone: numberOf(1), name: 'Anna' }];

	test('skips where Send skips, and shows which placeholders have no value', async () => {
		const { items, error } = await preview({ options: { missingValues: 'skip' } }, withoutCode);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([
			{
				wouldSend: true,
				wouldReach: 1,
				reasons: { missingValue: 1 },
				notReached: [{ reason: 'There is no value for {code}', item: 2 }],
			},
		]);
	});

	test('braces in a value are not an unresolved placeholder', async () => {
		const { items } = await preview({}, [{ ...itemOf(0), name: '{Anna}' }]);
		expect(jsonOf(items)).toMatchObject([
			{ wouldSend: true, texts: [{ text: textFor({ ...itemOf(0), name: '{Anna}' }) }] },
		]);
		expect(items[0]?.json).not.toHaveProperty('reasons');
	});

	test('when the tariffs cannot be had, it says so', async () => {
		bench.sandbox.faults.add({ kind: 'status', status: 400, match: { path: '*/price/tariffs' } });
		const { error } = await preview({});
		expect(error?.message).toBe('The service rejected the request as invalid');
	});
});
