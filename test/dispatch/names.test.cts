import fc from 'fast-check';
import { nameCodeIn, codeLength, codedName, withoutCode } from '../../core/contract/dispatchName';
import { comparableName, contentCode, randomCode } from '../../nodes/dispatches/plan/names';
import { code, named, person, people } from './listing.cts';

/** What the name of a dispatch says. */

const base = 'Spring sale';

test.each([
	['send', 'Spring sale #n8n-c0ntent1an0therr3s1'],
	['keep', 'Spring sale #n8n-c0ntent1an0therr3k1'],
	['test', 'Spring sale #n8n-c0ntent1an0therr3t1'],
] as const)('%s: %s', (purpose, name) => {
	expect(named({ purpose })).toBe(name);
	expect(nameCodeIn(name)).toEqual({ ...code, purpose });
	expect(withoutCode(name)).toBe(base);
});

test.each([
	['nobody', { planned: 0 }],
	['a million people, the hundredth attempt', { planned: 1_000_000, attempt: 100 }],
	['only digits', { content: '12345678', run: '87654321', planned: 9, attempt: 9 }],
])('%s: what goes in comes out', (_, more) => {
	expect(nameCodeIn(named(more))).toEqual({ ...code, ...more });
});

test.each([
	'',
	base,
	'Sale #n8n-',
	'#n8n-c0ntent1an0therr3s1',
	'Sale#n8n-c0ntent1an0therr3s1',
	'Sale #n8n-c0ntent1an0therr3x1',
	'Sale #n8n-c0ntent1an0ther3s1',
	'Sale #n8n-c0ntent1an0therr3s',
	'Sale #n8n-c0ntent1an0therrs1',
	'Sale #n8n-c0ntent1an0therr3s1 copy',
	'Sale #n8n-c0ntent1an0therr1234567890s1',
	'Sale #n8n-c0ntent1an0therr3s12345',
])('"%s" has no code', (name) => {
	expect([nameCodeIn(name), withoutCode(name)]).toEqual([undefined, name]);
});

test('a code is found behind spaces, and before a line break', () => {
	expect(nameCodeIn('Sale  \t#n8n-c0ntent1an0therr3s1 \n')).toEqual(code);
	expect(withoutCode('Sale  \t#n8n-c0ntent1an0therr3s1')).toBe('Sale');
});

test('several codes at the end of a name: the last one, and all of them go', () => {
	const twice = codedName(named(), { ...code, attempt: 2 });
	expect(nameCodeIn(twice)).toMatchObject({ attempt: 2 });
	expect(withoutCode(twice)).toBe(base);
});

test('also in other letters', () => {
	expect(nameCodeIn(comparableName(named()))).toEqual(code);
});

describe('who gets which text', () => {
	const one = contentCode(people('a', 'b', 'c'));
	test.each([
		['in another order', ['c', 'a', 'b'], true],
		['somebody less', ['a', 'b'], false],
		['somebody more', ['a', 'b', 'c', 'd'], false],
		['somebody twice', ['a', 'b', 'c', 'c'], false],
		['somebody else', ['a', 'b', 'd'], false],
		['another text', ['a', 'b', 'c:Hallo'], false],
		['texts exchanged', ['a:1', 'b:2', 'c'], false],
		['no text', ['a:', 'b:', 'c:'], false],
	])('%s: the same code: %s', (_, written, isSame) => {
		expect(contentCode(people(...written)) === one).toBe(isSame);
	});

	test('texts exchanged between two people', () => {
		expect(contentCode(people('a:1', 'b:2'))).not.toBe(contentCode(people('a:2', 'b:1')));
		expect(contentCode([person('a:bc')])).not.toBe(contentCode([person('ab:c')]));
	});

	test('a text that is not known is empty', () => {
		const [first] = people('a:');
		expect(contentCode([{ ...person('a'), text: undefined }])).toBe(
			contentCode(first ? [first] : []),
		);
	});

	test('a code as long as it should be, and no two alike', () => {
		const codes = Array.from({ length: 20_000 }, (_, index) => contentCode([person(`${index}`)]));
		expect(new Set(codes).size).toBe(codes.length);
		expect(codes.filter((text) => !/^[0-9a-z]{8}$/.test(text))).toEqual([]);
		expect(contentCode([])).toBe('00000000');
		expect(codeLength).toBe(8);
	});

	// A dispatch of an earlier version of the node must be recognized.
	test('stays the same in every version', () => {
		expect([contentCode(people('a')), contentCode(people('a', 'b'))]).toEqual([
			'a21gkfeb',
			'28fmg4qr',
		]);
	});
});

test('the code of a run is random', () => {
	const codes = Array.from({ length: 1_000 }, randomCode);
	expect(new Set(codes).size).toBe(1_000);
	expect(codes.filter((text) => !/^[0-9a-z]{8}$/.test(text))).toEqual([]);
	jest.spyOn(Math, 'random').mockReturnValue(0.999_999_999_999);
	expect(randomCode()).toMatch(/^zzzz/);
	jest.restoreAllMocks();
});

test('any name: without its code it is what it was', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (text) => {
			const plain = withoutCode(`a${text}`);
			expect(withoutCode(codedName(plain, code))).toBe(plain.replace(/\s+$/, ''));
			expect(nameCodeIn(codedName(plain, code))).toEqual(code);
		}),
	);
});
