import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { demo } from '../../sandbox/demo';
import { startSandbox } from '../../sandbox/server.cts';
import { sandboxCredentials } from '../../scripts/host/credentials.cjs';
import type { Workflow, WorkflowNode } from '../../scripts/host/session.cjs';
import { undoAfterwards } from '../e2e/support/cleanup.cts';
import { partnerNode } from '../e2e/support/workflows.cts';
import { startQueue, type TestQueue } from './support/queue.cts';
import { startRows } from './support/servers.cts';

/** Dispatches and log-ins where n8n runs as many processes. */

let queue: TestQueue;
let service: Awaited<ReturnType<typeof startSandbox>>;
let rowsUrl: (count: number) => string;

/** A company without a monthly limit. */
let companyId: number;

const node = (
	name: string,
	type: string,
	parameters: Record<string, unknown>,
	more: Partial<WorkflowNode> = {},
): WorkflowNode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position: [0, 0],
	parameters,
	...more,
});

const partner = (name: string, parameters: Record<string, unknown>) =>
	node(name, partnerNode, parameters, {
		credentials: { bulkMessagingPartnerApi: { id: 'sandboxPartnerApi', name: 'Sandbox' } },
	});

/** One after the other. */
const chain = (id: string, nodes: WorkflowNode[]): Workflow => ({
	id,
	name: id,
	nodes: nodes.map((one, index) => ({ ...one, position: [index * 220, 0] })),
	connections: Object.fromEntries(
		nodes
			.slice(1)
			.map((next, index) => [
				nodes[index]?.name,
				{ main: [[{ node: next.name, type: 'main', index: 0 }]] },
			]),
	),
	settings: { executionOrder: 'v1' },
});

const start = node('Start', 'n8n-nodes-base.manualTrigger', {});

const sending = (id: string, name: string, count: number, options: Record<string, unknown> = {}) =>
	chain(id, [
		start,
		node(
			'Rows',
			'n8n-nodes-base.httpRequest',
			{ url: rowsUrl(count), options: {} },
			{ typeVersion: 4.2 },
		),
		partner('Send', {
			resource: 'dispatch',
			operation: 'send',
			companyId: { __rl: true, mode: 'id', value: String(companyId) },
			name,
			senders: 'allApproved',
			text: 'Dear {name}, your code is {code}',
			recipients: 'items',
			destination: '={{ $json.phone }}',
			...options,
		}),
	]);

const dispatchesOf = (name: string) =>
	[...service.sandbox.world.store.dispatches.values()].filter((one) => one.name === name);

type Held = ReturnType<typeof dispatchesOf>;

/** How often each number is in these dispatches. */
const recipientsOf = (dispatches: Held) => {
	const counts = new Map<string, number>();
	for (const { destination } of dispatches.flatMap(({ messages }) => messages)) {
		counts.set(destination, (counts.get(destination) ?? 0) + 1);
	}
	return counts;
};

const until = async (isSo: () => boolean) => {
	const limit = Date.now() + 120_000;
	while (!isSo()) {
		if (Date.now() > limit) throw new Error('It did not come to that within two minutes.');
		await pause(20);
	}
};

