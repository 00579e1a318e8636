import { tryToParseDateTime } from 'n8n-workflow';
import { isCalendarDate } from '../contract/values';
import { toQuoted, UnfitValueError } from './errors';
import type { Param } from './params';

/** How a run reads times. */
export interface Clock {
	/** The workflow's time zone. */
	zone: string;
	/** Called where a time that is to come lies in the past. */
	onPast?: (displayName: string) => void;
}

const separate = /^(\d{4})(?:-(\d\d?)-|\/(\d\d?)\/)(\d\d?)(?:(?:[Tt]|,?\s+)(\S.*))?$/;
const clock =
	/^(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:\s*([AaPp])\.?[Mm]\.?)?\s*(Z|z|UTC|GMT|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?(?:\s*\[?([A-Za-z]\w*(?:\/[A-Za-z][\w+-]*){1,2})\]?)?$/;

const two = (text: string) => text.padStart(2, '0');

/** What a text says about a time: the clock, and the zone where it names one. */
interface WrittenTime {
	day: string;
	/** `10:00:00` */
	clock: string;
	fraction: string;
	zone: string;
}

/** 12 AM is midnight, 12 PM is noon; 13 PM is nothing. */
const toHours = (hours: string, half: string | undefined): string | undefined => {
	if (half === undefined) return two(hours);
	const number = Number(hours);
	if (number < 1 || number > 12) return undefined;
	return two(String((number % 12) + (half.toLowerCase() === 'p' ? 12 : 0)));
};

/** UTC as ISO 8601 writes it. */
const toOffset = (zone = '') => (/^(?:z|utc|gmt)$/i.test(zone) ? 'Z' : zone);

/**
 * Only forms that start with the year are read: in 01.03.2026 nobody can know which is the month. Parsed here, because n8n's
 * parser takes what it does not know for a time in the zone of the server, and 30 February for 2 March.
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

/** Unix time in seconds has ten digits from 2001 to 2286, in milliseconds thirteen. Any other number is no time. */
const readUnixTime = (value: string | number): Date | undefined => {
	const digits = String(value).trim();
	if (/^\d{10}$/.test(digits)) return new Date(Number(digits) * 1_000);
	return /^\d{13}$/.test(digits) ? new Date(Number(digits)) : undefined;
};

const isMoment = (value: unknown): value is Date | { toISO: unknown } =>
	value instanceof Date || (typeof value === 'object' && value !== null && 'toISO' in value);

/** A Date, a Luxon DateTime or Unix time: in its own zone, or in the workflow's. */
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

/** A text that starts with the year, and names a time that exists. */
const readText = (value: unknown, { displayName }: Param): WrittenTime | undefined => {
	const written = typeof value === 'string' ? readWritten(value) : undefined;
	if (written === undefined || isCalendarDate(`${written.day}T${written.clock}Z`)) return written;
	throw new UnfitValueError(displayName, `is not a date of the calendar: ${toQuoted(value)}`);
};

/** ISO 8601 with its own zone, or the workflow's where it has none. */
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

/** Where the day ends last on earth: what is past there is past everywhere. */
const lastZone = '-12:00';

/** For a time on the recipient's own clock: what the clock shows, exactly as it is written, whatever zone it names. */
export const toLocalTime = (value: unknown, param: Param, { zone, onPast }: Clock): string => {
	const written = readText(value, param);
	const [day, time] =
		written === undefined
			? (readMoment(value, zone)?.toISO()?.slice(0, 19).split('T') ?? [])
			: [written.day, written.clock];
	if (day === undefined || time === undefined) return rejectTime(value, param, '2026-03-01 10:00');
	const isPast = Date.parse(`${day}T${time}${lastZone}`) < Date.now();
	if (param.whenPast === 'hint' && isPast) onPast?.(param.displayName);
	return `${day} ${time}`;
};
