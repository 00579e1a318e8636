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

type Choice = string | number | boolean;

/** How many options an error lists: a list of countries would be too long to read. */
const mostNamed = 12;

const toKey = (text: string) => text.trim().toLowerCase();

const choicesIn = ({ options = [] }: Param) => options.filter((option) => 'value' in option);

/** The option with this value or label, in any case and with spaces around it. */
const findOption = (text: string, param: Param): Choice | undefined => {
	const isNamed = (name: unknown) => toKey(String(name)) === toKey(text);
	const offered = choicesIn(param);
	// Values come first, so that a text that is both a label and the value of another option is read as the value.
	const found =
		offered.find(({ value }) => isNamed(value)) ?? offered.find(({ name }) => isNamed(name));
	return found?.value;
};

/** The usual case, without reading all names. */
const hasValue = ({ options = [] }: Param, value: unknown): boolean =>
	options.some((option) => 'value' in option && option.value === value);

/** Whether the list has an option with an empty value, such as "Not Set". */
export const offersEmpty = (param: Param): boolean => hasValue(param, '');

const rejectChoice = (text: string, param: Param): never => {
	const offered = choicesIn(param)
		.map(({ value }) => String(value))
		.filter((value) => value !== '');
	const some = offered.slice(0, mostNamed).join(', ');
	const others = offered.length > mostNamed ? ' or another option from the list' : '';
	throw new UnfitValueError(
		param.displayName,
		`must be one of ${some}${others}, but is ${JSON.stringify(text)}`,
	);
};

/** The value of an option. An expression may return its value or label. */
export const toChoice = (value: unknown, param: Param): Choice => {
	if (param.options === undefined) return toText(value, param);
	if (hasValue(param, value)) return value as Choice;
	const text = toText(value, param);
	const found = findOption(text, param);
	if (found !== undefined) return found;
	// The service may have values that aren't listed. It writes them in upper case.
	return param.allowArbitraryValues === true
		? text.trim().toUpperCase()
		: rejectChoice(text, param);
};

/** A number from a list. Whether it is valid is checked against the contract, whose error is shorter than a list of 24 hours. */
const toListedNumber = (value: unknown, param: Param): unknown =>
	(typeof value === 'string' ? findOption(value, param) : undefined) ?? toNumber(value, param);

const toList = (value: unknown): unknown[] => {
	if (Array.isArray(value)) return value as unknown[];
	// An expression may return "MTS, TELE2" instead of a list.
	if (typeof value !== 'string') return [value];
	return value
		.split(',')
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
};

export const toChoices = (value: unknown, param: Param): unknown[] =>
	toList(value).map((entry) =>
		param.validateType === 'number' ? toListedNumber(entry, param) : toChoice(entry, param),
	);
