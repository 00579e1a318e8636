import fc from 'fast-check';
import { comparableName } from '../../nodes/dispatches/plan/names';

const name = 'Spring sale 2026';

test.each([
	['other case', 'SPRING Sale 2026'],
	['spaces around it', '  Spring sale 2026\n'],
	['more or other white space', 'Spring\u00a0 sale\t2026'],
	['zero-width characters', '\ufeffSpring\u200b sa\u2060le 20\u200d26'],
	['a soft hyphen', 'Spring sa\u00adle 2026'],
	['marks for the direction of text', '\u202aSpring sale\u202c 2026\u200e'],
	['a variation selector', 'Spring sale\ufe0f 2026'],
	['full-width characters', 'Ｓｐｒｉｎｇ　ｓａｌｅ　２０２６'],
])('%s: the same name', (_, other) => {
	expect(comparableName(other)).toBe(comparableName(name));
});

test.each([
	['é in one character and in two', 'Café', 'Cafe\u0301'],
	['Cyrillic', 'ВЕСНА Ёлка', 'весна е\u0308лка'],
	['a ligature', 'o\ufb03ce', 'OFFICE'],
	['ß', 'Straße', 'STRASSE'],
	['both forms of a Greek s', 'ΟΔΟΣ', 'οδοσ'],
	['a zero-width character inside white space', 'a \u200b b', 'a b'],
])('%s: the same name', (_, one, other) => {
	expect(comparableName(one)).toBe(comparableName(other));
});

test.each([
	['a digit', name, 'Spring sale 2027'],
	['a letter', name, 'Spring sales 2026'],
	['no space', name, 'Springsale 2026'],
	['punctuation', 'A-B', 'A_B'],
	['an accent', 'Café', 'Cafe'],
	['Cyrillic instead of Latin', 'CAB', 'САВ'],
])('%s makes it another name', (_, one, other) => {
	expect(comparableName(one)).not.toBe(comparableName(other));
});

test('a comparable name stays as it is, whatever the name', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (text) => {
			const comparable = comparableName(text);
			expect(comparableName(comparable)).toBe(comparable);
			expect(comparableName(` ${text}\u200b`)).toBe(comparable);
		}),
		{ numRuns: 5_000 },
	);
});

test('the case of no character makes a difference', () => {
	const different: string[] = [];
	for (let code = 0; code <= 0x1ffff; code++) {
		const text = `a${String.fromCodePoint(code)}b`;
		const comparable = comparableName(text);
		const others = [text.toUpperCase(), text.toLowerCase(), comparable].map(comparableName);
		if (others.some((other) => other !== comparable)) different.push(code.toString(16));
	}
	expect(different).toEqual([]);
});
