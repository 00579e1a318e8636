import { demo } from '../../sandbox/demo';
import { jsonOf, useSandbox, type Wire } from '../support/sandbox.cts';
import { rows } from './table/index.cts';
import { linkedItems } from './table/row.cts';

const bench = useSandbox();

const logIn: Wire = {
	method: 'POST',
	path: '/auth/token',
	body: { login: demo.login, password: demo.password },
};

describe.each(rows)('$operation: $title', ({ operation, ...row }) => {
	test('sends exactly this, and the service holds it afterwards', async () => {
		await row.seed?.(bench.sandbox);
		const before = bench.contents();

		const { items, error } = await bench.run(operation, row.parameters, {
			inputItems: [row.input ?? { json: {} }],
		});

		expect(error).toBeUndefined();
		expect(await bench.everything()).toEqual([logIn, ...row.wire]);
		row.output(jsonOf(items));
		expect(new Set(linkedItems(items))).toEqual(new Set([0]));
		if (row.state === undefined) expect(bench.contents()).toBe(before);
		else row.state(bench);
	});
});
