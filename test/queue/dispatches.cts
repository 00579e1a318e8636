import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { withoutCode } from '../../core/contract/dispatchName';
import type { Workflow, WorkflowNode } from '../../host/n8n/workflow.cts';
import type { OpenSandbox } from '../e2e/support/openSandbox.cts';
import { credentialOf, partnerNode } from '../e2e/support/workflows.cts';
import { useCounts } from './support/counts.cts';
import { theQueue, type TestQueue } from './support/queue.cts';
import { startRows } from './support/servers.cts';

/** Dispatches and log-ins where n8n runs as many processes. */

const counts = useCounts('dispatches');

let queue: TestQueue;
let service: OpenSandbox;
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
		credentials: credentialOf(service.credentials.partner),
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
			// The same list with the same text counts as the same campaign, also under another name.
			text: `${name}: dear {name}, your code is {code}`,
			recipients: 'items',
			destination: '={{ $json.phone }}',
			priceLimit: 1_000_000,
			options,
		}),
	]);

const dispatchesOf = (name: string) =>
	[...service.store.dispatches.values()].filter((one) => withoutCode(one.name) === name);

/** Messages of a dispatch that was never started reach nobody. */
const startedOf = (name: string) => dispatchesOf(name).filter(({ status }) => status !== 'CREATED');

/** Of everything that went out under this name: so many numbers, each of them once. */
const expectEverybodyOnce = (name: string, count: number) => {
	const started = startedOf(name);
	const messaged = started.flatMap(({ messages }) =>
		messages.map(({ destination }) => destination),
	);
	const recipients = new Set(messaged).size;
	const lost = count - recipients;
	const duplicated = messaged.length - recipients;
	counts.dispatches += started.length;
	counts.recipients += recipients;
	counts.lost += lost;
	counts.duplicated += duplicated;
	expect({ dispatches: started.length, lost, duplicated }).toEqual({
		dispatches: 1,
		lost: 0,
		duplicated: 0,
	});
};

/** The worker that has begun an execution, as its log says. */
const workerOf = (executionId: string) =>
	queue.workers.find(({ logFile }) =>
		readFileSync(logFile, 'utf8').includes(`Worker started execution ${executionId} `),
	);

const until = async (isSo: () => boolean) => {
	const limit = Date.now() + 120_000;
	while (!isSo()) {
		if (Date.now() > limit) throw new Error('It did not come to that within two minutes.');
		await pause(20);
	}
};

beforeAll(async () => {
	({ queue, service } = await theQueue());
	const { companies } = await service.control('POST', '/seed', {
		companies: [
			{
				name: 'Large Sender',
				senders: [{ senderName: 'LARGE', brand: 'MTS', status: 'APPROVED' }],
			},
		],
	});
	companyId = (companies as Array<{ companyId: number }>)[0]?.companyId ?? 0;
	rowsUrl = await startRows();
});

test('50,000 recipients in one dispatch, on a worker', async () => {
	const count = 50_000;
	const id = await queue.run(sending('fifty', 'Fifty thousand', count), 'Start');
	const { status, error, items } = await queue.end(id);
	expect({ status, error: error?.message }).toEqual({ status: 'success' });
	expect(items('Send').map(({ json }) => json)).toMatchObject([
		{ recipients: count, onTheWay: count, failed: 0, started: true },
	]);
	counts.executions++;
	expect(dispatchesOf('Fifty thousand')).toHaveLength(1);
	expectEverybodyOnce('Fifty thousand', count);
	expect(workerOf(id)).toBeDefined();
});

test('ten dispatches of 2,000 at the same time: all go out once, with at most one log-in each, and no more requests than one after the other', async () => {
	const size = 2_000;
	const workflows = Array.from({ length: 11 }, (_, index) =>
		sending(`users${index}`, `At the same time ${index}`, size),
	);
	for (const workflow of workflows) await queue.session.putWorkflow(workflow);
	const before = service.sandbox.requests.count('POST /auth/token');
	/** How long it takes until each of them has ended, in milliseconds. */
	const timed = async (chosen: Workflow[]) => {
		const begun = performance.now();
		return await Promise.all(
			chosen.map(async ({ id }) => {
				const executionId = await queue.session.start(id, 'Start');
				const { status, error } = await queue.end(executionId);
				const ms = performance.now() - begun;
				expect([status, error?.message]).toEqual(['success', undefined]);
				return { executionId, ms };
			}),
		);
	};

	await service.control('POST', '/tokens/expire');
	const { requests } = service.sandbox;
	const requestsBefore = requests.total;
	const [alone] = await timed(workflows.slice(0, 1));
	const requestsAlone = requests.total - requestsBefore;
	expect(service.sandbox.requests.count('POST /auth/token') - before).toBe(1);
	await service.control('POST', '/tokens/expire');
	const together = await timed(workflows.slice(1));
	const requestsTogether = requests.total - requestsBefore - requestsAlone;

	const slowest = Math.max(...together.map(({ ms }) => ms)) / (alone?.ms ?? 0);
	const logIns = service.sandbox.requests.count('POST /auth/token') - before;
	console.log(
		`the slowest of ten took ${slowest.toFixed(1)} times as long as one alone, with ${logIns - 1} log-ins`,
	);
	counts.executions += workflows.length;
	counts.logIns += logIns;
	for (const { name } of workflows)
		expectEverybodyOnce(name.replace('users', 'At the same time '), size);
	expect(new Set(together.map(({ executionId }) => workerOf(executionId)))).toEqual(
		new Set(queue.workers),
	);
	// Usually one for each worker. How many more depends on the moment: an execution may have read the old token just before the new
	// one was stored. But none logs in twice, or for each of its calls.
	expect(logIns - 1).toBeLessThanOrEqual(together.length);
	// Counted, because a busy machine makes any comparison of times unfair. Each worker may log in and repeat a rejected request.
	expect(requestsTogether).toBeLessThanOrEqual(10 * requestsAlone + 10 * queue.workers.length);
});

