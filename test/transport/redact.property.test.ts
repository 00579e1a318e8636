import fc from 'fast-check';
import { toShowable } from '../../core/transport/redact';

const longest = 500;
const control = /[\p{Cc}\u2028\u2029]/u;

/** Anything but the sign that stands for a secret. */
const secret = fc
	.string({ unit: 'grapheme', minLength: 3, maxLength: 60 })
	.filter((text) => text.length >= 3 && text.trim() === text && !text.includes('*'));
const noise = fc.string({ unit: 'binary', maxLength: 80 });

/** Secrets, and a text that holds some of them. */
const told = fc.array(secret, { minLength: 1, maxLength: 3 }).chain((secrets) =>
	fc.record({
		secrets: fc.constant(secrets),
		text: fc
			.array(fc.oneof(noise, fc.constantFrom(...secrets)), { maxLength: 40 })
			.map((pieces) => pieces.join('')),
	}),
);

it('never holds a secret', () => {
	fc.assert(
		fc.property(told, ({ secrets, text }) => {
			const shown = toShowable(text, secrets);

			for (const one of secrets) expect(shown).not.toContain(one);
		}),
		{ numRuns: 500 },
	);
});

it('is short and has no control characters', () => {
	fc.assert(
		fc.property(told, fc.nat({ max: 400 }), ({ secrets, text }, times) => {
			const shown = toShowable(text.repeat(times), secrets);

			expect(shown.length).toBeLessThanOrEqual(longest + 1);
			expect(shown).not.toMatch(control);
			expect(shown).toBe(shown.trim());
		}),
	);
});

it('leaves an ordinary text alone', () => {
	const ordinary = fc
		.string({ unit: 'grapheme', maxLength: 100 })
		.filter((text) => text.trim() === text && !control.test(text));
	fc.assert(
		fc.property(ordinary, (text) => {
			expect(toShowable(text, ['a secret that is not in it'])).toBe(text);
		}),
	);
});

const token = Array.from({ length: 300 }, (_, index) =>
	String.fromCharCode(97 + (index % 26)),
).join('');

it.each([
	['after 10 KB of line breaks', `${'\n'.repeat(9_950)}${token}`],
	['after itself, many times', token.repeat(40)],
	['after 10 KB of spaces', `${' '.repeat(9_950)}${token}`],
	['at the end of what is shown', `${'x'.repeat(longest - 20)}${token}`],
])('shows no part of a long secret %s', (_, text) => {
	expect(toShowable(text, [token])).not.toContain(token.slice(0, 20));
});

it('hides a secret whose spaces have become line breaks', () => {
	expect(toShowable('Not correct\nhorse\r\nbattery', ['correct horse battery'])).not.toContain(
		'correct horse battery',
	);
});

it('hides the whole of a secret that begins with another one', () => {
	expect(toShowable('Not abc-def', ['abc', 'abc-def'])).not.toContain('def');
});
