import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import { coerce } from '../../core/engine/coerce';
import type { Param } from '../../core/engine/params';

const param = {
	displayName: 'Send At',
	name: 'localSendTime',
	type: 'dateTime',
	validateType: 'string',
	default: '',
} as const satisfies Param;

/** Zones with clocks that jump, of both hemispheres, with halves of hours, and beyond the date line. */
const zones = fc.constantFrom(
	'UTC',
	'Europe/Moscow',
	'Europe/Berlin',
	'America/New_York',
	'America/St_Johns',
	'Australia/Lord_Howe',
	'Asia/Kathmandu',
	'Pacific/Apia',
	'Pacific/Kiritimati',
);
const two = (max: number, min = 0) =>
	fc.integer({ min, max }).map((number) => String(number).padStart(2, '0'));
const day = fc
	.tuple(fc.integer({ min: 1970, max: 2099 }), two(12, 1), two(28, 1))
	.map((parts) => parts.join('-'));
const clock = fc.tuple(two(23), two(59), two(59));
const zoneOfText = fc.constantFrom('', 'Z', '+03:00', '-0930', '+14', '.250', '.250Z');

test('a time as it is written stays as it is written, in every zone and with every zone in it', () => {
	fc.assert(
		fc.property(
			day,
			clock,
			zones,
			zoneOfText,
			fc.constantFrom('T', ' '),
			(date, parts, zone, ownZone, between) => {
				const [hours, minutes, seconds] = parts;
				const text = `${date}${between}${hours}:${minutes}:${seconds}${ownZone}`;
				expect(coerce(text, param, zone)).toBe(`${date} ${hours}:${minutes}:${seconds}`);
			},
		),
	);
});

test('without seconds, without a time', () => {
	fc.assert(
		fc.property(day, clock, zones, (date, [hours, minutes], zone) => {
			expect(coerce(`${date}T${hours}:${minutes}`, param, zone)).toBe(
				`${date} ${hours}:${minutes}:00`,
			);
			expect(coerce(date, param, zone)).toBe(`${date} 00:00:00`);
		}),
	);
});

test('a moment is what the clock shows: in its own zone, or in that of the workflow', () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 1_000_000_000, max: 4_000_000_000 }),
			zones,
			zones,
			(seconds, own, zone) => {
				const moment = DateTime.fromSeconds(seconds, { zone: own });
				const shown = (at: DateTime) => at.toFormat('yyyy-MM-dd HH:mm:ss');
				expect(coerce(moment, param, zone)).toBe(shown(moment));
				const ofWorkflow = shown(moment.setZone(zone));
				expect(coerce(new Date(seconds * 1_000), param, zone)).toBe(ofWorkflow);
				expect(coerce(seconds * 1_000, param, zone)).toBe(ofWorkflow);
				expect(coerce(seconds, param, zone)).toBe(ofWorkflow);
				expect(coerce(String(seconds), param, zone)).toBe(ofWorkflow);
			},
		),
	);
});

test.each(['', null, undefined])('nothing stays nothing: %j', (value) => {
	expect(coerce(value, param, 'UTC')).toBeUndefined();
});

test.each(['10:00', '01.03.2026', '2026-03-01T10', '2026-3', 'tomorrow', true, {}, []])(
	'refused: %j',
	(value) => {
		expect(() => coerce(value, param, 'UTC')).toThrow("'Send At' must be a date and time");
	},
);

test.each([
	['2026-12-01 9:00', '2026-12-01 09:00:00'],
	['2026-12-1 10:00', '2026-12-01 10:00:00'],
	['2026-12-01 10:00 +09:00', '2026-12-01 10:00:00'],
])('as people write it: %j', (given, expected) => {
	expect(coerce(given, param, 'Pacific/Kiritimati')).toBe(expected);
});
