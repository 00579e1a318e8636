import fc from 'fast-check';
import { pauseBefore, type RetryPolicy } from '../../core/transport/outcome';

const policy: fc.Arbitrary<RetryPolicy> = fc.record({
	attempts: fc.integer({ min: 1, max: 10 }),
	firstPauseMs: fc.integer({ min: 1, max: 10_000 }),
	longestPauseMs: fc.integer({ min: 1, max: 100_000 }),
});
const attempt = fc.integer({ min: 1, max: 12 });
/** As Math.random: 0 and above, below 1. */
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

it('there is none after the last attempt', () => {
	fc.assert(
		fc.property(
			policy,
			fc.nat({ max: 5 }),
			fc.option(fc.nat(), { nil: undefined }),
			chance,
			(given, more, retryAfterMs, random) => {
				expect(
					pauseBefore(given.attempts + more, given, retryAfterMs, () => random),
				).toBeUndefined();
			},
		),
	);
});

it('doubles up to the longest, and varies by half of itself', () => {
	fc.assert(
		fc.property(policy, attempt, chance, (given, count, random) => {
			fc.pre(count < given.attempts);
			const grown = Math.min(given.firstPauseMs * 2 ** (count - 1), given.longestPauseMs);
			const ms = pauseBefore(count, given, undefined, () => random) ?? -1;
			expect(Number.isInteger(ms)).toBe(true);
			expect(ms).toBeGreaterThanOrEqual(Math.floor(grown / 2));
			expect(ms).toBeLessThanOrEqual(given.longestPauseMs);
			expect(ms).toBeLessThanOrEqual(grown);
		}),
	);
});

it('is what the service asks for, or none when that is too long', () => {
	fc.assert(
		fc.property(policy, attempt, fc.nat({ max: 200_000 }), (given, count, retryAfterMs) => {
			fc.pre(count < given.attempts);
			expect(pauseBefore(count, given, retryAfterMs)).toBe(
				retryAfterMs <= given.longestPauseMs ? retryAfterMs : undefined,
			);
		}),
	);
});

it('is not the same for everybody', () => {
	const given = { attempts: 4, firstPauseMs: 10_000, longestPauseMs: 10_000 };
	const pauses = Array.from({ length: 50 }, () => pauseBefore(1, given, undefined));
	expect(new Set(pauses).size).toBeGreaterThan(10);
});
