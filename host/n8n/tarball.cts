// @ts-check
'use strict';

const {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readdirSync,
	renameSync,
	rmSync,
	statSync,
} = require('node:fs');
const path = require('node:path');
const { withLock } = require('../process/lock.cjs');
const { npm } = require('./npm.cjs');
const { cacheFolder, fingerprint, projectFolder } = require('../process/places.cjs');

/** What the published package is not made of; everything else in the checkout may be part of it or of its build. */
const outside = new Set([
	'.cache',
	'.ci',
	'.git',
	'bench',
	'coverage',
	'dist',
	'docs',
	'host',
	'node_modules',
	'sandbox',
	'test',
	'workflows',
]);

/** @param {string} [folder] relative to the checkout @returns {string[]} */
function sourceFiles(folder = '') {
	return readdirSync(path.join(projectFolder, folder), { withFileTypes: true })
		.map((entry) => ({ entry, name: path.posix.join(folder, entry.name) }))
		.filter(({ entry, name }) => !outside.has(name) && (entry.isDirectory() || entry.isFile()))
		.sort((a, b) => (a.name < b.name ? -1 : 1))
		.flatMap(({ entry, name }) => (entry.isDirectory() ? sourceFiles(name) : [name]));
}

function sourcesFingerprint() {
	return fingerprint(
		...sourceFiles().flatMap((name) => [name, readFileSync(path.join(projectFolder, name))]),
	);
}

/**
 * The package as it would be published. Built again only when its sources have changed since the last time.
 * @param {(text: string) => void} report
 * @returns {Promise<string>} the tarball
 */
async function ensureTarball(report) {
	const folder = path.join(cacheFolder(), 'packages');
	const tarball = path.join(folder, `${sourcesFingerprint()}.tgz`);
	if (existsSync(tarball)) return tarball;
	mkdirSync(folder, { recursive: true });
	return await withLock(path.join(folder, 'build.lock'), report, async () => {
		if (existsSync(tarball)) return tarball;
		report('building the package');
		await npm(['run', 'build'], { cwd: projectFolder, what: 'building the package' });
		const fresh = mkdtempSync(path.join(folder, 'pack-'));
		try {
			report('packing it');
			await npm(['pack', '--pack-destination', fresh], {
				cwd: projectFolder,
				what: 'packing the package',
			});
			const [file] = readdirSync(fresh).filter((name) => name.endsWith('.tgz'));
			renameSync(path.join(fresh, file), tarball);
		} finally {
			rmSync(fresh, { recursive: true, force: true });
		}
		keepNewest(folder, 5);
		return tarball;
	});
}

/**
 * @param {string} folder
 * @param {number} count
 */
function keepNewest(folder, count) {
	const byAge = readdirSync(folder)
		.map((name) => path.join(folder, name))
		.filter((place) => !place.endsWith('.lock'))
		.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
	for (const place of byAge.slice(count)) rmSync(place, { recursive: true, force: true });
}

module.exports = { ensureTarball, keepNewest };
