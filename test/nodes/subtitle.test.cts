import type { INodeParameters, INodeType } from 'n8n-workflow';
import { onCanvas } from '../support/canvas.cts';
import { nodes } from './all.cts';

const subtitleOn = (type: INodeType, parameters: INodeParameters) =>
	onCanvas(type, parameters).subtitle;

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
