import {
	existsSync,
	mkdirSync,
	readFileSync,
	readdirSync,
	renameSync,
	rmSync,
	statfsSync,
} from 'node:fs';
import path from 'node:path';
import { together } from '../process/commands.cts';
import { fingerprint } from '../process/fingerprint.cts';
import { cacheFolder, projectFolder } from '../process/folders.cts';
import { isAlive } from '../process/isAlive.cts';
import { withLock } from '../process/lock.cts';
import { Problem } from '../process/problem.cts';
import { part, type Report } from '../process/report.cts';
import { lockfile, manifestFolder } from './manifest.cts';
import { installPackages, readLockfile } from './packages.cts';
import { copySqlite, installSqlite } from './sqlite.cts';

const neededGigabytes = 4;

function requireRoom(folder: string) {
	const { bavail, bsize } = statfsSync(folder);
	const gigabytes = (bavail * bsize) / 1e9;
	if (gigabytes < neededGigabytes) {
		throw new Problem(
			`Not enough disk space: n8n needs about ${neededGigabytes} GB in ${folder}, and ${gigabytes.toFixed(1)} GB are free. Free some space, or set XDG_CACHE_HOME to use another folder.`,
		);
	}
}

/** Compiled parts depend on the platform and Node's major version, the rest on the lockfile. A change needs a new install. */
function hostFolder() {
	const { devDependencies } = JSON.parse(
		readFileSync(path.join(projectFolder, 'package.json'), 'utf8'),
	) as { devDependencies: { node: string } };
	const [nodeMajor] = devDependencies.node.split('.');
	const key = fingerprint(
		readFileSync(lockfile),
		`${nodeMajor} ${process.platform} ${process.arch}`,
	);
	return path.join(cacheFolder(), `host-${key}`);
}

/** Deletes what killed installs have left behind in the cache. */
export function removeAbandoned(parent: string) {
	for (const name of readdirSync(parent)) {
		const [, pid] = /^host-[\w.-]+\.partial-(\d+)$/.exec(name) ?? [];
		if (pid && !isAlive(Number(pid))) {
			rmSync(path.join(parent, name), { recursive: true, force: true });
		}
	}
}

async function install(folder: string, report: Report) {
	const partial = `${folder}.partial-${process.pid}`;
	const sqliteFolder = path.join(partial, 'sqlite');
	mkdirSync(partial, { recursive: true });
	try {
		requireRoom(cacheFolder());
		const { version } = readLockfile(manifestFolder).packages['node_modules/sqlite3'];
		await together(
			// Its install scripts aren't needed, except the one of the database driver. The one of a Kafka client fails.
			() =>
				part(report, 'n8n', (line) =>
					installPackages(manifestFolder, { cwd: partial, what: 'n8n' }, line),
				),
			() => part(report, 'database driver', (line) => installSqlite(sqliteFolder, version, line)),
		);
		copySqlite(sqliteFolder, partial);
		rmSync(sqliteFolder, { recursive: true });
		// Only a complete install gets the final name. If another process was faster, its install is used.
		if (!existsSync(folder)) renameSync(partial, folder);
	} finally {
		rmSync(partial, { recursive: true, force: true });
	}
}

/** The folder of the pinned n8n in the cache. Installs n8n there if it is missing. */
export async function ensureHost(report: Report): Promise<string> {
	const folder = hostFolder();
	if (existsSync(folder)) return folder;
	return await withLock(`${folder}.lock`, report, async () => {
		if (!existsSync(folder)) {
			removeAbandoned(path.dirname(folder));
			await install(folder, report);
		}
		return folder;
	});
}

// For CI, which installs n8n while other steps run.
if (require.main === module) {
	ensureHost(console.log).catch((error: unknown) => {
		console.error(error instanceof Problem ? error.message : error);
		process.exitCode = 1;
	});
}
