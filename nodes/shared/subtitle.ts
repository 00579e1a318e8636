import type { Resource } from '../../core/engine/operation';

const labelsOf = (labels: ReadonlyArray<readonly [string, string]>) =>
	`(${JSON.stringify(Object.fromEntries(labels))})`;

/**
 * The expression for the text below an action node on the canvas: the chosen operation and resource by their labels. A value
 * without a label, such as one from another version of this package, is shown as it is. Both lookups are flat, because n8n
 * would end the expression at the "}}" of a nested one.
 */
export const subtitleOf = (resources: readonly Resource[]): string => {
	const operations = resources.flatMap(({ value: resource, operations: own }) =>
		own.map(({ value, name }) => [`${resource}.${value}`, name] as const),
	);
	const names = resources.map(({ value, name }) => [value, name] as const);
	const resource = '$parameter["resource"]';
	const operation = '$parameter["operation"]';
	const labels = [
		`${labelsOf(operations)}[${resource} + "." + ${operation}] ?? ${operation}`,
		`${labelsOf(names)}[${resource}] ?? ${resource}`,
	];
	// n8n gives an unknown resource no operation.
	return `={{ [${labels.join(', ')}].filter((label) => label).join(": ") }}`;
};
