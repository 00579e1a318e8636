import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { spawnGuarded } from './guard.cjs';
import { Problem } from './problem.cts';

type GuardOptions = Parameters<typeof spawnGuarded>[2];
type CommandOptions = Omit<GuardOptions, 'output'>;

export interface RunningCommand {
	/** Also the id of its process group. */
	pid: number;
	/** Its exit code, when it has ended. */
	ended: Promise<number>;
	isRunning(): boolean;
	/** Asks it to stop and waits. */
	stop(): Promise<void>;
	/** kill -9, it and everything it started. */
	killHard(): Promise<void>;
}

interface CommandResult {
	code: number;
	/** What it printed, both streams. */
	output: string;
}

const alive = new Set<ChildProcess>();
let closing = false;

/** Inside `together`: stops the commands of its works. */
const stopSignal = new AsyncLocalStorage<AbortSignal>();

/** Whether the current work has been stopped. */
export const isStopped = () => closing || stopSignal.getStore()?.aborted === true;

/** Throws if the current work has been stopped. For work that waits without a command. */
export function requireNotStopped() {
	if (isStopped()) throw new Problem('Stopped.');
}

function start(command: string, args: string[], options: GuardOptions): ChildProcess {
	requireNotStopped();
	const child = spawnGuarded(command, args, options);
	const signal = stopSignal.getStore();
	const stop = () => child.kill('SIGTERM');
	signal?.addEventListener('abort', stop);
	alive.add(child);
	child.once('close', () => {
		signal?.removeEventListener('abort', stop);
		alive.delete(child);
	});
	return child;
}

/**
 * Runs works at the same time. If one fails, the commands of the others are stopped, and its error is thrown when all have
 * ended: the caller may then delete the folders they used.
 */
export async function together<T extends unknown[]>(
	...works: { [Index in keyof T]: () => Promise<T[Index]> }
): Promise<T> {
	const failure = new AbortController();
	const outer = stopSignal.getStore();
	const signal = outer ? AbortSignal.any([outer, failure.signal]) : failure.signal;
	const running = works.map((work: () => Promise<unknown>) => stopSignal.run(signal, work));
	try {
		return (await Promise.all(running)) as T;
	} catch (error) {
		failure.abort();
		await Promise.allSettled(running);
		throw error;
	}
}

/** Stops every command this process has started, and prevents new ones. */
export async function closeAll() {
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

/** Waits for a command's children, which may run a moment longer than the command itself. */
async function groupGone(group: number) {
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

/** Starts a server or another long-running command; what it prints goes to a file. */
export function startCommand(
	command: string,
	args: string[],
	{ logFile, ...options }: CommandOptions & { logFile: string },
): RunningCommand {
	const log = openSync(logFile, 'a');
	const child = start(command, args, { ...options, output: log });
	closeSync(log);

	let running = true;
	const ended = new Promise<number>((resolve) => {
		const end = (code: number | null) => {
			running = false;
			resolve(code ?? 137);
		};
		child.once('exit', end);
		child.once('error', () => end(127));
	});
	const pid = child.pid ?? 0;
	const signalTo = (signal: NodeJS.Signals, target: number) => {
		if (!running || pid === 0) return;
		try {
			process.kill(target, signal);
		} catch {
			// The command ended before the signal reached it.
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

/** Runs a command to its end. */
export function runCommand(
	command: string,
	args: string[],
	options: CommandOptions = {},
): Promise<CommandResult> {
	return new Promise((resolve) => {
		const child = start(command, args, { ...options, output: 'pipe' });
		let output = '';
		for (const stream of [child.stdout, child.stderr]) {
			stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
		}
		child.once('error', (error) => resolve({ code: 127, output: error.message }));
		child.once('close', (code) => resolve({ code: code ?? 137, output }));
	});
}
