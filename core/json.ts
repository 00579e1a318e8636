export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Nothing in the contract is deeper than five. n8n itself fails to store and to read what is nested very deeply. */
const deepest = 50;
const cut = '(nested too deeply)';

/** Every answer is walked through, so without a copy of anything in it. */
const isDeeper = (value: unknown, levels: number): boolean => {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	for (const name in value) {
		if (isDeeper((value as Record<string, unknown>)[name], levels - 1)) return true;
	}
	return false;
};

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
