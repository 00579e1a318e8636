// @ts-check
'use strict';

/**
 * `npm run demo`: makes sure that this project's dependencies are installed, Node 24 among them, and hands over to
 * demo/main.cts. Plain JavaScript, because before that nothing here can run TypeScript.
 *
 * An old Node must get as far as the sentence that says so: the check comes first, and no syntax in this file is newer
 * than Node 12 (no `?.`, no `??`).
 */
const isProgram = require.main === module;
if (isProgram) requireNodeAndPlatform();

const { spawn } = require('node:child_process');
const { existsSync, lstatSync, readFileSync } = require('node:fs');
const { constants } = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { spawnGuarded } = require('./process/guard.cjs');

const projectFolder = path.resolve(__dirname, '..');

/** Node 24 from the project's own dependencies: n8n runs on it, whatever Node the machine has. */
const nodeFolder = path.join(projectFolder, 'node_modules', 'node', 'bin');
const nodeBinary = path.join(nodeFolder, 'node');

function requireNodeAndPlatform() {
	const { node } = process.versions;
	if (Number(node.split('.')[0]) < 20) {
		giveUp(`The demo needs Node 20 or newer, and this is Node ${node}.`);
	}
	if (process.platform === 'win32') {
		giveUp('The demo runs on Linux and macOS; on Windows, start it inside WSL.');
	}
}

/** @param {string} sentence */
function giveUp(sentence) {
	console.error(sentence);
	process.exit(1);
}

/* What TypeScript's side of host/ uses too */

/** The environment for a child that must find Node 24 first. */
function environmentWithNode24() {
	/** @type {NodeJS.ProcessEnv} */
	const env = { ...process.env, PATH: `${nodeFolder}${path.delimiter}${process.env.PATH || ''}` };
	// What `npm run` says about this project would mislead an npm that works in another folder.
	const misleading =
		/^(INIT_CWD$|npm_(package|lifecycle|config_local_prefix|config_prefix|execpath|node_execpath|command))/;
	for (const name of Object.keys(env)) {
		if (misleading.test(name)) delete env[name];
	}
	return env;
}

/** For every call of npm. */
const npmOptions = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];

/**
 * Asks the registry one small thing without retrying: a machine without a network learns it in seconds and not after
 * npm's retries.
 */
const registryQuestion = ['view', 'isexe', 'version', '--prefer-online', '--fetch-retries=0'];

/** npm's own words, so that a compiler's message about networks isn't mistaken for one. */
const unreachable =
	/npm (error|ERR!) (network |code (E50\d|EAI_AGAIN|ECONN\w+|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|ERR_SOCKET_TIMEOUT|ETIMEDOUT)\b)/;

/**
 * What to tell a person when npm has failed.
 * @param {string} output what npm printed
 * @param {string} what names the work
 */
function npmFailure(output, what) {
	if (/ENOSPC|no space left/i.test(output)) {
		return `The disk is full: ${what} did not fit. Free some space and start again.`;
	}
	if (unreachable.test(output)) {
		return `The npm registry cannot be reached, and ${what} has to be downloaded once: check the network (or npm's proxy and registry settings) and start again.`;
	}
	const lines = output.trim().split('\n').slice(-15).join('\n');
	return `npm failed at ${what}. The end of what it said:\n${lines}`;
}

/**
 * npm and compilers are silent for minutes; a person wants to know that something still happens.
 * @template T
 * @param {(text: string) => void} report
 * @param {(seconds: number) => string} text what to say every 15 seconds
 * @param {() => Promise<T>} work
 */
async function whileTelling(report, text, work) {
	const begun = Date.now();
	const timer = setInterval(() => report(text(Math.round((Date.now() - begun) / 1000))), 15000);
	try {
		return await work();
	} finally {
		clearInterval(timer);
	}
}

/**
 * For an npm install: how many packages have arrived is the only honest progress there is.
 * @template T
 * @param {string} folder
 * @param {string[]} packages their paths in the lockfile
 * @param {(text: string) => void} report
 * @param {() => Promise<T>} work
 */
async function whileCounting(folder, packages, report, work) {
	const count = () =>
		packages.filter((name) => existsSync(path.join(folder, name, 'package.json'))).length;
	return await whileTelling(
		report,
		(seconds) => `${seconds} s: ${count()} of about ${packages.length} packages are here`,
		work,
	);
}

