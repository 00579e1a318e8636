import { Agent } from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { importCredentials } from '../../host/n8n/credentials.cts';
import { Session } from '../../host/n8n/session.cts';
import type { Workflow } from '../../host/n8n/workflow.cts';
import { temporaryFolder } from '../../host/process/temporaryFolder.cts';
import { createQueue } from '../../host/queue/queue.cts';
import { preparePackage } from '../../host/service/prepare.cts';
import { processorTime } from '../../test/e2e/support/processes.cts';
import { callbackLogin, postAll, webhookLogin } from './callbacks.cts';

/** The folders of the queue's processes. */
const parts = ['webhook1', 'worker1', 'worker2', 'postgres', 'redis', 'main'] as const;
type Part = (typeof parts)[number];

/** What a number of callbacks took, to the end of the last execution. */
export interface QueueTaken {
	ms: number;
	/** Milliseconds on a processor. */
	processor: Record<Part, number>;
}

export interface QueueN8n {
	publish(workflow: Workflow): Promise<void>;
	/** From one worker to two. */
	addWorker(): Promise<void>;
	/** Posts the bodies to the webhook processor, so many at a time, and waits until every execution has ended. */
	post(address: string, bodies: readonly string[], atATime: number): Promise<QueueTaken>;
	stop(): Promise<void>;
}

/** n8n in queue mode, for callbacks: main, one webhook processor and one worker, with Postgres and Redis. */
export async function startQueueN8n(
	environment: Record<string, string>,
	report: (text: string) => void,
): Promise<QueueN8n> {
	const temporary = temporaryFolder();
	const { host, seed } = await preparePackage(report);
	const { folder } = temporary;
	const queue = await createQueue({ host, seed, folder, environment });
	const [webhook] = queue.webhooks;
	const [first, second] = queue.workers;
	report('starting n8n in queue mode');
	await Promise.all([queue.postgres.start(), queue.redis.start()]);
	// The main process prepares the database that the others need.
	await queue.main.start();
	await Promise.all([webhook.start(), first.start()]);
	await importCredentials(queue.main, [callbackLogin, webhookLogin]);
	const session = new Session(queue.main.url, host);
	await session.login();
	const agent = new Agent({ keepAlive: true });
	const spent = () =>
		Object.fromEntries(
			parts.map((part) => [part, processorTime(path.join(folder, part))]),
		) as QueueTaken['processor'];
	const unfinished = () =>
		queue.postgres.ask(
			"select count(*) from execution_entity where status in ('new', 'running')",
		)[0]?.[0] !== '0';

	return {
		publish: async (workflow) => {
			await session.putWorkflow(workflow);
			await session.publish(workflow.id);
		},
		addWorker: async () => await second.start(),
		post: async (address, bodies, atATime) => {
			const before = spent();
			const begun = performance.now();
			await postAll(`${webhook.url}/webhook/${address}`, bodies, atATime, agent);
			while (unfinished()) await pause(50);
			const ms = performance.now() - begun;
			const after = spent();
			for (const part of parts) after[part] -= before[part];
			return { ms, processor: after };
		},
		stop: async () => {
			agent.destroy();
			await queue.stop();
			await temporary.remove();
		},
	};
}
