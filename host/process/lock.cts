import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { requireNotStopped } from './commands.cts';
import { isAlive } from './isAlive.cts';
import type { Report } from './report.cts';

/** The id of the process that has the lock, or 0 if the file is gone or not written yet. */
function holder(file: string) {
	try {
		return Number(readFileSync(file, 'utf8'));
	} catch {
		return 0;
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
		if (pid !== 0 && !isAlive(pid)) {
			rmSync(file, { force: true });
			continue;
		}
		if (!hasReported) report(`another process (${pid}) is already doing this; waiting for it`);
		hasReported = true;
		await pause(500);
	}
	try {
		return await work();
	} finally {
		rmSync(file, { force: true });
	}
}
