import fc from 'fast-check';
import { Datetime, parseDatetime } from '../../core/contract/values';

/** Times are read in a faster way than the schema does. It must never accept more. */

const twoDigits = fc.integer({ min: 0, max: 35 }).map((number) => String(number).padStart(2, '0'));
const times = fc
	.tuple(
		fc.constantFrom('2024', '2025', '2026', '0000', '9999'),
		twoDigits,
		twoDigits,
		twoDigits,
		twoDigits,
		fc.constantFrom('', ':00', ':59.123', ':60', ':00.1234567890'),
		fc.constantFrom('Z', '+03:00', '+0300', '-25:00', ''),
	)
	.map(
		([year, month, day, hour, minute, rest, zone]) =>
			`${year}-${month}-${day}T${hour}:${minute}${rest}${zone}`,
	);

it('reads the same times as the schema', () => {
	fc.assert(
		fc.property(fc.oneof(times, fc.string(), fc.integer(), fc.constant(null)), (value) => {
			expect(parseDatetime(value)).toBe(
				Datetime.safeParse(value).success ? Date.parse(String(value)) : NaN,
			);
		}),
		{ numRuns: 2_000 },
	);
});
