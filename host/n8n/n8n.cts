// @ts-check
'use strict';

const { mkdirSync } = require('node:fs');
const path = require('node:path');
const { runCommand, startCommand } = require('../process/commands.cjs');
const { n8nEnvironment } = require('./environment.cjs');
const { nodeBinary } = require('../process/places.cjs');
const { freePort } = require('../process/ports.cjs');
const { Problem } = require('../process/problem.cjs');
const { waitUntilReady } = require('../process/waitUntilReady.cjs');

/**
 * @typedef {object} N8nOptions
 * @property {string} host the folder of the installed n8n
 * @property {string} folder its own: database, packages, settings, log
 * @property {number} port where it listens; for a worker, where it says how it is
 * @property {string[]} [role] how it is started: a whole n8n, or a part of one in queue mode
 * @property {Record<string, string>} [environment] settings beyond the usual ones
 *
 * @typedef {object} N8n
 * @property {string} url without a slash at its end
 * @property {string} folder
 * @property {string} logFile
 * @property {() => Promise<void>} start until it is ready to work
 * @property {() => Promise<void>} stop
 * @property {() => Promise<void>} killHard kill -9, runners included
 * @property {() => Promise<number>} ended its exit code, when it ends by itself or is stopped
 * @property {() => number} pid of its process group; 0 when it does not run
 * @property {(...args: string[]) => Promise<string>} command an n8n CLI command in the same folder; returns what it printed
 */

/**
 * One n8n that listens on 127.0.0.1.
 * @param {N8nOptions} options
 * @returns {N8n}
 */
function createN8n({ host, folder, port, role = ['start'], environment }) {
	const url = `http://127.0.0.1:${port}`;
	const logFile = path.join(folder, 'n8n.log');
	const program = path.join(host, 'node_modules', 'n8n', 'bin', 'n8n');
	/** @type {import('../process/commands.cjs').RunningCommand | undefined} */
	let running;

	async function processEnvironment() {
		mkdirSync(path.join(folder, 'tmp'), { recursive: true });
		return n8nEnvironment({
			host,
			folder,
			port,
			brokerPort: await freePort(),
			extra: environment,
		});
	}

	async function start() {
		if (running?.isRunning()) return;
		running = startCommand(nodeBinary, [program, ...role], {
			cwd: folder,
			env: await processEnvironment(),
			logFile,
			graceSeconds: 30,
		});
		// Not /healthz: that one answers before the database is migrated.
		await waitUntilReady({
			name: `n8n ${role[0]}`,
			url: `${url}/healthz/readiness`,
			running,
			logFile,
		});
	}

	/** @param {...string} args */
	async function command(...args) {
		const result = await runCommand(nodeBinary, [program, ...args], {
			cwd: folder,
			env: await processEnvironment(),
		});
		if (result.code !== 0) {
			throw new Problem(`n8n ${args[0]} failed. What it said:\n${result.output.trim()}`);
		}
		return result.output;
	}

	return {
		url,
		folder,
		logFile,
		start,
		command,
		stop: async () => {
			await running?.stop();
		},
		killHard: async () => {
			await running?.killHard();
		},
		ended: async () => (running ? await running.ended : 0),
		pid: () => (running?.isRunning() ? running.pid : 0),
	};
}

module.exports = { createN8n };
