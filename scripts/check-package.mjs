// The package as a user gets it: packed, installed into an empty folder beside nothing but n8n-workflow, loaded, and read
// by n8n's own scanner.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

const root = join(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const largestTarball = 150 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'check-package-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const run = (command, args, cwd) => execFileSync(command, args, { cwd, encoding: 'utf8' });
const fail = (message) => {
	console.error(message);
	process.exit(1);
};

const [packed] = JSON.parse(
	run('npm', ['pack', '--silent', '--json', '--pack-destination', folder], root),
);
const tarball = join(folder, packed.filename);
const size = statSync(tarball).size;
const strangers = packed.files
	.map(({ path }) => path)
	.filter((path) => !/^(dist\/|package\.json$|README\.md$|LICENSE|CHANGELOG\.md$)/.test(path));
if (strangers.length > 0)
	fail(`Files that do not belong into the package: ${strangers.join(', ')}`);
if (size > largestTarball)
	fail(`The tarball has ${size} bytes, and at most ${largestTarball} are allowed.`);

const home = join(folder, 'home');
cpSync(join(root, '.npmrc'), join(home, '.npmrc'), { recursive: true });
writeFileSync(join(home, 'package.json'), JSON.stringify({ private: true }));
const workflow = `n8n-workflow@${manifest.devDependencies['n8n-workflow']}`;
run('npm', ['install', '--silent', '--ignore-scripts', tarball, workflow], home);

const load = `
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
const { loaded, ms } = JSON.parse(run(process.execPath, ['-e', load], home));

const legs = [
	['source', await analyzePackage(root, SOURCE_FILE_PATTERNS)],
	[
		'tarball',
		await analyzePackage(join(home, 'node_modules', manifest.name), ['**/*.js', 'package.json']),
	],
];
for (const [leg, { passed, message, details }] of legs) {
	if (!passed) fail(`n8n's scanner, ${leg}: ${message}\n${details ?? ''}`);
}

console.log(`tarball   ${(size / 1024).toFixed(1)} KB, ${packed.files.length} files`);
console.log(`loaded    ${loaded.join(', ')} in ${Math.round(ms)} ms`);
console.log(`scanner   ${legs.map(([leg]) => leg).join(' and ')} passed`);
