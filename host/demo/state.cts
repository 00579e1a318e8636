import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cacheFolder } from '../process/folders.cts';
import { isAlive } from '../process/isAlive.cts';
import { Problem } from '../process/problem.cts';
import type { Report } from '../process/report.cts';

/** The folder with everything the user makes in the demo. */
export function stateFolder() {
	const chosen = process.env.BULK_MESSAGING_DEMO_FOLDER;
	return chosen ? path.resolve(chosen) : path.join(cacheFolder(), 'demo');
}

export function stateFiles(folder: string) {
	return {
		n8n: path.join(folder, 'n8n'),
		sandboxState: path.join(folder, 'sandbox-state'),
		sandboxLog: path.join(folder, 'sandbox.log'),
		provisioned: path.join(folder, 'provisioned.json'),
	};
}

/** Deletes only the demo's own files: the user may have chosen a folder that contains other files. */
export function deleteState(folder: string) {
	for (const place of Object.values(stateFiles(folder))) {
		rmSync(place, { recursive: true, force: true });
	}
}

/**
 * What the demo wrote into this file, or `undefined` if there is nothing to read, for example because the disk was full. Only the
 * demo writes it, so its shape is known.
 */
export function readJson<T>(file: string): T | undefined {
	try {
		return JSON.parse(readFileSync(file, 'utf8')) as T;
	} catch {
		return undefined;
	}
}

/** A demo that is killed leaves the old file or the new one, never half of one. */
export function writeJson(file: string, value: unknown) {
	const whole = `${file}.new`;
	writeFileSync(whole, JSON.stringify(value));
	renameSync(whole, file);
}

/** Whether the recorded process still runs. Its id may have been reused for another program. */
function isStill(pid: number, program: string) {
	if (!isAlive(pid)) return false;
	const commandLine = `/proc/${pid}/cmdline`;
	return !existsSync(commandLine) || readFileSync(commandLine, 'utf8').includes(program);
}

interface Run {
	/** The id of the process that uses the folder. */
	demo: number;
	url: string;
	/** The process groups it has started. */
	children: number[];
}

/** Claims the folder for this process. Two demos in one folder would share a database. */
export async function claimFolder(folder: string, report: Report) {
	const file = path.join(folder, 'run.json');
	mkdirSync(folder, { recursive: true });
	const last = readJson<Run>(file);
	if (last && isStill(last.demo, path.join('demo', 'main.cts'))) {
		throw new Problem(
			`A demo is already running (process ${last.demo}, ${last.url}). Use it, or press Ctrl-C in the terminal where it was started.`,
		);
	}
	if (last) await waitForLeftovers(last.children, report);
	const run: Run = { demo: process.pid, url: 'still starting', children: [] };
	const write = () => writeJson(file, run);
	write();
	return {
		record(details: Pick<Run, 'url' | 'children'>) {
			Object.assign(run, details);
			write();
		},
		release: () => rmSync(file, { force: true }),
	};
}

/** The last demo was killed. Its guards stop everything it started, which can take half a minute. */
async function waitForLeftovers(pids: number[], report: Report) {
	report('the last demo was killed; waiting until its processes have ended');
	const limit = Date.now() + 40_000;
	for (;;) {
		const left = pids.filter((pid) => isStill(pid, 'guard.cjs'));
		if (left.length === 0) return;
		if (Date.now() > limit) {
			throw new Problem(
				`The last demo was killed and left processes running. End them with kill -9 ${left.map((pid) => `-${pid}`).join(' ')} and start again.`,
			);
		}
		await pause(250);
	}
}
