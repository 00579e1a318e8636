// @ts-check
'use strict';

const { spawn } = require('node:child_process');
const { closeSync, openSync } = require('node:fs');
const path = require('node:path');
const { StringDecoder } = require('node:string_decoder');
const { setTimeout: pause } = require('node:timers/promises');
const { Problem } = require('./problem.cjs');

const guard = path.join(__dirname, 'guard.cjs');

/** @type {Set<import('node:child_process').ChildProcess>} */
const alive = new Set();
let closing = false;

/**
 * @typedef {object} CommandOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [graceSeconds] how long it may take to stop before it is killed
 *
 * @typedef {object} RunningCommand
 * @property {number} pid also the id of its process group
 * @property {Promise<number>} ended its exit code, when it has ended
 * @property {() => boolean} isRunning
 * @property {() => Promise<void>} stop asks it to stop and waits
 * @property {() => Promise<void>} killHard kill -9, it and everything it started
 *
 * @typedef {object} CommandResult
 * @property {number} code
 * @property {string} output what it printed, both streams
 */

/**
 * @param {string} command
 * @param {string[]} args
 * @param {CommandOptions & {output: number | 'pipe'}} options
 */
function spawnGuarded(command, args, { cwd, env = process.env, graceSeconds = 20, output }) {
	if (closing) throw new Problem('Stopped.');
	const child = spawn(process.execPath, [guard, String(graceSeconds), command, ...args], {
		cwd,
		env,
		// A group of its own: a Ctrl-C in the terminal reaches us alone, and we stop what we started in order.
		detached: true,
		stdio: ['pipe', output, output],
	});
	// A guard that has ended closes its input; writing to it is never needed, so the error says nothing new.
	child.stdin?.on('error', () => {});
	alive.add(child);
	child.once('close', () => alive.delete(child));
	return child;
}

/** Stops every command this process has started, and starts no more. */
async function closeAll() {
	closing = true;
	await Promise.all(
		[...alive].map(
			(child) =>
				new Promise((resolve) => {
					child.once('close', resolve);
					child.kill('SIGTERM');
				}),
		),
	);
}

/**
 * The command has ended; what it had started itself may need a moment longer.
 * @param {number} group
 */
async function groupGone(group) {
	const limit = Date.now() + 5000;
	while (Date.now() < limit) {
		try {
			process.kill(-group, 0);
		} catch {
			return;
		}
		await pause(20);
	}
}

/**
 * Starts a server or another long-running command; what it prints goes to a file.
 * @param {string} command
 * @param {string[]} args
 * @param {CommandOptions & {logFile: string}} options
 * @returns {RunningCommand}
 */
function startCommand(command, args, { logFile, ...options }) {
	const log = openSync(logFile, 'a');
	const child = spawnGuarded(command, args, { ...options, output: log });
	closeSync(log);

	let running = true;
	const ended = new Promise((resolve) => {
		/** @param {number | null} code */
		const end = (code) => {
			running = false;
			resolve(code ?? 137);
		};
		child.once('exit', end);
		child.once('error', () => end(127));
	});
	const pid = child.pid ?? 0;
	/** @param {NodeJS.Signals} signal @param {number} target */
	const signalTo = (signal, target) => {
		if (!running || pid === 0) return;
		try {
			process.kill(target, signal);
		} catch {
			// It has ended between the question and the signal.
		}
	};
	return {
		pid,
		ended,
		isRunning: () => running,
		stop: async () => {
			signalTo('SIGTERM', pid);
			await ended;
			await groupGone(pid);
		},
		killHard: async () => {
			signalTo('SIGKILL', -pid);
			await ended;
			await groupGone(pid);
		},
	};
}

/**
 * Runs a command to its end.
 * @param {string} command
 * @param {string[]} args
 * @param {CommandOptions & {onLine?: (line: string) => void}} [options]
 * @returns {Promise<CommandResult>}
 */
function runCommand(command, args, { onLine, ...options } = {}) {
	return new Promise((resolve) => {
		const child = spawnGuarded(command, args, { ...options, output: 'pipe' });
		let output = '';
		for (const stream of [child.stdout, child.stderr]) {
			const decoder = new StringDecoder('utf8');
			let line = '';
			stream?.on('data', (/** @type {Buffer} */ chunk) => {
				const text = decoder.write(chunk);
				output += text;
				if (!onLine) return;
				const lines = (line + text).split('\n');
				line = lines.pop() ?? '';
				for (const complete of lines) onLine(complete);
			});
		}
		child.once('error', (error) => resolve({ code: 127, output: error.message }));
		child.once('close', (code) => resolve({ code: code ?? 137, output }));
	});
}

module.exports = { closeAll, runCommand, startCommand };
