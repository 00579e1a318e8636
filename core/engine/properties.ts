import type { INodeProperties } from 'n8n-workflow';
import { levelOfRequest } from '../contract/endpoint';
import type { Level } from '../contract/provenance';
import type { Operation, Resource } from './operation';
import type { Param } from './params';

/**
 * Fields that only the engine reads. `validateType` is n8n's own, but n8n would also apply it to hidden parameters of the same
 * name and to whole lists, and then not run the node.
 */
const engineOnly = ['validateType', 'whenEmpty', 'enforceRange'] as const;

/** A parameter as it is passed to n8n. */
export const toPublished = (param: Param): INodeProperties => {
	const published: Record<string, unknown> = { ...param };
	for (const name of engineOnly) delete published[name];
	if (param.options !== undefined) {
		published.options = param.options.map((option) => {
			if ('values' in option) return { ...option, values: option.values.map(toPublished) };
			return 'type' in option ? toPublished(option) : option;
		});
	}
	// The type is n8n's again: only `readonly` and the engine's own fields differ from it.
	return published as unknown as INodeProperties;
};

const noticeByLevel: Readonly<Record<Level, string | undefined>> = {
	stated: undefined,
	published:
		"The provider doesn't document every part of this request. Test it before you rely on it.",
	assumed: "The provider doesn't document this. Test it before you rely on it.",
};

/** Tells users that the provider doesn't state everything that the operation sends. */
const noticesOf = ({ endpoint, restsOn }: Pick<Operation, 'endpoint' | 'restsOn'>): Param[] => {
	const call = endpoint ?? restsOn;
	const notice = call && noticeByLevel[levelOfRequest(call)];
	if (notice === undefined) return [];
	const path = call?.pathSetting === undefined ? '' : ' You can change its path in the credential.';
	return [
		{
			displayName: `${notice}${path}`,
			name: 'sourceNotice',
			type: 'notice',
			default: '',
		},
	];
};

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);

/** The 'Resource' and 'Operation' selectors, and the parameters of every operation, shown only for their operation. */
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
					// These two first: when n8n meets a parameter with an expression, it shows the field without checking the rest.
					show: { resource: [resource], operation: [operation], ...displayOptions?.show },
				},
			})),
		),
	);
	return [resourceSelector, ...operationSelectors, ...parameters];
};
