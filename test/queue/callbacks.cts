import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { N8n } from '../../host/n8n/n8n.cts';
import { isFree } from '../../host/process/ports.cts';
import { reply } from '../e2e/support/waiting.cts';
import type { OpenSandbox } from '../e2e/support/openSandbox.cts';
import { processesIn, processorTime } from '../e2e/support/processes.cts';
import { credentialOf, manualWorkflow, messagingNode } from '../e2e/support/workflows.cts';
import { authorization, triggered } from '../e2e/trigger/workflows.cts';
import { useCounts } from './support/counts.cts';
import { theQueue, type TestQueue } from './support/queue.cts';
import { startCounter, type Counter } from './support/servers.cts';

/** Callbacks where several processes take them in and others work on them. */

const counts = useCounts('callbacks');

let queue: TestQueue;
let service: OpenSandbox;
let counter: Counter;

/** Every event that comes through the trigger is told to the counter. */
const counting = (id: string) =>
	triggered(id, {
		name: 'Count',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { url: `=${counter.url}/{{ $json.messageUuid }}`, options: {} },
	});

const callback = (key: string) => [
	{
		message_uuid: key,
		channel_type: 'SMS',
		callback_event: 'delivered',
		status: 'delivered',
		status_time: '2026-03-01T10:00:00.000Z',
	},
];

const keysOf = (prefix: string, count: number) =>
	Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

const processor = (number: number) => queue.webhooks[number % queue.webhooks.length];

/** Does the work for all of them, so many at a time. */
const inParallel = async <T,>(
	all: readonly T[],
	atATime: number,
	work: (one: T) => Promise<void>,
) => {
	const left = [...all];
	await Promise.all(
		Array.from({ length: atATime }, async () => {
			for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one);
		}),
	);
};

/** How it was answered; 0 when it was not. */
const tell = async (to: N8n, address: string, key: string) =>
	await queue.post(to, address, callback(key), { authorization }).catch(() => 0);

const isGood = (status: number) => status >= 200 && status < 300;

/** Those that have not been worked on exactly once. */
const notOnce = (keys: readonly string[]) => ({
	lost: keys.filter((key) => !counter.counts.has(key)),
	duplicated: keys.filter((key) => (counter.counts.get(key) ?? 0) > 1),
});

/** How many there have been; what a killed process leaves behind may stay under way for long. */
const recorded = (workflowId: string) => {
	const [[count]] = queue.postgres.ask(
		`select count(*) from execution_entity where "workflowId" = '${workflowId}'`,
	);
	return Number(count);
};

/** Of every kind of process so far, in milliseconds. */
const processorTimes = (): Record<string, number> => {
	const kinds = ['webhook', 'worker', 'main', 'postgres', 'redis'];
	return Object.fromEntries(
		kinds.map((kind) => [kind, processorTime(path.join(queue.folder, kind))]),
	);
};

/** The worker that has begun most of what it has not ended. */
const busiest = (workers: readonly N8n[]) => {
	const inHand = ({ logFile }: N8n) => {
		const log = readFileSync(logFile, 'utf8');
		const times = (what: string) => log.split(`Worker ${what} execution`).length;
		return times('started') - times('finished');
	};
	return workers.reduce((most, one) => (inHand(one) > inHand(most) ? one : most));
};

beforeAll(async () => {
	counter = await startCounter();
	({ queue, service } = await theQueue());
	for (const id of ['fast', 'confirmed']) await queue.publish(counting(id));
});

test('nobody is let in without the login, by either processor', async () => {
	for (const to of queue.webhooks) {
		for (const address of ['fast/fast', 'fast/confirmed']) {
			expect(await queue.post(to, address, callback('stranger'))).toBe(401);
		}
	}
	expect(await queue.executions('fast')).toEqual({});
});

