import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generated } from '../scripts/readme.cts';

const root = join(__dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	scripts: Record<string, string>;
};

describe('README', () => {
	test('its tables of operations are what "npm run readme" makes', () => {
		expect(generated(readme)).toBe(readme);
	});

	test('every npm script it names exists', () => {
		const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name ?? '');
		expect(named.length).toBeGreaterThan(0);
		expect(named.filter((name) => !(name in scripts))).toEqual([]);
	});

	test('every file of the repository it links to exists', () => {
		const linked = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path]) => path ?? '');
		expect(linked.filter((path) => !existsSync(join(root, path)))).toEqual([]);
	});
});
