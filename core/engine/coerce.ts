import { tryToParseDateTime } from 'n8n-workflow';
import { isCalendarDate } from '../contract/values';
import { isRecord } from '../json';
import type { Param } from './params';

/** A value that does not fit its parameter, in words that finish the sentence `"<Display Name>" …`. */
export class UnfitValueError extends Error {
	constructor(
		readonly displayName: string,
		readonly complaint: string,
		/** Where it is not the item that is being worked on. */
		readonly itemIndex?: number,
	) {
		super(`"${displayName}" ${complaint}`);
		this.name = 'UnfitValueError';
	}
}

const toNumber = (value: unknown, { displayName }: Param) => {
	if (typeof value === 'number') return value;
	const text = typeof value === 'string' ? value.trim() : '';
	const number = Number(text);
	if (text === '' || Number.isNaN(number)) {
		throw new UnfitValueError(displayName, `must be a number, but is ${JSON.stringify(value)}`);
	}
	return number;
};

const toText = (value: unknown, { displayName }: Param) => {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	throw new UnfitValueError(displayName, 'must be a text, but is a list or an object');
};

/** There are more countries than anybody wants to read in an error. */
const mostNamed = 12;

/** The screen offers only these; an expression may give anything. */
const toChoice = (value: unknown, param: Param) => {
	const text = toText(value, param);
	const { allowArbitraryValues, options, displayName } = param;
	if (allowArbitraryValues === true || options === undefined || text === '') return text;
	if (options.some((option) => 'value' in option && String(option.value) === text)) return text;
	const offered = options
		.map((option) => ('value' in option ? String(option.value) : ''))
		.filter((one) => one !== '');
	const some = offered.slice(0, mostNamed).join(', ');
	const others = offered.length > mostNamed ? ' or another one of its list' : '';
	throw new UnfitValueError(
		displayName,
		`must be one of ${some}${others}, but is ${JSON.stringify(value)}`,
	);
};

const parseTime = (value: unknown, zone: string) => {
	try {
		return tryToParseDateTime(value, zone);
	} catch {
		return undefined;
	}
};

const yearFirst = /^\s*\d{4}-?\d\d/;
const dayOfIso = /^\s*(\d{4}-\d\d-\d\d)/;

/** Text, a Date, or Luxon's DateTime. n8n's parser alone would take 30 February for 2 March. */
const isReadableTime = (value: unknown): boolean => {
	if (typeof value !== 'string')
		return value instanceof Date || (isRecord(value) && 'toISO' in value);
	const day = dayOfIso.exec(value)?.[1];
	return yearFirst.test(value) && (day === undefined || isCalendarDate(`${day}T00:00:00Z`));
};

/**
 * ISO 8601 with its own zone, or the workflow's where it has none. Only forms that start with the year are read: in
 * 01.03.2026 nobody can know which is the month.
 */
const toTime = (value: unknown, { displayName }: Param, zone: string) => {
	const given = typeof value === 'number' ? new Date(value) : value;
	const text = (isReadableTime(given) ? parseTime(given, zone) : undefined)?.toISO({
		suppressMilliseconds: true,
	});
	if (text) return text;
	throw new UnfitValueError(
		displayName,
		`must be a date and time such as 2026-03-01T10:00, but is ${JSON.stringify(value)}`,
	);
};

const asWritten =
	/^\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(?:Z|[+-]\d\d(?::?\d\d)?)?)?\s*$/;

/** For a time of the subscriber's own: what the clock shows, exactly as it is written, whatever zone it names. */
const toLocalTime = (value: unknown, param: Param, zone: string) => {
	// Only a text shows a clock; a moment does in its own zone, or in the workflow's.
	const text = typeof value === 'string' ? value : toTime(value, param, zone);
	const [, day, minutes = '00:00', seconds = '00'] = asWritten.exec(text) ?? [];
	if (day !== undefined) return `${day} ${minutes}:${seconds}`;
	throw new UnfitValueError(
		param.displayName,
		`must be a date and time such as 2026-03-01 10:00, but is ${JSON.stringify(value)}`,
	);
};

