import { setTimeout as pause } from 'node:timers/promises';
import { existsSync } from 'node:fs';
import { startN8n, type OwnN8n, type Workflow } from './support/n8n.cts';
import { isGroupRunning } from './support/processes.cts';
import { manualWorkflow } from './support/workflows.cts';

/** What every later end-to-end test stands on, shown with n8n's own nodes. */

const code = (jsCode: string) => ({
	name: 'Code',
	type: 'n8n-nodes-base.code',
	parameters: { jsCode },
});

const webhookWorkflow: Workflow = {
	id: 'groundWebhook',
	name: 'Webhook',
	nodes: [
		{
			id: 'ground-webhook',
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			position: [0, 0],
			webhookId: 'ground-webhook',
			parameters: { httpMethod: 'POST', path: 'ground', responseMode: 'onReceived' },
		},
	],
	connections: {},
};

let n8n: OwnN8n;

beforeAll(async () => {
	n8n = await startN8n();
});

test('a workflow keeps its id, runs, and its items can be read', async () => {
	await n8n.importWorkflow(
		manualWorkflow('groundManual', code('return [{ json: { n: 1 } }, { json: { n: 2 } }];')),
	);

	const execution = await n8n.run('groundManual', { triggerNode: 'Start' });

	expect(execution.status).toBe('success');
	expect(execution.items('Code').map(({ json }) => json)).toEqual([{ n: 1 }, { n: 2 }]);
});

test('a run that fails says so and why', async () => {
	await n8n.importWorkflow(manualWorkflow('groundFailing', code('throw new Error("no luck");')));

	const execution = await n8n.run('groundFailing', { triggerNode: 'Start' });

	expect(execution.status).toBe('error');
	expect(execution.error?.message).toContain('no luck');
});

test('a credential gets the id it was given', async () => {
	const credential = {
		id: 'groundCredential',
		name: 'Ground',
		type: 'httpBasicAuth',
		data: { user: 'first', password: 'secret' },
	};
	await n8n.importCredentials([credential]);
	await n8n.importCredentials([{ ...credential, data: { user: 'second', password: 'secret' } }]);

	const stored = await n8n.session.credential('groundCredential');

	expect(stored).toMatchObject({ name: 'Ground', type: 'httpBasicAuth', data: { user: 'second' } });
	expect(JSON.stringify(stored)).not.toContain('secret');
});

test('a published webhook answers, before and after kill -9', async () => {
	await n8n.importWorkflow(webhookWorkflow);
	await n8n.publish(webhookWorkflow.id);

	const first = await n8n.postWebhook('ground', { n: 1 });
	const group = n8n.processGroup();
	await n8n.killHard();
	expect(isGroupRunning(group)).toBe(false);
	await n8n.start();
	const second = await n8n.postWebhook('ground', { n: 2 });

	expect([first.status, second.status]).toEqual([200, 200]);
	// n8n responds before it has stored the execution.
	while ((await n8n.executions(webhookWorkflow.id)).length < 2) await pause(100);
});

test('nothing is left when it is stopped', async () => {
	const other = await startN8n();
	const group = other.processGroup();

	await other.remove();

	expect(isGroupRunning(group)).toBe(false);
	expect(existsSync(other.folder)).toBe(false);
});
