export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Nothing in the contract is deeper than five. n8n itself fails to store and to read what is nested very deeply. */
const deepest = 50;
const cut = '(nested too deeply)';

const isDeeper = (value: unknown, levels: number): boolean =>
	typeof value === 'object' &&
	value !== null &&
	(levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

const copyOf = (value: unknown, levels: number): unknown => {
	if (typeof value !== 'object' || value === null) return value;
	if (levels === 0) return cut;
	if (Array.isArray(value)) return value.map((inner) => copyOf(inner, levels - 1));
	// Not by assignment: a field called "__proto__" would become the prototype.
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [name, copyOf(inner, levels - 1)]),
	);
};

/** The value itself; only one that is nested absurdly is copied, with its depths cut off. */
export const limitDepth = (value: unknown): unknown =>
	isDeeper(value, deepest) ? copyOf(value, deepest) : value;
