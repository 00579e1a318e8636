import { setTimeout as pause } from 'node:timers/promises';
import type { Credential } from '../../../host/n8n/credential.cts';
import { importCredentials } from '../../../host/n8n/credentials.cts';
import { withoutEditor } from '../../../host/n8n/environment.cts';
import type { Execution } from '../../../host/n8n/execution.cts';
import type { N8n } from '../../../host/n8n/n8n.cts';
import { Session } from '../../../host/n8n/session.cts';
import type { Workflow } from '../../../host/n8n/workflow.cts';
import { temporaryFolder } from '../../../host/process/temporaryFolder.cts';
import { createQueue, type Queue } from '../../../host/queue/queue.cts';
import { undoAfterwards } from '../../e2e/support/cleanup.cts';
import { startOpenSandbox } from '../../e2e/support/openSandbox.cts';

const environment = {
	// The default one takes a tenth of a second to get ready, for every single execution. The end-to-end tests use that one.
	N8N_EXPRESSION_ENGINE: 'legacy',
	// A job whose worker is gone is noticed within half a minute; n8n's own default is a minute and a half. Not sooner, because a busy machine may stop a
	// worker for seconds: its jobs would be given to another one, and fail.
	QUEUE_WORKER_LOCK_DURATION: '20000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '4000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

export interface TestQueue extends Queue {
	/** Where everything of it is: databases, settings, logs. */
	readonly folder: string;
	readonly session: Session;
	/** Creates it and makes its triggers listen. */
	publish(workflow: Workflow): Promise<void>;
	/** As the editor starts it; it runs on a worker. */
	run(workflow: Workflow, triggerNode: string): Promise<string>;
	end(executionId: string): Promise<Execution>;
	/** Calls a production webhook at one of the webhook processors, as patient as a service may be. */
	post(
		processor: N8n,
		address: string,
		body: unknown,
		headers?: Record<string, string>,
	): Promise<number>;
	/** How many executions of a workflow Postgres holds, by their status; when none of them is under way any more. */
	executions(workflowId: string): Promise<Record<string, number>>;
	/** Stops everything and removes the folder; done by itself when the test file is through. */
	remove(): Promise<void>;
}

async function startQueue(credentials: Credential[]): Promise<TestQueue> {
	const [host, seed] = [process.env.E2E_HOST, process.env.E2E_SEED];
	if (!host || !seed) throw new Error('Run these tests with npm run test:queue.');
	const temporary = temporaryFolder();
	undoAfterwards(temporary.remove);
	const { folder } = temporary;
	const queue = await createQueue({
		host,
		seed,
		folder,
		environment: { ...environment, ...withoutEditor(host, { hasCode: false }) },
	});
	undoAfterwards(queue.stop);
	await queue.start();
	await importCredentials(queue.main, credentials);
	const session = new Session(queue.main.url, host);
	await session.login();
	return {
		...queue,
		folder,
		session,
		publish: async (workflow) => {
			await session.putWorkflow(workflow);
			await session.publish(workflow.id);
		},
		run: async (workflow, triggerNode) => {
			await session.putWorkflow(workflow);
			return await session.start(workflow.id, triggerNode);
		},
		end: async (executionId) => await session.executionEnd(executionId, { timeoutSeconds: 300 }),
		post: async (processor, address, body, headers = {}) => {
			const response = await fetch(`${processor.url}/webhook/${address}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', connection: 'close', ...headers },
				body: JSON.stringify(body),
				// n8n removes a finished job at once; a processor that asks for it too late would wait for ever.
				signal: AbortSignal.timeout(20_000),
			});
			await response.arrayBuffer();
			return response.status;
		},
		executions: async (workflowId) => {
			for (;;) {
				const rows = queue.postgres.ask(
					`select status, count(*) from execution_entity where "workflowId" = '${workflowId}' group by status`,
				);
				if (!rows.some(([status]) => ['new', 'running'].includes(status))) {
					return Object.fromEntries(rows.map(([status, count]) => [status, Number(count)]));
				}
				await pause(250);
			}
		},
		remove: async () => {
			await queue.stop();
			await temporary.remove();
		},
	};
}

async function startWithService() {
	const service = await startOpenSandbox({ speed: 1 });
	return { service, queue: await startQueue(Object.values(service.credentials)) };
}

let started: ReturnType<typeof startWithService> | undefined;

/** The queue of the test file and the service it calls. They are started once, and removed when the test file is through. */
export const theQueue = async () => await (started ??= startWithService());
