import type { IDataObject } from 'n8n-workflow';
import { outputFields } from '../../scripts/outputs.cts';

/** The fields of real output items that docs/outputs.md doesn't explain. */
export const undocumented = (
	node: 'partner' | 'messaging',
	operation: string,
	items: readonly IDataObject[],
): string[] => {
	const known = new Set([
		...(outputFields.get(`${node} ${operation}`) ?? []),
		// One row per recipient.
		...(items.some(({ destination }) => destination !== undefined)
			? (outputFields.get('recipients') ?? [])
			: []),
	]);
	const names = new Set(items.flatMap((item) => Object.keys(item)));
	return [...names].filter((name) => !known.has(name)).map((name) => `${operation} ${name}`);
};
