import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Credential } from '../../../host/n8n/credential.cts';
import { putCredentials } from '../../../host/n8n/credentials.cts';
import { withoutEditor } from '../../../host/n8n/environment.cts';
import type { Execution, ExecutionSummary } from '../../../host/n8n/execution.cts';
import { createN8n, type N8n } from '../../../host/n8n/n8n.cts';
import { Session } from '../../../host/n8n/session.cts';
import { isBefore, versionOf } from '../../../host/n8n/version.cts';
import { contentOf, type Workflow } from '../../../host/n8n/workflow.cts';
import { undoAfterwards } from './cleanup.cts';
import { newN8n, type SharedPlace } from './prepare.cts';

export type { Credential } from '../../../host/n8n/credential.cts';
export type { Execution } from '../../../host/n8n/execution.cts';
export type { Item, Workflow } from '../../../host/n8n/workflow.cts';

function prepared(name: 'E2E_HOST' | 'E2E_SEED' | 'E2E_SHARED'): string {
	const value = process.env[name];
	if (!value) throw new Error(`${name} is not set: run these tests with npm run test:e2e.`);
	return value;
}

/** Whether the n8n of this run is older than this version. */
export const isOlderThan = (version: string) => isBefore(versionOf(prepared('E2E_HOST')), version);

/** For tests of what n8n has only from a version on. In an older n8n they are skipped, with the reason. */
export function testFrom(version: string, reason: string): jest.It {
	if (!isOlderThan(version)) return test;
	process.stdout.write(`Skipped, because n8n is older than ${version}: ${reason}\n`);
	return test.skip;
}

interface RunOptions {
	/** The node to start from; by default the only trigger. */
	triggerNode: string;
	timeoutSeconds?: number;
}

interface WebhookAnswer {
	status: number;
	text: string;
}

/** A real n8n with this package. */
export interface TestN8n {
	readonly url: string;
	/** n8n's REST API, signed in as the owner. */
	readonly session: Session;
	/** Creates or replaces; ids are kept. */
	importCredentials(credentials: Credential[]): Promise<void>;
	/** Creates or replaces; the id is kept. */
	importWorkflow(workflow: Workflow): Promise<void>;
	/** Activates it and waits until its triggers listen. */
	publish(workflowId: string): Promise<void>;
	/** Runs it as the editor would, to its end. */
	run(workflowId: string, options: RunOptions): Promise<Execution>;
	/** Posts to the production URL of a trigger: `webhookId/path`. */
	postWebhook(
		address: string,
		body: unknown,
		headers?: Record<string, string>,
	): Promise<WebhookAnswer>;
	/** Newest first. */
	executions(workflowId: string): Promise<ExecutionSummary[]>;
}

/** One for a single test file, in a folder and on a port of its own. */
export interface OwnN8n extends TestN8n {
	readonly folder: string;
	/** Every process of this n8n; empty when it does not run. */
	processGroup(): number;
	killHard(): Promise<void>;
	/** Again, after `stop` or `killHard`: same folder, same port. */
	start(): Promise<void>;
	stop(): Promise<void>;
	/** Stops it and removes its folder; done by itself when the test file is through. */
	remove(): Promise<void>;
}

/** Only the command keeps the id in every version. */
async function importWorkflow(n8n: N8n, workflow: Workflow) {
	const file = path.join(n8n.folder, 'workflow-to-import.json');
	// Older versions want to be told that it is inactive.
	const content = { id: workflow.id, ...contentOf(workflow), active: false };
	writeFileSync(file, JSON.stringify([content]));
	await n8n.command('import:workflow', `--input=${file}`);
}

const toTestN8n = (n8n: N8n, session: Session, host: string): TestN8n => ({
	url: n8n.url,
	session,
	importCredentials: async (credentials) => await putCredentials(n8n, session, credentials),
	importWorkflow: async (workflow) => {
		// The REST API of 1.x gives a new workflow an id of its own.
		if (isBefore(versionOf(host), '2') && !(await session.workflow(workflow.id))) {
			await importWorkflow(n8n, workflow);
		} else await session.putWorkflow(workflow);
	},
	publish: async (workflowId) => await session.publish(workflowId),
	run: async (workflowId, { triggerNode, timeoutSeconds }) => {
		const executionId = await session.start(workflowId, triggerNode);
		return await session.executionEnd(executionId, { timeoutSeconds });
	},
	postWebhook: async (address, body, headers = {}) => {
		const response = await fetch(`${n8n.url}/webhook/${address}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...headers },
			body: typeof body === 'string' ? body : JSON.stringify(body),
		});
		return { status: response.status, text: await response.text() };
	},
	executions: async (workflowId) => await session.executions(workflowId),
});

/**
 * The one that all test files of this worker share, without the workflows of the file before, but with its data tables. For files
 * that neither stop it nor need tables or settings of their own: a start takes as long as many tests.
 */
export async function sharedN8n(): Promise<TestN8n> {
	const host = prepared('E2E_HOST');
	const places = JSON.parse(prepared('E2E_SHARED')) as SharedPlace[];
	const place = places[Number(process.env.JEST_WORKER_ID ?? 1) - 1];
	if (place === undefined) throw new Error('There are more workers than shared n8ns.');
	const n8n = createN8n({ host, ...place, environment: withoutEditor(host) });
	const session = new Session(n8n.url, host);
	await session.login();
	await session.deleteWorkflows();
	return toTestN8n(n8n, session, host);
}

interface OwnOptions {
	environment?: Record<string, string>;
	/** With everything that n8n has by itself. Without the editor it starts in half of the time. */
	hasEditor?: boolean;
	/** Whether its workflows have Code nodes. */
	hasCode?: boolean;
}

/** Starts one; it is stopped and its folder removed when the test file is through. */
export async function startN8n({
	environment,
	hasEditor = false,
	hasCode,
}: OwnOptions = {}): Promise<OwnN8n> {
	const host = prepared('E2E_HOST');
	const { n8n, remove } = await newN8n({
		host,
		seed: prepared('E2E_SEED'),
		environment: { ...(!hasEditor && withoutEditor(host, { hasCode })), ...environment },
	});
	const session = new Session(n8n.url, host);
	undoAfterwards(remove);

	const start = async () => {
		await n8n.start();
		await session.login();
	};
	await start();

	return {
		...toTestN8n(n8n, session, host),
		folder: n8n.folder,
		start,
		stop: n8n.stop,
		remove,
		killHard: n8n.killHard,
		processGroup: n8n.pid,
	};
}
