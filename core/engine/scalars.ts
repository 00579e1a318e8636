import { toQuoted, UnfitValueError } from './errors';
import type { Param } from './params';

const plainNumber = /^[+-]?(?:\d+|\d*\.\d+)$/;
const commaNumber = /^\s*[+-]?\d+,\d+\s*$/;

/** A finite number, or text that contains one in decimal form. 0x10 and 1e3 are rejected, because no user writes a price so. */
export const readNumber = (value: unknown): number | undefined => {
	const text = typeof value === 'string' ? value.trim() : undefined;
	const number = text === undefined ? value : plainNumber.test(text) ? Number(text) : undefined;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

const checkRange = (number: number, { displayName, typeOptions, enforceRange }: Param) => {
	if (enforceRange !== true) return;
	const { minValue, maxValue } = typeOptions ?? {};
	if (minValue !== undefined && number < minValue) {
		throw new UnfitValueError(displayName, `must be at least ${minValue}, but is ${number}`);
	}
	if (maxValue !== undefined && number > maxValue) {
		throw new UnfitValueError(displayName, `must be at most ${maxValue}, but is ${number}`);
	}
};

export const toNumber = (value: unknown, param: Param): number => {
	const number = readNumber(value);
	if (number === undefined) {
		const help =
			typeof value === 'string' && commaNumber.test(value)
				? '. Use a decimal point, such as 8.70'
				: '';
		throw new UnfitValueError(
			param.displayName,
			`must be a number, but is ${toQuoted(value)}${help}`,
		);
	}
	// JavaScript rounds larger numbers, and a rounded ID would belong to another entry.
	if (Math.abs(number) > Number.MAX_SAFE_INTEGER) {
		throw new UnfitValueError(param.displayName, `is too large: ${toQuoted(value)}`);
	}
	checkRange(number, param);
	return number;
};

/** A Date or a Luxon DateTime as text, in the form n8n itself uses. */
const isoOf = (value: object): string | null | undefined => {
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
	if (!('toISO' in value) || typeof value.toISO !== 'function') return undefined;
	// `null` for an invalid DateTime.
	return (value.toISO as () => string | null).call(value);
};

export const toText = (value: unknown, { displayName }: Param): string => {
	if (typeof value === 'string') return value;
	if (typeof value === 'boolean' || Number.isFinite(value)) return String(value);
	if (typeof value !== 'object' || value === null) {
		throw new UnfitValueError(displayName, `must be text, but is ${toQuoted(value)}`);
	}
	const text = isoOf(value);
	if (typeof text === 'string') return text;
	const what = value instanceof Date ? toQuoted(value) : 'a list or an object';
	throw new UnfitValueError(displayName, `must be text, but is ${what}`);
};

export const toBoolean = (value: unknown, { displayName }: Param): boolean => {
	const plain = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (plain === true || plain === 'true' || plain === 1) return true;
	if (plain === false || plain === 'false' || plain === 0) return false;
	throw new UnfitValueError(displayName, `must be true or false, but is ${toQuoted(value)}`);
};

export const parseJson = (text: string): { value: unknown } | undefined => {
	try {
		return { value: JSON.parse(text) };
	} catch {
		return undefined;
	}
};

export const toJson = (value: unknown, { displayName }: Param): unknown => {
	if (typeof value !== 'string') return value;
	const parsed = parseJson(value);
	if (parsed !== undefined) return parsed.value;
	throw new UnfitValueError(
		displayName,
		"isn't valid JSON. Put names and text in double quotes, and remove the comma after the last entry",
	);
};