test('600 callbacks over both processors, every tenth one twice: each is worked on once', async () => {
	const sent = [...keysOf('fast', 600).entries()].map(([index, key]) => ({ index, key }));
	const answers: number[] = [];
	const before = processorTimes();
	await inParallel(sent, 20, async ({ index, key }) => {
		answers.push(await tell(processor(index), 'fast/fast', key));
	});
	expect(answers.filter((status) => status !== 200)).toEqual([]);

	// A resend comes minutes later: to the processor that had the first one, or to the other one.
	const firsts = await queue.executions('fast');
	expect(firsts).toEqual({ success: sent.length });
	const perCallback = Object.entries(processorTimes()).map(
		([role, ms]) => `${role} ${((ms - (before[role] ?? 0)) / sent.length).toFixed(1)} ms`,
	);
	const [[bytes]] = queue.postgres.ask(
		"select (pg_total_relation_size('execution_entity') + pg_total_relation_size('execution_data')) / count(*) from execution_entity",
	);
	// For docs/scaling.md.
	console.log(
		`A callback on the fast address, processor time: ${perCallback.join(', ')}; on disk: ${bytes} bytes in Postgres`,
	);
	const copies = sent.filter(({ index }) => index % 10 === 0);
	const toAnother = ({ index }: { index: number }) => index % 20 === 0;
	await inParallel(copies, 20, async (copy) => {
		const to = processor(copy.index + Number(toAnother(copy)));
		answers.push(await tell(to, 'fast/fast', copy.key));
	});
	expect(answers.filter((status) => status !== 200)).toEqual([]);

	// The same processor knows it. Another one starts an execution, which ends in the trigger.
	const { success, ...others } = await queue.executions('fast');
	expect(others).toEqual({});
	const { lost, duplicated } = notOnce(sent.map(({ key }) => key));
	counts.callbacks += sent.length;
	counts.resends += copies.length;
	counts.executions += success;
	counts.lost += lost.length;
	counts.duplicated += duplicated.length;
	expect({ lost, duplicated }).toEqual({ lost: [], duplicated: [] });
	expect(success).toBe(sent.length + copies.filter(toAnother).length);
});

describe('confirmed address, 150 callbacks', () => {
	const atATime = 10;

	/** Kills a process while it has callbacks in hand; whoever was not answered 2xx is told again until it is. */
	const killDuring = async (prefix: string, victimOf: () => N8n) => {
		const keys = keysOf(prefix, 150);
		const tooEarly: string[] = [];
		let answered = 0;
		let resends = 0;
		/** As the service does it, only faster. */
		const untilAnswered = async ([index, key]: [number, string]) => {
			let to = index;
			while (!isGood(await tell(processor(to), 'confirmed/confirmed', key))) {
				resends++;
				to++;
				await pause(500);
			}
			if (!counter.counts.has(key)) tooEarly.push(key);
			answered++;
		};
		const killInTheMiddle = async () => {
			while (answered < keys.length / 2) await pause(20);
			const release = counter.hold();
			// Not all of them: one may have ended without an answer.
			while (counter.held() < atATime - 2) await pause(20);
			const victim = victimOf();
			await victim.killHard();
			counts.killed++;
			release();
			await victim.start();
		};
		const before = recorded('confirmed');
		await Promise.all([inParallel([...keys.entries()], atATime, untilAnswered), killInTheMiddle()]);
		const { lost, duplicated: repeated } = notOnce(keys);
		counts.callbacks += keys.length;
		counts.resends += resends;
		counts.executions += recorded('confirmed') - before;
		counts.lost += lost.length;
		counts.repeated += repeated.length;
		expect({ lost, tooEarly }).toEqual({ lost: [], tooEarly: [] });
		// Otherwise it had nothing in hand when it was killed.
		expect(repeated.length).toBeGreaterThan(0);
	};

	test('a webhook processor is killed, and nothing is lost', async () => {
		await killDuring('processor', () => queue.webhooks[1]);
	});

	test('a worker is killed, and nothing is lost', async () => {
		await killDuring('worker', () => busiest(queue.workers));
	});
});