test('an expired token while both workers use it: a handful of log-ins, not one per call', async () => {
	const runs = 40;
	const reading = chain('reading', [
		start,
		partner('Companies', { resource: 'company', operation: 'getAll', returnAll: true }),
	]);
	await queue.end(await queue.run(reading, 'Start'));
	await service.control('POST', '/tokens/expire');
	const before = service.sandbox.requests.count('POST /auth/token');
	const ids = await Promise.all(
		Array.from({ length: runs }, async () => await queue.session.start(reading.id, 'Start')),
	);
	const ends = await Promise.all(ids.map(queue.end));
	expect(ends.map(({ status }) => status)).toEqual(ids.map(() => 'success'));
	expect(new Set(ids.map(workerOf))).toEqual(new Set(queue.workers));
	const logIns = service.sandbox.requests.count('POST /auth/token') - before;
	counts.executions += runs;
	counts.logIns += logIns;
	expect(logIns).toBeGreaterThan(0);
	// Each worker may find out by itself, and again when the other has replaced the token it holds.
	expect(logIns).toBeLessThanOrEqual(8);
});

test('a worker is killed in the middle of a dispatch: run again, it stops for half an hour, then everybody gets it once', async () => {
	const name = 'Killed in the middle';
	const count = 20_000;
	const workflow = sending('killed', name, count, { batchSize: 200 });
	const killed = await queue.run(workflow, 'Start');
	await until(() => (dispatchesOf(name)[0]?.messages.length ?? 0) > 2_000);
	const half = dispatchesOf(name)[0]?.messages.length ?? 0;
	const busy = workerOf(killed);
	if (busy === undefined) throw new Error('No worker has it.');
	await busy.killHard();
	counts.killed++;
	await busy.start();
	const given = await queue.end(killed);
	// n8n keeps nothing of such an execution, so that its own Retry has nothing to do either. Which part of n8n notices first,
	// the queue or the recovery of crashed executions, is a matter of time.
	expect(`${given.status}: ${given.error?.message}`).toMatch(
		/^(?:error: .*failed to be processed too many times|crashed: Workflow did not finish)/,
	);
	expect(half).toBeLessThan(count);

	// Another process can't know that the run was killed. It may still be at work.
	const early = await queue.end(await queue.run(workflow, 'Start'));
	expect([early.status, early.error?.message, early.error?.description]).toEqual([
		'error',
		`Another run may still be sending "${name}"`,
		expect.stringMatching(
			/^Nobody got a message from this run\. Run it again at \d\d:\d\d \(.+\): it sends only to those who don't have it yet\.$/,
		),
	]);
	expect(dispatchesOf(name).map(({ status }) => status)).toEqual(['CREATED']);

	await service.control('POST', '/clock/advance', { ms: 31 * 60_000 });
	const later = await queue.end(await queue.run(workflow, 'Start'));
	expect([later.status, later.error?.message]).toEqual(['success', undefined]);
	counts.executions += 3;
	expect(dispatchesOf(name).map(({ status }) => status === 'CREATED')).toEqual([true, false]);
	expectEverybodyOnce(name, count);
	console.log(`killed at ${half} of ${count}, run again half an hour later: everybody once`);
});

test.each([
	['new', /^Another run (?:may still be sending|has started) /],
	['stop', /^(?:Another run (?:may still be sending|has started)|This was already sent as) /],
])(
	'six runs of the same workflow at the same time on two workers, with %s: one of them sends',
	async (ifSent, stopped) => {
		const name = `Six times, ${ifSent}`;
		const runs = 6;
		const size = 2_000;
		const workflow = sending(`six-${ifSent}`, name, size, { ifSent });
		await queue.session.putWorkflow(workflow);
		const ids = await Promise.all(
			Array.from({ length: runs }, async () => await queue.session.start(workflow.id, 'Start')),
		);
		const ends = await Promise.all(ids.map(queue.end));
		counts.executions += runs;
		expect(new Set(ids.map(workerOf))).toEqual(new Set(queue.workers));
		const failed = ends.flatMap(({ error }) => error?.message ?? []);
		expect(failed.filter((message) => !stopped.test(message))).toEqual([]);
		const told = ends.flatMap(({ items }) => items('Send').map(({ json }) => json));
		expect(told.filter(({ onTheWay }) => onTheWay === size)).toHaveLength(1);
		// All others are green, because everybody has it.
		expect(told.filter(({ hasItAlready }) => hasItAlready === size)).toHaveLength(told.length - 1);
		if (ifSent === 'stop') expect(told).toHaveLength(1);
		expectEverybodyOnce(name, size);
	},
);

test('Redis is restarted: what runs goes on, and what comes afterwards too', async () => {
	const small = { batchSize: 200 };
	const before = await queue.run(sending('redis', 'Before Redis', 10_000, small), 'Start');
	await until(() => dispatchesOf('Before Redis').length > 0);
	await queue.redis.stop();
	const half = dispatchesOf('Before Redis')[0]?.messages.length;
	await queue.redis.start();
	expect(half).toBeLessThan(10_000);
	const first = await queue.end(before);
	const after = await queue.end(await queue.run(sending('redis', 'After Redis', 1_000), 'Start'));
	expect([first.status, after.status]).toEqual(['success', 'success']);
	counts.executions += 2;
	for (const [name, count] of [
		['Before Redis', 10_000],
		['After Redis', 1_000],
	] as const) {
		expect(dispatchesOf(name)).toHaveLength(1);
		expectEverybodyOnce(name, count);
	}
});
