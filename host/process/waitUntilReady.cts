import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningCommand } from './commands.cts';
import { Problem } from './problem.cts';

async function responds(url: string) {
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
		await response.arrayBuffer();
		return response.ok;
	} catch {
		return false;
	}
}

function lastLines(file: string) {
	return readFileSync(file, 'utf8').trim().split('\n').slice(-15).join('\n');
}

interface StartedServer {
	name: string;
	url: string;
	running: RunningCommand;
	logFile: string;
}

/** Waits until a started server responds. If it doesn't, stops it and throws with the end of its log. */
export async function waitUntilReady({ name, url, running, logFile }: StartedServer) {
	// A first start of n8n on a busy machine has been seen to take 40 s.
	const limit = Date.now() + 180_000;
	while (!(await responds(url))) {
		const ended = !running.isRunning();
		if (ended || Date.now() > limit) {
			await running.killHard();
			throw new Problem(
				`${name} ${ended ? 'stopped while starting' : 'was not ready after 3 minutes'}. The end of its log (${logFile}):\n${lastLines(logFile)}`,
			);
		}
		await pause(150);
	}
}
