import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningCommand } from '../process/commands.cts';
import { Problem } from '../process/problem.cts';

interface DatabaseServer {
	/** Resolves when the server responds. After a stop, it starts again with the same data. */
	start(): Promise<void>;
	stop(): Promise<void>;
	killHard(): Promise<void>;
}

export interface Database extends DatabaseServer {
	/** On 127.0.0.1. */
	port: number;
}

/** Searches these folders first, then PATH. */
export function findProgram(name: string, folders: string[] = []) {
	const found = [...folders, ...(process.env.PATH ?? '').split(path.delimiter)]
		.map((folder) => path.join(folder, name))
		.find((file) => existsSync(file));
	if (found) return found;
	throw new Problem(
		`${name} was not found on this machine. On Debian, run: apt-get install redis-server postgresql`,
	);
}

/** `probe` throws while the server doesn't respond. */
export function createServer(
	name: string,
	launch: () => RunningCommand,
	probe: () => void,
): DatabaseServer {
	let running: RunningCommand | undefined;
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
