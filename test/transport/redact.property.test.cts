import fc from 'fast-check';
import { toShowable } from '../../core/transport/redact';

const longest = 500;
const control = /[\p{Cc}\u2028\u2029]/u;

const token = Array.from({ length: 300 }, (_, index) =>
	String.fromCharCode(97 + (index % 26)),
).join('');

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

/* The ways in which a service may write what it was told. */

type Encode = (sign: string, isUpper: boolean) => string;

const hex = (code: number, width: number, isUpper: boolean) => {
	const digits = code.toString(16).padStart(width, '0');
	return isUpper ? digits.toUpperCase() : digits;
};
const codeOf = (sign: string) => sign.codePointAt(0) ?? 0;
const named: Record<string, string> = {
	'&': 'amp',
	'<': 'lt',
	'>': 'gt',
	'"': 'quot',
	"'": 'apos',
};

const asItIs: Encode = (sign) => sign;
const percent: Encode = (sign, isUpper) =>
	[...Buffer.from(sign)].map((byte) => `%${hex(byte, 2, isUpper)}`).join('');
const inUrl: Encode = (sign, isUpper) => (/[\w.~-]/.test(sign) ? sign : percent(sign, isUpper));
const inForm: Encode = (sign, isUpper) => (sign === ' ' ? '+' : inUrl(sign, isUpper));
const inJson: Encode = (sign) => (sign === '/' ? '\\/' : JSON.stringify(sign).slice(1, -1));
const unicode: Encode = (sign, isUpper) =>
	Array.from(
		{ length: sign.length },
		(_, index) => `\\u${hex(sign.charCodeAt(index), 4, isUpper)}`,
	).join('');
const inHtml: Encode = (sign) => (named[sign] === undefined ? sign : `&${named[sign]};`);
const decimal: Encode = (sign) => `&#${codeOf(sign)};`;
const padded: Encode = (sign) => `&#${String(codeOf(sign)).padStart(4, '0')};`;
const hexadecimal: Encode = (sign, isUpper) =>
	`&#${isUpper ? 'X' : 'x'}${hex(codeOf(sign), 2, isUpper)};`;
const encodes = {
	asItIs,
	percent,
	inUrl,
	inForm,
	inJson,
	unicode,
	inHtml,
	decimal,
	padded,
	hexadecimal,
};

const valid = secret.filter((text) => !/\p{Cs}/u.test(text));
const signs = (text: string, encode: (sign: string, index: number) => string) =>
	[...text].map(encode).join('');
const around = fc.oneof(
	fc.constantFrom('', ' ', '"', '%', '%2', '&', '&#', '\\', '\\\\', '%25', 'x', '&amp;'),
	fc.string({ maxLength: 10 }),
);

describe('a secret in another spelling', () => {
	it.each(Object.entries(encodes))('%s', (_, encode) => {
		fc.assert(
			fc.property(valid, fc.boolean(), around, around, (one, isUpper, before, after) => {
				const spelled = signs(one, (sign) => encode(sign, isUpper));

				const shown = toShowable(`${before}${spelled}${after}`, [one]);

				expect(shown).toContain('***');
				expect(shown).not.toContain(spelled);
			}),
			{ numRuns: 300 },
		);
	});

	const anyEncode = fc.constantFrom(...Object.values(encodes));

	it('all of them mixed, sign by sign', () => {
		const mixed = fc.array(fc.tuple(anyEncode, fc.boolean()), { minLength: 1, maxLength: 20 });
		fc.assert(
			fc.property(valid, mixed, around, around, (one, ways, before, after) => {
				const spelled = signs(one, (sign, index) => {
					const [encode, isUpper] = ways[index % ways.length] as [Encode, boolean];
					return encode(sign, isUpper);
				});

				const shown = toShowable(`${before}${spelled}${after}`, [one]);

				expect(shown).toContain('***');
				expect(shown).not.toContain(spelled);
			}),
			{ numRuns: 1_000 },
		);
	});

	it('one within another', () => {
		fc.assert(
			fc.property(valid, anyEncode, anyEncode, fc.boolean(), (one, inner, outer, isUpper) => {
				const once = signs(one, (sign) => inner(sign, isUpper));
				const twice = signs(once, (sign) => outer(sign, isUpper));
				const shown = toShowable(`No: ${twice}.`, [one]);
				expect(shown).toContain('***');
				expect(shown).not.toContain(twice);
			}),
			{ numRuns: 500 },
		);
	});
});

