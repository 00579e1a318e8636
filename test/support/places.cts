import type { INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';

/** The parameters that an operation's panel has. */
const panelOf = ({ description }: INodeType, { resource, operation }: INodeParameters) =>
	description.properties.filter(({ displayOptions }) => {
		const { resource: resources = [resource], operation: operations = [operation] } =
			displayOptions?.show ?? {};
		const has = (list: unknown, value: unknown) => Array.isArray(list) && list.includes(value);
		return has(resources, resource) && has(operations, operation);
	});

const namesIn = (properties: readonly INodeProperties[]) =>
	new Set(properties.map(({ name }) => name));

/** Tests name a value and not its place: what the panel has among 'Options' is put there. */
export const atTheirPlaces = (node: INodeType, parameters: INodeParameters): INodeParameters => {
	const panel = panelOf(node, parameters);
	const top = namesIn(panel);
	const { options: collection = [] } = panel.find(({ name }) => name === 'options') ?? {};
	const inOptions = namesIn(collection as INodeProperties[]);
	const entries = Object.entries(parameters);
	const isOption = ([name]: [string, unknown]) => !top.has(name) && inOptions.has(name);
	const moved = Object.fromEntries(entries.filter(isOption));
	if (Object.keys(moved).length === 0) return parameters;
	return {
		...Object.fromEntries(entries.filter((entry) => !isOption(entry))),
		options: { ...moved, ...(parameters.options as INodeParameters | undefined) },
	};
};
