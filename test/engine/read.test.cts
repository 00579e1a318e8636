import fc from 'fast-check';
import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
	type INodeType,
	type NodePropertyTypes,
} from 'n8n-workflow';
import { readParameters } from '../../core/engine/read';
import { coerce } from '../../core/engine/coerce';
import type { Param } from '../../core/engine/params';
import { runNode } from '../support/n8n.cts';

/** A refusal of the engine (it allows no "constructor") counts as a result too. */
const attempt = (read: () => unknown): unknown => {
	try {
		return read();
	} catch (error) {
		return { refused: (error as Error).message };
	}
};

/** Reads its one parameter for every item, our way and through n8n's engine, and counts how often n8n was asked. */
const readingNode = (property: INodeProperties): INodeType => ({
	description: {
		displayName: 'Reading',
		name: 'reading',
		group: ['transform'],
		version: 1,
		description: 'Reads a parameter',
		defaults: { name: 'Reading' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [property],
	},
	async execute(this: IExecuteFunctions) {
		const items = this.getInputData();
		let asked = 0;
		const counting = new Proxy(this, {
			get: (target, name) => {
				if (name === 'getNodeParameter') asked++;
				const member: unknown = Reflect.get(target, name, target);
				return typeof member === 'function' ? (member.bind(target) as unknown) : member;
			},
		});
		const param = property as Param;
		const read = readParameters(counting, items, [param]);
		const ours = items.map((_, index) => attempt(() => read.at(index)[property.name]));
		const options = property.type === 'resourceLocator' ? { extractValue: true } : {};
		const theirs = items.map((_, index) =>
			attempt(() =>
				coerce(this.getNodeParameter(property.name, index, property.default, options), param),
			),
		);
		return [[{ json: { ours, theirs, asked } as unknown as IDataObject }]];
	},
});

const property = (
	type: NodePropertyTypes,
	more: Partial<INodeProperties> = {},
): INodeProperties => ({
	displayName: 'Value',
	name: 'value',
	type,
	default: '',
	...more,
});

const readAll = async (
	described: INodeProperties,
	raw: IDataObject[string],
	items: IDataObject[],
): Promise<{ ours: unknown[]; theirs: unknown[]; asked: number }> => {
	const { items: output, error } = await runNode({
		node: readingNode(described),
		parameters: { value: raw } as IDataObject as never,
		items,
	});
	if (error) throw error;
	return output[0]?.json as never;
};

/** A type that coerces nothing, so that what was read can be seen as it is. */
const asItIs = property('hidden');

const key = fc.oneof(
	fc.constantFrom(
		'phone',
		'Phone Number',
		'a',
		'toString',
		'constructor',
		'length',
		'$x',
		'0',
		'имя',
	),
	fc
		.string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
		.filter((text) => !/["\\\n{}]/.test(text)),
);
const value = fc.jsonValue({ maxDepth: 3 });

const inBrackets = (name: string) => `[${JSON.stringify(name)}]`;
const asWritten = (name: string) =>
	/^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : inBrackets(name);

describe('a collection that is no object is refused, never taken for an empty one', () => {
	const fields: Param[] = [{ displayName: 'Limit', name: 'limit', type: 'number', default: 0 }];
	const collection: Param = { ...(property('collection') as Param), options: fields };
	const group = { displayName: 'Group', name: 'group', values: fields };
	const groups: Param = { ...(property('fixedCollection') as Param), options: [group] };
	const many: Param = { ...groups, typeOptions: { multipleValues: true } };

	test.each([undefined, null, '', 'limit', 5, true, [], [{ limit: 1 }]])('%j', (given) => {
		for (const read of [
			() => coerce(given, collection),
			() => coerce(given, groups),
			() => coerce({ group: given }, groups),
			() => coerce({ group: [given] }, many),
		]) {
			expect(read).toThrow("'Value' must be an object with the fields shown in the node");
		}
	});

	test('a field without a value is refused, whether its name is there or not', () => {
		const empty = (where: string) => `'Limit' is empty. Enter a number${where}`;
		expect(() => coerce({ limit: undefined }, collection)).toThrow(empty(', or remove the field'));
		expect(coerce({}, collection)).toEqual({});
		// A group is there as a whole: n8n fills in what is missing.
		expect(() => coerce({ group: {} }, groups)).toThrow(empty(''));
		expect(coerce({}, groups)).toEqual({});
	});
});

describe('reading parameters', () => {
	test('a plain reference to a field gives what the expression engine gives, for every JSON value and for none', async () => {
		await fc.assert(
			fc.asyncProperty(
				key,
				fc.array(value, { minLength: 1, maxLength: 12 }),
				async (name, values) => {
					const items = [
						...values.map((one) => ({ [name]: one }) as IDataObject),
						{},
						{ other: 1 },
					];
					const { ours, theirs } = await readAll(asItIs, `={{ $json${asWritten(name)} }}`, items);
					expect(ours).toEqual(theirs);
				},
			),
			{ numRuns: 200 },
		);
	});

	test('so does a nested reference, whether the path exists or not', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(key, { minLength: 2, maxLength: 3 }),
				fc.array(value, { minLength: 1, maxLength: 8 }),
				async (path, values) => {
					const nest = (inner: unknown) =>
						path.reduceRight<unknown>((built, name) => ({ [name]: built }), inner);
					const items = values.flatMap((one) => [
						nest(one) as IDataObject,
						{ [path[0] as string]: one } as IDataObject,
						{},
					]);
					const { ours, theirs } = await readAll(
						asItIs,
						`={{ $json${path.map(asWritten).join('')} }}`,
						items,
					);
					expect(ours).toEqual(theirs);
				},
			),
			{ numRuns: 200 },
		);
	});

	test('n8n is asked once for a constant, never for a reference, and for each item otherwise', async () => {
		const items = Array.from({ length: 20 }, (_, index) => ({ n: index, deep: [{ n: index }] }));
		const asked = async (raw: string) => (await readAll(asItIs, raw, items)).asked;
		expect(await asked('constant')).toBe(1);
		expect(await asked('={{ $json.n }}')).toBe(0);
		expect(await asked('={{$json["deep"][0].n}}')).toBe(0);
		expect(await asked('={{ $json.missing }}')).toBe(0);
		expect(await asked('={{ $json["first name"] }}')).toBe(0);
		// The expression engine reads two spaces as one.
		expect(await asked('={{ $json["first  name"] }}')).toBe(20);
		expect(await asked('={{ $json.n + 1 }}')).toBe(20);
		expect(await asked('={{ $workflow.name }} {{ $now.toFormat("yyyy-MM-dd") }}')).toBe(1);
		expect(await asked('=Spring sale {{ $today.toISODate() }}')).toBe(1);
		expect(await asked('={{ $now.toMillis() + $json.n }}')).toBe(20);
		expect(await asked('={{ $now.toMillis() + $itemIndex }}')).toBe(20);
		expect(await asked('={{ $now.plus({ days: 1 }).toISODate() }}')).toBe(20);
		expect(await asked('=No. {{ $json.n }}')).toBe(20);
	});

	test('text around a reference is an expression, not a reference', async () => {
		const { ours } = await readAll(asItIs, '={{ $json.n }} ', [{ n: 5 }]);
		expect(ours).toEqual(['5 ']);
	});

	test('a collection with references is read from the item, with another expression by n8n', async () => {
		const collection = property('collection', {
			default: {},
			options: [
				{ displayName: 'A', name: 'a', type: 'string', default: '' },
				{ displayName: 'B', name: 'b', type: 'number', default: 0 },
			],
		});
		const items = [
			{ x: 'one', y: '7' },
			{ x: 2, y: 8 },
		];
		const plain = await readAll(collection, { a: '={{ $json.x }}', b: '={{ $json.y }}' }, items);
		expect(plain).toEqual({
			ours: [
				{ a: 'one', b: 7 },
				{ a: '2', b: 8 },
			],
			theirs: plain.ours,
			asked: 0,
		});
		const mixed = await readAll(
			collection,
			{ a: '={{ $json.x + "!" }}', b: '={{ $json.y }}' },
			items,
		);
		expect(mixed.ours).toEqual([
			{ a: 'one!', b: 7 },
			{ a: '2!', b: 8 },
		]);
		expect(mixed.asked).toBe(2);
	});

	test('a fixed collection with many entries gives each of them', async () => {
		const fixed = property('fixedCollection', {
			default: {},
			typeOptions: { multipleValues: true },
			options: [
				{
					displayName: 'Recipient',
					name: 'recipient',
					values: [{ displayName: 'To', name: 'to', type: 'string', default: '' }],
				},
			],
		});
		const raw = { recipient: [{ to: '={{ $json.phone }}' }, { to: '79000000000' }] };
		const { ours, asked } = await readAll(fixed, raw, [{ phone: 79123456789 }]);
		expect(ours).toEqual([{ recipient: [{ to: '79123456789' }, { to: '79000000000' }] }]);
		expect(asked).toBe(0);
	});

	test('a resource locator gives its value, as a number where it is one', async () => {
		const locator = property('resourceLocator', {
			default: { mode: 'list', value: '' },
			validateType: 'number',
			modes: [
				{ displayName: 'From List', name: 'list', type: 'list' },
				{ displayName: 'By ID', name: 'id', type: 'string' },
			],
		});
		const at = (inner: string | number) => ({ __rl: true, mode: 'id', value: inner });
		expect((await readAll(locator, at('12'), [{}])).ours).toEqual([12]);
		const byReference = await readAll(locator, at('={{ $json.id }}'), [{ id: 3 }, { id: '4' }]);
		expect(byReference).toEqual({ ours: [3, 4], theirs: [3, 4], asked: 0 });
		expect((await readAll(locator, at('={{ $json.id * 2 }}'), [{ id: 3 }])).ours).toEqual([6]);
	});
});
