import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaFiles } from '../scripts/schemas.cts';

const root = join(__dirname, '..');

describe('output schemas for the editor', () => {
	const expected = schemaFiles();

	test.each([...expected])('%s is what "npm run schemas" makes', (path, content) => {
		expect(readFileSync(join(root, path), 'utf8')).toBe(content);
	});

	test('there is no schema of an operation that no longer exists', () => {
		const present = readdirSync(join(root, 'nodes'), { recursive: true, encoding: 'utf8' })
			.filter((path) => path.includes('__schema__') && path.endsWith('.json'))
			.map((path) => `nodes/${path}`);
		expect(present.sort()).toEqual([...expected.keys()].sort());
	});
});
