import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from 'esbuild';
import type { Credential } from '../../host/n8n/credential.cts';
import { putCredentials } from '../../host/n8n/credentials.cts';
import type { NodeRun } from '../../host/n8n/execution.cts';
import { createN8n } from '../../host/n8n/n8n.cts';
import { copySeed, packagesFolder } from '../../host/n8n/seed.cts';
import { Refusal, Session } from '../../host/n8n/session.cts';
import type { Item, Workflow } from '../../host/n8n/workflow.cts';
import { projectFolder } from '../../host/process/folders.cts';
import { freePort } from '../../host/process/ports.cts';
import { preparePackage } from '../../host/service/prepare.cts';

/** What n8n notes about a run of a node beside what `Session` describes. */
type TimedRun = NodeRun & { executionTime: number };

export interface Finished {
	/** What n8n measured for a node, all its runs together. */
	ms(node: string): number;
	items(node: string): Item[];
}

export interface BenchN8n {
	readonly packageFolder: string;
	putCredentials(credentials: Credential[]): Promise<void>;
	/** Publishes the workflow the first time, calls its webhook and waits for the end. */
	run(workflow: Workflow): Promise<Finished>;
	stop(): Promise<void>;
}

const longestRunMs = 10 * 60_000;

const isBusy = (error: unknown) =>
	(error instanceof Refusal && error.status === 503) ||
	(error instanceof Error && (error.name === 'TimeoutError' || error.message === 'fetch failed'));

/**
 * For questions that may be asked twice. While n8n works hard it closes connections and does not get to its own database,
 * and says so with 503.
 */
async function patiently<Reply>(ask: () => Promise<Reply>): Promise<Reply> {
	for (let attempt = 1; ; attempt++) {
		try {
			return await ask();
		} catch (error) {
			if (!isBusy(error) || attempt === 60) throw error;
			await pause(1_000);
		}
	}
}

/** The newest execution of each workflow, straight from n8n's database: a question to n8n would take time from the node at work. */
const newestIn = (database: DatabaseSync) => {
	const newest = database.prepare(
		'SELECT id, status FROM execution_entity WHERE workflowId = ? ORDER BY id DESC LIMIT 1',
	);
	return (workflowId: string) => newest.get(workflowId) as Newest | undefined;
};
interface Newest {
	id: number;
	status: string;
}

/** Waits for the end of an execution that is newer than `before`. */
async function endAfter(
	newestOf: ReturnType<typeof newestIn>,
	workflowId: string,
	before: number | undefined,
): Promise<number> {
	const limit = Date.now() + longestRunMs;
	for (;;) {
		const newest = newestOf(workflowId);
		const isRunning = newest?.id === before || ['new', 'running'].includes(newest?.status ?? 'new');
		if (newest && !isRunning) return newest.id;
		if (Date.now() > limit) throw new Error(`${workflowId} has not ended after 10 minutes.`);
		await pause(50);
	}
}

/** The package as it is now in a real n8n, in a folder that somebody else removes. */
export async function startN8n(folder: string, report: (text: string) => void): Promise<BenchN8n> {
	const { host, seed } = await preparePackage(report);
	const own = path.join(folder, 'n8n');
	copySeed(seed, own);
	const customNodes = path.join(folder, 'custom');
	mkdirSync(customNodes);
	// n8n wants JavaScript, the name of the class and the ending .node.js.
	await build({
		entryPoints: [path.join(projectFolder, 'bench', 'programs', 'evaluate.cts')],
		outfile: path.join(customNodes, 'Evaluate.node.js'),
		format: 'cjs',
		platform: 'node',
	});
	const environment = { N8N_CUSTOM_EXTENSIONS: customNodes };
	const n8n = createN8n({ host, folder: own, port: await freePort(), environment });
	const session = new Session(n8n.url, host);
	report('starting n8n');
	await n8n.start();
	await session.login();

	const database = new DatabaseSync(path.join(own, '.n8n', 'database.sqlite'), { readOnly: true });
	const newestOf = newestIn(database);
	const published = new Set<string>();
	return {
		packageFolder: path.join(own, packagesFolder, 'node_modules', 'n8n-nodes-bulk-messaging'),
		stop: async () => {
			database.close();
			await n8n.stop();
		},
		putCredentials: async (credentials) => await putCredentials(n8n, session, credentials),
		run: async (workflow) => {
			if (!published.has(workflow.id)) {
				await session.putWorkflow(workflow);
				await session.publish(workflow.id);
				published.add(workflow.id);
			}
			const before = newestOf(workflow.id);
			const response = await fetch(`${n8n.url}/webhook/${workflow.id}`, { method: 'POST' });
			if (!response.ok) throw new Error(`n8n answered ${response.status} to the webhook.`);
			const id = await endAfter(newestOf, workflow.id, before?.id);
			const execution = await patiently(async () => await session.execution(String(id)));
			if (execution.status !== 'success') {
				const reason = execution.error?.message ?? 'no reason is given';
				throw new Error(`${workflow.id} ended with ${execution.status}: ${reason}`);
			}
			return {
				ms: (node) => {
					const runs = execution.runs[node] as TimedRun[];
					return runs.reduce((sum, { executionTime }) => sum + executionTime, 0);
				},
				items: (node) => execution.items(node),
			};
		},
	};
}
