// @ts-check
'use strict';

/**
 * `npm run demo`: runs demo/main.cts, which installs everything else. Plain JavaScript, because TypeScript needs tsx. If
 * this project's dependencies aren't installed yet, tsx alone is downloaded first, which takes seconds.
 *
 * An old Node must be able to print the message that it is too old. So the check comes first, and this file uses no
 * syntax newer than Node 12 (no `?.`, no `??`).
 */
const isProgram = require.main === module;
if (isProgram) requireNodeAndPlatform();

const { spawn } = require('node:child_process');
const { readFileSync, realpathSync } = require('node:fs');
const { createRequire } = require('node:module');
const { constants, tmpdir } = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { spawnGuarded } = require('./process/guard.cjs');
const { environmentWithNode24, npmFailure, npmOptions } = require('./process/node24.cjs');

const projectFolder = path.resolve(__dirname, '..');

function requireNodeAndPlatform() {
	const { node } = process.versions;
	const [major, minor] = node.split('.').map(Number);
	if (major < 20 || (major === 20 && minor < 19)) {
		giveUp(
			`The demo needs Node 20.19 or newer. This is Node ${node}: install a newer one and start again.`,
		);
	}
	if (process.platform === 'win32') {
		giveUp('The demo runs on Linux and macOS. On Windows, start it inside WSL.');
	}
}

/**
 * @param {string} message
 * @returns {never}
 */
function giveUp(message) {
	console.error(message);
	process.exit(1);
}

/**
 * @param {string} file a lockfile
 * @returns {Record<string, {version: string, optional?: boolean, devOptional?: boolean, link?: boolean}>}
 */
function packagesIn(file) {
	return JSON.parse(readFileSync(file, 'utf8')).packages;
}

/** What this project needs. */
function wantedPackages() {
	try {
		return packagesIn(path.join(projectFolder, 'package-lock.json'));
	} catch (_) {
		return giveUp(
			"package-lock.json can't be read. Restore it (git checkout package-lock.json) and start again.",
		);
	}
}

/** npm's list of what is in node_modules. If it can't be read, everything is installed again. */
function installedPackages() {
	try {
		return packagesIn(path.join(projectFolder, 'node_modules', '.package-lock.json'));
	} catch (_) {
		return {};
	}
}

/** Whether node_modules contains what the lockfile asks for. */
function areInstalled() {
	const installed = installedPackages();
	return Object.entries(wantedPackages()).every(
		([name, { version, optional, devOptional, link }]) =>
			name === '' ||
			optional ||
			devOptional ||
			link ||
			(name in installed && installed[name].version === version),
	);
}

/* Starting the demo */

/** @type {{child?: import('node:child_process').ChildProcess, handedOver: boolean, asked: boolean}} */
const running = { handedOver: false, asked: false };

/**
 * Runs an npm command to its end.
 * @param {string[]} args
 * @returns {Promise<string>} what it printed, without errors and warnings
 */
function npm(args) {
	return new Promise((resolve) => {
		const child = spawnGuarded('npm', [...args, ...npmOptions], {
			// Not in this project: npm would use a tsx in node_modules, which is replaced while the demo runs.
			cwd: tmpdir(),
			env: environmentWithNode24(),
			output: 'pipe',
		});
		running.child = child;
		let output = '';
		let errors = '';
		if (child.stdout) child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
		if (child.stderr) child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
		child.once('close', (code) => {
			if (running.asked) process.exit(130);
			if (code !== 0) giveUp(`\n${npmFailure(output + errors, "this project's dependencies")}`);
			resolve(output);
		});
	});
}

/** Downloads tsx into npm's cache, in the version that this project uses. Returns its file for `node --import`. */
async function downloadTsx() {
	console.log('Preparing the first start');
	const { version } = wantedPackages()['node_modules/tsx'];
	const output = await npm([
		'exec',
		'--yes',
		`--package=tsx@${version}`,
		'--call=command -v tsx',
		// Without a network it fails within seconds instead of after npm's usual retries.
		'--fetch-retries=1',
		'--fetch-retry-mintimeout=1000',
	]);
	const program = output.trim().split('\n').pop() || '';
	return createRequire(realpathSync(program)).resolve('tsx');
}

/**
 * Runs demo/main.cts to its end.
 * @param {string} tsx
 * @param {string[]} args
 * @returns {Promise<number>} its exit code
 */
function handOver(tsx, args) {
	const program = path.join(__dirname, 'demo', 'main.cts');
	return new Promise((resolve, reject) => {
		const demo = spawn(process.execPath, ['--import', pathToFileURL(tsx).href, program, ...args], {
			// Its own process group: Ctrl-C in the terminal reaches only this process, which passes it on once.
			detached: true,
			// Through this channel the demo notices when this process is killed.
			stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
		});
		running.child = demo;
		running.handedOver = true;
		demo.once('error', reject);
		demo.once('exit', (code, signal) =>
			resolve(code === null ? 128 + (signal ? constants.signals[signal] : 0) : code),
		);
	});
}

/** @param {NodeJS.Signals} signal */
function stop(signal) {
	const { child, handedOver, asked } = running;
	if (handedOver && child) {
		child.kill(signal);
		return;
	}
	// Asked a second time: exit at once. The guard stops the child.
	if (asked) process.exit(130);
	running.asked = true;
	console.log('\nStopping …');
	if (child) child.kill('SIGTERM');
}

/** @param {string[]} args */
async function main(args) {
	// Before anything is downloaded.
	if (args.includes('--help')) {
		console.log(readFileSync(path.join(__dirname, 'demo', 'help.txt'), 'utf8').trimEnd());
		return;
	}
	process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
	const tsx = areInstalled() ? require.resolve('tsx') : await downloadTsx();
	process.exitCode = await handOver(tsx, args);
}

if (isProgram) main(process.argv.slice(2));

module.exports = { areInstalled };
