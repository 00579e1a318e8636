import type { IDataObject } from 'n8n-workflow';
import { outputFields } from '../../scripts/outputs.cts';
import { jsonOf, useSandbox } from '../support/sandbox.cts';
import { nodes } from './all.cts';
import { linkedItems } from './row.cts';
import { undocumented } from './documented.cts';

/** A field that doesn't apply is never null, and a text that only some items have is empty in the others. */
const expectSameColumns = (items: readonly IDataObject[]) => {
	const all = items.flatMap((item) => Object.entries(item));
	expect(all.filter(([, value]) => value === null)).toEqual([]);
	const texts = new Set(all.flatMap(([name, value]) => (typeof value === 'string' ? [name] : [])));
	for (const item of items) expect(Object.keys(item)).toEqual(expect.arrayContaining([...texts]));
};

describe.each(nodes)('$name', ({ node, rows, logIn }) => {
	const bench = useSandbox(node);

	test.each(rows)(
		'$operation: $title: sends exactly this, and the service holds it afterwards',
		async ({ operation, ...row }) => {
			await row.seed?.(bench.sandbox);
			const before = bench.contents();

			const { items, error } = await bench.run(operation, row.parameters, {
				inputItems: [row.input ?? { json: {} }],
			});

			expect(error).toBeUndefined();
			expect(await bench.everything()).toEqual([...logIn, ...row.wire]);
			row.output(jsonOf(items));
			const isRaw = row.parameters.simplify === false || row.parameters.output === 'raw';
			const api = logIn.length > 0 ? 'partner' : 'messaging';
			if (!isRaw) expectSameColumns(jsonOf(items));
			const documented = `${api} ${operation}${isRaw ? ' full' : ''}`;
			// Raw data is the service's own, unless the node calculates it.
			const isExplained = !isRaw || outputFields.has(documented);
			expect(isExplained ? undocumented(documented, jsonOf(items)) : []).toEqual([]);
			expect(linkedItems(items).filter((item) => item !== 0)).toEqual([]);
			if (row.state === undefined) expect(bench.contents()).toBe(before);
			else row.state(bench);
		},
	);
});
