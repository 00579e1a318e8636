import { setTimeout as pause } from 'node:timers/promises';
import { withoutCode } from '../../core/contract/dispatchName';
import { demo } from '../../sandbox/demo.cts';
import { startServer, text as plainText, type TestServer } from '../support/server.cts';
import { undoAfterwards } from './support/cleanup.cts';
import { startN8n, type OwnN8n, type Workflow } from './support/n8n.cts';
import { startOpenSandbox, type OpenSandbox } from './support/openSandbox.cts';
import { peakMemory } from './support/processes.cts';
import { credentialOf, partnerNode } from './support/workflows.cts';

/** A list as large as they come: from a file to a dispatch that is under way, with n8n as it is installed. */

const count = 100_000;
const mostMemory = 2 * 1024 ** 3;
const id = 'bulkList';

const numberOf = (index: number) => `7916${String(index).padStart(7, '0')}`;
/** As a spreadsheet saves it. */
const list = () => {
	const lines = Array.from({ length: count }, (_, index) => {
		const [, code, a, b, c] = /^7(...)(...)(..)(..)$/.exec(numberOf(index)) ?? [];
		return `8 (${code}) ${a}-${b}-${c},Name ${index},${index},${index % 50} %`;
	});
	return ['phone,name,order,discount', ...lines].join('\n');
};
const textFor = (index: number) =>
	`Dear Name ${index}, your order ${index} is ready: ${index % 50} % off the next one.`;

const nodes = (url: string, sandbox: OpenSandbox) => [
	{
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: id,
		parameters: { httpMethod: 'POST', path: id, responseMode: 'onReceived', options: {} },
	},
	{
		name: 'Download list',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { url, options: { response: { response: { responseFormat: 'file' } } } },
	},
	{
		name: 'Read list',
		type: 'n8n-nodes-base.extractFromFile',
		typeVersion: 1.1,
		parameters: { operation: 'csv', binaryPropertyName: 'data', options: {} },
	},
	{
		name: 'Send dispatch',
		type: partnerNode,
		typeVersion: 1,
		credentials: credentialOf(sandbox.credentials.partner),
		parameters: {
			resource: 'dispatch',
			operation: 'send',
			companyId: { __rl: true, mode: 'id', value: String(demo.companies.flowers) },
			name: 'Large list',
			channelType: 'SMS',
			text: 'Dear {name}, your order {order} is ready: {discount} off the next one.',
			recipients: 'items',
			destination: '={{ $json.phone }}',
			priceLimit: 1_000_000,
			options: { senderIds: [demo.senders.mts] },
		},
	},
];

/** All other settings are n8n's own: it keeps and saves every item of every node. */
const toWorkflow = (url: string, sandbox: OpenSandbox): Workflow => {
	const all = nodes(url, sandbox);
	const links = all
		.slice(1)
		.map(({ name }, index) => [
			all[index]?.name,
			{ main: [[{ node: name, type: 'main', index: 0 }]] },
		]);
	return {
		id,
		name: 'Large list',
		nodes: all.map((node, index) => ({
			id: `${id}-${index}`,
			position: [index * 220, 0],
			...node,
		})),
		connections: Object.fromEntries(links) as Workflow['connections'],
		settings: { executionOrder: 'v1' },
	};
};

let n8n: OwnN8n;
let sandbox: OpenSandbox;
let files: TestServer;

beforeAll(async () => {
	const csv = list();
	files = await startServer(() => plainText(200, csv, 'text/csv'));
	undoAfterwards(files.close);
	[n8n, sandbox] = await Promise.all([
		startN8n({ hasEditor: true }),
		startOpenSandbox({ speed: 1 }),
	]);
	const company = sandbox.store.companies.get(demo.companies.flowers);
	if (company) company.budget = null;
	await n8n.importCredentials(Object.values(sandbox.credentials));
	await n8n.importWorkflow(toWorkflow(`${files.url}/list.csv`, sandbox));
	await n8n.publish(id);
});

/** Asks for the list of executions only: the execution itself holds all the items. */
async function executionEnded() {
	for (;;) {
		const [execution] = await n8n.executions(id);
		if (execution && !['new', 'running'].includes(execution.status)) return execution;
		await pause(500);
	}
}

test('100,000 rows of a file become one dispatch, each once, and n8n stays below 2 GB', async () => {
	expect((await n8n.postWebhook(`${id}`, {})).status).toBe(200);
	const execution = await executionEnded();
	const memory = peakMemory(n8n.processGroup());
	console.log(`100,000 rows: n8n at its peak ${Math.round(memory / 1e6)} MB`);
	expect(execution.status).toBe('success');

	const dispatches = [...sandbox.store.dispatches.values()].filter(
		({ name }) => withoutCode(name) === 'Large list',
	);
	expect(dispatches).toHaveLength(1);
	const [dispatch] = dispatches;
	expect(['STARTED', 'COMPLETED']).toContain(dispatch?.status);
	const texts = new Map(dispatch?.messages.map(({ destination, text }) => [destination, text]));
	expect(dispatch?.messages).toHaveLength(count);
	expect(texts.size).toBe(count);
	const wrong = Array.from({ length: count }, (_, index) => index).filter(
		(index) => texts.get(numberOf(index)) !== textFor(index),
	);
	expect(wrong).toEqual([]);

	expect(memory).toBeLessThan(mostMemory);

	const { items } = await n8n.session.execution(execution.id);
	expect(items('Send dispatch').map(({ json }) => json)).toMatchObject([
		{ dispatchId: dispatch?.id, started: true, recipients: count, onTheWay: count, failed: 0 },
	]);
	// Time only ends what hangs: a busy machine needs more than the usual three minutes.
}, 600_000);
