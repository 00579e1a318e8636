import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../host/process/folders.cts';
import { environmentWithNode24, nodeBinary } from '../host/process/node24.cjs';
import { temporaryFolder } from '../host/process/temporaryFolder.cts';
import manifest, { name } from '../package.json';
import { filesWithOwner } from '../scripts/owner.cts';

/** A release in a copy of this checkout, whose origin is a folder. scripts/check-package.cts does what GitHub Actions does then. */

const { folder, remove } = temporaryFolder();
afterAll(remove);
const copy = path.join(folder, 'checkout');
const origin = path.join(folder, 'origin.git');

const env = {
	...environmentWithNode24(),
	GIT_CONFIG_GLOBAL: path.join(folder, 'no such file'),
	GIT_AUTHOR_NAME: 'Test',
	GIT_AUTHOR_EMAIL: 'test@example.com',
	GIT_COMMITTER_NAME: 'Test',
	GIT_COMMITTER_EMAIL: 'test@example.com',
	// Nothing may be downloaded.
	npm_config_offline: 'true',
};
const git = (...args: string[]) =>
	execFileSync('git', args, { cwd: copy, env, encoding: 'utf8', stdio: 'pipe' });
const read = (file: string) => readFileSync(path.join(copy, file), 'utf8');
const write = (file: string, text: string) => writeFileSync(path.join(copy, file), text);

/** Runs a script of the copy. Returns what it printed, in lines. */
function script(file: string, args: string[] = [], environment: NodeJS.ProcessEnv = {}) {
	const { status, stdout, stderr } = spawnSync(
		nodeBinary,
		['--import', 'tsx', path.join('scripts', file), ...args],
		{ cwd: copy, env: { ...env, ...environment }, encoding: 'utf8' },
	);
	return { status, lines: `${stdout}${stderr}`.trim().split('\n') };
}
const release = (...args: string[]) => script('release.cts', args);
const commit = () => git('commit', '--quiet', '--all', '--message', 'x');

beforeAll(() => {
	const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
		cwd: projectFolder,
		encoding: 'utf8',
	});
	for (const file of files.trim().split('\n')) {
		const from = path.join(projectFolder, file);
		// A deletion that isn't committed yet.
		if (existsSync(from)) cpSync(from, path.join(copy, file), { recursive: true });
	}
	// Neutral and not released yet, whatever the checkout is.
	const [neutral, email] = [`${name} contributors`, `maintainers@${name}.example`];
	write('owner.json', JSON.stringify({ name: neutral, email, repository: `${name}/${name}` }));
	write('CHANGELOG.md', '# Changelog\n\n## 0.1.0 (not released yet)\n\nFirst.\n');
	write('package.json', read('package.json').replace(/"version": ".*"/, '"version": "0.1.0"'));
	for (const { file, wanted } of filesWithOwner(copy)) write(file, wanted);
	symlinkSync(path.join(projectFolder, 'node_modules'), path.join(copy, 'node_modules'));
	// The link isn't a folder, which .gitignore names.
	write('.git-excludes', 'node_modules\n.git-excludes\n');
	git('init', '--quiet', '--initial-branch=main');
	git('init', '--quiet', '--bare', '--initial-branch=main', origin);
	git('remote', 'add', 'origin', origin);
	git('config', 'core.excludesFile', path.join(copy, '.git-excludes'));
	git('add', '--all');
	commit();
});

test('all files show the owner of owner.json', () => {
	const outdated = filesWithOwner(projectFolder).filter(({ text, wanted }) => text !== wanted);
	expect(outdated.map(({ file }) => file)).toEqual([]);
});

test('npm accepts provenance for the first release, which only a public package gets', () => {
	expect(manifest).toHaveProperty('publishConfig.access', 'public');
});

