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

const wantedOf = ({ type }: Param): string => {
	switch (type) {
		case 'number':
			return 'Enter a number';
		case 'boolean':
			return 'Enter true or false';
		case 'dateTime':
			return 'Enter a date and time such as 2026-03-01 10:00';
		case 'options':
		case 'multiOptions':
			return 'Choose a value';
		default:
			return 'Enter a value';
	}
};

/** Returns `undefined` to leave out an empty field; throws if leaving it out would change what the operation does. */
const leaveOut = (param: Param, place: Place): undefined => {
	if (!isRejectedWhenEmpty(param, place)) return undefined;
	if (param.required === true) {
		throw new UnfitValueError(param.displayName, 'is empty. It is required');
	}
	const orRemove = place === 'collection' ? ', or remove the field' : '';
	throw new UnfitValueError(param.displayName, `is empty. ${wantedOf(param)}${orRemove}`);
};

const requireFields = (value: unknown, { displayName }: Param): Record<string, unknown> => {
	if (isRecord(value)) return value;
	throw new UnfitValueError(
		displayName,
		`must be an object with the fields shown in the node, but is ${isUnset(value) ? 'empty' : toQuoted(value)}`,
	);
};

const coerceCollection = (value: unknown, param: Param, clock: Clock) => {
	const fields = requireFields(value, param);
	const result: Record<string, unknown> = {};
	for (const inner of (param.options ?? []) as readonly Param[]) {
		if (!Object.hasOwn(fields, inner.name)) continue;
		const fit = coerceAt('collection', fields[inner.name], inner, clock);
		if (fit !== undefined) result[inner.name] = fit;
	}
	return result;
};

const coerceGroup = (value: unknown, params: readonly Param[], whole: Param, clock: Clock) => {
	const fields = requireFields(value, whole);
	const result: Record<string, unknown> = {};
	for (const inner of params) {
		// A field can be missing only if it is hidden: n8n fills in all others.
		if (inner.displayOptions !== undefined && !Object.hasOwn(fields, inner.name)) continue;
		const fit = coerceAt('group', fields[inner.name], inner, clock);
		if (fit !== undefined) result[inner.name] = fit;
	}
	return result;
};

const coerceGroups = (value: unknown, param: Param, clock: Clock) => {
	const fields = requireFields(value, param);
	const result: Record<string, unknown> = {};
	for (const group of param.options ?? []) {
		if (!('values' in group) || !Object.hasOwn(fields, group.name)) continue;
		const entries = fields[group.name];
		result[group.name] =
			param.typeOptions?.multipleValues === true
				? (Array.isArray(entries) ? entries : [entries]).map((entry) =>
						coerceGroup(entry, group.values, param, clock),
					)
				: coerceGroup(entries, group.values, param, clock);
	}
	return result;
};

const coerceLocator = (value: unknown, param: Param, place: Place) => {
	// n8n doesn't unwrap a locator inside a collection.
	const chosen = isRecord(value) && '__rl' in value ? value.value : value;
	if (isUnset(chosen)) return leaveOut(param, place);
	return param.validateType === 'number' ? toNumber(chosen, param) : toText(chosen, param);
};

const coerceAt = (place: Place, value: unknown, param: Param, clock: Clock): unknown => {
	switch (param.type) {
		case 'collection':
			return coerceCollection(value, param, clock);
		case 'fixedCollection':
			return coerceGroups(value, param, clock);
		case 'resourceLocator':
			return coerceLocator(value, param, place);
		case 'string':
			if (!isUnset(value)) return toText(value, param);
			return param.whenEmpty === 'keep' ? (value ?? '') : leaveOut(param, place);
		case 'options':
			if (!isUnset(value)) return toChoice(value, param);
			return offersEmpty(param) ? '' : leaveOut(param, place);
		case 'multiOptions':
			return isUnset(value) ? leaveOut(param, place) : toChoices(value, param);
		case 'number':
			return isUnset(value) ? leaveOut(param, place) : toNumber(value, param);
		case 'boolean':
			return isUnset(value) ? leaveOut(param, place) : toBoolean(value, param);
		case 'json':
			return isUnset(value) ? leaveOut(param, place) : toJson(value, param);
		case 'dateTime':
			if (isUnset(value)) return leaveOut(param, place);
			return param.validateType === 'string'
				? toLocalTime(value, param, clock)
				: toTime(value, param, clock);
		default:
			return value ?? undefined;
	}
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
