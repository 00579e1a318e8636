// @ts-check
'use strict';

/**
 * `npm run demo`: installs this project's dependencies if needed, including Node 24, and then runs demo/main.cts. Plain
 * JavaScript, because TypeScript can't run before the dependencies are installed.
 *
 * An old Node must be able to print the message that it is too old. So the check comes first, and this file uses no
 * syntax newer than Node 12 (no `?.`, no `??`).
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
		giveUp(
			`The demo needs Node 20 or newer. This is Node ${node}: install a newer one and start again.`,
		);
	}
	if (process.platform === 'win32') {
		giveUp('The demo runs on Linux and macOS. On Windows, start it inside WSL.');
	}
}

/** @param {string} message */
function giveUp(message) {
	console.error(message);
	process.exit(1);
}

/* Also used by the TypeScript files of host/ */

/** The environment for a child process that must find Node 24 before any other Node. */
function environmentWithNode24() {
	/** @type {NodeJS.ProcessEnv} */
	const env = { ...process.env, PATH: `${nodeFolder}${path.delimiter}${process.env.PATH || ''}` };
	// `npm run` sets variables about this project. They would mislead an npm that works in another folder.
	const misleading =
		/^(INIT_CWD$|npm_(package|lifecycle|config_local_prefix|config_prefix|execpath|node_execpath|command))/;
	for (const name of Object.keys(env)) {
		if (misleading.test(name)) delete env[name];
	}
	return env;
}

/** Options for every npm command. */
const npmOptions = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];

/**
 * A small request to the registry, without retries: without a network it fails within seconds instead of after npm's
 * retries.
 */
const registryQuestion = ['view', 'isexe', 'version', '--prefer-online', '--fetch-retries=0'];

/** Matches only npm's own error lines, so that a compiler's message about networks isn't mistaken for one. */
const unreachable =
	/npm (error|ERR!) (network |code (E50\d|EAI_AGAIN|ECONN\w+|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|ERR_SOCKET_TIMEOUT|ETIMEDOUT)\b)/;

/**
 * The message for the user when npm has failed.
 * @param {string} output what npm printed
 * @param {string} what names the work
 */
function npmFailure(output, what) {
	if (/ENOSPC|no space left/i.test(output)) {
		return `The disk is full (npm failed at ${what}). Free some space and start again.`;
	}
	if (unreachable.test(output)) {
		return `The npm registry can't be reached, and ${what} must be downloaded once. Check the network (or npm's proxy and registry settings) and start again.`;
	}
	const lines = output.trim().split('\n').slice(-15).join('\n');
	return `npm failed at ${what}. The end of its output:\n${lines}`;
}

/**
 * npm and compilers print nothing for minutes. The user should see that the work continues.
 * @template T
 * @param {(text: string) => void} report
 * @param {(seconds: number) => string} text the line to report every 15 seconds
 * @param {() => Promise<T>} work
 */
async function whileReporting(report, text, work) {
	const begun = Date.now();
	const timer = setInterval(() => report(text(Math.round((Date.now() - begun) / 1000))), 15000);
	try {
		return await work();
	} finally {
		clearInterval(timer);
	}
}

/**
 * For an npm install: reports how many packages have arrived. npm offers no other measure of progress.
 * @template T
 * @param {string} folder
 * @param {string[]} packages their paths in the lockfile
 * @param {(text: string) => void} report
 * @param {() => Promise<T>} work
 */
async function whileCounting(folder, packages, report, work) {
	const count = () =>
		packages.filter((name) => existsSync(path.join(folder, name, 'package.json'))).length;
	return await whileReporting(
		report,
		(seconds) => `${seconds} s: ${count()} of about ${packages.length} packages installed`,
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

/** Whether node_modules contains what the lockfile asks for. npm keeps a list of what it has installed there. */
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
	// `npm ci` first empties the folder. If it is a link, that would empty a folder outside this project.
	const entry = lstatSync(folder, { throwIfNoEntry: false });
	if (entry && entry.isSymbolicLink()) {
		giveUp(
			"\nnode_modules is a link and doesn't contain what package-lock.json asks for. Remove the link and start again.",
		);
	}
	await npm(registryQuestion);
	report("installing this project's dependencies (npm ci), 1 to 2 minutes");
	const names = Object.keys(packagesIn(path.join(projectFolder, 'package-lock.json')));
	// Only the install script of the package `node` is needed, and it runs later. Others would compile for minutes.
	await whileCounting(projectFolder, names.filter(Boolean), report, () =>
		npm(['ci', '--ignore-scripts']),
	);
}

async function ensureDependencies() {
	if (!areInstalled()) await installDependencies();
	if (await hasNode24()) return;
	report('downloading Node 24, which runs n8n');
	await npm(['rebuild', 'node']);
	if (!(await hasNode24())) {
		giveUp(
			'\nNode 24, which runs n8n, could not be installed. Remove node_modules and start again.',
		);
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
	whileReporting,
};