test('a release that is not ready changes nothing, and every reason is named', () => {
	write('new file', '');
	expect(release('0.2')).toEqual({
		status: 1,
		lines: [
			'owner.json: fill in "name".',
			'owner.json: fill in "email".',
			'owner.json: fill in "repository".',
			'Add the version, for example: npm run release -- 0.2.0',
			'Commit your changes first.',
			'CHANGELOG.md needs the heading "## 0.2 (not released yet)".',
		],
	});
	git('clean', '--quiet', '--force');
	expect(git('status', '--porcelain') + git('tag')).toBe('');

	const repository = 'blooms/messages';
	const quoted = 'Blooms "\\o/"';
	write('owner.json', JSON.stringify({ name: quoted, email: 'hello@blooms.org', repository }));
	commit();
	git('switch', '--quiet', '--create', 'other');
	const { lines } = release('0.1.0');
	expect(lines).toContain('LICENSE.md shows another owner. Run "npm run owner".');
	expect(lines.at(-1)).toBe('Release from the branch main.');
	git('switch', '--quiet', 'main');

	rmSync(path.join(copy, 'owner.json'));
	const missing = 'owner.json is missing. Create it with "name", "email" and "repository".';
	expect(script('owner.cts')).toEqual({ status: 1, lines: [missing] });
	expect(release('0.1.0')).toEqual({ status: 1, lines: [missing] });
	git('restore', 'owner.json');

	expect(script('owner.cts').status).toBe(0);
	// Again, on a name that is escaped already.
	expect(script('owner.cts').status).toBe(0);
	expect(JSON.parse(read('package.json'))).toHaveProperty('author.name', quoted);
	const neutral = [`github.com/${name}`, `${name} contributors`, `${name}.example`];
	const { stdout } = spawnSync('git', ['grep', ...neutral.flatMap((text) => ['-e', text])], {
		cwd: copy,
		encoding: 'utf8',
	});
	expect(stdout).toBe('');
	const changed = git('diff', '--name-only').trim().split('\n');
	const prettier = path.join('node_modules', '.bin', 'prettier');
	const options = { cwd: copy, env, encoding: 'utf8' } as const;
	expect(spawnSync(prettier, ['--list-different', ...changed], options).stdout).toBe('');
	commit();
});

test('a release keeps the changelog, dates its section, and pushes commit and tag', () => {
	const before = read('CHANGELOG.md');
	expect(release('0.1.0').lines).toContain('Released 0.1.0. GitHub Actions publishes it now.');

	const released = (file: string) => git('--git-dir', origin, 'show', `0.1.0:${file}`);
	const [date = ''] = /\d{4}-\d\d-\d\d/.exec(released('CHANGELOG.md')) ?? [];
	expect(released('CHANGELOG.md')).toBe(before.replace('not released yet', date));
	expect(git('--git-dir', origin, 'rev-parse', 'main')).toBe(git('rev-parse', '0.1.0'));
	expect(git('status', '--porcelain')).toBe('');
	expect(release('0.1.0').lines).toContain('The tag 0.1.0 exists already.');
	git('push', '--quiet', 'origin', 'HEAD:refs/tags/0.1.5');
	expect(release('0.1.5').lines).toContain('The tag 0.1.5 exists already.');
	git('remote', 'set-url', 'origin', 'nowhere');
	const { lines } = release('00.2.0');
	expect(lines).toContain('Add the version, for example: npm run release -- 0.2.0');
	expect(lines).toContain("Git can't fetch the tags of origin.");
	git('remote', 'set-url', 'origin', origin);
	expect(release('0.0.9').lines).toContain('The version must not be lower than 0.1.0.');
	expect(release('0.10.0').lines).toEqual([
		'CHANGELOG.md needs the heading "## 0.10.0 (not released yet)".',
	]);

	const first = released('CHANGELOG.md');
	write('CHANGELOG.md', first.replace('\n## ', '\n## 0.2.0 (not released yet)\n\nMore.\n\n## '));
	commit();
	git('commit', '--quiet', '--allow-empty', '--message', 'Only in origin');
	git('push', '--quiet', 'origin', 'main');
	git('reset', '--quiet', '--hard', 'HEAD~1');
	const state = () => git('rev-parse', 'HEAD') + git('tag') + git('status', '--porcelain');
	const ready = state();
	expect(release('0.2.0').lines.slice(-3)).toEqual([
		'Error: Command failed: git push --atomic origin main 0.2.0',
		'The commit and the tag 0.2.0 were undone. The reason is above.',
		'If origin has newer commits, run "git pull --rebase origin main". Release again.',
	]);
	expect(state()).toBe(ready);
	git('pull', '--quiet', '--rebase', 'origin', 'main');
	expect(release('0.2.0').status).toBe(0);
	const [start = '', end = ''] = first.split('\n## ');
	const second = read('CHANGELOG.md').replace(/(?<=## 0\.2\.0 \()[\d-]{10}/, 'date');
	expect(second).toBe(`${start}\n## 0.2.0 (date)\n\nMore.\n\n## ${end}`);
	for (const file of ['package.json', 'package-lock.json']) {
		expect(JSON.parse(git('--git-dir', origin, 'show', `0.2.0:${file}`))).toHaveProperty(
			'version',
			'0.2.0',
		);
	}
	expect(read('README.md')).toContain('Version 0.2.0.');
});

test('a tag that was pushed by hand is not published', () => {
	const check = (tag: string) => script('release.cts', ['--check'], { GITHUB_REF_NAME: tag });
	expect(check('0.2.0')).toEqual({ status: 0, lines: [''] });
	write('CHANGELOG.md', read('CHANGELOG.md').replace(/0\.2\.0 \(.*\)/, '0.2.0 (not released yet)'));
	expect(check('0.3.0')).toEqual({
		status: 1,
		lines: [
			'The tag must be the version, 0.2.0.',
			'CHANGELOG.md has no dated section for 0.2.0. Use "npm run release".',
		],
	});
});
