// Releases a version: `npm run release -- 0.2.0`. It dates the version's section in CHANGELOG.md, commits, tags and pushes. The
// tag starts .github/workflows/publish.yml, which calls this script with `--check` before it publishes. n8n's own release
// command would replace CHANGELOG.md with a list of commits.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { name, version as current } from '../package.json';
import { ownerProblems } from './owner.cts';

const root = join(__dirname, '..');
const changelogFile = join(root, 'CHANGELOG.md');
const changelog = readFileSync(changelogFile, 'utf8');

const run = (command: string, ...args: string[]) =>
	execFileSync(command, args, { cwd: root, encoding: 'utf8' }).trim();

const planned = (version: string) => `\n## ${version} (not released yet)\n`;
const released = (version: string, date: string) => `\n## ${version} (${date})\n`;

/** A table of what must be true, and what to do otherwise. */
function problemsIn(table: Array<[isFine: boolean, problem: string]>) {
	const problems = table.filter(([isFine]) => !isFine).map(([, problem]) => problem);
	return [...ownerProblems(root, name), ...problems];
}

/** In GitHub Actions, where a tag may have been pushed by hand. */
const beforePublishing = () =>
	problemsIn([
		[process.env.GITHUB_REF_NAME === current, `The tag must be the version, ${current}.`],
		[
			/^\d{4}-\d\d-\d\d$/.test(changelog.split(`\n## ${current} (`)[1]?.split(')')[0] ?? ''),
			`CHANGELOG.md has no dated section for ${current}. Use "npm run release".`,
		],
	]);

/** Without an origin it can't, and nothing can be released. */
const canFetchTags = () =>
	spawnSync('git', ['fetch', '--quiet', '--tags', 'origin'], { cwd: root, stdio: 'inherit' })
		.status === 0;

const beforeTagging = (version: string) =>
	problemsIn([
		[
			/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version),
			'Add the version, for example: npm run release -- 0.2.0',
		],
		[
			version.localeCompare(current, 'en', { numeric: true }) >= 0,
			`The version must not be lower than ${current}.`,
		],
		[run('git', 'branch', '--show-current') === 'main', 'Release from the branch main.'],
		[run('git', 'status', '--porcelain') === '', 'Commit your changes first.'],
		[canFetchTags(), "Git can't fetch the tags of origin."],
		[run('git', 'tag', '--list', version) === '', `The tag ${version} exists already.`],
		[
			changelog.includes(planned(version)),
			`CHANGELOG.md needs the heading "${planned(version).trim()}".`,
		],
	]);

function commitAndPush(version: string) {
	const today = new Date().toISOString().slice(0, 10);
	writeFileSync(changelogFile, changelog.replace(planned(version), released(version, today)));
	// Also writes the version into README.md.
	run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version');
	run('git', 'commit', '--all', '--message', `Release ${version}`);
	run('git', 'tag', version);
	// Both or none.
	run('git', 'push', '--atomic', 'origin', 'main', version);
}

function release(version: string) {
	const before = run('git', 'rev-parse', 'HEAD');
	try {
		commitAndPush(version);
		console.log(`Released ${version}. GitHub Actions publishes it now.`);
	} catch (error) {
		// Loses nothing, because everything was committed before.
		run('git', 'reset', '--hard', before);
		if (run('git', 'tag', '--list', version)) run('git', 'tag', '--delete', version);
		// Node prints what the command reported, and repeats it after the first line of the error.
		const [failure = ''] = String(error).split('\n');
		console.error(
			`${failure}\nThe commit and the tag ${version} were undone. The reason is above.`,
		);
		console.error(
			'If origin has newer commits, run "git pull --rebase origin main". Release again.',
		);
		process.exitCode = 1;
	}
}

const [argument = ''] = process.argv.slice(2);
const isCheck = argument === '--check';
const problems = isCheck ? beforePublishing() : beforeTagging(argument);
if (problems.length > 0) {
	console.error(problems.join('\n'));
	process.exitCode = 1;
} else if (!isCheck) release(argument);
