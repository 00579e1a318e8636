import { toShownCallback } from './contract/callbackUrl';

export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The contract has at most five levels. n8n fails to store and to read data that is nested very deeply. */
const mostLevels = 50;
const cut = '(nested too deeply)';

/** The name of a field that contains a callback URL, in any spelling. */
const callbackField = /^callback[_-]?url$/i;
const isCallbackField = (name: string) =>
	(name.length === 11 || name.length === 12) && callbackField.test(name);

const put = (copy: object, name: string, value: unknown) =>
	// Not by assignment: a field called "__proto__" would become the prototype.
	Object.defineProperty(copy, name, {
		value,
		writable: true,
		enumerable: true,
		configurable: true,
	});

/** Copies only values that change and the objects around them, because this runs for every response. */
const safe = (value: unknown, levels: number, isCallback: boolean): unknown => {
	if (typeof value === 'string') return isCallback ? toShownCallback(value) : value;
	if (typeof value !== 'object' || value === null) return value;
	if (levels === 0) return cut;
	let copy: object | undefined;
	for (const name in value) {
		const inner = (value as Record<string, unknown>)[name];
		if (typeof inner !== 'object' && typeof inner !== 'string') continue;
		const next = safe(inner, levels - 1, isCallback || isCallbackField(name));
		if (next === inner) continue;
		copy ??= Array.isArray(value) ? [...(value as unknown[])] : { ...value };
		put(copy, name, next);
	}
	return copy ?? value;
};

/**
 * Makes data from the service safe to output: hides the login and the signature in callback URLs, which the service repeats, and
 * cuts off data that is nested too deeply. Returns the same value if nothing had to change.
 */
export const toSafeData = (value: unknown): unknown => safe(value, mostLevels, false);
