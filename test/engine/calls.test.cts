import { addDispatches, firstNew } from '../partner/table/dispatches.cts';
import { byId, jsonOf, useSandbox } from '../support/sandbox.cts';

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
