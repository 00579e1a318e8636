// @ts-check
'use strict';

const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { homedir } = require('node:os');
const path = require('node:path');

/** The checkout. */
const projectFolder = path.resolve(__dirname, '..', '..');

/** Node 24 from the project's own dependencies: n8n runs on it whatever Node the machine has. */
const nodeFolder = path.join(projectFolder, 'node_modules', 'node', 'bin');
const nodeBinary = path.join(nodeFolder, 'node');

/** Everything that is expensive to make and not worth committing; outside the checkout, shared by all of them. */
function cacheFolder() {
	const base = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
	return path.join(base, 'n8n-nodes-bulk-messaging');
}

/**
 * A short name for contents: the same contents, the same name.
 * @param {...(string | Buffer)} contents
 */
function fingerprint(...contents) {
	const hash = createHash('sha256');
	for (const content of contents) hash.update(content).update('\0');
	return hash.digest('hex').slice(0, 16);
}

const hostManifest = path.join(projectFolder, 'host', 'package.json');
const hostLockfile = path.join(projectFolder, 'host', 'package-lock.json');
const hostNpmrc = path.join(projectFolder, 'host', '.npmrc');

/** Compiled parts depend on platform and Node major, the rest on the lockfile: either changed means a new install. */
function hostFolder() {
	const nodePackage = path.join(projectFolder, 'package.json');
	const { devDependencies } = JSON.parse(readFileSync(nodePackage, 'utf8'));
	const nodeMajor = String(devDependencies.node).split('.')[0];
	const key = fingerprint(
		readFileSync(hostLockfile),
		`${nodeMajor} ${process.platform} ${process.arch}`,
	);
	return path.join(cacheFolder(), `host-${key}`);
}

/** The environment for a child that must find Node 24 first. */
function environmentWithNode24() {
	/** @type {NodeJS.ProcessEnv} */
	const env = { ...process.env, PATH: `${nodeFolder}${path.delimiter}${process.env.PATH ?? ''}` };
	for (const name of Object.keys(env)) {
		// What `npm run` says about this project would mislead an npm that works in another folder.
		if (
			/^npm_(package|lifecycle|config_local_prefix|config_prefix|execpath|node_execpath|command)/.test(
				name,
			)
		) {
			delete env[name];
		}
	}
	delete env.INIT_CWD;
	return env;
}

module.exports = {
	cacheFolder,
	environmentWithNode24,
	fingerprint,
	hostFolder,
	hostLockfile,
	hostManifest,
	hostNpmrc,
	nodeBinary,
	projectFolder,
};
