import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cacheFolder } from '../process/folders.cts';
import { isAlive } from '../process/isAlive.cts';
import { Problem } from '../process/problem.cts';
import type { Report } from '../process/report.cts';

/** The one folder that keeps what a person makes in the demo. */
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

/** Removes what the demo has made, by name: the user may have chosen the folder and keep other things in it. */
export function forgetEverything(folder: string) {
	for (const place of Object.values(stateFiles(folder))) {
		rmSync(place, { recursive: true, force: true });
	}
}

/** What the demo wrote into this file, if it has; only the demo writes there, so its shape is known. */
export function readJson<T>(file: string): T | undefined {
	return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined;
}

/** Is this still the process we wrote down, and not another one that got its number? */
function isStill(pid: number, program: string) {
	if (!isAlive(pid)) return false;
	const commandLine = `/proc/${pid}/cmdline`;
	return !existsSync(commandLine) || readFileSync(commandLine, 'utf8').includes(program);
}

interface Run {
	/** The process that has the folder. */
	demo: number;
	url: string;
	/** The process groups it has started. */
	children: number[];
}

/** Makes the folder ours for as long as this process lives. Two demos in one folder would share a database. */
export async function takeFolder(folder: string, report: Report) {
	const file = path.join(folder, 'run.json');
	mkdirSync(folder, { recursive: true });
	const last = readJson<Run>(file);
	if (last && isStill(last.demo, path.join('demo', 'main.cts'))) {
		throw new Problem(
			`A demo is running already (process ${last.demo}, ${last.url}): use it, or stop it with Ctrl-C where it was started.`,
		);
	}
	if (last) await waitForLeftovers(last.children, report);
	const run: Run = { demo: process.pid, url: 'still starting', children: [] };
	const write = () => writeFileSync(file, JSON.stringify(run));
	write();
	return {
		note(news: Pick<Run, 'url' | 'children'>) {
			Object.assign(run, news);
			write();
		},
		release: () => rmSync(file, { force: true }),
	};
}

/** The last demo did not end properly. Its guards stop what it started by themselves; that can take half a minute. */
async function waitForLeftovers(pids: number[], report: Report) {
	report('the last demo was killed; making sure that nothing of it still runs');
	const limit = Date.now() + 40_000;
	for (;;) {
		const left = pids.filter((pid) => isStill(pid, 'guard.cjs'));
		if (left.length === 0) return;
		if (Date.now() > limit) {
			throw new Problem(
				`The last demo was killed and left processes behind: end them with kill -9 ${left.map((pid) => `-${pid}`).join(' ')} and start again.`,
			);
		}
		await pause(250);
	}
}
