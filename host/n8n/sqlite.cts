import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from '../process/commands.cts';
import { environmentWithNode24, nodeBinary } from '../process/node24.cts';
import { Problem } from '../process/problem.cts';
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

function failure(output: string) {
	const missing = missingTools();
	if (missing.length > 0) {
		return new Problem(
			`n8n's database driver (sqlite3) must be compiled on this machine, and ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing. On Debian and Ubuntu, run: apt-get install g++ make python3`,
		);
	}
	const lines = output.trim().split('\n').slice(-15).join('\n');
	return new Problem(
		`n8n's database driver (sqlite3) could not be compiled. The end of the output:\n${lines}`,
	);
}

/**
 * The only part of n8n that may have to be compiled. It is built first and separately, so that a machine without the
 * tools fails within seconds instead of after the whole download.
 */
export async function buildSqlite(folder: string, version: string) {
	mkdirSync(folder, { recursive: true });
	const manifest = {
		private: true,
		dependencies: { sqlite3: version },
		allowScripts: { sqlite3: true },
	};
	writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
	await npm(['install', '--ignore-scripts', '--no-package-lock'], {
		cwd: folder,
		what: "n8n's database driver (sqlite3)",
	});
	const { output } = await runCommand('npm', ['rebuild', 'sqlite3', '--foreground-scripts'], {
		cwd: folder,
		env: environmentWithNode24(),
	});
	const loaded = await runCommand(nodeBinary, ['-e', "require('sqlite3')"], { cwd: folder });
	if (loaded.code !== 0) throw failure(`${output}\n${loaded.output}`);
}

/** Copies the compiled driver into an installation. */
export function copySqlite(from: string, to: string) {
	const binary = path.join('node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');
	cpSync(path.join(from, binary), path.join(to, binary));
}
