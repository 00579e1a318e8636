import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Problem } from '../process/problem.cts';
import { whileReporting, type Report } from '../process/report.cts';
import { npm, type NpmWork } from './npm.cts';

interface LockedPackage {
	/** If it differs from the name of its folder. */
	name?: string;
	version: string;
	resolved?: string;
	link?: boolean;
	/** Whether nothing needs it: npm skips it. */
	extraneous?: boolean;
	/** The platforms it is for, if it isn't for all. */
	os?: string[];
	cpu?: string[];
}

interface Lockfile {
	/** By the path of their folder. The project itself has the path ''. */
	packages: Record<string, LockedPackage>;
}

/** `from` is the folder with the lockfile. */
export function readLockfile(from: string): Lockfile {
	return JSON.parse(readFileSync(path.join(from, 'package-lock.json'), 'utf8')) as Lockfile;
}

/**
 * Adds the URL of each package. Our lockfiles don't contain them, and npm would first download a description of every
 * package with all its versions, which is about as large as the packages themselves. The lockfile's hashes still decide
 * whether a download is the right one.
 */
function withUrls(lockfile: Lockfile, registry: string): Lockfile {
	const packages = Object.entries(lockfile.packages).map(([place, entry]) => {
		if (place === '' || entry.link) return [place, entry] as const;
		const name = entry.name ?? place.split('node_modules/').at(-1) ?? '';
		const file = `${name.slice(name.indexOf('/') + 1)}-${entry.version}.tgz`;
		return [place, { ...entry, resolved: `${registry}/${name}/-/${file}` }] as const;
	});
	return { ...lockfile, packages: Object.fromEntries(packages) };
}

/** Whether npm installs it on this machine. */
function isExpected({ extraneous, os, cpu }: LockedPackage) {
	const fits = (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true);
	return fits && !extraneous;
}

/**
 * Installs what the package.json and the lockfile in the folder `from` ask for into the folder `cwd`, without install
 * scripts. It fails within seconds if the registry can't be reached.
 */
export async function installPackages(from: string, { cwd, what }: NpmWork, report: Report) {
	const lockfile = readLockfile(from);
	const places = Object.entries(lockfile.packages)
		.filter(([place, entry]) => place !== '' && isExpected(entry))
		.map(([place]) => place);
	const arrived = () =>
		places.filter((place) => existsSync(path.join(cwd, place, 'package.json'))).length;
	const count = (number: number) => number.toLocaleString('en-US');
	const install = async (contents: Lockfile) => {
		writeFileSync(path.join(cwd, 'package-lock.json'), JSON.stringify(contents));
		await whileReporting(
			report,
			() => `${count(arrived())} of about ${count(places.length)} packages`,
			// If npm is stopped, it first deletes what it has installed, one file after another. The caller does it faster.
			() => npm(['ci', '--ignore-scripts'], { cwd, what, graceSeconds: 1 }),
		);
	};

	for (const file of ['package.json', '.npmrc']) {
		copyFileSync(path.join(from, file), path.join(cwd, file));
	}
	// A small request without retries.
	await npm(['view', 'isexe', 'version', '--prefer-online', '--fetch-retries=0'], { cwd, what });
	const configured = await npm(['config', 'get', 'registry'], { cwd, what });
	// npm may print warnings around it.
	const [registry = ''] = /^https?:\/\/\S+(?<!\/)/m.exec(configured) ?? [];
	report('downloading');
	try {
		await install(withUrls(lockfile, registry));
	} catch (error) {
		// A registry with other URLs than the usual ones.
		if (!(error instanceof Problem) || !/\b(E40[1345]|EINTEGRITY)\b/.test(error.message))
			throw error;
		await install(lockfile);
	}
}
