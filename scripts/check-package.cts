// Checks the package as a user gets it: packed, installed with only n8n-workflow into an empty folder, loaded, and scanned by
// n8n's own scanner. Then it publishes as GitHub Actions does, but without uploading anything.
import { execFileSync } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import manifest from '../package.json';

/** What `npm pack --json` prints about a package. */
interface Packed {
	filename: string;
	files: Array<{ path: string }>;
}

/** n8n's scanner is plain JavaScript without declarations. */
interface Scanner {
	SOURCE_FILE_PATTERNS: string[];
	analyzePackage(
		folder: string,
		patterns: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}

const root = join(__dirname, '..');
const largestTarball = 200 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'check-package-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const run = (command: string, args: string[], cwd: string, env = process.env) =>
	execFileSync(command, args, { cwd, encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] });

function fail(message: string): never {
	console.error(message);
	process.exit(1);
}

function pack() {
	// The format of npm's output.
	const [packed] = JSON.parse(
		run('npm', ['pack', '--silent', '--json', '--pack-destination', folder], root),
	) as [Packed];
	const tarball = join(folder, packed.filename);
	const size = statSync(tarball).size;
	const strangers = packed.files
		.map(({ path }) => path)
		.filter((path) => !/^(dist\/|package\.json$|README\.md$|LICENSE|CHANGELOG\.md$)/.test(path));
	if (strangers.length > 0)
		fail(`Files that do not belong in the package: ${strangers.join(', ')}`);
	if (size > largestTarball)
		fail(`The tarball has ${size} bytes, and at most ${largestTarball} are allowed.`);
	return { tarball, size, count: packed.files.length };
}

function install(tarball: string): string {
	const home = join(folder, 'home');
	cpSync(join(root, '.npmrc'), join(home, '.npmrc'), { recursive: true });
	writeFileSync(join(home, 'package.json'), JSON.stringify({ private: true }));
	const workflow = `n8n-workflow@${manifest.devDependencies['n8n-workflow']}`;
	run('npm', ['install', '--silent', '--ignore-scripts', tarball, workflow], home);
	return home;
}

const program = `
	require('n8n-workflow');
	const { n8n } = require('${manifest.name}/package.json');
	const started = performance.now();
	const loaded = [...n8n.nodes, ...n8n.credentials].map((path) => {
		const name = path.split('/').at(-1).split('.')[0];
		const Type = require('${manifest.name}/' + path)[name];
		const type = new Type();
		const label = type.description?.displayName ?? type.displayName;
		if (!label) throw new Error(path + ' has no display name');
		return label;
	});
	console.log(JSON.stringify({ loaded, ms: performance.now() - started }));
`;

function load(home: string) {
	// The output of the program above.
	return JSON.parse(run(process.execPath, ['-e', program], home)) as {
		loaded: string[];
		ms: number;
	};
}

async function scan(home: string): Promise<string[]> {
	// @ts-expect-error It has no declarations: see `Scanner`.
	const scanner = await import('@n8n/scan-community-package/scanner/scanner.mjs');
	const { analyzePackage, SOURCE_FILE_PATTERNS } = scanner as Scanner;
	const installed = join(home, 'node_modules', manifest.name);
	const legs = {
		source: await analyzePackage(root, SOURCE_FILE_PATTERNS),
		tarball: await analyzePackage(installed, ['**/*.js', 'package.json']),
	};
	for (const [leg, { passed, message, details }] of Object.entries(legs)) {
		if (!passed) fail(`n8n's scanner, ${leg}: ${message}\n${details ?? ''}`);
	}
	return Object.keys(legs);
}

/** The last step of publish.yml. Its npm only records lint and build, which have run before, and uploads nothing. */
function publish(): string {
	const programs = join(folder, 'programs');
	const recorded = join(folder, 'recorded');
	mkdirSync(programs);
	const real = run('which', ['npm'], root).trim();
	writeFileSync(
		join(programs, 'npm'),
		`#!/bin/sh
echo "npm $*, provenance $NPM_CONFIG_PROVENANCE" >> '${recorded}'
if [ "$1" = publish ]; then exec '${real}' "$@" --dry-run --json --registry=http://127.0.0.1:1 --fetch-retries=0; fi
`,
		{ mode: 0o755 },
	);
	const command = join(root, 'node_modules', '.bin', 'n8n-node');
	const output = run(command, ['release'], root, {
		...process.env,
		GITHUB_ACTIONS: 'true',
		PATH: `${programs}${delimiter}${process.env.PATH}`,
	});
	const commands = readFileSync(recorded, 'utf8').trim().split('\n');
	const wanted = [
		'npm run lint, provenance ',
		'npm run build, provenance ',
		'npm publish, provenance true',
	];
	if (JSON.stringify(commands) !== JSON.stringify(wanted))
		fail(`n8n-node release ran other commands than expected: ${commands.join('; ')}`);
	const id = `${manifest.name}@${manifest.version}`;
	if (!output.includes(`"id": "${id}"`)) fail(`${id} wouldn't be published:\n${output}`);
	return id;
}

async function main() {
	const { tarball, size, count } = pack();
	const home = install(tarball);
	const { loaded, ms } = load(home);
	const legs = await scan(home);
	console.log(`tarball   ${(size / 1024).toFixed(1)} KB, ${count} files`);
	console.log(`loaded    ${loaded.join(', ')} in ${Math.round(ms)} ms`);
	console.log(`scanner   ${legs.join(' and ')} passed`);
	console.log(`publish   ${publish()} with provenance (dry run)`);
}

void main();