const control = async (method: string, address: string, body: unknown = {}) => {
	const response = await fetch(service.controlUrl + address, {
		method,
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
	return (await response.json()) as Record<string, unknown>;
};

beforeAll(async () => {
	service = await startSandbox({ port: 0, speed: 1 });
	undoAfterwards(service.close);
	const { companies } = await control('POST', '/seed', {
		companies: [
			{
				name: 'Large Sender',
				senders: [{ senderName: 'LARGE', brand: 'MTS', status: 'APPROVED' }],
			},
		],
	});
	companyId = (companies as Array<{ companyId: number }>)[0]?.companyId ?? 0;
	const { login, password, apiKey } = demo;
	rowsUrl = await startRows();
	queue = await startQueue(
		sandboxCredentials({
			partnerBaseUrl: service.partnerUrl,
			messagingBaseUrl: service.messagingUrl,
			login,
			password,
			apiKey,
		}),
	);
});

test('50,000 recipients in one dispatch, on a worker', async () => {
	const count = 50_000;
	const id = await queue.run(sending('fifty', 'Fifty thousand', count), 'Start');
	const { status, error, items } = await queue.end(id);
	expect({ status, error: error?.message }).toEqual({ status: 'success' });
	expect(items('Send').map(({ json }) => json)).toMatchObject([
		{ total: count, success: count, failed: 0, started: true },
	]);
	const dispatches = dispatchesOf('Fifty thousand');
	expect(dispatches).toHaveLength(1);
	const recipients = recipientsOf(dispatches);
	expect(recipients.size).toBe(count);
	expect(new Set(recipients.values())).toEqual(new Set([1]));
	const logs = queue.workers.map(({ logFile }) => readFileSync(logFile, 'utf8'));
	expect(logs.some((log) => log.includes(`execution ${id}`))).toBe(true);
});

test('an expired token while both workers use it: a handful of log-ins, not one per call', async () => {
	const runs = 40;
	const reading = chain('reading', [
		start,
		partner('Companies', { resource: 'company', operation: 'getAll', returnAll: true }),
	]);
	await queue.end(await queue.run(reading, 'Start'));
	await control('POST', '/tokens/expire');
	const before = service.sandbox.requests.count('POST /auth/token');
	const ids = await Promise.all(
		Array.from({ length: runs }, async () => await queue.session.start(reading.id, 'Start')),
	);
	const ends = await Promise.all(ids.map(queue.end));
	expect(ends.map(({ status }) => status)).toEqual(ids.map(() => 'success'));
	const logIns = service.sandbox.requests.count('POST /auth/token') - before;
	console.log(`${runs} executions on two workers with an expired token: ${logIns} log-ins`);
	expect(logIns).toBeGreaterThan(0);
	// Each worker may find out by itself, and again when the other has replaced the token it holds.
	expect(logIns).toBeLessThanOrEqual(8);
});

describe('a worker is killed in the middle of a dispatch', () => {
	const count = 20_000;
	/** Kills the worker when some of the dispatch is there, and runs the workflow again when n8n has given it up. */
	const killAndRepeat = async (id: string, name: string, options: Record<string, unknown>) => {
		const workflow = sending(id, name, count, { recipientOptions: { batchSize: 200 }, ...options });
		const killed = await queue.run(workflow, 'Start');
		await until(() => (dispatchesOf(name)[0]?.messages.length ?? 0) > 2_000);
		const half = dispatchesOf(name)[0]?.messages.length ?? 0;
		const busy = queue.workers.find(({ logFile }) =>
			readFileSync(logFile, 'utf8').includes(`execution ${killed} `),
		);
		await busy?.killHard();
		await busy?.start();
		const given = await queue.end(killed);
		// n8n keeps nothing of such an execution, so that its own Retry has nothing to do either.
		expect([given.status, given.error?.message]).toEqual([
			'error',
			expect.stringContaining('failed to be processed too many times'),
		]);
		const again = await queue.end(await queue.run(workflow, 'Start'));
		expect([again.status, again.error?.message]).toEqual(['success', undefined]);
		const dispatches = dispatchesOf(name);
		console.log(
			`killed at ${half} of ${count}, run again: ${dispatches.map(({ status, messages }) => `${status} with ${messages.length}`).join(', ')}`,
		);
		return { half, dispatches };
	};
	const expectEverybodyOnce = (dispatches: Held) => {
		const recipients = recipientsOf(dispatches);
		expect(recipients.size).toBe(count);
		expect(new Set(recipients.values())).toEqual(new Set([1]));
	};

	test('run again as it is: the half one stays where it is, and only the new one goes out', async () => {
		const { dispatches } = await killAndRepeat('killed', 'Killed in the middle', {});
		expect(dispatches.map(({ status }) => status === 'CREATED')).toEqual([true, false]);
		expectEverybodyOnce(dispatches.slice(1));
	});

	test('run again with Go On With It: the half one is completed, and there is no other', async () => {
		const { half, dispatches } = await killAndRepeat('resumed', 'Gone on with', {
			options: { nameUsed: 'goOn' },
		});
		expect(half).toBeLessThan(count);
		expect(dispatches).toHaveLength(1);
		expectEverybodyOnce(dispatches);
	});
});

test('Redis is restarted: what runs goes on, and what comes afterwards too', async () => {
	const before = await queue.run(sending('redis', 'Before Redis', 5_000), 'Start');
	await until(() => dispatchesOf('Before Redis').length > 0);
	await queue.redis.stop();
	await queue.redis.start();
	const first = await queue.end(before);
	const after = await queue.end(await queue.run(sending('redis', 'After Redis', 1_000), 'Start'));
	expect([first.status, after.status]).toEqual(['success', 'success']);
	for (const [name, count] of [
		['Before Redis', 5_000],
		['After Redis', 1_000],
	] as const) {
		const dispatches = dispatchesOf(name);
		expect(dispatches).toHaveLength(1);
		expect(recipientsOf(dispatches).size).toBe(count);
	}
});
