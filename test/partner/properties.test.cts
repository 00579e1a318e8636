import { NodeHelpers, type INodeProperties } from 'n8n-workflow';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { resources } from '../../nodes/BulkMessagingPartner/resources';
import { plainRow } from './table/plain.cts';

const { description, methods } = new BulkMessagingPartner();

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
const found = description.properties.flatMap((property) => walk([property], placeOf(property)));
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
	'If a Limit Is Passed',
	'If a Number Appears Twice',
	'If a Placeholder Has No Value',
	'Kind of Sender Name',
	'Kind of Traffic',
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
	'Status',
	'Statuses',
	'Type',
	'Types',
	'Valid From',
	'Value',
	'Weekdays',
	'Body (JSON)',
]);

test('works as a tool of an AI agent', () => {
	expect(description.usableAsTool).toBe(true);
	expect(description.description.length).toBeGreaterThan(40);
});

test('every operation says what it does, for people and for models', () => {
	const all = resources.flatMap(({ operations }) => operations);
	expect(all.length).toBeGreaterThanOrEqual(25);
	expect(all.filter((one) => one.description.length < 20).map(({ action }) => action)).toEqual([]);
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

test('booleans start with "Whether"', () => {
	const booleans = found.filter(({ property }) => property.type === 'boolean');
	expect(booleans.length).toBeGreaterThan(0);
	const wrong = booleans.filter(({ property }) => !property.description?.startsWith('Whether '));
	expect(placesOf(wrong)).toEqual([]);
});

const isCall = (text: string) => /^(?:Add|Select|Choose) /.test(text);

test('a placeholder is an example with "e.g.", or the words on a button', () => {
	const wrong = found.filter(
		({ property: { placeholder } }) =>
			placeholder !== undefined && !placeholder.startsWith('e.g. ') && !isCall(placeholder),
	);
	expect(placesOf(wrong)).toEqual([]);
	const modes = found.flatMap(({ property }) => property.modes ?? []);
	expect(modes.length).toBeGreaterThan(0);
	for (const { placeholder = '' } of modes) {
		expect(placeholder.startsWith('e.g. ') || isCall(placeholder)).toBe(true);
	}
});

test('locators offer From List and By ID, and their lists exist', () => {
	const locators = found.filter(({ property }) => property.type === 'resourceLocator');
	expect(locators.length).toBeGreaterThan(0);
	for (const { property } of locators) {
		expect(property.modes?.map(({ displayName }) => displayName)).toEqual(['From List', 'By ID']);
		const list = property.modes?.[0]?.typeOptions;
		expect(list?.searchable).toBe(true);
		expect(Object.keys(methods.listSearch)).toContain(list?.searchListMethod);
	}
	const lists = found.flatMap(({ property }) => property.typeOptions?.loadOptionsMethod ?? []);
	expect(lists.length).toBeGreaterThan(0);
	for (const name of lists) expect(Object.keys(methods.loadOptions)).toContain(name);
});

test('what the service gives in more than ten fields can be simplified', () => {
	const simplified = found
		.filter(({ property }) => property.name === 'simplify')
		.map(({ property }) => placeOf(property));
	expect(simplified.sort()).toEqual([
		'message.getAll',
		'sender.close',
		'sender.create',
		'sender.get',
		'sender.getAll',
		'sender.suspend',
		'sender.unsuspend',
		'sender.update',
	]);
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

const operations = resources.flatMap(({ value, operations: own }) =>
	own.map((operation) => `${value}.${operation.value}`),
);

test.each(operations)('n8n finds nothing wrong with %s when it is filled in', (operation) => {
	const [resource = '', name = ''] = operation.split('.');
	const node = {
		id: '1',
		name: 'Tested',
		type: 'tested',
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters: { resource, operation: name, ...plainRow(operation).parameters },
	};
	const issues = NodeHelpers.getNodeParametersIssues(description.properties, node, description);
	expect(issues).toBeNull();
});
