import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import ts from 'typescript';
import { someOf } from '../support/share.cts';

/** Every regular expression of the package and the sandbox, held against texts that are made to keep it busy. */

const root = path.join(__dirname, '..', '..');
const folders = ['core', 'nodes', 'credentials', 'sandbox'];

interface Expression {
	place: string;
	pattern: string;
	flags: string;
}

const sourcesIn = (folder: string): string[] =>
	readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => /\.c?ts$/.test(name))
		.map((name) => path.join(folder, name));

/** Regular expressions that are put together from parts: what they look like. */
const composed: Record<string, Array<Omit<Expression, 'place'>>> = {
	// The address of a fault, written by whoever tests with the sandbox.
	'sandbox/faults.cts': [
		{ pattern: '^(?:/company/[^/]+)$', flags: '' },
		{ pattern: '^(?:.*/company)$', flags: '' },
	],
};

const found: Expression[] = [];
const madeAtRunTime: string[] = [];
for (const file of folders.flatMap(sourcesIn)) {
	const text = readFileSync(path.join(root, file), 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const visit = (node: ts.Node): void => {
		const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
		if (ts.isRegularExpressionLiteral(node)) {
			const end = node.text.lastIndexOf('/');
			const pattern = node.text.slice(1, end);
			found.push({ place: `${file}:${line}`, pattern, flags: node.text.slice(end + 1) });
		}
		if (
			(ts.isNewExpression(node) || ts.isCallExpression(node)) &&
			node.expression.getText() === 'RegExp'
		) {
			madeAtRunTime.push(file);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
}

const short = 1_024;
const fragments = ['a', '0', ' ', '\t', 'ж', '\n', '.', '-', '/', '"', '{', 'A_', '=', '%2e', '..'];

/** Pieces of the expression's own making: its letters, and what its classes stand for. */
const piecesOf = ({ pattern }: Pick<Expression, 'pattern'>): string[] => {
	const letters = pattern
		.replace(/\\[pP]\{\w+\}|\\[bBdDsSwW]|\(\?[:=!<]+/g, '')
		.match(/[^\\()|?*+^$]/gu);
	return [...new Set([...(letters ?? []), ...fragments])];
};

/** A beginning, something that is repeated, and an end that does not fit. */
const hostileTo = (expression: Pick<Expression, 'pattern'>) => {
	const piece = fc.constantFrom(...piecesOf(expression));
	const word = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(''));
	return fc.record({
		before: fc.oneof(fc.constant(''), word, fc.constant('={{ $json')),
		repeated: word,
		after: fc.constantFrom('', '\u0000', '!', '\n!', 'z\u0000'),
	});
};
type Hostile = { before: string; repeated: string; after: string };

const textOf = ({ before, repeated, after }: Hostile, length: number) =>
	before + repeated.repeat(Math.ceil(length / repeated.length)) + after;

/** As the code uses it: everything it finds, not only the first. */
const workOn = ({ pattern, flags }: Omit<Expression, 'place'>, text: string) => {
	const expression = new RegExp(pattern, flags);
	const begun = process.hrtime.bigint();
	text.replace(expression, '');
	return Number(process.hrtime.bigint() - begun);
};

/** The best of several: whatever else the machine does only ever adds to it. */
const fastest = (expression: Omit<Expression, 'place'>, text: string, tries: number) => {
	let best = Infinity;
	for (let count = 0; count < tries; count++) best = Math.min(best, workOn(expression, text));
	return best;
};

/** Below this a clock measures itself. In nanoseconds. */
const measurable = 200_000;

/** A busy machine makes a fair one look slow now and then; what is slow is so every time. */
const calmest = (measure: () => number) => {
	let least = measure();
	for (let again = 0; again < 10 && least > mostGrowth; again++) least = Math.min(least, measure());
	return least;
};

/** How much longer four times the text takes: four times is fair, sixteen is quadratic; a busy machine needs the room between. */
const mostGrowth = 10;
const growth = (expression: Omit<Expression, 'place'>, hostile: Hostile, length: number) => {
	const ratio = (tries: number) => {
		const few = fastest(expression, textOf(hostile, length), tries);
		return fastest(expression, textOf(hostile, length * 4), tries) / Math.max(few, measurable);
	};
	return calmest(() => ratio(2));
};
const megabyte = 1024 * 1024;

test('they are found', () => {
	expect(found.length).toBeGreaterThan(40);
	expect([...new Set(madeAtRunTime)].sort()).toEqual(Object.keys(composed).sort());
});

describe('the check of the check: it finds what is slow', () => {
	test.each([
		['exponential', { pattern: '(a+)+$', flags: '' }, { before: '', repeated: 'a', after: '!' }],
		['quadratic', { pattern: '\\s+$', flags: '' }, { before: '', repeated: ' ', after: '!' }],
	])('%s', (name, expression, hostile) => {
		const look = () => {
			if (name !== 'exponential') return growth(expression, hostile, short);
			// Six letters more, 64 times the work: with 1,024 of them nobody would see the end.
			const few = fastest(expression, textOf(hostile, 18), 3);
			return fastest(expression, textOf(hostile, 24), 3) / few;
		};
		// One of several looks is enough: the check itself looks at many texts, and a busy machine may spoil any of them.
		expect(Math.max(...Array.from({ length: 5 }, look))).toBeGreaterThan(mostGrowth);
	});

	test('and lets pass what is not', () => {
		const hostile = { before: '', repeated: 'a', after: '!' };
		expect(growth({ pattern: '^[a-z]+$', flags: '' }, hostile, megabyte / 4)).toBeLessThan(
			mostGrowth,
		);
	});
});

const all = [
	...found,
	...Object.entries(composed).flatMap(([place, expressions]) =>
		expressions.map((one) => ({ place: `${place} (made at run time)`, ...one })),
	),
];

test.each(all)('$place /$pattern/$flags', (expression) => {
	// Exponential ones would never come back from 1,024 characters: they are looked for with a few first.
	fc.assert(
		fc.property(hostileTo(expression), (hostile) => {
			const ratio = calmest(() => {
				const few = Math.max(fastest(expression, textOf(hostile, 14), 3), measurable);
				return fastest(expression, textOf(hostile, 22), 3) / few;
			});
			expect(ratio).toBeLessThan(mostGrowth);
		}),
		{ numRuns: someOf(50), seed: 17, endOnFailure: true },
	);
	for (const [length, numRuns] of [
		[short, someOf(60)],
		[megabyte / 4, someOf(3)],
	] as const) {
		fc.assert(
			fc.property(hostileTo(expression), (hostile) => {
				expect(growth(expression, hostile, length)).toBeLessThan(mostGrowth);
			}),
			{ numRuns, seed: 17, endOnFailure: true },
		);
	}
});
