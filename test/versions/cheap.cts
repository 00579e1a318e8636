import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npm } from '../../host/n8n/npm.cts';
import { installCommunityPackage } from '../../host/n8n/seed.cts';
import { ensureTarball } from '../../host/n8n/tarball.cts';
import { runCommand } from '../../host/process/commands.cts';
import { cacheFolder, projectFolder } from '../../host/process/folders.cts';
import { nodeBinary } from '../../host/process/node24.cjs';
import type { Report } from '../../host/process/report.cts';
import { temporaryFolder } from '../../host/process/temporaryFolder.cts';
import manifest from '../../package.json';

/** n8n-workflow with its dependencies, in a folder of the cache. */
async function ensureWorkflowPackage(version: string) {
	const folder = path.join(cacheFolder(), `n8n-workflow-${version}`);
	if (existsSync(folder)) return folder;
	const partial = `${folder}.partial-${process.pid}`;
	mkdirSync(partial, { recursive: true });
	try {
		const dependencies = { 'n8n-workflow': version };
		writeFileSync(
			path.join(partial, 'package.json'),
			JSON.stringify({ private: true, dependencies }),
		);
		await npm(['install', '--ignore-scripts', '--no-package-lock'], {
			cwd: partial,
			what: `n8n-workflow ${version}`,
		});
		if (!existsSync(folder)) renameSync(partial, folder);
	} finally {
		rmSync(partial, { recursive: true, force: true });
	}
	return folder;
}

/** Compiles the shipped sources with the types of this n8n-workflow. A call that it doesn't have and that isn't guarded fails. */
async function typeErrors(workflowFolder: string, scratch: string) {
	const config = path.join(scratch, `tsconfig.${path.basename(workflowFolder)}.json`);
	const below = (...parts: string[]) => path.join(projectFolder, ...parts);
	const compilerOptions = {
		noEmit: true,
		rootDir: '/',
		typeRoots: [below('node_modules', '@types')],
		paths: { 'n8n-workflow': [path.join(workflowFolder, 'node_modules', 'n8n-workflow')] },
	};
	writeFileSync(
		config,
		JSON.stringify({
			extends: below('tsconfig.json'),
			compilerOptions,
			include: ['credentials', 'nodes', 'core', 'vendor'].map((name) => below(name, '**', '*.ts')),
		}),
	);
	const tsc = below('node_modules', 'typescript', 'bin', 'tsc');
	const args = [tsc, '-p', config, '--pretty', 'false', '--listFiles'];
	const { code, output } = await runCommand(nodeBinary, args, { cwd: projectFolder });
	const lines = output.split('\n');
	const errors = lines.filter((line) => line.includes('error TS'));
	// If tsc can't find the mapped folder, it uses the project's own.
	const types = lines.filter((line) => line.includes('/node_modules/n8n-workflow/'));
	const isMapped = types.length > 0 && types.every((line) => line.startsWith(workflowFolder));
	if (!isMapped) return [`tsc used other types of n8n-workflow: ${types[0] ?? 'none'}`];
	// It ended without a result, for example because the memory was full.
	if (code !== 0 && errors.length === 0) return [`tsc ended with ${code}: ${output.slice(-500)}`];
	return errors;
}

/** Loads every node and credential as n8n does, beside this n8n-workflow, and looks for every name that they use of it. */
const program = `
	const { readdirSync, readFileSync } = require('fs');
	const { dirname, join } = require('path');
	const manifest = require.resolve('${manifest.name}/package.json');
	const { n8n } = require(manifest);
	const folder = dirname(manifest);
	const names = [...n8n.nodes, ...n8n.credentials].map((path) => {
		const [name] = path.split('/').at(-1).split('.');
		const type = new (require(join(folder, path))[name])();
		return type.description?.displayName ?? type.displayName;
	});
	const sources = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.js'));
	const used = new Set(
		sources.flatMap((file) =>
			[...readFileSync(join(folder, file), 'utf8').matchAll(/n8n_workflow_?\\d*\\.(\\w+)/g)].map(([, name]) => name),
		),
	);
	const exported = require('n8n-workflow');
	const missing = [...used].filter((name) => !(name in exported));
	console.log(JSON.stringify({ names, used: used.size, missing }));
`;

interface Loaded {
	names: string[];
	used: number;
	missing: string[];
}

async function load(workflowFolder: string, packageFolder: string): Promise<Loaded | string> {
	const { code, output } = await runCommand(nodeBinary, ['-e', program], {
		cwd: packageFolder,
		// Where a package in n8n finds n8n-workflow.
		env: { ...process.env, NODE_PATH: path.join(workflowFolder, 'node_modules') },
	});
	// The output of the program above.
	return code === 0 ? (JSON.parse(output) as Loaded) : output.trim();
}

interface Checked {
	problems: string[];
	summary: string;
}

/** What can be said about versions of n8n without installing them. */
export async function prepareCheapCheck(report: Report) {
	const scratch = temporaryFolder();
	const tarball = await ensureTarball(report);
	await installCommunityPackage(scratch.folder, tarball);
	return {
		remove: scratch.remove,
		async check(workflow: string): Promise<Checked> {
			const workflowFolder = await ensureWorkflowPackage(workflow);
			const [types, loaded] = await Promise.all([
				typeErrors(workflowFolder, scratch.folder),
				load(workflowFolder, scratch.folder),
			]);
			if (typeof loaded === 'string') {
				return { problems: [...types, loaded], summary: 'does not load' };
			}
			const { names, used, missing } = loaded;
			return {
				problems: [
					...types,
					...missing.map((name) => `n8n-workflow ${workflow} doesn't export ${name}.`),
					...(used === 0 ? ['No name of n8n-workflow was found in the package.'] : []),
				],
				summary: `${names.length} nodes and credentials load, ${used} names of n8n-workflow used, ${missing.length} missing, ${types.length} type errors`,
			};
		},
	};
}
