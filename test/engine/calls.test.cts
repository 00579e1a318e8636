import { demo } from '../../sandbox/demo.cts';
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
	await addDispatches(bench.sandbox, 1);
	bench.forget();
	const path = `/dispatches/${firstNew}`;
	bench.sandbox.faults.add({
		kind: 'status',
		status: 400,
		match: { method: 'GET', path: demo.partnerPath + path },
		after: 1,
	});
	const { items, error } = await bench.run(
		'dispatch.get',
		{ id: byId(firstNew) },
		{ items: [{}, {}], tries: 2 },
	);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(2);
	expect(bench.sent('GET', path)).toBe(4);
});
