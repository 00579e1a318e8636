import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import sharp from 'sharp';
import { n8nVersion } from '../host/n8n/manifest.cts';
import { readSamples } from '../host/demo/samples.cts';
import { messagingResources } from '../nodes/BulkMessaging/resources';
import { generated, generatedFiles } from '../scripts/readme.cts';
import { current, fileOf } from './support/pictures.cts';
import { versions } from './versions/versions.cts';

const root = join(__dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const readme = read('README.md');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** All matches of the expression's first group. */
const groups = (text: string, expression: RegExp): string[] =>
	[...text.matchAll(expression)].map(([, group]) => group ?? '');

const docs = readdirSync(join(root, 'docs'))
	.filter((name) => name.endsWith('.md'))
	.map((name) => `docs/${name}`);
/** For users: their commands have to be run by a test or by CI. */
const guides = ['README.md', ...docs];
const documents = [...guides, 'CONTRIBUTING.md', 'CHANGELOG.md'];

/** As GitHub makes them from headings. */
const anchorsOf = (text: string): string[] =>
	groups(text, /^#+ (.+)$/gm).map((title) =>
		title
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);

describe.each(documents)('%s', (file) => {
	const text = read(file);
	/** Without images. */
	const links = groups(text, /(?<!!\[[^\]]*)\]\((?!https?:)([^)]+)\)/g).map((link) => {
		const [path = '', anchor] = link.split('#');
		return { target: path === '' ? file : normalize(join(dirname(file), path)), anchor };
	});

	test('every npm script it names exists', () => {
		const named = groups(text, /npm run ([\w:]+)/g);
		expect(named.filter((name) => !(name in scripts))).toEqual([]);
	});

	test('every file it links to exists', () => {
		const targets = links.map(({ target }) => target);
		expect(targets.filter((target) => !existsSync(join(root, target)))).toEqual([]);
	});

	test('every heading it links to exists', () => {
		const missing = links.filter(
			({ target, anchor }) => anchor !== undefined && !anchorsOf(read(target)).includes(anchor),
		);
		expect(missing).toEqual([]);
	});
});

describe('README', () => {
	test('is short, tables included', () => {
		const prose = readme
			.replace(/^```.*?^```$/gms, '')
			.replace(/<!--.*?-->/gs, '')
			// Of links and pictures only their text.
			.replace(/\]\([^)]*\)/g, '] ');
		const words = prose.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
		process.stdout.write(`README.md: ${words} words without code\n`);
		expect(words).toBeLessThanOrEqual(1_400);
	});

	test('it or CONTRIBUTING.md links to every page in docs/', () => {
		const linked = groups(readme + read('CONTRIBUTING.md'), /\]\((docs\/[^)#]+\.md)/g);
		expect(docs.filter((page) => !linked.includes(page))).toEqual([]);
	});

	test('the versions of n8n it names are those that are tested; queue mode only in the newest', () => {
		const supported = versions.flatMap(({ n8n, isSupported }) => (isSupported ? n8n : []));
		const list = `${supported.slice(0, -1).join(', ')} and ${supported.at(-1)}`;
		const installation = read('docs/installation.md');
		for (const text of [readme, installation]) expect(text).toContain(list);
		expect(readme).toMatch(new RegExp(`queue mode +\\| ${n8nVersion()} with`));
		expect(supported.at(-1)).toBe(n8nVersion());
	});

	test('the action and the sample it tells people to choose have these names', () => {
		const actions = messagingResources.flatMap(({ operations }) =>
			operations.map(({ action }) => action),
		);
		expect(actions).toContain(groups(readme, /choose the action _(.+?)_/g)[0]);
		expect(groups(readme, /open "(.+?)"/g)).toEqual([readSamples()[0]?.workflow.name]);
	});

	test('every error it explains is one that a node shows', () => {
		const [, section = ''] = readme.split('\n## Troubleshooting\n');
		const [table = ''] = section.split('\n## ');
		// The first two rows are the heading and its rule.
		const titles = groups(table, /^\| (.+?) +\|/gm).slice(2);
		expect(titles).toHaveLength(4);

		const sources = globSync('{core,nodes}/**/*.ts', { cwd: root }).map(read);
		/** The name of a field, in quotation marks: the code often fills it in. */
		const quoted = /(?<!\w)["']([^"']+)["'](?!\w)/g;
		/** "…" stands for a part that the node fills in. */
		const isIn = (source: string, title: string) =>
			title
				.replace(quoted, '…')
				.split('…')
				.map((fixed) => fixed.trim())
				.reduce((from, fixed) => {
					const at = from < 0 ? -1 : source.indexOf(fixed, from);
					return at < 0 ? -1 : at + fixed.length;
				}, 0) >= 0;
		const unknown = titles.filter(
			(title) =>
				!sources.some((source) => isIn(source, title)) ||
				groups(title, quoted).some((name) => !sources.some((source) => source.includes(name))),
		);
		expect(unknown).toEqual([]);
	});
});

