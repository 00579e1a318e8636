import { lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { areInstalled } from '../bootstrap.cjs';
import { npm } from '../n8n/npm.cts';
import { installPackages } from '../n8n/packages.cts';
import { runCommand } from '../process/commands.cts';
import { projectFolder } from '../process/folders.cts';
import { withLock } from '../process/lock.cts';
import { nodeBinary } from '../process/node24.cjs';
import { Problem } from '../process/problem.cts';
import { part, type Report } from '../process/report.cts';

const what = "this project's dependencies";

/** As `npm ci` does it, but elsewhere first: an interrupted install leaves no incomplete node_modules behind. */
async function install(report: Report) {
	const folder = path.join(projectFolder, 'node_modules');
	// If it is a link, a folder outside this project would be replaced.
	if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
		throw new Problem(
			"node_modules is a link and doesn't contain what package-lock.json asks for. Remove the link and start again.",
		);
	}
	const partial = path.join(projectFolder, '.cache', 'dependencies');
	rmSync(partial, { recursive: true, force: true });
	mkdirSync(partial, { recursive: true });
	try {
		// Only the install script of the package `node` is needed, and it runs later. Others would compile for minutes.
		await installPackages(projectFolder, { cwd: partial, what }, report);
		rmSync(folder, { recursive: true, force: true });
		renameSync(path.join(partial, 'node_modules'), folder);
	} finally {
		rmSync(partial, { recursive: true, force: true });
	}
}

async function hasNode24() {
	return (await runCommand(nodeBinary, ['--version'])).code === 0;
}

/** Installs this project's dependencies, including Node 24, if they are missing. */
export async function ensureDependencies(report: Report) {
	if (areInstalled() && (await hasNode24())) return;
	await part(report, what, async (line) => {
		await withLock(path.join(projectFolder, '.cache', 'dependencies.lock'), line, async () => {
			if (!areInstalled()) await install(line);
			if (await hasNode24()) return;
			line('downloading Node 24, which runs n8n');
			await npm(['rebuild', 'node'], { cwd: projectFolder, what });
		});
		if (await hasNode24()) return;
		throw new Problem(
			'Node 24, which runs n8n, could not be installed. Remove node_modules and start again.',
		);
	});
}
