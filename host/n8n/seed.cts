// @ts-check
'use strict';

const {
	cpSync,
	existsSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} = require('node:fs');
const path = require('node:path');
const { importCredentials, sandboxCredentials } = require('./credentials.cjs');
const { withLock } = require('../process/lock.cjs');
const { createN8n } = require('./n8n.cjs');
const { npm } = require('./npm.cjs');
const { keepNewest } = require('./tarball.cjs');
const { cacheFolder, fingerprint } = require('../process/places.cjs');
const { freePort } = require('../process/ports.cjs');

/** Where n8n looks for community packages inside its user folder. */
const packagesFolder = path.join('.n8n', 'nodes');

/**
 * Installs the tarball the way n8n installs a community package, so that node types get their real names.
 * @param {string} folder n8n's user folder
 * @param {string} tarball
 */
async function installPackage(folder, tarball) {
	const target = path.join(folder, packagesFolder);
	mkdirSync(target, { recursive: true });
	writeFileSync(path.join(target, 'package.json'), '{"name": "installed-nodes", "private": true}');
	await npm(
		['install', '--ignore-scripts', '--legacy-peer-deps', '--omit=peer', '--offline', tarball],
		{ cwd: target, what: 'installing the package into n8n' },
	);
}

const noSandbox = { partnerBaseUrl: '', messagingBaseUrl: '', login: '', password: '', apiKey: '' };

/**
 * A user folder to copy: the database migrated, the package installed, the three credentials there with their ids. An
 * n8n that starts on a copy is ready in about 10 seconds.
 * @param {{host: string, tarball: string, report: (text: string) => void}} options
 * @returns {Promise<string>}
 */
async function ensureSeed({ host, tarball, report }) {
	const parent = path.join(cacheFolder(), 'seeds');
	const key = fingerprint(path.basename(host), readFileSync(tarball), readFileSync(__filename));
	const seed = path.join(parent, key);
	if (existsSync(seed)) return seed;
	return await withLock(path.join(parent, 'seed.lock'), report, async () => {
		if (existsSync(seed)) return seed;
		const partial = `${seed}.partial`;
		rmSync(partial, { recursive: true, force: true });
		mkdirSync(partial, { recursive: true });
		report('installing the package into n8n');
		await installPackage(partial, tarball);
		report('preparing a database');
		const n8n = createN8n({ host, folder: partial, port: await freePort() });
		await importCredentials(n8n, sandboxCredentials(noSandbox));
		renameSync(partial, seed);
		keepNewest(parent, 5);
		return seed;
	});
}

/**
 * @param {string} seed
 * @param {string} folder
 */
function copySeed(seed, folder) {
	cpSync(seed, folder, { recursive: true, verbatimSymlinks: true });
}

/**
 * Puts the seed's version of the package into a folder that is already in use, and leaves everything else alone.
 * @param {string} seed
 * @param {string} folder
 */
function replacePackage(seed, folder) {
	rmSync(path.join(folder, packagesFolder), { recursive: true, force: true });
	cpSync(path.join(seed, packagesFolder), path.join(folder, packagesFolder), {
		recursive: true,
		verbatimSymlinks: true,
	});
}

module.exports = { copySeed, ensureSeed, packagesFolder, replacePackage };