test('Send and Wait goes on through a webhook processor', async () => {
	const workflow = manualWorkflow('waiting', {
		name: 'Send',
		type: messagingNode,
		parameters: {
			resource: 'message',
			operation: 'sendAndWait',
			channelType: 'SMS',
			senderName: 'FLOWERS',
			destination: '+7 916 123-45-67',
			message: 'Your flowers are on their way',
		},
		credentials: credentialOf(service.credentials.messaging),
	});
	const executionId = await queue.run(workflow, 'Start');
	await queue.session.executionEnd(executionId, { until: (status) => status === 'waiting' });
	await service.sandbox.advance(60_000);
	const { status, error, items } = await queue.end(executionId);
	expect([status, error?.message]).toEqual(['success', undefined]);
	expect(items('Send').map(({ json }) => json)).toMatchObject([
		{ outcome: 'delivered', destination: '79161234567' },
	]);
	const reports = service.sandbox.callbacks.filter(({ url }) => url.includes('webhook-waiting'));
	expect(reports.map(({ url }) => new URL(url).origin)).toEqual([queue.webhooks[0].url]);
	counts.callbacks += reports.length;
	counts.executions++;
});

test('a reply resumes the execution once, on a worker, although both processors get several at once', async () => {
	const node = (name: string, type: string, typeVersion: number, parameters: object) => ({
		id: `asking-${name}`,
		name,
		type,
		typeVersion,
		position: [0, 0] as [number, number],
		parameters: parameters as Record<string, unknown>,
	});
	const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	const executionId = await queue.run(
		{
			id: 'asking',
			name: 'asking',
			nodes: [
				node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
				{
					...node('Ask', messagingNode, 1, {
						resource: 'message',
						operation: 'sendAndWait',
						channelType: 'SMS',
						senderName: 'FLOWERS',
						destination: '+7 916 123-45-68',
						message: 'When?',
						responseType: 'freeText',
					}),
					credentials: credentialOf(service.credentials.messaging),
				},
				node('Count', 'n8n-nodes-base.httpRequest', 4.2, {
					url: `${counter.url}/reply`,
					options: {},
				}),
			],
			connections: { Start: to('Ask'), Ask: to('Count') },
			settings: { executionOrder: 'v1' },
		},
		'Start',
	);
	await queue.session.executionEnd(executionId, { until: (status) => status === 'waiting' });
	const asked = [...service.store.byUuid.values()].find(
		({ destination }) => destination === '79161234568',
	);
	const link = new URL(asked?.single?.links?.[0]?.url ?? '');
	const replies = await Promise.all(
		Array.from({ length: 10 }, async (_, index) => {
			const text = `Reply ${index}`;
			const url = new URL(link.pathname + link.search, processor(index).url).href;
			return { text, ...(await reply(url, text)) };
		}),
	);
	const { status, items } = await queue.end(executionId);
	const thanked = replies.filter(({ html }) => html.includes('Thank you'));
	expect([status, counter.counts.get('reply')]).toEqual(['success', 1]);
	expect(items('Ask').map(({ json }) => json.data)).toEqual(thanked.map(({ text }) => ({ text })));
	// Once until it waits, and once after the reply.
	const starts = queue.workers.flatMap(({ logFile }) =>
		readFileSync(logFile, 'utf8').match(
			new RegExp(`Worker started execution ${executionId}\\b`, 'g'),
		),
	);
	expect(starts.filter((found) => found !== null)).toHaveLength(2);
	counts.executions++;
});

test('nothing is left when it is stopped', async () => {
	expect(processesIn(queue.folder).length).toBeGreaterThanOrEqual(7);

	await queue.remove();

	expect(processesIn(queue.folder)).toEqual([]);
	expect(existsSync(queue.folder)).toBe(false);
	for (const { port } of [queue.postgres, queue.redis]) expect(await isFree(port)).toBe(true);
});
