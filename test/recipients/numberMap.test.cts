import fc from 'fast-check';
import { NumberMap } from '../../core/recipients/numberMap';
import { toDigits } from '../../core/recipients/phone';

const anyNumber = fc.oneof(
	fc.integer({ min: 79_160_000_000, max: 79_160_000_100 }),
	// The same in their last 32 bits.
	fc.integer({ min: 1, max: 200_000 }).map((times) => 5 + times * 2 ** 32),
	fc.integer({ min: 1, max: 999_999_999_999_999 }),
);

test('gives what a Map would give', () => {
	fc.assert(
		fc.property(
			fc.array(fc.tuple(anyNumber, fc.nat()), { maxLength: 3_000 }),
			fc.array(anyNumber, { maxLength: 100 }),
			(entries, others) => {
				const map = new Map<number, number>();
				const numbers = new NumberMap();
				for (const [number, value] of entries) {
					expect(numbers.get(number)).toBe(map.get(number));
					map.set(number, value);
					numbers.set(number, value);
				}
				for (const number of [...map.keys(), ...others]) {
					expect(numbers.get(number)).toBe(map.get(number));
				}
			},
		),
		{ numRuns: 30 },
	);
});

test('holds many in a row', () => {
	const numbers = new NumberMap();
	const first = 79_160_000_000;
	for (let index = 0; index < 200_000; index++) numbers.set(first + index, index);
	for (let index = 0; index < 200_000; index++) {
		if (numbers.get(first + index) !== index) throw new Error(`${first + index} is not there.`);
	}
	expect(numbers.get(first - 1)).toBeUndefined();
	expect(numbers.get(first + 200_000)).toBeUndefined();
});

test('the digits of a phone number are the same as a number', () => {
	const anyPhone = fc
		.tuple(fc.constantFrom('+', '00', '8', '0', ''), fc.stringMatching(/^\d{4,17}$/))
		.map(([before, digits]) => before + digits);
	fc.assert(
		fc.property(anyPhone, fc.constantFrom('RU', 'KZ', 'DE', 'IT', 'US'), (phone, country) => {
			const { digits } = toDigits(phone, country);
			if (digits !== undefined) expect(String(Number(digits))).toBe(digits);
		}),
		{ numRuns: 3_000 },
	);
});
