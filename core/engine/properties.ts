import type { INodeProperties } from 'n8n-workflow';
import type { Operation, Resource } from './operation';
import type { Param } from './params';

/**
 * What only the engine reads. `validateType` is n8n's own, but n8n would apply it to hidden parameters of the same name and to
 * lists as a whole, and refuse to run.
 */
const engineOnly = ['validateType', 'whenEmpty', 'enforceRange', 'whenPast'] as const;

/** A parameter as n8n gets it. */
const toPublished = (param: Param): INodeProperties => {
	// n8n's type is the same without `readonly` and without what is taken out; the copy is its own.
	const published = { ...param } as unknown as INodeProperties & Record<string, unknown>;
	for (const name of engineOnly) delete published[name];
	published.options = param.options?.map((option) => {
		if ('values' in option)
			return { ...option, values: (option.values as Param[]).map(toPublished) };
		return 'type' in option ? toPublished(option as Param) : option;
	}) as INodeProperties['options'];
	if (published.options === undefined) delete published.options;
	return published;
};

/** Users of what is only assumed should know, before it surprises them. */
const noticesOf = ({ endpoint, restsOn }: Pick<Operation, 'endpoint' | 'restsOn'>): Param[] =>
	(endpoint ?? restsOn)?.assumed === undefined
		? []
		: [
				{
					displayName:
						"The provider's published interface names this operation, but doesn't show it. If it works differently for you, please tell us. The path can be changed in the credential.",
					name: 'assumedNotice',
					type: 'notice',
					default: '',
				},
			];

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
		operations.flatMap(({ value: operation, params, ...rest }) =>
			[...noticesOf(rest), ...params].map(toPublished).map(({ displayOptions, ...param }) => ({
				...param,
				displayOptions: {
					...displayOptions,
					// These two first: n8n stops looking at a condition whose parameter holds an expression, and takes it as met.
					show: { resource: [resource], operation: [operation], ...displayOptions?.show },
				},
			})),
		),
	);
	return [resourceSelector, ...operationSelectors, ...parameters];
};
