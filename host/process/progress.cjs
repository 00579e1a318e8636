// @ts-check
'use strict';

const { existsSync } = require('node:fs');
const path = require('node:path');

/**
 * npm and compilers are silent for minutes; a person wants to know that something still happens.
 * @template T
 * @param {(text: string) => void} report
 * @param {(seconds: number) => string} text what to say every 15 seconds
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function whileTelling(report, text, work) {
	const begun = Date.now();
	const timer = setInterval(() => report(text(Math.round((Date.now() - begun) / 1000))), 15_000);
	try {
		return await work();
	} finally {
		clearInterval(timer);
	}
}

/**
 * For an npm install: how many packages have arrived is the only honest progress there is.
 * @template T
 * @param {string} folder
 * @param {string[]} packages their paths in the lockfile
 * @param {(text: string) => void} report
 * @param {() => Promise<T>} work
 */
async function whileCounting(folder, packages, report, work) {
	const count = () =>
		packages.filter((name) => existsSync(path.join(folder, name, 'package.json'))).length;
	return await whileTelling(
		report,
		(seconds) => `${seconds} s: ${count()} of about ${packages.length} packages are here`,
		work,
	);
}

module.exports = { whileCounting, whileTelling };
