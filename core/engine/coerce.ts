import { isRecord } from '../json';
import { toQuoted, UnfitValueError } from './errors';
import type { Param } from './params';
import { offersEmpty, toBoolean, toChoice, toChoices, toJson, toNumber, toText } from './scalars';
import { toLocalTime, toTime, type Clock } from './times';

const mark = /\S/;

/** Letters, digits and other ASCII signs. Most texts start with one, and the test above takes much longer. */
const startsVisibly = (text: string): boolean => {
	const code = text.charCodeAt(0);
	return code > 0x20 && code < 0x7f;
};

/** Whether an expression returned no value: `undefined`, `null`, or text without a visible character. */
const isUnset = (value: unknown): value is undefined | null | string =>
	value === undefined ||
	value === null ||
	(typeof value === 'string' && !startsVisibly(value) && !mark.test(value));

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
		throw new UnfitValueError(param.displayName, 'is empty. It is required');
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
		`must be an object with the fields shown in the node, but is ${isUnset(value) ? 'empty' : toQuoted(value)}`,
	);
};

/** The values of the fields in a collection or a group. */
const coerceFields = (
	place: 'collection' | 'group',
	value: unknown,
	params: readonly Param[],
	whole: Param,
	clock: Clock,
) => {
	const fields = requireFields(value, whole);
	const result: Record<string, unknown> = {};
	for (const inner of params) {
		// A group's field can be missing only if it is hidden: n8n fills in all others.
		const mayBeMissing = place === 'collection' || inner.displayOptions !== undefined;
		if (mayBeMissing && !Object.hasOwn(fields, inner.name)) continue;
		const fit = coerceAt(place, fields[inner.name], inner, clock);
		if (fit !== undefined) result[inner.name] = fit;
	}
	return result;
};

const coerceGroups = (value: unknown, param: Param, clock: Clock) => {
	const fields = requireFields(value, param);
	const result: Record<string, unknown> = {};
	for (const group of param.options ?? []) {
		if (!('values' in group) || !Object.hasOwn(fields, group.name)) continue;
		const given = fields[group.name];
		const fit = (entry: unknown) => coerceFields('group', entry, group.values, param, clock);
		const isList = param.typeOptions?.multipleValues === true;
		result[group.name] = isList ? (Array.isArray(given) ? given : [given]).map(fit) : fit(given);
	}
	return result;
};

/** How a value that isn't empty is converted. */
const converters: Partial<
	Record<Param['type'], (value: unknown, param: Param, clock: Clock) => unknown>
> = {
	string: toText,
	options: toChoice,
	multiOptions: toChoices,
	number: toNumber,
	boolean: toBoolean,
	json: toJson,
	resourceLocator: (value, param) =>
		param.validateType === 'number' ? toNumber(value, param) : toText(value, param),
	dateTime: (value, param, clock) =>
		param.validateType === 'string'
			? toLocalTime(value, param, clock)
			: toTime(value, param, clock),
};

const coerceAt = (place: Place, value: unknown, param: Param, clock: Clock): unknown => {
	const { type } = param;
	if (type === 'collection') {
		return coerceFields(type, value, (param.options ?? []) as readonly Param[], param, clock);
	}
	if (type === 'fixedCollection') return coerceGroups(value, param, clock);
	const convert = converters[type];
	if (convert === undefined) return value ?? undefined;
	// n8n doesn't unwrap a locator inside a collection.
	const isLocator = type === 'resourceLocator' && isRecord(value) && '__rl' in value;
	const given = isLocator ? value.value : value;
	if (!isUnset(given)) return convert(given, param, clock);
	if (type === 'string' && param.whenEmpty === 'keep') return given ?? '';
	return type === 'options' && offersEmpty(param) ? '' : leaveOut(param, place);
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
	onPast?: (displayName: string) => void,
): unknown => coerceAt('top', value, param, { zone, onPast });

/** For updates: a request without fields is a mistake, and the service may read it as a request to clear all fields. */
export const requireSome = <T extends object>(fields: T, displayName: string): T => {
	if (Object.values(fields).some((value) => value !== undefined)) return fields;
	throw new UnfitValueError(displayName, 'is empty. Add at least one field to change');
};

/** How many entries of a list the user wants. */
export const limitOf = ({ limit }: Readonly<Record<string, unknown>>): number => {
	if (typeof limit === 'number' && Number.isInteger(limit) && limit > 0) return limit;
	throw new UnfitValueError('Limit', 'must be a whole number, 1 or greater');
};
