// @ts-check
'use strict';

const { mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { setTimeout: pause } = require('node:timers/promises');

/** @param {number} pid */
function isAlive(pid) {
	if (!Number.isInteger(pid) || pid <= 0) return false;
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// EPERM: it is there and belongs to someone else.
		return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
	}
}

/** @param {string} file */
function holder(file) {
	try {
		return Number(readFileSync(file, 'utf8'));
	} catch {
		return 0;
	}
}

/** @param {string} file */
function take(file) {
	try {
		writeFileSync(file, String(process.pid), { flag: 'wx' });
		return true;
	} catch (error) {
		if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
		throw error;
	}
}

/**
 * Keeps two processes from doing the same long work at the same time. It only saves work: what the work makes appears
 * under its final name by one rename, so even two at once would do no harm.
 * @template T
 * @param {string} file
 * @param {(text: string) => void} report
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function withLock(file, report, work) {
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

module.exports = { isAlive, withLock };
