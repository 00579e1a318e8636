import fc from 'fast-check';
import { complaintAbout, fillTemplate, parseTemplate } from '../../core/recipients/placeholders';

const namesIn = (text: string) => parseTemplate(text).names;
const fill = (text: string, values: object = {}) => fillTemplate(parseTemplate(text), values).text;
const missing = (text: string, values: object = {}) =>
	fillTemplate(parseTemplate(text), values).missing;

describe('names', () => {
	test.each<[string, string[]]>([
		['', []],
		['no braces', []],
		['Dear {name}', ['name']],
		['{a}{b}{a}', ['a', 'b']],
		['{имя} и {order_id}', ['имя', 'order_id']],
		['{1}, {first-name}, {user.name}', ['1', 'first-name', 'user.name']],
		['{First Name}, {Имя клиента}', ['First Name', 'Имя клиента']],
		['{ name }', ['name']],
		['{name|friend} {First Name | my friend}', ['name', 'First Name']],
		['{a\\|b} {a\\}b} {a\\{b|c}', ['a|b', 'a}b', 'a{b']],
		['{__proto__}', ['__proto__']],
		['{name', []],
		['name}', []],
		['{a{b}c}', ['b']],
		['\\{name}', []],
		['\\{name\\}', []],
		['{\\}', []],
		// Expressions that nobody evaluated.
		['{{name}}', []],
		['{{ $json.name }} {b}', ['b']],
	])('%j', (text, names) => {
		expect(namesIn(text)).toEqual(names);
	});
});

describe('braces that plainly are not placeholders are text', () => {
	test.each([
		'{}',
		'{ }',
		'{"json": 1}',
		'{ "a": {"b": [1, {}]} }',
		"{'a': 1}",
		'{line\nbreak}',
		'{|friend}',
		':-} or :-{',
		'}{',
	])('%j', (text) => {
		const template = parseTemplate(text);
		expect(template.names).toEqual([]);
		expect(fill(text)).toBe(text);
		expect(complaintAbout(template, true)).toBeUndefined();
		expect(template.hasBraces).toBe(true);
		// The service may read them in its own way.
		expect(template.isPlain).toBe(false);
	});
});

