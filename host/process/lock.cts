import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { requireNotStopped } from './commands.cts';
import { isAlive } from './isAlive.cts';
import type { Report } from './report.cts';

/** Who has the lock touches the file this often. */
const touchMs = 2_000;
/** A file that nobody has touched for so long is abandoned, whatever its content: an id may belong to another program by now. */
const abandonedMs = 30_000;

/** The process that has the lock, or `undefined` if nobody has it any more. 0: not written yet. */
function holder(file: string) {
	try {
		const pid = Number(readFileSync(file, 'utf8'));
		const isAbandoned = Date.now() - statSync(file).mtimeMs > abandonedMs;
		return isAbandoned || (pid !== 0 && !isAlive(pid)) ? undefined : pid;
	} catch {
		return undefined;
	}
}

function touch(file: string) {
	try {
		utimesSync(file, new Date(), new Date());
	} catch {
		// The file was deleted by hand. That only costs time.
	}
}

function tryLock(file: string) {
	try {
		writeFileSync(file, String(process.pid), { flag: 'wx' });
		return true;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
		throw error;
	}
}

/**
 * Keeps two processes from doing the same long work at the same time. It only saves time: the result gets its final name
 * in a single rename, so two processes at once would do no harm.
 */
export async function withLock<T>(
	file: string,
	report: Report,
	work: () => Promise<T>,
): Promise<T> {
	mkdirSync(path.dirname(file), { recursive: true });
	let hasReported = false;
	while (!tryLock(file)) {
		requireNotStopped();
		const pid = holder(file);
		if (pid === undefined) {
			rmSync(file, { force: true });
			continue;
		}
		if (!hasReported) report(`another process (${pid}) is already doing this; waiting for it`);
		hasReported = true;
		await pause(500);
	}
	const touching = setInterval(touch, touchMs, file).unref();
	try {
		return await work();
	} finally {
		clearInterval(touching);
		rmSync(file, { force: true });
	}
}
