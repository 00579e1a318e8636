import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { n8nVersion } from '../host/n8n/manifest.cts';
import { generated } from '../scripts/readme.cts';
import { current } from './support/pictures.cts';

const root = join(__dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const readme = read('README.md');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

describe('README', () => {
	test('what is generated in it is what "npm run readme" makes', () => {
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

	test('every place in it that it links to exists', () => {
		const headings = [...readme.matchAll(/^## (.+)$/gm)].map(
			([, title]) => `#${title?.toLowerCase().replaceAll(' ', '-')}`,
		);
		const linked = [...readme.matchAll(/\]\((#[^)]+)\)/g)].map(([, place]) => place ?? '');
		expect(linked.filter((place) => !headings.includes(place))).toEqual([]);
	});

	test('the version of n8n it names is the one everything is tested with', () => {
		expect(readme).toContain(`n8n ${n8nVersion()}:`);
	});
});

describe('commands of the README', () => {
	/** Each with the file that runs it, and the words by which that file does. */
	const runBy: Record<string, [file: string, words: string]> = {
		'npm run demo': ['test/e2e/support/demo.cts', "'host', 'bootstrap.cjs'"],
		'npm run demo -- --smoke': ['.ci/run', 'npm run demo -- --smoke'],
		'npm run sandbox': ['host/service/sandbox.cts', 'server.cts'],
		// It stands for these two, in this order.
		'npm cit': ['.ci/run', "step 'npm ci' npm ci"],
		// With small sizes: what it measures needs a calm machine, that it works does not.
		'npm run bench': ['.ci/run', 'npm run bench -- --quick'],
		'npm ci': ['.github/workflows/publish.yml', 'npm ci'],
		'npm run build': ['.ci/run', 'npm run build'],
		'bash .ci/run': ['.github/workflows/ci.yml', 'bash .ci/run'],
	};
	/** A test reads these from the README itself and runs them. */
	const installing = 'test/e2e/install.test.cts';

	const fences = [...readme.matchAll(/^```(?:bash|sh)\n(.*?)^```$/gms)].map(
		([, text]) => text ?? '',
	);
	const inFences = fences.flatMap((text) => text.trim().split('\n'));
	const inSentences = [...readme.matchAll(/`((?:npm|npx|node|bash) [^`]+)`/g)].map(
		([, command]) => command ?? '',
	);
	const commands = [...inFences, ...inSentences].map((line) => line.replace(/\s+#.*$/, ''));

	test('every one is run by a test or by CI', () => {
		const installation = fences.find((text) => text.includes('npm install')) ?? '';
		const unknown = commands.filter(
			(command) => !(command in runBy) && !installation.includes(command),
		);
		expect(unknown).toEqual([]);
		expect(read(installing)).toContain("readFileSync(path.join(projectFolder, 'README.md')");
	});

	test('what is said to run one does, and nothing is said of a command that is gone', () => {
		for (const [command, [file, words]] of Object.entries(runBy)) {
			expect(commands).toContain(command);
			expect([command, read(file).includes(words)]).toEqual([command, true]);
		}
		expect(scripts.demo).toBe('node host/bootstrap.cjs');
		expect(scripts.sandbox).toContain('sandbox/server.cts');
	});
});

describe('pictures of the README', () => {
	const folder = 'docs/screenshots';

	test('every one there is shown, and every one shown is there', () => {
		const shown = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path]) => path);
		const there = readdirSync(join(root, folder)).filter((name) => name.endsWith('.jpg'));
		expect(shown.sort()).toEqual(there.map((name) => `${folder}/${name}`).sort());
		expect(there).toEqual(
			Object.keys(current)
				.map((name) => `${name}.jpg`)
				.sort(),
		);
	});

	test('none is heavy', () => {
		const heavy = Object.keys(current).filter(
			(name) => statSync(join(root, folder, `${name}.jpg`)).size > 150 * 1024,
		);
		expect(heavy).toEqual([]);
	});
});
