import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Metadata } from 'libphonenumber-js/core';
import { check } from 'recheck';
import ts from 'typescript';
import phoneMetadata from '../../scripts/phone-metadata.cts';

/**
 * Every regular expression of the package and the sandbox is analyzed, not timed: none may need more than linear time for any text.
 */

const root = path.join(__dirname, '..', '..');

// The program takes a quarter of the time. On other platforms the same analysis is done in JavaScript.
const hasProgram = existsSync(path.join(root, 'node_modules', 'recheck-linux-x64'));
process.env.RECHECK_BACKEND = hasProgram ? 'native' : 'pure';

const folders = ['core', 'nodes', 'credentials', 'vendor', 'sandbox'];

interface Expression {
	pattern: string;
	flags: string;
}
interface Found extends Expression {
	place: string;
}

const sourcesIn = (folder: string): string[] =>
	readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => /\.c?[jt]s$/.test(name))
		.map((name) => path.join(folder, name));

/** The literals in a source, and the lines on which an expression is put together at run time. */
const expressionsIn = (file: string, text: string) => {
	const literals: Found[] = [];
	const madeAtRunTime: string[] = [];
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const visit = (node: ts.Node): void => {
		const place = `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
		if (ts.isRegularExpressionLiteral(node)) {
			const end = node.text.lastIndexOf('/');
			const pattern = node.text.slice(1, end);
			literals.push({ place, pattern, flags: node.text.slice(end + 1) });
		}
		if (
			(ts.isNewExpression(node) || ts.isCallExpression(node)) &&
			node.expression.getText() === 'RegExp'
		) {
			madeAtRunTime.push(place);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return { literals, madeAtRunTime };
};

/** The numbering plans of all countries, put together as vendor/phone.ts does it. */
const numberingPlans = (): Expression[] => {
	const patterns = Object.keys(phoneMetadata.countries).flatMap((country) => {
		const metadata = new Metadata(phoneMetadata as never);
		metadata.selectNumberingPlan(country as never);
		// The library's type declarations leave these out.
		const plan = metadata.numberingPlan as unknown as {
			nationalNumberPattern(): string;
			IDDPrefix(): string | undefined;
			type(name: 'MOBILE'): { pattern(): string } | undefined;
		};
		return [plan.nationalNumberPattern(), plan.type('MOBILE')?.pattern(), plan.IDDPrefix()];
	});
	return [...new Set(patterns)]
		.filter((pattern) => pattern !== undefined)
		.map((pattern) => ({ pattern: `^(?:${pattern})$`, flags: '' }));
};

/** Regular expressions that are put together at run time: what they look like. */
const composed: Record<string, Expression[]> = {
	// The path of a fault, written by a person who tests with the sandbox.
	'sandbox/api/faults.cts': [
		{ pattern: '^/company/[^/]+$', flags: '' },
		{ pattern: '^.*/company$', flags: '' },
	],
	'vendor/phone.ts': numberingPlans(),
};

/** `undefined` for a safe expression, otherwise a text that it takes too long for. The seed is fixed, and no step has a time limit. */
const attackOn = async ({ pattern, flags }: Expression): Promise<string | undefined> => {
	const result = await check(pattern, flags, {
		timeout: null,
		attackTimeout: null,
		incubationTimeout: null,
		seedingTimeout: null,
	});
	if (result.status === 'safe') return undefined;
	if (result.status === 'vulnerable') {
		return `${result.complexity.summary}: ${result.attack.pattern}`;
	}
	// An expression that can't be analyzed isn't known to be safe.
	return `not analyzed: ${JSON.stringify(result.error)}`;
};

const files = folders
	.flatMap(sourcesIn)
	.map((file) => ({ file, ...expressionsIn(file, readFileSync(path.join(root, file), 'utf8')) }));
const found = files.flatMap(({ literals }) => literals);

test('they are found', () => {
	expect(found.length).toBeGreaterThan(130);
	const makers = files.filter(({ madeAtRunTime }) => madeAtRunTime.length > 0);
	expect(makers.map(({ file }) => file).sort()).toEqual(Object.keys(composed).sort());
	expect(composed['vendor/phone.ts']?.length).toBeGreaterThan(400);
});

describe('the check of the check', () => {
	const planted = async (literal: string) => {
		const { literals } = expressionsIn('planted.ts', `export const planted = ${literal};`);
		return await Promise.all(literals.map(attackOn));
	};

	test.each([
		['exponential', '/(a+)+$/', /^exponential/],
		['exponential, with a look behind', '/^(?:\\.|\\d|(?<=\\.)[a-z]\\w*)*$/', /^exponential/],
		['quadratic', '/\\s+$/', /^2nd degree polynomial/],
		['quadratic, from every place of the text', '/\\{\\{.*?\\}\\}/gs', /^2nd degree polynomial/],
		['cubic', '/^\\s*\\s*\\s*$/', /^3rd degree polynomial/],
		['not an expression', '/(/', /^not analyzed/],
	])('a planted one is reported: %s', async (_, literal, says) => {
		expect(await planted(literal)).toEqual([expect.stringMatching(says)]);
	});

	test('a safe one is not', async () => {
		expect(await planted('/^[a-z]+$/')).toStrictEqual([undefined]);
	});
});

const places = new Map<string, string[]>();
for (const { place, pattern, flags } of found) {
	const literal = `/${pattern}/${flags}`;
	places.set(literal, [...(places.get(literal) ?? []), place]);
}
const once = found.filter(
	({ place, pattern, flags }) => places.get(`/${pattern}/${flags}`)?.[0] === place,
);

test.each(once)('$place /$pattern/$flags', async (expression) => {
	expect(await attackOn(expression)).toBeUndefined();
});

test.each(Object.entries(composed))('%s, made at run time', async (_, expressions) => {
	const attacks = await Promise.all(
		expressions.map(async (one) => ({ ...one, attack: await attackOn(one) })),
	);
	expect(attacks.filter(({ attack }) => attack !== undefined)).toEqual([]);
});
