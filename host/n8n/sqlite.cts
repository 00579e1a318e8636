import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { runCommand } from '../process/commands.cts';
import { environmentWithNode24 } from '../process/node24.cjs';
import { Problem } from '../process/problem.cts';
import type { Report } from '../process/report.cts';
import { npm } from './npm.cts';

/** The build tools that sqlite3 needs and this machine doesn't have. */
function missingTools() {
	const folders = (process.env.PATH ?? '').split(path.delimiter);
	const found = (...names: string[]) =>
		names.some((name) => folders.some((folder) => existsSync(path.join(folder, name))));
	return [
		...(found('g++', 'c++', 'clang++') ? [] : ['a C++ compiler (g++)']),
		...(found('make', 'gmake') ? [] : ['make']),
		...(found('python3', 'python') ? [] : ['python3']),
	];
}

function requireTools() {
	const missing = missingTools();
	if (missing.length === 0) return;
	throw new Problem(
		`n8n's database driver (sqlite3) couldn't be downloaded ready-made, so it must be compiled on this machine, and ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing. On Debian and Ubuntu, run: sudo apt-get install g++ make python3. On macOS, run: xcode-select --install`,
	);
}

/** What sqlite3's own install script runs, in two steps: the tools are needed only for the second one. */
const steps = {
	download: 'cd node_modules/sqlite3 && prebuild-install -r napi',
	compile: 'cd node_modules/sqlite3 && node-gyp rebuild',
};

/**
 * Puts n8n's database driver into a folder: the file that its maker offers for this platform or, if there is none or it
 * can't be downloaded, one that is compiled here. It is the only part of n8n that may have to be compiled. It has its own
 * folder, so that a machine without the tools fails within seconds instead of after the download of n8n.
 */
export async function installSqlite(folder: string, version: string, report: Report) {
	mkdirSync(folder, { recursive: true });
	const manifest = { private: true, dependencies: { sqlite3: version }, scripts: steps };
	writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
	// Without its optional node-gyp, which doesn't work with Python 3.12. npm has a newer one.
	await npm(['install', '--ignore-scripts', '--no-package-lock', '--omit=optional'], {
		cwd: folder,
		what: "n8n's database driver (sqlite3)",
	});
	const run = async (step: keyof typeof steps) => {
		const env = {
			...environmentWithNode24(),
			JOBS: String(availableParallelism()),
			// SQLite is one large file. Its usual -O3 takes the compiler twice as long, and what runs here has little to query.
			CFLAGS: `${process.env.CFLAGS ?? ''} -O1`,
			CXXFLAGS: `${process.env.CXXFLAGS ?? ''} -O1`,
		};
		// If npm is stopped, it waits for the compiler, whose result is then deleted.
		const options = { cwd: folder, env, graceSeconds: 1 };
		const { output } = await runCommand('npm', ['run', step], options);
		// The driver works in every version of Node. Node 24 may not be installed yet.
		const loaded = await runCommand(process.execPath, ['-e', "require('sqlite3')"], {
			cwd: folder,
		});
		return { works: loaded.code === 0, output: `${output}\n${loaded.output}` };
	};
	report('downloading');
	if ((await run('download')).works) return;
	requireTools();
	report('no ready-made one could be downloaded, so it is compiled: 1 to 2 minutes');
	const { works, output } = await run('compile');
	if (works) return;
	const lines = output.trim().split('\n').slice(-15).join('\n');
	throw new Problem(
		`n8n's database driver (sqlite3) could not be compiled. The end of the output:\n${lines}`,
	);
}

/** Copies the driver into an installation. */
export function copySqlite(from: string, to: string) {
	const binary = path.join('node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');
	cpSync(path.join(from, binary), path.join(to, binary));
}
