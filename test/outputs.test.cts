import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { meanings } from '../scripts/outputMeanings.cts';
import { meaningKeys, meaningOf, outputFields, outputsDocument } from '../scripts/outputs.cts';

test('docs/outputs.md is what "npm run outputs" writes', () => {
	const page = readFileSync(join(__dirname, '..', 'docs', 'outputs.md'), 'utf8');
	expect(page).toBe(outputsDocument());
});

test.each([...outputFields])('every field of %s is explained', (operation, paths) => {
	expect(paths.filter((path) => meaningOf(operation, path) === undefined)).toEqual([]);
});

test('no explanation is left over', () => {
	const used = new Set(
		[...outputFields].flatMap(([operation, paths]) =>
			paths.map((path) => meaningKeys(operation, path).find((key) => key in meanings)),
		),
	);
	expect(Object.keys(meanings).filter((key) => !used.has(key))).toEqual([]);
});
