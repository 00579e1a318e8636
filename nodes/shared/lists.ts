import type { Param } from '../../core/engine/params';

/** For lists that the service returns page by page. The engine reads `returnAll` and `limit`. */
export const returnAll = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
} as const satisfies Param;

export const limit = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	displayOptions: { show: { returnAll: [false] } },
	description: 'Max number of results to return',
} as const satisfies Param;

export const simplifyParam = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
} as const satisfies Param;

/** Filters that a user adds one by one. */
export const filterCollection = <const Options extends readonly Param[]>(options: Options) =>
	({
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options,
	}) as const;

/** Everything that has a good default is in one collection, in the order of the labels. */
export const optionsWith = <const Options extends readonly Param[]>(options: Options) =>
	({
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		// Sorting changes nothing in the type of the values.
		options: [...options].sort((a, b) =>
			a.displayName.localeCompare(b.displayName),
		) as unknown as Options,
	}) as const;

/** Fields to change. The others stay as they are. */
export const updateCollection = <const Options extends readonly Param[]>(options: Options) =>
	({
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: 'Only the fields you add here are changed',
		options,
	}) as const;

/** A hint about a value from an expression that the list doesn't offer; empty if it does. */
export const unlistedIn = (
	{ displayName, options = [] }: Param,
	value: string | undefined,
): string[] => {
	const offered = options.flatMap((option) => ('value' in option ? String(option.value) : []));
	if (value === undefined || offered.includes(value)) return [];
	const usual = offered.filter((one) => one !== '').join(', ');
	return [`'${displayName}' is usually one of ${usual}. The service may reject "${value}".`];
};

export const oneOrMore = 'One or more, separated by commas';
/** For a filter that the service reads once. */
export const oneByOne = `${oneOrMore}, each requested separately`;

/** Splits a field with values separated by commas; `undefined` if there are none. A comma inside a value is written as `\,`. */
export const splitList = (text: string | undefined): string[] | undefined => {
	const entries = (text ?? '')
		.split(/(?<!\\),/)
		.map((entry) => entry.trim().replaceAll('\\,', ','))
		.filter((entry) => entry !== '');
	return entries.length > 0 ? entries : undefined;
};
