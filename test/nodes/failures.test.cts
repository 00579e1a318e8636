import type { INodeExecutionData } from 'n8n-workflow';
import { useSandbox } from '../support/sandbox.cts';
import { nodes } from './all.cts';
import { linkedItems, type Refused, type Row } from './row.cts';

type Failing = Row & { refused: Refused };

const itemsOf = ({ input }: Row, { items = [{}, {}, {}] }: Refused): INodeExecutionData[] =>
	items.map((json) => ({ ...input, json }));

describe.each(nodes)('$name', ({ node, rows }) => {
	const bench = useSandbox(node);
	const failing = rows.flatMap((row) =>
		row.refused === undefined ? [] : [{ ...row, refused: row.refused }],
	);

	/** Runs some of the three items; the second of all is the one the service refuses. */
	const run = async (
		row: Failing,
		which: number[],
		onError?: 'continueRegularOutput' | 'continueErrorOutput',
	) => {
		const { refused } = row;
		if (refused.fault !== undefined) {
			bench.sandbox.faults.add({
				kind: 'status',
				match: refused.fault,
				after: which.indexOf(1),
				times: refused.times,
				status: 400,
				body: JSON.stringify({ error: { code: 4000, msg: 'Bad Request: not today' } }),
				headers: { 'content-type': 'application/json' },
			});
		}
		const all = itemsOf(row, refused);
		return await bench.run(
			row.operation,
			{ ...row.parameters, ...refused.parameters },
			{ inputItems: which.flatMap((index) => all[index] ?? []), onError },
		);
	};

	describe.each(failing)('$operation, when the service refuses', (row) => {
		const {
			message,
			ofThree = message,
			httpCode = null,
			says = 'The service says: ',
		} = row.refused;
		beforeEach(async () => await row.seed?.(bench.sandbox));

		test('says what happened, names the item, and changes nothing', async () => {
			const before = bench.contents();
			const { error, items } = await run(row, [1]);
			expect(error?.message).toBe(message);
			expect(error?.description).toContain(says);
			expect(error?.httpCode ?? null).toBe(httpCode);
			expect(error?.context?.item).toBe(1);
			expect(items).toEqual([]);
			expect(bench.contents()).toBe(before);
		});

		test('names the second of three items', async () => {
			const { error, items } = await run(row, [0, 1, 2]);
			const carriesOn = /^2 .+, 1 not: item 2$/.test(error?.message ?? '');
			expect({ carriesOn }).toEqual({ carriesOn: row.refused.carriesOn === true });
			if (carriesOn) {
				expect(error?.description).toContain(`Item 2: ${message}`);
				expect(error?.context?.done).toEqual([0, 2]);
			} else expect(error?.message).toBe(ofThree);
			// n8n would show this one itself, counted from 0.
			expect(error?.context?.itemIndex).toBeUndefined();
			expect(error?.description).toMatch(/\b[Ii]tem 2\b/);
			expect(items).toEqual([]);
		});

		test('with Continue, the others succeed and each output is linked to its item', async () => {
			const { items, error } = await run(row, [0, 1, 2], 'continueRegularOutput');
			expect(error).toBeUndefined();
			const links = linkedItems(items);
			expect([...new Set(links)]).toEqual([0, 1, 2]);
			expect(links).toEqual([...links].sort());
			const failed = items.filter(({ json }) => 'error' in json);
			expect(String(failed[0]?.json.error).startsWith(message)).toBe(true);
			expect(failed[0]?.json).toMatchObject(itemsOf(row, row.refused)[1]?.json ?? {});
			expect(linkedItems(failed)).toEqual([1]);
		});

		test('with an error output, only the failed item leaves there', async () => {
			const { outputs } = await run(row, [0, 1, 2], 'continueErrorOutput');
			const [regular = [], failed = []] = outputs;
			expect([...new Set(linkedItems(regular))]).toEqual([0, 2]);
			expect(regular.filter(({ json }) => 'error' in json)).toEqual([]);
			expect(linkedItems(failed)).toEqual([1]);
			expect(String(failed[0]?.json.error).startsWith(message)).toBe(true);
			expect(failed[0]?.json).toMatchObject(itemsOf(row, row.refused)[1]?.json ?? {});
		});
	});
});
