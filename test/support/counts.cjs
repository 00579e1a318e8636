// @ts-check
'use strict';

/**
 * What test files count, for the closing line of the command that runs them. They may run in processes of their own, so
 * each leaves a file in a folder that the command names.
 */
const { readdirSync, readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');

/** @typedef {Record<string, number>} Counts */

/**
 * @param {string} name of the test file
 * @param {Counts} counts
 */
function leaveCounts(name, counts) {
	const folder = process.env.TEST_COUNTS;
	if (folder) writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(counts));
}

/**
 * @param {string} folder
 * @returns {{table: Record<string, Counts>, sums: Counts}} of each test file, and all together
 */
function readCounts(folder) {
	/** @type {Record<string, Counts>} */
	const table = {};
	/** @type {Counts} */
	const sums = {};
	for (const file of readdirSync(folder).sort()) {
		/** @type {Counts} */
		const counts = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
		table[path.basename(file, '.json')] = counts;
		for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
	}
	return { table, sums };
}

module.exports = { leaveCounts, readCounts };
