import type { IDataObject, OnError } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { defineOperation, type Effect } from '../../core/engine/operation';
import { runNode } from '../support/n8n.cts';
import { resourceNode } from '../support/resourceNode.cts';

const words = { name: 'Fail', action: 'Fail', description: 'Fails in one way or another' };
const word = { displayName: 'Word', name: 'word', type: 'string', default: '' } as const;

const faults: Record<string, () => unknown> = {
	TypeError: () => (undefined as unknown as { secret: string }).secret,
	ReferenceError: () => {
		throw new ReferenceError('thing is not defined');
	},
	RangeError: () => new Array(-1),
	SyntaxError: () => JSON.parse('{'),
	URIError: () => decodeURIComponent('%'),
};

/** One operation for each way to fail: while the item is read, while it is carried out, and all items at once. */
const run = async (
	operation: 'checking' | 'each' | 'execute',
	fault: () => unknown,
	{ effect, ...more }: { effect?: Effect; items?: IDataObject[]; onError?: OnError } = {},
) => {
	const logged: string[] = [];
	const params = [word] as const;
	const operations = [
		defineOperation({
			...words,
			value: 'checking',
			params,
			effect: effect ?? 'once',
			check: () => void fault(),
			each: async () => [{}],
		}),
		defineOperation({
			...words,
			value: 'each',
			params,
			effect: effect ?? 'once',
			each: async ({ word: given }) => (given === 'good' ? [{}] : [{ fault: fault() as string }]),
		}),
		defineOperation({
			...words,
			value: 'execute',
			params,
			effect,
			execute: async () => [{ json: { fault: fault() as string } }],
		}),
	];
	const resources = [{ value: 'test', name: 'Test', operations }];
	const result = await runNode({
		node: resourceNode(resources, (text) => logged.push(text)),
		parameters: { resource: 'test', operation, word: '={{ $json.word }}' },
		...more,
	});
	return { ...result, logged };
};

const understood = "The service's response couldn't be understood";
const log = 'See the n8n log for details.';

describe.each(Object.entries(faults))('%s never reaches a user', (name, fault) => {
	test.each(['each', 'execute'] as const)('while it is carried out (%s)', async (operation) => {
		const { error, logged } = await run(operation, fault);
		expect(error?.name).toBe('NodeOperationError');
		expect(error?.message).toBe(understood);
		expect(error?.description).toMatch(/^It is not known whether the service carried this out\./);
		expect(error?.description).toContain(
			'before you run this again, so that nothing is done twice',
		);
		expect(error?.description).toContain(log);
		expect(logged).toHaveLength(1);
		expect(logged[0]).toMatch(`Tested: ${name}: `);
	});

	test('while an item is read: nothing was done', async () => {
		const { error, logged } = await run('checking', fault);
		expect(error?.message).toBe("This item's values couldn't be understood");
		expect(error?.description).toMatch(/^Nothing was done for this item\./);
		expect(logged).toHaveLength(1);
	});
});

const typeError = faults.TypeError as () => unknown;

test.each<[Effect, RegExp]>([
	['reads', /^This operation only reads data, so nothing was changed\./],
	['repeatable', /^It is not known .* You can safely run it again\./],
	['once', /^It is not known .* so that nothing is done twice\./],
])('an operation that %s says what running it again would do', async (effect, expected) => {
	for (const operation of ['each', 'execute'] as const) {
		const { error } = await run(operation, typeError, { effect });
		expect(error?.description).toMatch(expected);
	}
});

test('what a user reads is in the error item too, with Continue', async () => {
	const { items, error } = await run('each', typeError, {
		items: [{ word: 'good' }, { word: 'bad' }],
		onError: 'continueRegularOutput',
	});
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json)).toEqual([
		{},
		{ word: 'bad', error: expect.stringMatching(`^${understood}. It is not known whether `) },
	]);
});

test('an item in which a fault happens is not known', async () => {
	const items = [{ word: 'good' }, { word: 'bad' }, { word: 'good' }];
	const { error } = await run('each', typeError, { items });
	expect(error?.description).toMatch('Done: item 1. Unknown: item 2. Not started: item 3. ');
});

test("n8n's own errors keep their words", async () => {
	const own = () => {
		throw new NodeOperationError(
			{ id: '1', name: 'N', type: 't', typeVersion: 1, position: [0, 0], parameters: {} },
			'No such thing',
			{ description: 'Look elsewhere.' },
		);
	};
	const { error, logged } = await run('each', own);
	expect(error).toMatchObject({ message: 'No such thing', description: 'Look elsewhere.' });
	expect(logged).toEqual([]);
});

test('an expression that fails keeps its words', async () => {
	const { error } = await runNode({
		node: resourceNode([
			{
				value: 'test',
				name: 'Test',
				operations: [
					defineOperation({
						...words,
						value: 'each',
						params: [word],
						effect: 'once',
						each: async () => [{}],
					}),
				],
			},
		]),
		parameters: { resource: 'test', operation: 'each', word: "={{ $('Nowhere').item.json.a }}" },
	});
	expect(error?.message).toBe("Referenced node doesn't exist");
});
