import { Workflow, type INodeParameters, type INodeType } from 'n8n-workflow';
import { nodes } from './all.cts';

/** What n8n shows below the node on the canvas. */
const subtitleOn = (type: INodeType, parameters: INodeParameters) => {
	const node = {
		id: '1',
		name: 'Tested',
		type: 'tested',
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters,
	};
	const nodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const { subtitle } = type.description;
	return workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
};

describe.each(nodes)('$name', ({ node, resources }) => {
	const chosen = resources.flatMap((resource) =>
		resource.operations.map((operation) => ({ resource, operation })),
	);

	test.each(chosen)(
		'shows $operation.value: $resource.value by its labels',
		({ resource, operation }) => {
			expect(subtitleOn(node, { resource: resource.value, operation: operation.value })).toBe(
				`${operation.name}: ${resource.name}`,
			);
		},
	);

	test('shows a value without a label as it is', () => {
		const resource = resources[0]?.value ?? '';
		const name = resources[0]?.name;
		expect(subtitleOn(node, { resource, operation: 'newer' })).toBe(`newer: ${name}`);
		expect(subtitleOn(node, { resource: 'other', operation: 'newer' })).toBe('other');
	});
});

test('the labels say what the codes do not', () => {
	const messaging = nodes.find(({ name }) => name === 'Bulk Messaging');
	expect(
		subtitleOn(messaging?.node as INodeType, { resource: 'message', operation: 'sendAndWait' }),
	).toBe('Send and Wait: Message');
});
