import { NodeHelpers, type INodeProperties } from 'n8n-workflow';
import { outputFields } from '../../scripts/outputs.cts';
import { nodes, operationsOf } from './all.cts';
import { plainRowOf } from './plain.cts';

interface Found {
	place: string;
	property: INodeProperties;
}

/** Every parameter at any depth, with the way to it. */
const walk = (properties: readonly INodeProperties[], place: string): Found[] =>
	properties.flatMap((property) => {
		const own = `${place} › ${property.displayName}`;
		const inner = (property.options ?? []).flatMap((option) => {
			if ('values' in option) return walk(option.values, own);
			return 'type' in option ? walk([option], own) : [];
		});
		return [{ place: own, property }, ...inner];
	});

const placeOf = ({ displayOptions }: INodeProperties) =>
	['resource', 'operation']
		.map((name) => String(displayOptions?.show?.[name]?.[0] ?? ''))
		.join('.');
const placesOf = (wrong: Found[]) => wrong.map(({ place }) => place);

/** Labels that say all there is to say. */
const obvious = new Set([
	'Resource',
	'Operation',
	'Actual Address',
	'Additional Fields',
	'Channels',
	'Counterparty Type',
	'Dispatch',
	'Document',
	'Filters',
	'If a Placeholder Has No Value',
	'Legal Address',
	'Messages',
	'Method',
	'Name',
	'Operator',
	'Operators',
	'Options',
	'Output',
	'Parameter',
	'Pricing Model',
	'Recipient Options',
	'Recipients',
	'Sender Name',
	'Sender Type',
	'Status',
	'Statuses',
	'Traffic Type',
	'Type',
	'Types',
	'Valid From',
	'Value',
	'Weekdays',
	'When a Limit Is Exceeded',
	'Body (JSON)',
]);

/** What has more than ten fields, by node. */
const simplifiable: Record<string, string[]> = {
	'Bulk Messaging Partner': [
		'dispatch.get',
		'dispatch.getAll',
		'dispatch.getReport',
		'dispatch.waitForCompletion',
		'message.getAll',
		'price.estimateCost',
		'sender.close',
		'sender.create',
		'sender.get',
		'sender.getAll',
		'sender.suspend',
		'sender.unsuspend',
		'sender.update',
	],
	'Bulk Messaging': [
		'dispatch.get',
		'dispatch.getAll',
		'message.get',
		'message.getAll',
		'senderName.create',
		'senderName.getAll',
		'template.get',
		'template.getAll',
		'template.update',
	],
};

const isCall = (text: string) => /^(?:Add|Select|Choose) /.test(text);

describe.each(nodes)('$name', ({ name: nodeName, node, resources, rows }) => {
	const { description, methods } = node;
	const found = description.properties.flatMap((property) => walk([property], placeOf(property)));

	test('works as a tool of an AI agent', () => {
		expect(description.usableAsTool).toBe(true);
		expect(description.description.length).toBeGreaterThan(40);
	});

	test('every operation says what it does, for people and for models', () => {
		const all = resources.flatMap(({ operations }) => operations);
		expect(all.length).toBeGreaterThanOrEqual(11);
		expect(all.filter((one) => one.description.length < 20).map(({ action }) => action)).toEqual(
			[],
		);
		expect(all.filter(({ description: text, name }) => text === name)).toEqual([]);
		expect(new Set(all.map(({ action }) => action)).size).toBe(all.length);
	});

	test('every parameter has a description, a hint or a label that needs none', () => {
		const silent = found.filter(
			({ property: { description: text, hint, displayName, type } }) =>
				type !== 'notice' && !text && !hint && !obvious.has(displayName),
		);
		expect(placesOf(silent)).toEqual([]);
	});

	test('n8n gets nothing that only the engine reads', () => {
		const engineOnly = ['validateType', 'whenEmpty', 'enforceRange'];
		const known = found.filter(({ property }) => engineOnly.some((name) => name in property));
		expect(placesOf(known)).toEqual([]);
		const declared = JSON.stringify(resources);
		expect(engineOnly.some((name) => declared.includes(`"${name}":`))).toBe(true);
	});

	test('booleans start with "Whether"', () => {
		const booleans = found.filter(({ property }) => property.type === 'boolean');
		expect(booleans.length).toBeGreaterThan(0);
		const wrong = booleans.filter(({ property }) => !property.description?.startsWith('Whether '));
		expect(placesOf(wrong)).toEqual([]);
	});

	test('a placeholder is an example with "e.g.", or the words on a button', () => {
		const wrong = found.filter(
			({ property: { placeholder } }) =>
				placeholder !== undefined && !placeholder.startsWith('e.g. ') && !isCall(placeholder),
		);
		expect(placesOf(wrong)).toEqual([]);
		for (const { placeholder = '' } of found.flatMap(({ property }) => property.modes ?? [])) {
			expect(placeholder.startsWith('e.g. ') || isCall(placeholder)).toBe(true);
		}
	});

	test('locators offer From List and By ID, and their lists exist', () => {
		for (const { property } of found) {
			if (property.type === 'resourceLocator') {
				expect(property.modes?.map(({ displayName }) => displayName)).toEqual([
					'From List',
					'By ID',
				]);
				const list = property.modes?.[0]?.typeOptions;
				expect(list?.searchable).toBe(true);
				expect(Object.keys(methods?.listSearch ?? {})).toContain(list?.searchListMethod);
			}
			const { loadOptionsMethod } = property.typeOptions ?? {};
			if (loadOptionsMethod === undefined) continue;
			expect(Object.keys(methods?.loadOptions ?? {})).toContain(loadOptionsMethod);
		}
	});

	test('what has more than ten fields can be simplified', () => {
		const simplified = found
			.filter(({ property }) => property.name === 'simplify')
			.map(({ property }) => placeOf(property));
		expect(simplified.sort()).toEqual(simplifiable[nodeName]);
	});

	test('an output of more than ten fields, even a simplified one, is a choice', () => {
		const node = nodeName === 'Bulk Messaging' ? 'messaging' : 'partner';
		const long = resources.flatMap(({ value, operations }) =>
			operations.flatMap(({ value: operation, params }) => {
				const fields = outputFields.get(`${node} ${value}.${operation}`) ?? [];
				// After a timeout, there is a waitId, but nothing that happened.
				const count = fields.filter((path) => /^(?!waitId)\w+$/.test(path)).length;
				const isLong = count > 10 && params.every(({ name }) => name !== 'output');
				return isLong ? [`${value}.${operation}: ${count}`] : [];
			}),
		);
		expect(long).toEqual([]);
	});

	test('required parameters come first', () => {
		const late = resources.flatMap(({ value, operations }) =>
			operations.flatMap((operation) => {
				const optional = operation.params.findIndex(({ type }) => type === 'collection');
				return operation.params
					.filter(({ required }, index) => required === true && optional >= 0 && index > optional)
					.map(({ name }) => `${value}.${operation.value}.${name}`);
			}),
		);
		expect(late).toEqual([]);
	});

	test.each(operationsOf({ resources }))(
		'n8n finds nothing wrong with %s when it is filled in',
		(operation) => {
			const [resource = '', name = ''] = operation.split('.');
			const filledIn = {
				id: '1',
				name: 'Tested',
				type: 'tested',
				typeVersion: 1,
				position: [0, 0] as [number, number],
				parameters: { resource, operation: name, ...plainRowOf(rows)(operation).parameters },
			};
			const { properties } = description;
			expect(NodeHelpers.getNodeParametersIssues(properties, filledIn, description)).toBeNull();
		},
	);
});