describe('mistakes', () => {
	const complaint = (text: string, isFixed = true) => complaintAbout(parseTemplate(text), isFixed);

	test.each([
		['Hello {{ name }}!', '{{ name }}', '{name}'],
		['{{name}} {a}', '{{name}}', '{name}'],
		['{{ $json.город }}', '{{ $json.город }}', '{город}'],
		['{{ $json["First Name"] }}', '{{ $json["First Name"] }}', '{name}'],
		['{{name}', '{{name}', '{name}'],
		['{{', '{{', '{name}'],
		['{{{a}}}', '{{{a}}', '{a}'],
	])('%j looks like an expression', (text, found, suggestion) => {
		expect(complaint(text)).toBe(
			`contains ${found}. This looks like an expression. Switch the field to 'Expression', or write ${suggestion}.`,
		);
	});

	test('what an expression leaves behind is a mistake too, but the field is an Expression already', () => {
		expect(complaint('Hello {{ name }}', false)).toBe(
			'still contains {{ name }} after its expression was evaluated. Correct the expression or the data, or write {name}.',
		);
	});

	test.each(['Hello {name, your code is {code}', '{name', '{ {a} {имя', '{1'])(
		'%j has a brace that is never closed',
		(text) => {
			expect(complaint(text)).toMatch(/^contains a brace that isn't closed: "\{/);
			expect(complaint(text, false)).toBe(complaint(text));
		},
	);

	test.each(['{name}', '{a{b}c}', '\\{\\{ name }}', '\\{name', '{ {name} }', '} {a}', '{"a'])(
		'%j is none',
		(text) => {
			expect(complaint(text)).toBeUndefined();
		},
	);

	test('a long one is cut', () => {
		expect(complaint(`{${'a'.repeat(500)}`)?.length).toBeLessThan(150);
		expect(complaint(`{{${'a'.repeat(500)}}}`)?.length).toBeLessThan(200);
	});
});

describe('filling', () => {
	test('text, numbers and booleans, every time they appear', () => {
		const values = { name: 'Anna', sum: 12.5, vip: true, zero: 0, empty: '' };
		expect(fill('{name} {sum} {vip} {zero}{empty} {name}', values)).toBe('Anna 12.5 true 0 Anna');
	});

	test('objects and lists as JSON', () => {
		expect(fill('{a} {b}', { a: { x: 1 }, b: [1, 'c'] })).toBe('{"x":1} [1,"c"]');
	});

	test('dates without quotation marks, whichever class n8n gives', () => {
		const iso = '2026-03-02T07:00:00.000Z';
		const luxon = { toISO: () => iso, toJSON: () => iso, c: { year: 2026 } };
		const moment = { toJSON: () => iso };
		expect(fill('{a} {b} {c}', { a: new Date(iso), b: luxon, c: moment })).toBe(
			`${iso} ${iso} ${iso}`,
		);
	});

	test('a date that is not one is not printed', () => {
		expect(fill('{a}.', { a: new Date(NaN) })).toBe('.');
		expect(fill('{a|soon}.', { a: new Date(NaN) })).toBe('soon.');
		expect(missing('{a}', { a: { toISO: () => null, toJSON: () => null } })).toEqual(['a']);
	});

	test('an object with a field named like a method is still JSON', () => {
		expect(fill('{a}', { a: { toISO: 1, toJSON: 'x' } })).toBe('{"toISO":1,"toJSON":"x"}');
	});

	test.each([
		['{First Name}', { 'First Name': 'Anna' }, 'Anna'],
		['{Имя клиента}', { 'Имя клиента': 'Анна' }, 'Анна'],
		['{user.name}', { 'user.name': 'Anna', user: { name: 'no' } }, 'Anna'],
		['{ name }', { name: 'Anna' }, 'Anna'],
		['{Name } {Name}', { 'Name ': 'with a space', Name: 'without' }, 'with a space without'],
		['{a\\|b}{a\\}b}', { 'a|b': 1, 'a}b': 2 }, '12'],
		['{a:b, (c) №1?}', { 'a:b, (c) №1?': 'x' }, 'x'],
	])('any field name: %j', (text, values, filled) => {
		expect(fill(text, values)).toBe(filled);
	});

	test.each([
		['{name|friend}', {}, 'friend'],
		['{name|friend}', { name: null }, 'friend'],
		['{name|friend}', { name: '' }, 'friend'],
		['{name|friend}', { name: ' \t' }, 'friend'],
		['{name|friend}', { name: 'Anna' }, 'Anna'],
		['{name|friend}', { name: 0 }, '0'],
		['{name|friend}', { name: false }, 'false'],
		['{name | my dear friend }', {}, 'my dear friend'],
		['{name|}', {}, ''],
		['{name|a|b}', {}, 'a|b'],
		['{name|\\{x\\}}', {}, '{x}'],
		['{First Name|друг}', {}, 'друг'],
	])('%j with %j', (text, values, filled) => {
		expect(fill(text, values)).toBe(filled);
		expect(missing(text, values)).toEqual([]);
	});

	test.each([
		['\\{name}', '{name}'],
		['\\{name\\}', '{name}'],
		['\\{{name}\\}', '{Anna}'],
		['\\{\\{ name }}', '{{ name }}'],
		['C:\\temp {name}', 'C:\\temp Anna'],
		['{name} \\d \\\\', 'Anna \\d \\\\'],
	])('escaped: %j', (text, filled) => {
		expect(fill(text, { name: 'Anna' })).toBe(filled);
	});

	test('a backslash is an ordinary character in a text without braces', () => {
		expect(fill('C:\\temp\\|\\\\')).toBe('C:\\temp\\|\\\\');
	});

	test('does not search a value again', () => {
		expect(fill('{a}', { a: '{b} \\{', b: 'x' })).toBe('{b} \\{');
		expect(fill('{a}', { a: '$& $1 $$' })).toBe('$& $1 $$');
	});

	test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])(
		'{%s} is not taken from the prototype',
		(name) => {
			expect(fill(`<{${name}}>`)).toBe('<>');
			expect(missing(`{${name}}`)).toEqual([name]);
			const own: unknown = JSON.parse(`{${JSON.stringify(name)}: "own"}`);
			expect(fill(`{${name}}`, own as object)).toBe('own');
		},
	);
});

describe('missing values', () => {
	test.each([undefined, null, '', '  '])('%j is missing', (name) => {
		expect(missing('{name} {other|x} {name}', { name })).toEqual(['name']);
	});

	test.each([0, false, {}, []])('%j is not', (name) => {
		expect(missing('{name}', { name })).toEqual([]);
	});

	test('a fallback in one place is none in another', () => {
		expect(missing('{name|friend} {name} { name }')).toEqual(['name']);
	});
});

describe('what the service can express', () => {
	test.each(['', 'Hello', 'Dear {name}', '{a}{B_2}{__proto__}', 'a \\ b', 'Имя: {name}'])(
		'%j',
		(text) => expect(parseTemplate(text).isPlain).toBe(true),
	);

	test.each([
		'{First Name}',
		'{имя}',
		'{user.name}',
		'{first-name}',
		'{ name }',
		'{name|friend}',
		'{name} \\{',
		'{name} {}',
		'{name} {',
		'{name} }',
		'{é}',
	])('not %j', (text) => expect(parseTemplate(text).isPlain).toBe(false));
});

