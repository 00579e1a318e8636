import { addDispatches, firstNew } from '../partner/table/dispatches.cts';
import { byId, jsonOf, linksOf, useSandbox } from '../support/sandbox.cts';

const bench = useSandbox();

it('a list gives as many as the limit says', async () => {
	const all = await bench.run('company.getAll', { returnAll: true });
	expect(all.items.length).toBeGreaterThan(1);
	const { items } = await bench.run('company.getAll', { returnAll: false, limit: 1 });
	expect(jsonOf(items)).toEqual(jsonOf(all.items).slice(0, 1));
});

it('Retry On Fail asks again for what only reads: it may have changed', async () => {
	await addDispatches(bench.sandbox, 2);
	bench.forget();
	bench.sandbox.faults.add({
		kind: 'status',
		status: 400,
		match: { method: 'GET', path: '*/dispatches/*' },
		after: 1,
	});
	const { items, error } = await bench.run(
		'dispatch.get',
		{ id: byId('={{ $json.n }}') },
		{ items: [{ n: firstNew }, { n: firstNew + 1 }], tries: 2 },
	);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(2);
	const asked = [firstNew, firstNew + 1].map((id) => bench.sent('GET', `/dispatches/${id}`));
	expect(asked).toEqual([2, 2]);
});

describe('items that share one call', () => {
	const unknown = firstNew + 7;

	it('share its failure too: with Continue each leaves with its own fields', async () => {
		await addDispatches(bench.sandbox, 1);
		const { items } = await bench.run(
			'dispatch.get',
			{ id: byId('={{ $json.n }}') },
			{
				items: [{ n: unknown }, { n: firstNew }, { n: unknown }],
				onError: 'continueRegularOutput',
			},
		);
		expect(items.map(({ json }) => 'error' in json)).toEqual([true, false, true]);
		expect(items.map(({ json }) => json.n)).toEqual([unknown, undefined, unknown]);
		expect(linksOf(items)).toEqual([0, 1, 2]);
		expect(bench.sent('GET', `/dispatches/${unknown}`)).toBe(1);
	});

	it('are all named when a later one fails', async () => {
		await addDispatches(bench.sandbox, 1);
		const { error } = await bench.run(
			'dispatch.start',
			{ id: byId('={{ $json.n }}') },
			{ items: [firstNew, unknown, firstNew, unknown].map((n) => ({ n })) },
		);
		expect(error?.description).toContain('Done: items 1 and 3. Failed: items 2 and 4.');
		expect(error?.context).toMatchObject({ done: [0, 2], failedItems: [1, 3], notStarted: [] });
	});
});
