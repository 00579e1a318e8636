import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import type { TestedNode } from '../nodes/all.cts';
import type { Row } from '../nodes/row.cts';

type Values = Record<string, unknown>;

/** A field of an operation that somebody can write a text into, at any depth. */
export interface Place {
	operation: string;
	/** The way to it, as the screen names it. */
	name: string;
	property: INodeProperties;
	row: Row;
	/** The parameters of a plain use with this text in the field, and whatever it takes to show the field. */
	filled(text: string): INodeParameters;
}

const textual = new Set(['string', 'json', 'resourceLocator', 'options', 'multiOptions']);

const asValue = ({ type }: INodeProperties, text: string): unknown => {
	if (type === 'resourceLocator') return { __rl: true, mode: 'id', value: text };
	return type === 'multiOptions' ? [text] : text;
};

const isMultiple = ({ typeOptions }: INodeProperties) => typeOptions?.multipleValues === true;

interface Found {
	name: string;
	property: INodeProperties;
	put(values: Values, text: string): Values;
}

/** What a field needs of its neighbours to be shown. */
const shown = ({ displayOptions }: INodeProperties): Values =>
	Object.fromEntries(
		Object.entries(displayOptions?.show ?? {})
			.filter(([name]) => !['resource', 'operation'].includes(name) && !/^[/@]/.test(name))
			.map(([name, values]) => [name, values?.[0]]),
	);

/** What must be there beside a field; n8n leaves out what is not shown. */
const required = (properties: readonly INodeProperties[]): Values =>
	Object.fromEntries(
		properties
			.filter((property) => property.required === true && property.type === 'string')
			.map(({ name }) => [name, name === 'destination' ? demo.numbers.mts : 'x']),
	);

const find = (properties: readonly INodeProperties[]): Found[] =>
	properties.flatMap((property): Found[] => {
		const { name, displayName, type, options = [] } = property;
		const within = (
			inner: readonly INodeProperties[],
			into: (old: unknown, change: (values: Values) => Values) => unknown,
		): Found[] =>
			find(inner).map((found) => ({
				...found,
				name: `${displayName} › ${found.name}`,
				put: (values, text) => ({
					...values,
					...shown(property),
					[name]: into(values[name], (old) => found.put(old, text)),
				}),
			}));
		if (type === 'collection') {
			return within(options as INodeProperties[], (old, change) => change((old ?? {}) as Values));
		}
		if (type === 'fixedCollection') {
			return options.flatMap((group) => {
				if (!('values' in group)) return [];
				return within(group.values, (old, change) => {
					const entries = (old as Values | undefined)?.[group.name];
					const made = required(group.values);
					if (!isMultiple(property)) return { [group.name]: change((entries ?? made) as Values) };
					const [first = {}, ...others] = (entries ?? []) as Values[];
					return { [group.name]: [change({ ...made, ...first }), ...others] };
				});
			});
		}
		if (!textual.has(type)) return [];
		const put = (values: Values, text: string) => ({
			...values,
			...shown(property),
			[name]: asValue(property, text),
		});
		return [{ name: displayName, property, put }];
	});

/** Every text field of every operation, from the nodes' own descriptions. */
export const placesOf = ({ node, rows }: TestedNode): Place[] => {
	const operations = [...new Set(rows.map(({ operation }) => operation))];
	return operations.flatMap((operation) => {
		const [resource = '', name = ''] = operation.split('.');
		const properties = node.description.properties.filter(
			({ displayOptions: { show = {} } = {} }) =>
				show.resource?.includes(resource) && show.operation?.includes(name),
		);
		const row = rows.find((one) => one.operation === operation) as Row;
		return find(properties).map((found) => ({
			operation,
			name: found.name,
			property: found.property,
			row,
			filled: (text) =>
				found.put({ ...required(properties), ...row.parameters }, text) as INodeParameters,
		}));
	});
};
