// @ts-check
'use strict';

const { readFileSync } = require('node:fs');
const { setTimeout: pause } = require('node:timers/promises');
const { Problem } = require('./problem.cjs');

/** @param {string} url */
async function answers(url) {
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
		await response.arrayBuffer();
		return response.ok;
	} catch {
		return false;
	}
}

/** @param {string} file */
function lastLines(file) {
	return readFileSync(file, 'utf8').trim().split('\n').slice(-15).join('\n');
}

/**
 * Waits until a server that was just started answers; ends it and says why when it does not.
 * @param {{name: string, url: string, running: import('./commands.cjs').RunningCommand, logFile: string}} server
 */
async function waitUntilReady({ name, url, running, logFile }) {
	// A first start of n8n on a busy machine has been seen to take 40 s.
	const limit = Date.now() + 180_000;
	while (!(await answers(url))) {
		const ended = !running.isRunning();
		if (ended || Date.now() > limit) {
			await running.killHard();
			throw new Problem(
				`${name} ${ended ? 'ended instead of starting' : 'was not ready after 3 minutes'}. The end of its log (${logFile}):\n${lastLines(logFile)}`,
			);
		}
		await pause(150);
	}
}

module.exports = { answers, waitUntilReady };
