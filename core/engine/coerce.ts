import { toQuoted, UnfitValueError, valueRequired } from './errors';
import type { FieldGroup, ListedChoice, Param } from './params';
import { isRecord } from '../json';
import { toPlain } from '../recipients/placeholders';
import { toLocalTime, toTime } from './times';
import { isBlank } from '../value';

const choicesIn = ({ options = [] }: Param): ListedChoice[] =>
	options.filter((option): option is ListedChoice => 'value' in option);

const fieldsIn = ({ options = [] }: Param): Param[] =>
	options.filter((option): option is Param => 'type' in option);

const fieldGroupsIn = ({ options = [] }: Param): FieldGroup[] =>
	options.filter((option): option is FieldGroup => 'values' in option);

const plainNumber = /^[+-]?(?:\d+|\d*\.\d+)$/;
const commaNumber = /^\s*[+-]?\d+,\d+\s*$/;

/** A finite number, or text that contains one in decimal form. 0x10 and 1e3 are rejected, because no user writes a price so. */
export const readNumber = (value: unknown): number | undefined => {
	const text = typeof value === 'string' ? value.trim() : undefined;
	const number = text === undefined ? value : plainNumber.test(text) ? Number(text) : undefined;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

/** Removes rounding noise such as 0.30000000000000004 from sums of prices. */
export const rounded = (amount: number): number => Math.round(amount * 1e6) / 1e6;

const toNumber = (value: unknown, { displayName, typeOptions, enforceRange }: Param): number => {
	const number = readNumber(value);
	if (number === undefined) {
		const isComma = typeof value === 'string' && commaNumber.test(value);
		const help = isComma ? '. Use a decimal point, such as 8.70' : '';
		throw new UnfitValueError(displayName, `must be a number, but is ${toQuoted(value)}${help}`);
	}
	// JavaScript rounds larger numbers, and a rounded ID would belong to another entry.
	if (Math.abs(number) > Number.MAX_SAFE_INTEGER) {
		throw new UnfitValueError(displayName, `is too large: ${toQuoted(value)}`);
	}
	const { minValue = -Infinity, maxValue = Infinity } = enforceRange ? (typeOptions ?? {}) : {};
	if (number >= minValue && number <= maxValue) return number;
	const limit = number < minValue ? `at least ${minValue}` : `at most ${maxValue}`;
	throw new UnfitValueError(displayName, `must be ${limit}, but is ${number}`);
};

const toText = (value: unknown, { displayName }: Param): string => {
	const plain = toPlain(value);
	// A byte order mark comes from pasted text and files. It can't be seen, but makes an SMS longer.
	if (typeof plain === 'string') return plain.startsWith('\uFEFF') ? plain.slice(1) : plain;
	if (typeof plain === 'boolean' || Number.isFinite(plain)) return String(plain);
	throw new UnfitValueError(displayName, `must be text, but is ${toQuoted(value)}`);
};

const toBoolean = (value: unknown, { displayName }: Param): boolean => {
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

const toJson = (value: unknown, { displayName }: Param): unknown => {
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

/** Without reading all names: this is the usual case. */
const hasValue = ({ options = [] }: Param, value: unknown): boolean =>
	options.some((option) => 'value' in option && option.value === value);

/** The option with this value or label, in any case and with spaces around it. */
const findOption = (text: string, param: Param): Choice | undefined => {
	const isNamed = (name: unknown) => toKey(String(name)) === toKey(text);
	const offered = choicesIn(param);
	// Values come first, so that a text that is both a label and the value of another option is read as the value.
	const found =
		offered.find(({ value }) => isNamed(value)) ?? offered.find(({ name }) => isNamed(name));
	return found?.value;
};

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
const toChoice = (value: unknown, param: Param): Choice => {
	if (param.options === undefined) return toText(value, param);
	if (hasValue(param, value)) return value as Choice;
	const text = toText(value, param);
	const found = findOption(text, param);
	if (found !== undefined) return found;
	if (param.allowArbitraryValues !== true) return rejectChoice(text, param);
	// The service may have values that aren't listed. It writes them in capitals or small letters, like those that are.
	const isSmall = choicesIn(param).every(
		(option) => String(option.value) === toKey(String(option.value)),
	);
	return isSmall ? toKey(text) : text.trim().toUpperCase();
};

const toList = (value: unknown): unknown[] => {
	if (Array.isArray(value)) return value as unknown[];
	// An expression may return "MTS, TELE2" instead of a list.
	if (typeof value !== 'string') return [value];
	return value
		.split(',')
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
};

const toChoices = (value: unknown, param: Param): unknown[] =>
	toList(value).map((entry) => {
		if (param.validateType !== 'number') return toChoice(entry, param);
		// Whether the number is listed is checked against the contract, whose error is shorter than a list of 24 hours.
		const listed = typeof entry === 'string' ? findOption(entry, param) : undefined;
		return listed ?? toNumber(entry, param);
	});

/** Where a field is: at the top level, in a collection (it can be removed), or in a group (its fields are always all there). */
type Place = 'top' | 'collection' | 'group';

const isRejectedWhenEmpty = ({ type, whenEmpty, required }: Param, place: Place): boolean => {
	if (whenEmpty !== undefined) return whenEmpty === 'refuse';
	// In a group and at the top level an option always has a value, unless an expression returns none. Required options at the top
	// level are checked in `readParameters`, which knows whether they are shown.
	if (type === 'options') return place === 'group' || (place === 'top' && required !== true);
	return type === 'number' || type === 'boolean';
};

const wanted: Partial<Record<Param['type'], string>> = {
	number: 'Enter a number',
	boolean: 'Enter true or false',
	dateTime: 'Enter a date and time such as 2026-03-01 10:00',
	options: 'Choose a value',
	multiOptions: 'Choose a value',
};

/** Returns `undefined` to leave out an empty field; throws if leaving it out would change what the operation does. */
const leaveOut = (param: Param, place: Place): undefined => {
	if (!isRejectedWhenEmpty(param, place)) return undefined;
	if (param.required === true) {
		throw new UnfitValueError(param.displayName, valueRequired);
	}
	const orRemove = place === 'collection' ? ', or remove the field' : '';
	throw new UnfitValueError(
		param.displayName,
		`is empty. ${wanted[param.type] ?? 'Enter a value'}${orRemove}`,
	);
};

const requireFields = (value: unknown, { displayName }: Param): Record<string, unknown> => {
	if (isRecord(value)) return value;
	throw new UnfitValueError(
		displayName,
		`must be an object with the fields shown in the node, but is ${isBlank(value) ? 'empty' : toQuoted(value)}`,
	);
};

/** The values of the fields in a collection or a group. */
const coerceFields = (
	place: 'collection' | 'group',
	value: unknown,
	params: readonly Param[],
	whole: Param,
	zone: string,
) => {
	const fields = requireFields(value, whole);
	const result: Record<string, unknown> = {};
	for (const inner of params) {
		// A group's field can be missing only if it is hidden: n8n fills in all others.
		const mayBeMissing = place === 'collection' || inner.displayOptions !== undefined;
		if (mayBeMissing && !Object.hasOwn(fields, inner.name)) continue;
		const fit = coerce(fields[inner.name], inner, zone, place);
		if (fit !== undefined) result[inner.name] = fit;
	}
	return result;
};

const coerceGroups = (value: unknown, param: Param, zone: string) => {
	const fields = requireFields(value, param);
	const result: Record<string, unknown> = {};
	for (const group of fieldGroupsIn(param)) {
		if (!Object.hasOwn(fields, group.name)) continue;
		const given = fields[group.name];
		const fit = (entry: unknown) => coerceFields('group', entry, group.values, param, zone);
		const isList = param.typeOptions?.multipleValues === true;
		result[group.name] = isList ? (Array.isArray(given) ? given : [given]).map(fit) : fit(given);
	}
	return result;
};

/** How a value that isn't empty is converted. */
const converters: Partial<
	Record<Param['type'], (value: unknown, param: Param, zone: string) => unknown>
> = {
	string: toText,
	options: toChoice,
	multiOptions: toChoices,
	number: toNumber,
	boolean: toBoolean,
	json: toJson,
	resourceLocator: (value, param) =>
		param.validateType === 'number' ? toNumber(value, param) : toText(value, param),
	dateTime: (value, param, zone) =>
		param.validateType === 'string' ? toLocalTime(value, param, zone) : toTime(value, param, zone),
};

/**
 * Converts a value to its parameter's type, because an expression may return another one (a number from a spreadsheet as text, a
 * phone number as a number). An empty optional field is left out, never sent as `null`; an empty number is rejected, because an
 * empty limit doesn't mean "no limit".
 */
export const coerce = (
	value: unknown,
	param: Param,
	zone = 'UTC',
	place: Place = 'top',
): unknown => {
	const { type } = param;
	if (type === 'collection') {
		return coerceFields(type, value, fieldsIn(param), param, zone);
	}
	if (type === 'fixedCollection') return coerceGroups(value, param, zone);
	const convert = converters[type];
	if (convert === undefined) return value ?? undefined;
	// n8n doesn't unwrap a locator inside a collection.
	const isLocator = type === 'resourceLocator' && isRecord(value) && '__rl' in value;
	const given = isLocator ? value.value : value;
	if (!isBlank(given)) return convert(given, param, zone);
	if (type === 'string' && param.whenEmpty === 'keep') return given ?? '';
	// A list may have an option with an empty value, such as "Not Set".
	return type === 'options' && hasValue(param, '') ? '' : leaveOut(param, place);
};

/** How many entries of a list the user wants. */
export const limitOf = ({ returnAll, limit }: { returnAll?: unknown; limit?: unknown }): number => {
	if (returnAll === true) return Infinity;
	if (typeof limit === 'number' && Number.isInteger(limit) && limit > 0) return limit;
	throw new UnfitValueError('Limit', 'must be a whole number, 1 or greater');
};
