import { tryToParseDateTime } from 'n8n-workflow';
import { isCalendarDate } from '../contract/values';
import { toQuoted, UnfitValueError } from './errors';
import type { Param } from './params';

const written =
	/^(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt]|\s+)(\d\d?):(\d\d)(?::(\d\d)(\.\d{1,9})?)?\s*([Zz]|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?)?$/;

const two = (text: string) => text.padStart(2, '0');

/**
 * The parts of a time written as text; `undefined` if the value isn't such a text. Reads only ISO 8601, with single digits and
 * spaces as people write them: the month in 01.03.2026 is ambiguous. n8n's parser isn't used: it reads unknown formats in the
 * server's time zone, and February 30 as March 2.
 */
const readText = (value: unknown, { displayName }: Param) => {
	const parts = typeof value === 'string' ? written.exec(value.trim()) : null;
	if (parts === null) return undefined;
	const [, year = '', month = '', date = '', ...rest] = parts;
	const [hours = '00', minutes = '00', seconds = '00', fraction = '', zone = ''] = rest;
	const day = `${year}-${two(month)}-${two(date)}`;
	const clock = `${two(hours)}:${minutes}:${seconds}`;
	if (isCalendarDate(`${day}T${clock}Z`)) return { day, clock, fraction, zone: zone.toUpperCase() };
	throw new UnfitValueError(displayName, `is a date that doesn't exist: ${toQuoted(value)}`);
};

const parseTime = (value: unknown, zone: string) => {
	try {
		return tryToParseDateTime(value, zone);
	} catch {
		return undefined;
	}
};

/** Unix time has ten digits in seconds (from 2001 to 2286) or thirteen in milliseconds. Other numbers aren't read as a time. */
const readUnixTime = (value: string | number): Date | undefined => {
	const digits = String(value).trim();
	if (/^\d{10}$/.test(digits)) return new Date(Number(digits) * 1_000);
	return /^\d{13}$/.test(digits) ? new Date(Number(digits)) : undefined;
};

const isMoment = (value: unknown): value is Date | { toISO: unknown } =>
	value instanceof Date || (typeof value === 'object' && value !== null && 'toISO' in value);

/** A Date, a Luxon DateTime or Unix time, in its own time zone or the workflow's. */
const readMoment = (value: unknown, zone: string) => {
	const given =
		typeof value === 'number' || typeof value === 'string' ? readUnixTime(value) : value;
	return isMoment(given) ? parseTime(given, zone) : undefined;
};

const rejectTime = (value: unknown, { displayName }: Param, example: string): never => {
	throw new UnfitValueError(
		displayName,
		`must be a date and time such as ${example}, but is ${toQuoted(value)}`,
	);
};

/** ISO 8601 with the given time zone, or the workflow's if there is none. */
export const toTime = (value: unknown, param: Param, zone: string): string => {
	const text = readText(value, param);
	const time =
		text === undefined
			? readMoment(value, zone)
			: parseTime(`${text.day}T${text.clock}${text.fraction}${text.zone}`, zone);
	return (
		time?.toISO({ suppressMilliseconds: true }) || rejectTime(value, param, '2026-03-01T10:00')
	);
};

/** For a time in the recipient's time zone: the date and time as written; a time zone in the value is ignored. */
export const toLocalTime = (value: unknown, param: Param, zone: string): string => {
	const text = readText(value, param);
	const [day, time] =
		text === undefined
			? (readMoment(value, zone)?.toISO()?.slice(0, 19).split('T') ?? [])
			: [text.day, text.clock];
	if (day === undefined || time === undefined) return rejectTime(value, param, '2026-03-01 10:00');
	return `${day} ${time}`;
};
