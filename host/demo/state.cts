import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive } from '../process/lock.cjs';
import { cacheFolder } from '../process/places.cjs';
import { Problem } from '../process/problem.cjs';

/** The one folder that keeps what a person makes in the demo. */
export function stateFolder() {
	const chosen = process.env.BULK_MESSAGING_DEMO_FOLDER;
	return chosen ? path.resolve(chosen) : path.join(cacheFolder(), 'demo');
}

/** @param {string} folder */
export function stateFiles(folder) {
	return {
		n8n: path.join(folder, 'n8n'),
		sandboxState: path.join(folder, 'sandbox-state.json'),
		sandboxLog: path.join(folder, 'sandbox.log'),
		provisioned: path.join(folder, 'provisioned.json'),
	};
}

/**
 * Removes what the demo has made, by name: the folder may have been chosen by the user and hold other things.
 * @param {string} folder
 */
export function forgetEverything(folder) {
	for (const place of Object.values(stateFiles(folder))) {
		rmSync(place, { recursive: true, force: true });
	}
}

/** @param {string} file */
export function readJson(file) {
	return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/**
 * Is this still the process we wrote down, and not another one that got its number?
 * @param {number} pid
 * @param {string} program
 */
function isStill(pid, program) {
	if (!isAlive(pid)) return false;
	const commandLine = `/proc/${pid}/cmdline`;
	return !existsSync(commandLine) || readFileSync(commandLine, 'utf8').includes(program);
}

/**
 * Makes the folder ours for as long as this process lives. Two demos in one folder would share a database.
 * @param {string} folder
 * @param {(text: string) => void} report
 */
export async function takeFolder(folder, report) {
	const run = path.join(folder, 'run.json');
	mkdirSync(folder, { recursive: true });
	const last = readJson(run);
	if (last && isStill(last.demo, 'bootstrap.mjs')) {
		throw new Problem(
			`A demo is running already (process ${last.demo}, ${last.url}): use it, or stop it with Ctrl-C where it was started.`,
		);
	}
	if (last) await waitForLeftovers(last.children ?? [], report);
	const record = { demo: process.pid, url: 'still starting', children: [] };
	const write = () => writeFileSync(run, JSON.stringify(record));
	write();
	return {
		/** @param {{url: string, children: number[]}} news */
		note(news) {
			Object.assign(record, news);
			write();
		},
		release: () => rmSync(run, { force: true }),
	};
}

/**
 * The last demo did not end properly. Its guards stop what it started by themselves; that can take half a minute.
 * @param {number[]} pids
 * @param {(text: string) => void} report
 */
async function waitForLeftovers(pids, report) {
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