/* The dependencies */

/** @type {{child?: import('node:child_process').ChildProcess, handedOver: boolean, asked: boolean}} */
const running = { handedOver: false, asked: false };

/**
 * Runs a command to its end.
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<{code: number | null, output: string}>}
 */
function run(command, args) {
	return new Promise((resolve) => {
		const child = spawnGuarded(command, args, {
			cwd: projectFolder,
			env: environmentWithNode24(),
			output: 'pipe',
		});
		running.child = child;
		let output = '';
		for (const stream of [child.stdout, child.stderr]) {
			if (stream) stream.setEncoding('utf8').on('data', (text) => (output += text));
		}
		child.once('close', (code) => {
			if (running.asked) process.exit(130);
			resolve({ code, output });
		});
	});
}

/** @param {string[]} args */
async function npm(args) {
	const { code, output } = await run('npm', [...args, ...npmOptions]);
	if (code !== 0) giveUp(`\n${npmFailure(output, "this project's dependencies")}`);
}

/**
 * @param {string} file a lockfile
 * @returns {Record<string, {version: string, optional?: boolean, devOptional?: boolean, link?: boolean}>}
 */
function packagesIn(file) {
	return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {};
}

/** Does node_modules contain what the lockfile asks for? npm writes down what it has installed there. */
function areInstalled() {
	const installed = packagesIn(path.join(projectFolder, 'node_modules', '.package-lock.json'));
	const wanted = packagesIn(path.join(projectFolder, 'package-lock.json'));
	return Object.entries(wanted).every(
		([name, { version, optional, devOptional, link }]) =>
			name === '' ||
			optional ||
			devOptional ||
			link ||
			(name in installed && installed[name].version === version),
	);
}

async function hasNode24() {
	return (await run(nodeBinary, ['--version'])).code === 0;
}

let hasReported = false;

/** @param {string} text */
function report(text) {
	if (!hasReported) console.log('Preparing');
	hasReported = true;
	console.log(`  ${text}`);
}

async function installDependencies() {
	const folder = path.join(projectFolder, 'node_modules');
	// `npm ci` empties the folder first, and through a link it would empty somebody else's.
	const entry = lstatSync(folder, { throwIfNoEntry: false });
	if (entry && entry.isSymbolicLink()) {
		giveUp(
			'\nnode_modules is a link and does not hold what package-lock.json asks for: remove the link and start again.',
		);
	}
	await npm(registryQuestion);
	report('installing the dependencies of this project (npm ci), 1 to 2 minutes');
	const names = Object.keys(packagesIn(path.join(projectFolder, 'package-lock.json')));
	// Of all install scripts only the one of the package `node` is needed; others would compile for minutes.
	await whileCounting(projectFolder, names.filter(Boolean), report, () =>
		npm(['ci', '--ignore-scripts']),
	);
}

async function ensureDependencies() {
	if (!areInstalled()) await installDependencies();
	if (await hasNode24()) return;
	report('fetching Node 24, on which n8n runs');
	await npm(['rebuild', 'node']);
	if (!(await hasNode24())) {
		giveUp('\nNode 24 for n8n could not be installed: remove node_modules and start again.');
	}
}

/* The demo itself */

/**
 * Runs demo/main.cts to its end.
 * @param {string[]} args
 * @returns {Promise<number>} its exit code
 */
function handOver(args) {
	const tsx = pathToFileURL(require.resolve('tsx')).href;
	const program = path.join(__dirname, 'demo', 'main.cts');
	return new Promise((resolve, reject) => {
		const demo = spawn(nodeBinary, ['--import', tsx, program, ...args], {
			// A group of its own: Ctrl-C in the terminal reaches only us, and we pass it on once.
			detached: true,
			// Through the channel it learns that we were killed.
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
	// Asked twice: leave at once, the guard does the rest.
	if (asked) process.exit(130);
	running.asked = true;
	console.log('\nStopping …');
	if (child) child.kill('SIGTERM');
}

/** @param {string[]} args */
async function main(args) {
	process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
	await ensureDependencies();
	process.exitCode = await handOver(args);
}

if (isProgram) main(process.argv.slice(2));

module.exports = {
	environmentWithNode24,
	nodeBinary,
	npmFailure,
	npmOptions,
	registryQuestion,
	whileCounting,
	whileTelling,
};
