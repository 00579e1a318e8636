import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { runCommand, startCommand, type RunningCommand } from '../process/commands.cts';
import { freePort } from '../process/ports.cts';
import { Problem } from '../process/problem.cts';
import { waitUntilReady } from '../process/waitUntilReady.cts';
import { n8nEnvironment } from './environment.cts';
import { nodeOf } from './version.cts';

interface N8nOptions {
	/** The folder of the installed n8n. */
	host: string;
	/** Its own folder: database, packages, settings, log. */
	folder: string;
	/** Where it listens; for a worker, the port of its health check. */
	port: number;
	/** The n8n command: `start`, or one for a process in queue mode. */
	role?: string[];
	/** Settings beyond the usual ones. */
	environment?: Record<string, string>;
}

export interface N8n {
	/** Without a trailing slash. */
	url: string;
	folder: string;
	logFile: string;
	/** Resolves when it is ready. */
	start(): Promise<void>;
	stop(): Promise<void>;
	/** kill -9, including its runners. */
	killHard(): Promise<void>;
	/** Resolves with its exit code when it ends or is stopped. */
	ended(): Promise<number>;
	/** The id of its process group, or 0 if it isn't running. */
	pid(): number;
	/** Runs an n8n CLI command in the same folder and returns its output. */
	command(...args: string[]): Promise<string>;
}

/** One n8n that listens on 127.0.0.1. */
export function createN8n({ host, folder, port, role = ['start'], environment }: N8nOptions): N8n {
	const url = `http://127.0.0.1:${port}`;
	const logFile = path.join(folder, 'n8n.log');
	const program = path.join(host, 'node_modules', 'n8n', 'bin', 'n8n');
	const node = nodeOf(host);
	let running: RunningCommand | undefined;

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
		running = startCommand(node, [program, ...role], {
			cwd: folder,
			env: await processEnvironment(),
			logFile,
			graceSeconds: 30,
		});
		// Not /healthz, which responds before the database is migrated.
		const questions = ['/healthz/readiness'];
		// An older n8n says that it is ready before its REST API is.
		if (role[0] === 'start') questions.push('/rest/options/timezones');
		for (const question of questions) {
			await waitUntilReady({ name: `n8n ${role[0]}`, url: url + question, running, logFile });
		}
	}

	async function command(...args: string[]) {
		const result = await runCommand(node, [program, ...args], {
			cwd: folder,
			env: await processEnvironment(),
		});
		if (result.code !== 0) {
			throw new Problem(`n8n ${args[0]} failed. Its output:\n${result.output.trim()}`);
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
