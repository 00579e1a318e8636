import { toShownCallback } from './contract/callbackUrl';

export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Nothing in the contract is deeper than five. n8n itself fails to store and to read what is nested very deeply. */
const mostLevels = 50;
const cut = '(nested too deeply)';

/** The name of a field that holds a callback URL, in any spelling. */
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

/** Every answer is walked through, so nothing is copied but what changes and what it stands in. */
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
 * Data of the service, fit to leave: the login and the signature in callback URLs are hidden, for the service shows them as
 * it got them, and what is nested absurdly is cut off. The value itself unless something in it had to change.
 */
export const toSafeData = (value: unknown): unknown => safe(value, mostLevels, false);
