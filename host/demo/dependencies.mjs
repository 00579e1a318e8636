import { existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from '../process/commands.cjs';
import { npm, requireRegistry } from '../n8n/npm.cjs';
import { nodeBinary, projectFolder } from '../process/places.cjs';
import { Problem } from '../process/problem.cjs';
import { whileCounting } from '../process/progress.cjs';

/** @param {string} file */
function packagesIn(file) {
	return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined;
}

/** Does node_modules hold what the lockfile asks for? npm writes down what it has installed there. */
function areInstalled() {
	const installed = packagesIn(path.join(projectFolder, 'node_modules', '.package-lock.json'));
	const wanted = packagesIn(path.join(projectFolder, 'package-lock.json'));
	return (
		installed !== undefined &&
		Object.entries(wanted).every(
			([name, { version, optional, devOptional, link }]) =>
				name === '' || optional || devOptional || link || installed[name]?.version === version,
		)
	);
}

/**
 * `npm ci` empties the folder first, and through a link it would empty somebody else's.
 * @param {string} folder
 */
function requireOwnFolder(folder) {
	if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
		throw new Problem(
			'node_modules is a link and does not hold what package-lock.json asks for: remove the link and start again.',
		);
	}
}

async function hasNode24() {
	return (await runCommand(nodeBinary, ['--version'])).code === 0;
}

/**
 * The project's own dependencies, as the lockfile has them.
 * @param {(text: string) => void} report
 */
export async function ensureDependencies(report) {
	const cwd = projectFolder;
	const what = "this project's dependencies";
	if (!areInstalled()) {
		requireOwnFolder(path.join(cwd, 'node_modules'));
		await requireRegistry(cwd, what);
		report('installing the dependencies of this project (npm ci), 1 to 2 minutes');
		const names = Object.keys(packagesIn(path.join(cwd, 'package-lock.json'))).filter(Boolean);
		// Of all install scripts only the one of the package `node` is needed; others would compile for minutes.
		await whileCounting(cwd, names, report, () => npm(['ci', '--ignore-scripts'], { cwd, what }));
	}
	if (!(await hasNode24())) {
		report('fetching Node 24, on which n8n runs');
		await npm(['rebuild', 'node'], { cwd, what });
	}
	if (!(await hasNode24())) {
		throw new Problem(
			'Node 24 for n8n could not be installed: remove node_modules and start again.',
		);
	}
}
