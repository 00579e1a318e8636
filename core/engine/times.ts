import { tryToParseDateTime } from 'n8n-workflow';
import { isCalendarDate } from '../contract/values';
import { toQuoted, UnfitValueError } from './errors';
import type { Param } from './params';

/** How a run reads times. */
export interface Clock {
	/** The workflow's time zone. */
	zone: string;
	/** Called if a time that must be in the future is in the past. */
	onPast?: (displayName: string) => void;
}

const separate = /^(\d{4})(?:-(\d\d?)-|\/(\d\d?)\/)(\d\d?)(?:(?:[Tt]|,?\s+)(\S.*))?$/;
/** The text is trimmed, so white space is always followed by a part. */
const clock =
	/^(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:\s*([AaPp])\.?[Mm]\.?)?(?:\s*(Z|z|UTC|GMT|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?))?(?:\s*\[?([A-Za-z]\w*(?:\/[A-Za-z][\w+-]*){1,2})\]?)?$/;

const two = (text: string) => text.padStart(2, '0');

/** The parts of a time written as text. */
interface WrittenTime {
	day: string;
	/** `10:00:00` */
	clock: string;
	fraction: string;
	zone: string;
}

/** 12 AM is midnight, 12 PM is noon; 13 PM is `undefined`. */
const toHours = (hours: string, half: string | undefined): string | undefined => {
	if (half === undefined) return two(hours);
	const number = Number(hours);
	if (number < 1 || number > 12) return undefined;
	return two(String((number % 12) + (half.toLowerCase() === 'p' ? 12 : 0)));
};

/** Writes UTC as `Z`, as ISO 8601 does. */
const toOffset = (zone = '') => (/^(?:z|utc|gmt)$/i.test(zone) ? 'Z' : zone);

/**
 * Reads only formats that start with the year, because the month in 01.03.2026 is ambiguous. n8n's parser isn't used: it reads
 * unknown formats in the server's time zone, and February 30 as March 2.
 */
const readWritten = (given: string): WrittenTime | undefined => {
	const text = given.trim();
	const parts = separate.exec(text);
	if (parts === null) return undefined;
	const [, year = '', dashed, slashed, date = '', time = '00:00'] = parts;
	const day = `${year}-${two(dashed ?? slashed ?? '')}-${two(date)}`;
	const [, first, minutes = '', seconds = '00', fraction, half, offset, place] =
		clock.exec(time) ?? [];
	const hours = first === undefined ? undefined : toHours(first, half);
	if (hours === undefined) return undefined;
	return {
		day,
		clock: `${hours}:${minutes}:${seconds}`,
		fraction: fraction === undefined ? '' : `.${fraction}`,
		zone: toOffset(offset) + (place === undefined ? '' : `[${place}]`),
	};
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

/** Text that starts with the year and contains a time that exists. */
const readText = (value: unknown, { displayName }: Param): WrittenTime | undefined => {
	const written = typeof value === 'string' ? readWritten(value) : undefined;
	if (written === undefined || isCalendarDate(`${written.day}T${written.clock}Z`)) return written;
	throw new UnfitValueError(displayName, `is a date that doesn't exist: ${toQuoted(value)}`);
};

/** ISO 8601 with the given time zone, or the workflow's if there is none. */
export const toTime = (value: unknown, param: Param, { zone, onPast }: Clock): string => {
	const written = readText(value, param);
	const time =
		written === undefined
			? readMoment(value, zone)
			: parseTime(`${written.day}T${written.clock}${written.fraction}${written.zone}`, zone);
	const text = time?.toISO({ suppressMilliseconds: true });
	if (!time || !text) return rejectTime(value, param, '2026-03-01T10:00');
	if (param.whenPast === 'hint' && time.toMillis() < Date.now()) onPast?.(param.displayName);
	return text;
};

/** For a time in the recipient's time zone: the date and time as written; a time zone in the value is ignored. */
export const toLocalTime = (value: unknown, param: Param, { zone }: Clock): string => {
	const written = readText(value, param);
	const [day, time] =
		written === undefined
			? (readMoment(value, zone)?.toISO()?.slice(0, 19).split('T') ?? [])
			: [written.day, written.clock];
	if (day === undefined || time === undefined) return rejectTime(value, param, '2026-03-01 10:00');
	return `${day} ${time}`;
};
