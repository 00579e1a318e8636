import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive } from './isAlive.cts';
import type { Report } from './report.cts';

/** The process that has the lock; 0 when the file is gone or not written yet. */
function holder(file: string) {
	try {
		return Number(readFileSync(file, 'utf8'));
	} catch {
		return 0;
	}
}

function take(file: string) {
	try {
		writeFileSync(file, String(process.pid), { flag: 'wx' });
		return true;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
		throw error;
	}
}

/**
 * Keeps two processes from doing the same long work at the same time. It only saves work: what the work makes appears
 * under its final name by one rename, so even two at once would do no harm.
 */
export async function withLock<T>(
	file: string,
	report: Report,
	work: () => Promise<T>,
): Promise<T> {
	mkdirSync(path.dirname(file), { recursive: true });
	let told = false;
	while (!take(file)) {
		const pid = holder(file);
		if (pid !== 0 && !isAlive(pid)) {
			rmSync(file, { force: true });
			continue;
		}
		if (!told) report(`another process (${pid}) is doing this already; waiting for it`);
		told = true;
		await pause(500);
	}
	try {
		return await work();
	} finally {
		rmSync(file, { force: true });
	}
}