describe('braces that are left', () => {
	test.each<[string, object, boolean]>([
		['Hello', {}, false],
		['{name}', { name: 'Anna' }, false],
		['\\{ \\}', {}, false],
		['{name|\\{x\\}}', {}, false],
		['{}', {}, true],
		['{ "a', {}, true],
		['a }', {}, true],
		['{name}', { name: '{x}' }, true],
		['{name}', { name: 'x }' }, true],
		['{name}', { name: { a: 1 } }, true],
		['{name}', { name: [1] }, false],
	])('%j with %j', (text, values, isLeft) => {
		expect(fillTemplate(parseTemplate(text), values).leavesBraces).toBe(isLeft);
	});
});

describe('properties', () => {
	/** Any name there is, written as a placeholder must write it. */
	const anyName = fc
		.oneof(
			fc.stringMatching(/^[a-zA-Zа-я_][a-zA-Z0-9а-я_. -]{0,10}$/),
			fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
		)
		.filter((name) => name.trim() !== '' && !/^\s*["']|[\r\n\u2028\u2029\\]/.test(name));
	const escaped = (name: string) => name.replace(/[{}|]/g, '\\$&');
	const anyValue = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
	const piece = fc.oneof(
		anyName.map((name) => `{${name}}`),
		fc.constantFrom('{', '}', '{{', '}}', '{}', ' ', '|', '\\', '\\{', '\\}', '{name|', '"', '\n'),
		fc.string(),
	);
	const anyText = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

	test('a text without braces stays as it is', () => {
		fc.assert(
			fc.property(fc.string(), fc.dictionary(anyName, anyValue), (text, values) => {
				const plain = text.replace(/[{}]/g, '');
				expect(fill(plain, values)).toBe(plain);
				expect(namesIn(plain)).toEqual([]);
				expect(parseTemplate(plain)).toMatchObject({ isPlain: true, hasBraces: false });
			}),
		);
	});

	test('any text has a reading, and every value that is given is in it', () => {
		fc.assert(
			fc.property(anyText, fc.dictionary(fc.string(), anyValue), fc.boolean(), (text, ...more) => {
				const [values, isFixed] = more;
				const template = parseTemplate(text);
				expect(typeof fill(text, values)).toBe('string');
				expect(typeof (complaintAbout(template, isFixed) ?? '')).toBe('string');
				expect(new Set(template.names).size).toBe(template.names.length);
				const marks = template.names.map((name, index) => [name, `<${index}>`] as const);
				// `fromEntries` makes an own field of `__proto__` too.
				const given = Object.fromEntries(marks);
				const filled = fill(text, given);
				for (const [, mark] of marks) expect(filled).toContain(mark);
				expect(missing(text, given)).toEqual([]);
			}),
			{ numRuns: 500 },
		);
	});

	test('filling leaves no placeholder whose value was given, and touches nothing else', () => {
		const plainText = fc.string().map((text) => text.replace(/[{}\\]/g, ''));
		fc.assert(
			fc.property(fc.array(fc.tuple(plainText, anyName, fc.string())), (triples) => {
				const values = Object.fromEntries(triples.map(([, name, value]) => [name, value]));
				const text = triples.map(([before, name]) => `${before}{${escaped(name)}}`).join('');
				const own = (name: string) => (Object.hasOwn(values, name) ? values[name] : undefined);
				expect(fill(text, values)).toBe(
					triples
						.map(([before, name]) => `${before}${own(name) || own(name.trim()) || ''}`)
						.join(''),
				);
			}),
			{ numRuns: 500 },
		);
	});

	test('an escaped text is that text', () => {
		fc.assert(
			fc.property(anyText, (text) => {
				const literal = text.replace(/\\/g, '');
				expect(fill(literal.replace(/[{}]/g, '\\$&'))).toBe(literal);
			}),
		);
	});

	test('what the service can express, the service fills the same way', () => {
		const plainText = fc
			.array(fc.constantFrom('{a}', '{b_1}', 'x', ' ', '\\', '{c}'))
			.map((all) => all.join(''));
		fc.assert(
			fc.property(plainText, fc.string(), (text, value) => {
				fc.pre(parseTemplate(text).isPlain);
				const byService = text.replace(/\{(\w+)\}/g, () => value);
				expect(fill(text, { a: value, b_1: value, c: value })).toBe(byService);
			}),
		);
	});

	// A search that went back for every brace would need about 10^12 steps here: the test would never end.
	test.each(['{', '}', '{a', '{a}', '{{}', 'a{', '{аб', '\\{', '{\\}', '{a|b}', '{ '])(
		'a megabyte of %j is no trouble',
		(written) => {
			const text = written.repeat(1_000_000 / written.length);
			expect(namesIn(text).length).toBeLessThanOrEqual(1);
			expect(fill(text).length).toBeLessThanOrEqual(text.length);
			expect(complaintAbout(parseTemplate(text), true)?.length ?? 0).toBeLessThan(200);
			expect(namesIn(`{${'a'.repeat(1_000_000)}`)).toEqual([]);
		},
	);
});