const toBoolean = (value: unknown, { displayName }: Param) => {
	if (typeof value === 'boolean') return value;
	if (value === 'true' || value === 1) return true;
	if (value === 'false' || value === 0) return false;
	throw new UnfitValueError(displayName, `must be true or false, but is ${JSON.stringify(value)}`);
};

const parseJson = (text: string): { value: unknown } | undefined => {
	try {
		return { value: JSON.parse(text) };
	} catch {
		return undefined;
	}
};

const toJson = (value: unknown, { displayName }: Param): unknown => {
	if (typeof value !== 'string') return value;
	if (value.trim() === '') return undefined;
	const parsed = parseJson(value);
	if (parsed !== undefined) return parsed.value;
	throw new UnfitValueError(
		displayName,
		'is not valid JSON. Names and texts stand in double quotes, and the last entry has no comma after it',
	);
};

const toList = (value: unknown) => {
	if (Array.isArray(value)) return value as unknown[];
	// An expression may give "MTS, TELE2" where the screen gives a list.
	if (typeof value !== 'string') return [value];
	return value
		.split(',')
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
};

const coerceEach = (
	params: readonly Param[],
	values: unknown,
	zone: string,
): Record<string, unknown> => {
	const result: Record<string, unknown> = {};
	if (!isRecord(values)) return result;
	for (const param of params) {
		const value = coerce(values[param.name], param, zone);
		if (value !== undefined) result[param.name] = value;
	}
	return result;
};

const coerceGroups = (value: unknown, { options = [], typeOptions }: Param, zone: string) => {
	const result: Record<string, unknown> = {};
	if (!isRecord(value)) return result;
	for (const group of options) {
		if (!('values' in group) || value[group.name] === undefined) continue;
		const params = group.values as readonly Param[];
		const entries = value[group.name];
		result[group.name] =
			typeOptions?.multipleValues === true
				? (Array.isArray(entries) ? entries : [entries]).map((entry) =>
						coerceEach(params, entry, zone),
					)
				: coerceEach(params, entries, zone);
	}
	return result;
};

/**
 * Brings a value into the type its parameter has, as an expression may give another one (a number from a spreadsheet as
 * text, a phone number as a number). Nothing stays nothing: an empty optional field is left out, never sent as `null`.
 */
export const coerce = (value: unknown, param: Param, zone = 'UTC'): unknown => {
	if (value === undefined || value === null) return undefined;
	switch (param.type) {
		case 'number':
			return value === '' ? undefined : toNumber(value, param);
		case 'boolean':
			return value === '' ? undefined : toBoolean(value, param);
		case 'json':
			return toJson(value, param);
		case 'multiOptions':
			return param.validateType === 'number'
				? toList(value).map((entry) => toNumber(entry, param))
				: toList(value);
		case 'collection':
			return coerceEach((param.options ?? []) as readonly Param[], value, zone);
		case 'fixedCollection':
			return coerceGroups(value, param, zone);
		case 'resourceLocator': {
			// n8n takes the value out of a locator only where it is no part of a collection.
			const chosen = isRecord(value) && '__rl' in value ? value.value : value;
			if (chosen === undefined || chosen === null || chosen === '') return undefined;
			return param.validateType === 'number' ? toNumber(chosen, param) : toText(chosen, param);
		}
		case 'dateTime':
			if (value === '') return undefined;
			return param.validateType === 'string'
				? toLocalTime(value, param, zone)
				: toTime(value, param, zone);
		case 'string':
			return toText(value, param);
		case 'options':
			return toChoice(value, param);
		default:
			return value;
	}
};

/** For updates: a request that changes nothing is a mistake, and the service may take it for one that clears. */
export const requireSome = <T extends object>(fields: T, displayName: string): T => {
	if (Object.values(fields).some((value) => value !== undefined)) return fields;
	throw new UnfitValueError(displayName, 'is empty. Add at least one field to change');
};
