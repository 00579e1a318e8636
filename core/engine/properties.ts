import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';
import type { Resource } from './operation';

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);

/** The Resource and Operation selectors and every operation's parameters, each shown only where it belongs. */
export const toProperties = (resources: readonly Resource[]): INodeProperties[] => {
	const first = resources[0];
	if (first === undefined) return [];
	const resourceSelector: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources
			.map(({ name, value, description }) => ({ name, value, description }))
			.sort(byName),
		default: first.value,
	};
	const operationSelectors = resources.map(
		({ value, operations }): INodeProperties => ({
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [value] } },
			options: operations
				.map(({ name, value: operation, action, description }) => ({
					name,
					value: operation,
					action,
					description,
				}))
				.sort(byName),
			default: operations[0]?.value ?? '',
		}),
	);
	const parameters = resources.flatMap(({ value: resource, operations }) =>
		operations.flatMap(({ value: operation, params }) =>
			updateDisplayOptions(
				{ show: { resource: [resource], operation: [operation] } },
				// n8n's type is the same without `readonly`; nothing here writes to it.
				params as unknown as INodeProperties[],
			),
		),
	);
	return [resourceSelector, ...operationSelectors, ...parameters];
};