test.each(generatedFiles)('the generated parts of %s are what "npm run readme" writes', (file) => {
	expect(generated(file, read(file))).toBe(read(file));
});

describe('commands in README.md and docs/', () => {
	/** For each command: the file that runs it, and the words in that file that do. */
	const runBy: Record<string, [file: string, words: string]> = {
		'npm run demo': ['test/e2e/support/demo.cts', "'host', 'bootstrap.cjs'"],
		'npm run demo -- --smoke': ['test/e2e/demo.test.cts', "['--smoke', "],
		'npm cit': ['.ci/run', 'npm cit'],
		'npm run sandbox': ['host/service/sandbox.cts', 'server.cts'],
		// CI uses small sizes: correct figures need an idle machine.
		'npm run bench': ['.ci/run', 'npm run bench -- --quick'],
		'npm ci': ['.github/workflows/publish.yml', 'npm ci'],
		'npm run build': ['.ci/run', 'npm run build'],
		'npm run test:e2e': ['.ci/run', 'npm run test:e2e'],
		'npm run test:queue': ['.ci/run', 'npm run test:queue'],
		'npm run check:imports': ['package.json', '&& npm run check:imports'],
		'npm run check:names': ['package.json', '&& npm run check:names'],
		'npm run check:package': ['.ci/run', 'npm run check:package'],
		'npm run owner': ['test/release.test.cts', "script('owner.cts')"],
		'npm run release -- 0.2.0': ['test/release.test.cts', "release('0.2.0')"],
		'npm run outputs': ['test/outputs.test.cts', 'outputsDocument()'],
		'npm run interface': ['test/contract/provenance.test.cts', 'interfaceDocument()'],
	};
	/** This test reads the commands of the installation from the README and runs them. */
	const installing = 'test/e2e/install.test.cts';

	const text = guides.map(read).join('\n');
	const fences = groups(text, /^```(?:bash|sh)\n(.*?)^```$/gms);
	const inFences = fences.flatMap((fence) => fence.trim().split('\n'));
	const inSentences = groups(text, /`((?:npm|npx|node|bash) [^`]+)`/g);
	const commands = [...inFences, ...inSentences].map((line) => line.replace(/\s+#.*$/, ''));

	test('every one is run by a test or by CI', () => {
		const installation = fences.find((fence) => fence.includes('npm install')) ?? '';
		const unknown = commands.filter(
			(command) => !(command in runBy) && !installation.includes(command),
		);
		expect(unknown).toEqual([]);
		expect(read(installing)).toContain("readFileSync(path.join(projectFolder, 'README.md')");
	});

	test('each listed file really runs its command, and no listed command is gone', () => {
		for (const [command, [file, words]] of Object.entries(runBy)) {
			expect(commands).toContain(command);
			expect([command, read(file).includes(words)]).toEqual([command, true]);
		}
		expect(scripts.demo).toBe('node host/bootstrap.cjs');
		expect(scripts.sandbox).toContain('sandbox/server.cts');
		expect(scripts.owner).toContain('scripts/owner.cts');
		expect(scripts.release).toContain('scripts/release.cts');
	});
});

describe('pictures', () => {
	const folder = 'docs/screenshots';

	test('each one in the folder is shown once, and each one shown is there', () => {
		const shown = guides.flatMap((file) =>
			groups(read(file), /!\[[^\]]+\]\(([^)]+)\)/g).map((path) => join(dirname(file), path)),
		);
		const there = readdirSync(join(root, folder)).filter((name) => name !== 'taken.json');
		expect(shown.sort()).toEqual(there.map((name) => `${folder}/${name}`).sort());
		expect(there.sort()).toEqual(Object.keys(current).map(fileOf).sort());
	});

	test('none is heavy', () => {
		const heavy = Object.keys(current)
			.map(fileOf)
			.filter((file) => {
				const limit = file.endsWith('.webp') ? 1_500_000 : 150 * 1024;
				return statSync(join(root, folder, file)).size > limit;
			});
		expect(heavy).toEqual([]);
	});

	test('the first one in the README moves, slowly enough to be read', async () => {
		const [first = ''] = groups(readme, /!\[[^\]]+\]\(([^)]+)\)/g);
		const { pages, delay = [], loop } = await sharp(join(root, first)).metadata();
		expect(pages).toBe(14);
		expect(loop).toBe(0);
		expect(Math.min(...delay)).toBeGreaterThanOrEqual(800);
		expect(Math.max(...delay)).toBe(delay.at(-1));
	});
});
