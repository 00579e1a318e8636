// @ts-check
'use strict';

const { execFileSync } = require('node:child_process');
const { chmodSync, existsSync, mkdirSync, readdirSync } = require('node:fs');
const path = require('node:path');
const { setTimeout: pause } = require('node:timers/promises');
const { startCommand } = require('../process/commands.cjs');
const { freePort } = require('../process/ports.cjs');
const { Problem } = require('../process/problem.cjs');

/**
 * @typedef {object} Database
 * @property {number} port on 127.0.0.1
 * @property {() => Promise<void>} start until it answers; again after a stop, with the same data
 * @property {() => Promise<void>} stop
 * @property {() => Promise<void>} killHard
 *
 * @typedef {Database & {ask: (sql: string) => string[][]}} SqlDatabase `ask` gives the fields of every row
 */

/** @param {string} name @param {string[]} places */
function findProgram(name, places) {
	const folders = [...places, ...(process.env.PATH ?? '').split(path.delimiter)];
	const found = folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
	if (found) return found;
	throw new Problem(
		`There is no ${name} on this machine. On Debian: apt-get install redis-server postgresql`,
	);
}

/** Debian keeps the programs of every version of Postgres in a folder of their own. */
function postgresPlaces() {
	const versions = '/usr/lib/postgresql';
	if (!existsSync(versions)) return [];
	return readdirSync(versions)
		.sort((a, b) => Number(b) - Number(a))
		.map((version) => path.join(versions, version, 'bin'));
}

/**
 * @param {string} name
 * @param {() => import('../process/commands.cjs').RunningCommand} launch
 * @param {() => void} probe throws while it does not answer
 */
function serverOf(name, launch, probe) {
	/** @type {import('../process/commands.cjs').RunningCommand | undefined} */
	let running;
	return {
		start: async () => {
			running = launch();
			const limit = Date.now() + 60_000;
			for (;;) {
				try {
					return probe();
				} catch (error) {
					if (!running.isRunning() || Date.now() > limit) {
						await running.killHard();
						throw new Problem(`${name} did not start: ${String(error)}`);
					}
				}
				await pause(100);
			}
		},
		stop: async () => {
			await running?.stop();
		},
		killHard: async () => {
			await running?.killHard();
		},
	};
}

/**
 * @param {string} folder its own
 * @returns {Promise<Database>}
 */
async function createRedis(folder) {
	const server = findProgram('redis-server', []);
	const client = findProgram('redis-cli', []);
	const port = await freePort();
	mkdirSync(folder, { recursive: true });
	const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
	return {
		port,
		...serverOf(
			'Redis',
			() =>
				startCommand(server, [...settings, '--appendonly', 'yes'], {
					cwd: folder,
					logFile: path.join(folder, 'redis.log'),
				}),
			() => {
				const said = execFileSync(client, ['-p', String(port), 'ping'], {
					encoding: 'utf8',
					stdio: 'pipe',
				});
				if (said.trim() !== 'PONG') throw new Error(said);
			},
		),
	};
}

/**
 * A cluster of its own, open to everybody on 127.0.0.1, with one database "n8n".
 * @param {string} folder its own
 * @returns {Promise<SqlDatabase>}
 */
async function createPostgres(folder) {
	const places = postgresPlaces();
	const [initdb, postgres, psql] = ['initdb', 'postgres', 'psql'].map((name) =>
		findProgram(name, places),
	);
	const port = await freePort();
	const data = path.join(folder, 'data');
	mkdirSync(data, { recursive: true });
	// Postgres refuses to work for root.
	const isRoot = process.getuid?.() === 0;
	const asPostgres = isRoot
		? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups']
		: [];
	if (isRoot) {
		execFileSync('chown', ['-R', 'postgres:postgres', folder]);
		chmodSync(path.dirname(folder), 0o711);
	}
	/** @param {string} program @param {string[]} args */
	const line = (program, args) => [...asPostgres, program, ...args];
	/** @param {string[]} words */
	const run = ([command, ...args]) =>
		execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
	run(line(initdb, ['-D', data, '-U', 'n8n', '-A', 'trust', '--no-sync', '-E', 'UTF8']));
	const address = ['-h', '127.0.0.1', '-p', String(port), '-U', 'n8n'];
	/** @param {string} database @param {string} sql */
	const ask = (database, sql) =>
		run([psql, ...address, '-d', database, '--tuples-only', '--no-align', '-c', sql])
			.split('\n')
			.filter(Boolean)
			.map((row) => row.split('|'));

	const server = serverOf(
		'Postgres',
		() => {
			const settings = ['-p', String(port), '-h', '127.0.0.1', '-k', folder];
			const [command, ...args] = line(postgres, ['-D', data, ...settings]);
			return startCommand(command, args, {
				cwd: folder,
				logFile: path.join(path.dirname(folder), 'postgres.log'),
			});
		},
		() => {
			ask('postgres', 'select 1');
		},
	);
	let isNew = true;
	return {
		port,
		...server,
		start: async () => {
			await server.start();
			if (isNew) ask('postgres', 'create database n8n');
			isNew = false;
		},
		ask: (sql) => ask('n8n', sql),
	};
}

module.exports = { createPostgres, createRedis };