it('hides a very long secret, and the text around it when it is escaped twice', () => {
	const long = token.repeat(40);
	expect(toShowable(`No: ${long}.`, [long])).toBe('No: ***.');
	const spelled = signs(
		signs(long, (sign) => percent(sign, true)),
		(sign) => percent(sign, true),
	);
	expect(toShowable(`No: ${spelled}.`, [long])).toMatch(/^\*\*\* \(hidden/);
});

it('hides the whole of a long text with a secret in nested escapes', () => {
	const spelled = signs(
		signs(token, (sign) => unicode(sign, true)),
		(sign) => percent(sign, true),
	);
	const shown = toShowable(`No: ${spelled} ${'and so on '.repeat(500)}`, [token]);
	expect(shown).toBe('*** (hidden, because it contains a secret)');
});

it('finds a secret in nested escapes behind signs of two units', () => {
	const spelled = signs(
		signs('pa-ss', (sign) => unicode(sign, true)),
		(sign) => percent(sign, true),
	);
	expect(toShowable(`${'😀'.repeat(40)}${spelled}`, ['pa-ss'])).toMatch(/^\*\*\* \(hidden/);
});

it('shows the start of a long text with a secret far behind', () => {
	expect(toShowable(`No. ${'and so on '.repeat(80)}${token}`, [token])).toMatch(/^No\. and so on/);
});

/** Regular expressions that take forever would end this test by its time limit. */
it('comes to an end, whatever the text and the secret', () => {
	const hard = [
		['\\'.repeat(100_000), `${'\\'.repeat(40)}x`],
		['%2525\\\\u0025&amp;#37;'.repeat(5_000), `${'%'.repeat(20)}a`],
		['&amp;'.repeat(20_000), `${'&'.repeat(30)}b`],
		[' \\n'.repeat(30_000), `${'\n'.repeat(30)}b`],
		['%61'.repeat(30_000), `${'a'.repeat(100)}b`],
		[`:${'\\'.repeat(99_000)}/`, 'secret'],
	] as const;
	for (const [text, one] of hard) toShowable(text, [one]);
	for (let index = 0; index < 1_000; index++) toShowable(`No. ${index}`, [token.repeat(4)]);
	expect(toShowable(`a ${token}`, [token])).not.toContain(token);
});

it.each([
	['https://login:pass-word@n8n.example/hook', 'https://***@n8n.example/hook'],
	['https:\\/\\/login:p%40ss@n8n.example', 'https:\\/\\/***@n8n.example'],
	['https%3A%2F%2Flogin%3Apass%40n8n.example', 'https%3A%2F%2F***%40n8n.example'],
	['https://n8n.example/x?a=1&signature=0a1b2c&b=2', 'https://n8n.example/x?a=1&signature=***&b=2'],
	['https://n8n.example/x or you@example.com', 'https://n8n.example/x or you@example.com'],
])('hides what is secret in any URL: %s', (text, expected) => {
	expect(toShowable(`No: ${text}`)).toBe(`No: ${expected}`);
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

it.each([
	['one that begins with another one', 'Not abc-def', ['abc', 'abc-def'], 'Not ***'],
	['every one of several', 'Not abc or def', ['abc', 'def'], 'Not *** or ***'],
	['one escaped beside a plain one: everything', 'Not abc or d%65f', ['abc', 'def'], null],
	['one cut off behind many others', token.repeat(90), [token], null],
])('hides the whole of %s', (_, text, secrets, shown) => {
	expect(toShowable(text, secrets)).toBe(shown ?? '*** (hidden, because it contains a secret)');
});
