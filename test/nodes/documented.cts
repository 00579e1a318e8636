import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../core/json';
import { outputFields } from '../../scripts/outputs.cts';

/** The paths in an output item, as docs/outputs.md writes them. */
const pathsOf = (value: unknown, above = ''): string[] => {
	if (Array.isArray(value)) {
		return value.flatMap((one) => pathsOf(one, above.replace(/\.$/, '[].')));
	}
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([name, inner]) => [
		`${above}${name}`,
		...pathsOf(inner, `${above}${name}.`),
	]);
};

/** The fields of real output items that docs/outputs.md doesn't explain. Without a row, what is inside a field is the service's. */
export const undocumented = (operation: string, items: readonly IDataObject[]): string[] => {
	const known = outputFields.get(operation) ?? [];
	const isExplained = (path: string): boolean => {
		if (known.includes(path)) return true;
		const above = path.slice(0, path.lastIndexOf('.') + 1);
		return (
			above !== '' &&
			!known.some((one) => one.startsWith(above)) &&
			isExplained(above.replace(/(?:\[\])?\.$/, ''))
		);
	};
	const paths = new Set(items.flatMap((item) => pathsOf(item)));
	return [...paths].filter((path) => !isExplained(path));
};
