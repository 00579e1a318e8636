import type { INodeExecutionData } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { useSandbox } from '../support/sandbox.cts';
import { nodes, type TestedNode } from './all.cts';
import { plainRowOf } from './plain.cts';
import type { Row } from './row.cts';

/** Operations of one call for each item that must not be sent twice. */
const unrepeatable = ({ resources, rows }: TestedNode): Row[] =>
	resources.flatMap(({ value, operations }) =>
		operations.flatMap((operation) =>
			operation.endpoint === undefined || operation.endpoint.repeatable
				? []
				: [plainRowOf(rows)(`${value}.${operation.value}`)],
		),
	);

/** n8n runs the node again, with all of its items, when one of them has failed. */
describe.each(nodes)('$name, with Retry On Fail', (tested) => {
	const bench = useSandbox(tested.node);
	const isPartner = tested.logIn.length > 0;
	const rows = unrepeatable(tested);

	test('there are some that must not be sent twice', () => expect(rows).not.toEqual([]));

	describe.each(rows)('$operation: $title', ({ operation, parameters, input, seed, wire }) => {
		const { method = '', path = '' } = wire[0] ?? {};
		const items: INodeExecutionData[] = [{}, {}, {}].map((json) => ({ ...input, json }));
		const match = { method, path: isPartner ? demo.partnerPath + path : path };
		beforeEach(async () => {
			await seed?.(bench.sandbox);
			bench.forget();
		});

		test('what is done stays done, and what was not carried out is tried again', async () => {
			// Longer than anybody waits: the node itself does not try again.
			const headers = { 'retry-after': '3600' };
			bench.sandbox.faults.add({ kind: 'status', status: 429, headers, match, after: 1 });
			const { error, items: output } = await bench.run(operation, parameters, {
				inputItems: items,
				tries: 2,
			});
			expect(error).toBeUndefined();
			expect(output).toHaveLength(3);
			expect(bench.sent(method, path)).toBe(1 + 1 + 2);
		});

		test('what may be done is not tried again', async () => {
			bench.sandbox.faults.add({ kind: 'commit-then-reset', match, after: 1 });
			const { error } = await bench.run(operation, parameters, { inputItems: items, tries: 3 });
			expect(error?.description).toContain('It is not known whether the service carried this out');
			expect(error?.context?.item).toBe(2);
			expect(bench.sent(method, path)).toBe(2);
		});
	});
});
