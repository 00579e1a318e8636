import {
	cpSync,
	existsSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { together } from '../process/commands.cts';
import { fingerprint } from '../process/fingerprint.cts';
import { cacheFolder } from '../process/folders.cts';
import { keepNewest } from '../process/keepNewest.cts';
import { withLock } from '../process/lock.cts';
import { freePort } from '../process/ports.cts';
import { part, type Report } from '../process/report.cts';
import type { Credential } from './credential.cts';
import { importCredentials } from './credentials.cts';
import { ensureHost } from './install.cts';
import { createN8n } from './n8n.cts';
import { npm } from './npm.cts';
import { ensureOtherHost } from './otherVersions.cts';
import { ensureTarball } from './tarball.cts';

/** Where n8n looks for community packages inside its user folder. */
export const packagesFolder = path.join('.n8n', 'nodes');

/** Installs a tarball the way n8n installs a community package, so that node types get their real names. */
export async function installCommunityPackage(folder: string, tarball: string) {
	mkdirSync(folder, { recursive: true });
	writeFileSync(path.join(folder, 'package.json'), '{"name": "installed-nodes", "private": true}');
	await npm(
		['install', '--ignore-scripts', '--legacy-peer-deps', '--omit=peer', '--offline', tarball],
		{ cwd: folder, what: 'installing the package into n8n' },
	);
}

interface SeedOptions {
	/** The folder of the installed n8n. */
	host: string;
	tarball: string;
	/** Created once, because only a CLI command, which takes seconds, can give a new credential its id. */
	credentials: Credential[];
	report: Report;
}

async function makeSeed(seed: string, { host, tarball, credentials, report }: SeedOptions) {
	const partial = `${seed}.partial`;
	rmSync(partial, { recursive: true, force: true });
	mkdirSync(partial, { recursive: true });
	report('installing the package into n8n');
	await installCommunityPackage(path.join(partial, packagesFolder), tarball);
	report('n8n creates its tables');
	const n8n = createN8n({ host, folder: partial, port: await freePort() });
	await importCredentials(n8n, credentials);
	renameSync(partial, seed);
}

/**
 * A user folder to copy, with a migrated database, the installed package and the credentials. An n8n that starts with a
 * copy is ready in about 10 seconds.
 */
async function ensureSeed({ report, ...options }: SeedOptions): Promise<string> {
	const { host, tarball, credentials } = options;
	const parent = path.join(cacheFolder(), 'seeds');
	const key = fingerprint(
		path.basename(host),
		readFileSync(tarball),
		readFileSync(__filename),
		JSON.stringify(credentials),
	);
	const seed = path.join(parent, key);
	if (existsSync(seed)) return seed;
	return await withLock(path.join(parent, 'seed.lock'), report, async () => {
		if (existsSync(seed)) return seed;
		await part(report, 'a database', (line) => makeSeed(seed, { ...options, report: line }));
		keepNewest(parent, 5);
		return seed;
	});
}

interface Preparation {
	/** Another version of n8n than the pinned one. */
	version?: string;
	/** Resolves when this project's dependencies are there, which the package needs and n8n doesn't. */
	dependencies?: () => Promise<void>;
	/** The credentials that n8n starts with. */
	credentials?: Credential[];
}

/** Prepares n8n with the package as it is now. The first call installs n8n. */
export async function prepareN8n(
	report: Report,
	{ version, dependencies = async () => {}, credentials = [] }: Preparation = {},
) {
	const [tarball, host] = await together(
		async () => {
			await dependencies();
			return await ensureTarball(report);
		},
		() => (version ? ensureOtherHost(version, report) : ensureHost(report)),
	);
	return { host, seed: await ensureSeed({ host, tarball, credentials, report }) };
}

/** Only a complete copy gets the final name. */
export function copySeed(seed: string, folder: string) {
	const partial = `${folder}.partial`;
	rmSync(partial, { recursive: true, force: true });
	cpSync(seed, partial, { recursive: true, verbatimSymlinks: true });
	renameSync(partial, folder);
}

/** Replaces only the package in a folder that is already in use, with the version from the seed. */
export function replacePackage(seed: string, folder: string) {
	rmSync(path.join(folder, packagesFolder), { recursive: true, force: true });
	cpSync(path.join(seed, packagesFolder), path.join(folder, packagesFolder), {
		recursive: true,
		verbatimSymlinks: true,
	});
}
