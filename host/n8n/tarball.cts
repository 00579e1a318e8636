import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readdirSync,
	renameSync,
	rmSync,
} from 'node:fs';
import path from 'node:path';
import { fingerprint } from '../process/fingerprint.cts';
import { cacheFolder, projectFolder } from '../process/folders.cts';
import { keepNewest } from '../process/keepNewest.cts';
import { withLock } from '../process/lock.cts';
import { Problem } from '../process/problem.cts';
import { part, type Report } from '../process/report.cts';
import { npm } from './npm.cts';

/** Folders that don't affect the published package. Everything else in the checkout may be part of it or of its build. */
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

/** `folder` and the names are relative to the checkout. */
function sourceFiles(folder = ''): string[] {
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

interface TarballOptions {
	/** The folder dist was just built from the sources as they are now. */
	isBuilt?: boolean;
}

async function buildTarball(tarball: string, report: Report, { isBuilt }: TarballOptions) {
	if (!isBuilt) {
		report('building');
		await npm(['run', 'build'], { cwd: projectFolder, what: 'building the package' });
	}
	const fresh = mkdtempSync(path.join(path.dirname(tarball), 'pack-'));
	try {
		report('packing');
		await npm(['pack', '--pack-destination', fresh], {
			cwd: projectFolder,
			what: 'packing the package',
		});
		const [file] = readdirSync(fresh).filter((name) => name.endsWith('.tgz'));
		renameSync(path.join(fresh, file), tarball);
	} finally {
		rmSync(fresh, { recursive: true, force: true });
	}
}

/** The package as it would be published. It is built again only if its sources have changed. */
export async function ensureTarball(report: Report, options: TarballOptions = {}): Promise<string> {
	const folder = path.join(cacheFolder(), 'packages');
	const tarball = path.join(folder, `${sourcesFingerprint()}.tgz`);
	if (existsSync(tarball)) return tarball;
	mkdirSync(folder, { recursive: true });
	return await withLock(path.join(folder, 'build.lock'), report, async () => {
		if (existsSync(tarball)) return tarball;
		await part(report, 'the package', (line) => buildTarball(tarball, line, options));
		keepNewest(folder, 5);
		return tarball;
	});
}

// For CI, which builds the package in a step of its own.
if (require.main === module) {
	ensureTarball(console.log, { isBuilt: true }).catch((error: unknown) => {
		console.error(error instanceof Problem ? error.message : error);
		process.exitCode = 1;
	});
}
