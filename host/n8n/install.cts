// @ts-check
'use strict';

const {
	copyFileSync,
	cpSync,
	existsSync,
	mkdirSync,
	readFileSync,
	readdirSync,
	renameSync,
	rmSync,
	statfsSync,
	writeFileSync,
} = require('node:fs');
const path = require('node:path');
const { runCommand } = require('../process/commands.cjs');
const { isAlive, withLock } = require('../process/lock.cjs');
const { npm, requireRegistry } = require('./npm.cjs');
const places = require('../process/places.cjs');
const { Problem } = require('../process/problem.cjs');
const { whileCounting, whileTelling } = require('../process/progress.cjs');

const neededGigabytes = 4;
const sqliteBinary = path.join('node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');

/** @param {string} folder */
function requireRoom(folder) {
	const { bavail, bsize } = statfsSync(folder);
	const gigabytes = (bavail * bsize) / 1e9;
	if (gigabytes < neededGigabytes) {
		throw new Problem(
			`Not enough disk space: n8n needs about ${neededGigabytes} GB in ${folder} and ${gigabytes.toFixed(1)} GB are free (another place: set XDG_CACHE_HOME).`,
		);
	}
}

/** What building sqlite3 needs and this machine lacks. */
function missingTools() {
	const folders = (process.env.PATH ?? '').split(path.delimiter);
	/** @param {string[]} names */
	const found = (...names) =>
		names.some((name) => folders.some((folder) => existsSync(path.join(folder, name))));
	return [
		...(found('g++', 'c++', 'clang++') ? [] : ['a C++ compiler (g++)']),
		...(found('make', 'gmake') ? [] : ['make']),
		...(found('python3', 'python') ? [] : ['python3']),
	];
}

/**
 * The only part of n8n that may have to be compiled. It comes first and alone, so that a machine that cannot do it
 * says so after seconds and not after the whole download.
 * @param {string} folder
 * @param {string} version
 */
async function buildSqlite(folder, version) {
	mkdirSync(folder, { recursive: true });
	const manifest = {
		private: true,
		dependencies: { sqlite3: version },
		allowScripts: { sqlite3: true },
	};
	writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
	await npm(['install', '--ignore-scripts', '--no-package-lock'], {
		cwd: folder,
		what: 'the database driver of n8n (sqlite3)',
	});
	const { output } = await runCommand('npm', ['rebuild', 'sqlite3', '--foreground-scripts'], {
		cwd: folder,
		env: places.environmentWithNode24(),
	});
	const loaded = await runCommand(places.nodeBinary, ['-e', "require('sqlite3')"], { cwd: folder });
	if (loaded.code === 0) return;
	const missing = missingTools();
	if (missing.length > 0) {
		throw new Problem(
			`The database driver of n8n (sqlite3) has to be compiled here and ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing (on Debian and Ubuntu: apt-get install g++ make python3).`,
		);
	}
	const lines = `${output}\n${loaded.output}`.trim().split('\n').slice(-15).join('\n');
	throw new Problem(
		`The database driver of n8n (sqlite3) could not be compiled. The end of what was said:\n${lines}`,
	);
}

/**
 * What an install that was killed has left.
 * @param {string} folder
 */
function removeAbandoned(folder) {
	const parent = path.dirname(folder);
	for (const name of readdirSync(parent)) {
		const [, pid] = /^host-\w+\.partial-(\d+)$/.exec(name) ?? [];
		if (pid && !isAlive(Number(pid))) {
			rmSync(path.join(parent, name), { recursive: true, force: true });
		}
	}
}

/**
 * @param {string} folder
 * @param {(text: string) => void} report
 */
async function install(folder, report) {
	const partial = `${folder}.partial-${process.pid}`;
	const sqliteFolder = path.join(partial, 'sqlite');
	mkdirSync(partial, { recursive: true });
	try {
		requireRoom(places.cacheFolder());
		await requireRegistry(partial, 'n8n');
		const { packages } = JSON.parse(readFileSync(places.hostLockfile, 'utf8'));

		report('compiling its database driver (sqlite3), about 2 minutes');
		await whileTelling(
			report,
			(seconds) => `${seconds} s: still compiling`,
			() => buildSqlite(sqliteFolder, packages['node_modules/sqlite3'].version),
		);

		report('downloading and unpacking n8n itself, 2 to 5 minutes');
		copyFileSync(places.hostManifest, path.join(partial, 'package.json'));
		copyFileSync(places.hostLockfile, path.join(partial, 'package-lock.json'));
		copyFileSync(places.hostNpmrc, path.join(partial, '.npmrc'));
		await whileCounting(partial, Object.keys(packages).filter(Boolean), report, () =>
			// Install scripts stay off: kafka's fails to build and only sqlite3's is needed.
			npm(['ci', '--ignore-scripts'], { cwd: partial, what: 'n8n (700 MB)' }),
		);
		cpSync(path.join(sqliteFolder, sqliteBinary), path.join(partial, sqliteBinary));
		rmSync(sqliteFolder, { recursive: true });
		// Only a complete install gets the final name. Where another process was faster, its install is as good.
		if (!existsSync(folder)) renameSync(partial, folder);
	} finally {
		rmSync(partial, { recursive: true, force: true });
	}
}

/**
 * The pinned n8n in the cache folder, installed when it is not there yet.
 * @param {(text: string) => void} report
 * @returns {Promise<string>} its folder
 */
async function ensureHost(report) {
	const folder = places.hostFolder();
	if (existsSync(folder)) return folder;
	return await withLock(`${folder}.lock`, report, async () => {
		if (!existsSync(folder)) {
			removeAbandoned(folder);
			await install(folder, report);
		}
		return folder;
	});
}

module.exports = { ensureHost };
