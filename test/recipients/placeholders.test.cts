import fc from 'fast-check';
import { fillPlaceholders, findPlaceholders } from '../../core/recipients/placeholders';

describe('findPlaceholders', () => {
	test.each<[string, string[]]>([
		['', []],
		['no braces', []],
		['Dear {name}', ['name']],
		['{a}{b}{a}', ['a', 'b']],
		['{имя} и {order_id}', ['имя', 'order_id']],
		['{1}, {first-name}, {user.name}', ['1', 'first-name', 'user.name']],
		['{}', []],
		['{ name }', []],
		['{first name}', []],
		['{"json": 1}', []],
		['{{name}}', ['name']],
		['{name', []],
		['name}', []],
		['{a{b}c}', ['b']],
		['{line\nbreak}', []],
	])('%j', (text, names) => {
		expect(findPlaceholders(text)).toEqual(names);
	});
});

describe('fillPlaceholders', () => {
	test('fills text, numbers and booleans, every time they appear', () => {
		const values = { name: 'Anna', sum: 12.5, vip: true, zero: 0, empty: '' };
		expect(fillPlaceholders('{name} {sum} {vip} {zero}{empty} {name}', values)).toBe(
			'Anna 12.5 true 0 Anna',
		);
	});

	test('leaves a placeholder without a value, and a brace that is none', () => {
		expect(fillPlaceholders('{name} {other} { {"a": 1} }', { name: 'A' })).toBe(
			'A {other} { {"a": 1} }',
		);
	});

	test('does not search a value again', () => {
		expect(fillPlaceholders('{a}', { a: '{b}', b: 'x' })).toBe('{b}');
		expect(fillPlaceholders('{a}', { a: '$& $1 $$' })).toBe('$& $1 $$');
	});

	test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])(
		'{%s} is not taken from the prototype',
		(name) => {
			expect(fillPlaceholders(`{${name}}`, {})).toBe(`{${name}}`);
			const own: unknown = JSON.parse(`{${JSON.stringify(name)}: "own"}`);
			expect(fillPlaceholders(`{${name}}`, own as Record<string, string>)).toBe('own');
		},
	);
});

describe('properties', () => {
	const name = fc.stringMatching(/^[a-zA-Zа-я_][a-zA-Z0-9а-я_.-]{0,10}$/);

	test('a text without braces stays as it is', () => {
		fc.assert(
			fc.property(fc.string(), fc.dictionary(name, fc.string()), (text, values) => {
				const plain = text.replace(/[{}]/g, '');
				expect(fillPlaceholders(plain, values)).toBe(plain);
				expect(findPlaceholders(plain)).toEqual([]);
			}),
		);
	});

	test('what is found is exactly what is filled', () => {
		const piece = fc.oneof(
			name.map((one) => `{${one}}`),
			fc.constantFrom('{', '}', '{{', '}}', '{}', ' '),
			fc.string(),
		);
		fc.assert(
			fc.property(fc.array(piece), (pieces) => {
				const text = pieces.join('');
				const names = findPlaceholders(text);
				expect(new Set(names).size).toBe(names.length);
				const values = Object.fromEntries(names.map((one) => [one, '']));
				expect(findPlaceholders(fillPlaceholders(text, values)).length).toBeLessThanOrEqual(
					text.length,
				);
				const marked = fillPlaceholders(
					text,
					Object.fromEntries(names.map((one) => [one, `<${one}>`])),
				);
				for (const one of names) {
					expect(marked).toContain(`<${one}>`);
					expect(marked).not.toContain(`{${one}}`);
				}
				expect(fillPlaceholders(text, {})).toBe(text);
			}),
		);
	});

	test('joined pieces are filled one by one', () => {
		fc.assert(
			fc.property(fc.array(fc.tuple(name, fc.string())), (pairs) => {
				const values: Record<string, string> = Object.fromEntries(pairs);
				const text = pairs.map(([one]) => `{${one}}`).join('|');
				expect(fillPlaceholders(text, values)).toBe(pairs.map(([one]) => values[one]).join('|'));
			}),
		);
	});

	// A search that went back for every brace would need about 10^12 steps here: the test would never end.
	test.each(['{', '}', '{a', '{a}', '{{}', 'a{', '{аб'])(
		'a megabyte of %j is no trouble',
		(piece) => {
			const text = piece.repeat(1_000_000 / piece.length);
			expect(findPlaceholders(text).length).toBeLessThanOrEqual(1);
			expect(fillPlaceholders(text, {})).toBe(text);
			expect(findPlaceholders(`{${'a'.repeat(1_000_000)}`)).toEqual([]);
		},
	);
});
