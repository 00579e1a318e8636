import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from '../process/commands.cts';
import { fingerprint } from '../process/fingerprint.cts';
import { cacheFolder } from '../process/folders.cts';
import { withLock } from '../process/lock.cts';
import { Problem } from '../process/problem.cts';
import { part, whileReporting, type Report } from '../process/report.cts';
import { ensureHost, removeAbandoned } from './install.cts';
import { readManifest } from './manifest.cts';
import { npm } from './npm.cts';
import { copySqlite } from './sqlite.cts';
import { isBefore, nodeOf } from './version.cts';

/** Node 22, for versions of n8n that don't run on Node 24. */
const olderNode = '22.23.3';

/**
 * The zod of these versions. Without it npm may install two, and then an agent's tools lose their parameters, because n8n tells
 * by the class of a schema whether it can be used.
 */
const olderZod = '3.25.67';

/**
 * npm takes no package that is newer than this day. Many dependencies of n8n are ranges: with newer packages, npm didn't finish
 * within half an hour, or needed a version that doesn't exist. It must be later than the release of every version that is tested.
 */
const before = '2026-09-26';

/** What npm installs for this version. The pinned version's overrides are needed here, too. */
function manifestOf(version: string) {
	const { overrides } = readManifest();
	const older = isBefore(version, '2.36') ? { node: olderNode, zod: olderZod } : {};
	return JSON.stringify({
		private: true,
		dependencies: { n8n: version, ...older },
		// n8n fetches another version of xlsx from its maker's own server instead of the registry.
		overrides: { ...overrides, xlsx: '0.18.5' },
		allowScripts: { node: true },
	});
}

async function installOther(version: string, folder: string, pinned: string, report: Report) {
	const work = { cwd: folder, what: `n8n ${version}` };
	await part(report, `n8n ${version}`, async (line) => {
		line('downloading, 3 to 10 minutes');
		await whileReporting(
			line,
			(seconds) => `${seconds} s: still downloading`,
			() => npm(['install', '--ignore-scripts', '--no-package-lock', `--before=${before}`], work),
		);
	});
	if (isBefore(version, '2.36')) await npm(['rebuild', 'node'], work);
	// The pinned version's compiled database driver works in all versions.
	copySqlite(pinned, folder);
	const loaded = await runCommand(nodeOf(folder), ['-e', "require('sqlite3')"], work);
	if (loaded.code !== 0) {
		throw new Problem(`n8n ${version} can't load the database driver:\n${loaded.output}`);
	}
}

/**
 * The folder of another n8n than the pinned one, for tests. It has no lockfile: npm decides on its dependencies when it is
 * installed for the first time.
 */
export async function ensureOtherHost(version: string, report: Report): Promise<string> {
	const text = manifestOf(version);
	const key = fingerprint(text, `${before} ${process.platform} ${process.arch}`);
	const folder = path.join(cacheFolder(), `host-${version}-${key}`);
	if (existsSync(folder)) return folder;
	const pinned = await ensureHost(report);
	return await withLock(`${folder}.lock`, report, async () => {
		if (existsSync(folder)) return folder;
		removeAbandoned(cacheFolder());
		const partial = `${folder}.partial-${process.pid}`;
		mkdirSync(partial, { recursive: true });
		try {
			writeFileSync(path.join(partial, 'package.json'), text);
			await installOther(version, partial, pinned, report);
			renameSync(partial, folder);
		} finally {
			rmSync(partial, { recursive: true, force: true });
		}
		return folder;
	});
}
