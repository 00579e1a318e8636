import path from 'node:path';
import { runCommand } from '../../host/process/commands.cts';
import { projectFolder } from '../../host/process/folders.cts';
import { environmentWithNode24, nodeBinary } from '../../host/process/node24.cjs';
import type { INodeParameters } from 'n8n-workflow';
import type { Measured } from '../programs/measured.cts';
import type { NodeTask } from '../programs/nodeInCore.cts';
import type { Outcome, Task } from '../programs/task.cts';
import { createDispatch } from './createDispatch.cts';
import type { Ground } from './ground.cts';
import { expectArrived } from './recipients.cts';

/**
 * The same for every program, so that nobody's garbage is collected sooner than anybody else's: a young generation of one
 * size from the beginning to the end, and room for a million recipients.
 */
const flags = [
	'--expose-gc',
	'--min-semi-space-size=16',
	'--max-semi-space-size=16',
	'--max-old-space-size=6144',
];

/** Runs a program of `bench/programs` in a process of its own. */
export async function startProgram(
	name: 'bareScript' | 'bareMessages' | 'bareReport' | 'nodeInCore',
	task: object,
	{ userFolder }: Pick<Ground, 'userFolder'>,
): Promise<Measured[]> {
	const program = path.join(projectFolder, 'bench', 'programs', `${name}.cts`);
	const { code, output } = await runCommand(
		nodeBinary,
		[...flags, '--import', 'tsx', program, JSON.stringify(task)],
		{
			cwd: projectFolder,
			env: {
				...environmentWithNode24(),
				NODE_ENV: 'production',
				// As n8n does it for the packages it has installed.
				NODE_PATH: path.join(projectFolder, 'node_modules'),
				N8N_USER_FOLDER: userFolder,
				N8N_LOG_LEVEL: 'silent',
			},
		},
	);
	if (code !== 0) throw new Error(`${name} ended with ${code}:\n${output}`);
	return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Outcome;
}

/** A plain script that talks to the partner API. */
export async function runBare(
	name: 'bareScript' | 'bareReport',
	sizes: number[],
	ground: Ground,
): Promise<Measured[]> {
	const { url, credentials } = ground.service;
	const task: Task = { url, credentials, sizes };
	return await startProgram(name, task, ground);
}

/** One of our nodes in n8n's engine. */
export async function runInCore(
	task: Omit<NodeTask, 'packageFolder'>,
	ground: Ground,
): Promise<Measured[]> {
	const { packageFolder } = ground;
	return await startProgram('nodeInCore', { ...task, packageFolder }, ground);
}

/** The same for the node that talks to the partner API. */
export async function runPartnerNode(
	parameters: INodeParameters,
	sizes: number[],
	ground: Ground,
): Promise<Measured[]> {
	const { url: baseUrl, credentials } = ground.service;
	const credential = { baseUrl, ...credentials };
	return await runInCore({ node: 'BulkMessagingPartner', parameters, credential, sizes }, ground);
}

/** One dispatch after another, by our node or by a plain script; sees that every recipient has arrived. */
export async function runDispatches(
	by: 'bareScript' | 'nodeInCore',
	sizes: number[],
	ground: Ground,
): Promise<Measured[]> {
	const { service } = ground;
	service.forget();
	const outcome =
		by === 'nodeInCore'
			? await runPartnerNode(createDispatch, sizes, ground)
			: await runBare(by, sizes, ground);
	for (const [index, size] of sizes.entries()) {
		expectArrived(service.dispatches[index]?.bodies ?? [], size);
	}
	service.forget();
	return outcome;
}
