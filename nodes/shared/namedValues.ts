import type { Param } from '../../core/engine/params';

/** Name-value pairs that the user adds one by one: query parameters, form fields. */
export const namedValues = [
	{ displayName: 'Name', name: 'name', type: 'string', default: '' },
	{ displayName: 'Value', name: 'value', type: 'string', default: '', whenEmpty: 'keep' },
] as const satisfies readonly Param[];

export interface NamedValues {
	parameter?: ReadonlyArray<{ name?: string; value?: string }>;
}

/** The values of each name, in their original order. A pair without a name is left out. */
export const groupByName = ({ parameter = [] }: NamedValues): Record<string, string[]> => {
	// No prototype, because a name may be `constructor`.
	const values = Object.create(null) as Record<string, string[]>;
	for (const { name, value = '' } of parameter) {
		if (name) (values[name] ??= []).push(value);
	}
	return values;
};
