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

/** Splits a field with values separated by commas; `undefined` if there are none. A comma inside a value is written as `\,`. */
export const splitList = (text: string | undefined): string[] | undefined => {
	const entries = (text ?? '')
		.split(/(?<!\\),/)
		.map((entry) => entry.trim().replaceAll('\\,', ','))
		.filter((entry) => entry !== '');
	return entries.length > 0 ? entries : undefined;
};
