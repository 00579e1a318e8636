import { Agent } from 'node:http';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { putCredentials } from '../../host/n8n/credentials.cts';
import { createN8n } from '../../host/n8n/n8n.cts';
import { copySeed } from '../../host/n8n/seed.cts';
import { Session } from '../../host/n8n/session.cts';
import type { Workflow } from '../../host/n8n/workflow.cts';
import { freePort } from '../../host/process/ports.cts';
import { temporaryFolder } from '../../host/process/temporaryFolder.cts';
import { preparePackage } from '../../host/service/prepare.cts';
import { processorTime } from '../../test/e2e/support/processes.cts';
import { callbackLogin, postAll, webhookLogin } from './callbacks.cts';

/** Milliseconds that a number of callbacks took. */
export interface Taken {
	/** To the last answer. */
	answered: number;
	/** To the end of the last execution. */
	ended: number;
	/** n8n's processor time until then, which a busy machine changes far less. */
	processor: number;
}

export interface CallbackN8n {
	publish(workflow: Workflow): Promise<void>;
	/** Posts the bodies, so many at a time, and waits until every execution has ended. */
	post(address: string, bodies: readonly string[], atATime: number): Promise<Taken>;
	stop(): Promise<void>;
}

/** An n8n of its own: callbacks come in by the thousand, and settings matter that other figures do not need. */
export async function startCallbackN8n(
	environment: Record<string, string>,
	report: (text: string) => void,
): Promise<CallbackN8n> {
	const temporary = temporaryFolder();
	const { host, seed } = await preparePackage(report);
	const folder = path.join(temporary.folder, 'n8n');
	copySeed(seed, folder);
	const n8n = createN8n({ host, folder, port: await freePort(), environment });
	await n8n.start();
	const session = new Session(n8n.url, host);
	await session.login();
	await putCredentials(n8n, session, [callbackLogin, webhookLogin]);

	const agent = new Agent({ keepAlive: true });
	const database = new DatabaseSync(path.join(folder, '.n8n', 'database.sqlite'), {
		readOnly: true,
	});
	// Straight from the database: asking n8n would be work for n8n.
	const unfinished = database.prepare(
		"SELECT count(*) AS count FROM execution_entity WHERE status IN ('new', 'running')",
	);

	return {
		publish: async (workflow) => {
			await session.putWorkflow(workflow);
			await session.publish(workflow.id);
		},
		post: async (address, bodies, atATime) => {
			const before = processorTime(folder);
			const begun = performance.now();
			await postAll(`${n8n.url}/webhook/${address}`, bodies, atATime, agent);
			const answered = performance.now() - begun;
			while (unfinished.get()?.count !== 0) await pause(2);
			const ended = performance.now() - begun;
			return { answered, ended, processor: processorTime(folder) - before };
		},
		stop: async () => {
			agent.destroy();
			database.close();
			await n8n.stop();
			await temporary.remove();
		},
	};
}
