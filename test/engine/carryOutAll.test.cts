import { NodeOperationError, type IExecuteFunctions, type INode } from 'n8n-workflow';
import { carryOutAll, inTurn, type Unit } from '../../core/engine/carryOutAll';
import type { Effect, Run } from '../../core/engine/operation';

/** Several items with one outcome, as the recipients of a dispatch are. */

const node = { name: 'Test' } as INode;
const items = Array.from({ length: 5 }, () => ({ json: {} }));
const asError = (error: unknown) => new NodeOperationError(node, error as Error);

const runOf = (effect: Effect, continues: boolean) => {
	const context = {
		continueOnFail: () => continues,
		getNode: () => node,
		getInputData: () => items,
	} as IExecuteFunctions;
	const failed: Run<unknown>['failed'] = (some, error) => ({
		json: { error: (error as Error).message },
		pairedItem: [some].flat().map((item) => ({ item })),
	});
	return { context, items, effect, errorOf: asError, failed } as unknown as Run<unknown>;
};

const units: ReadonlyArray<Unit<string>> = [
	{ items: [1, 2, 4], task: 'spring' },
	{ items: [0, 3], task: 'summer' },
];

const carryOut = async (
	{ wrong = '', bad = '' }: { wrong?: string; bad?: string },
	{ effect = 'once' as Effect, continues = false, needsAll = true } = {},
) => {
	const done: string[] = [];
	const run = runOf(effect, continues);
	const refuse = (task: string, word: string) => {
		if (task === word) throw new Error(`No ${task}`);
		return task;
	};
	const output = await carryOutAll(run, {
		units,
		prepare: (task) => refuse(task, wrong),
		needsAll,
		carryOut: inTurn(run, async ({ task }: Unit<string>) => {
			refuse(task, bad);
			done.push(task);
			return await Promise.resolve([{ json: { task } }]);
		}),
	}).catch((error: unknown) => error as NodeOperationError);
	return { output, done };
};

test('the output is in the order of the items, and each row is linked to all of its own', async () => {
	const { output } = await carryOut({});
	expect(output).toEqual([
		{ json: { task: 'summer' }, pairedItem: [{ item: 0 }, { item: 3 }] },
		{ json: { task: 'spring' }, pairedItem: [{ item: 1 }, { item: 2 }, { item: 4 }] },
	]);
});

test('one is wrong: nothing is carried out, and the error is its own, once', async () => {
	const { output, done } = await carryOut({ wrong: 'spring' });
	expect(output).toMatchObject({ message: 'No spring' });
	expect(done).toEqual([]);
});

test("one is wrong, and the others don't need it: the error says what became of all items", async () => {
	const { output, done } = await carryOut(
		{ wrong: 'spring' },
		{ effect: 'repeatable', needsAll: false },
	);
	expect(done).toEqual(['summer']);
	expect(output).toMatchObject({
		message: '2 items done, 3 not: items 2, 3 and 5',
		context: { done: [0, 3], failedItems: [1, 2, 4] },
	});
	expect((output as NodeOperationError).description).toMatch(
		/^Done: items 1 and 4\. Items 2, 3 and 5: No spring\. /,
	);
});

test('one fails: those after it are not started', async () => {
	const { output, done } = await carryOut({ bad: 'spring' });
	expect(done).toEqual([]);
	expect(output).toMatchObject({ message: 'No spring' });
	const second = await carryOut({ bad: 'summer' });
	expect(second.output).toMatchObject({ context: { done: [1, 2, 4], failedItems: [0, 3] } });
});

test('with Continue: one error item for all of its items', async () => {
	const { output, done } = await carryOut({ bad: 'spring' }, { continues: true });
	expect(done).toEqual(['summer']);
	expect(output).toEqual([
		{ json: { task: 'summer' }, pairedItem: [{ item: 0 }, { item: 3 }] },
		{ json: { error: 'No spring' }, pairedItem: [{ item: 1 }, { item: 2 }, { item: 4 }] },
	]);
});
