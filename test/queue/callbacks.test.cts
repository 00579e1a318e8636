import { setTimeout as pause } from 'node:timers/promises';
import { demo } from '../../sandbox/demo';
import { startSandbox } from '../../sandbox/server.cts';
import { sandboxCredentials } from '../../scripts/host/credentials.cjs';
import type { N8n } from '../../scripts/host/n8n.cjs';
import type { Workflow } from '../../scripts/host/session.cjs';
import { undoAfterwards } from '../e2e/support/cleanup.cts';
import { manualWorkflow, messagingNode } from '../e2e/support/workflows.cts';
import { startCounter, type Counter } from './support/counter.cts';
import { startQueue, type TestQueue } from './support/queue.cts';

/** Callbacks where several processes take them in and others work on them. */

const triggerNode = 'n8n-nodes-bulk-messaging.bulkMessagingTrigger';

let queue: TestQueue;
let service: Awaited<ReturnType<typeof startSandbox>>;
let counter: Counter;
let authorization: string;

const listening = (id: string): Workflow => ({
	id,
	name: id,
	nodes: [
		{
			id: `${id}-trigger`,
			name: 'Trigger',
			type: triggerNode,
			typeVersion: 2,
			position: [0, 0],
			parameters: { authentication: 'basic' },
			credentials: { bulkMessagingCallbackApi: { id: 'sandboxCallbackApi', name: 'Callbacks' } },
			webhookId: id,
		},
		{
			id: `${id}-count`,
			name: 'Count',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			position: [220, 0],
			parameters: {
				method: 'POST',
				url: `=${counter.url}/{{ $json.messageUuid }}`,
				options: {},
			},
		},
	],
	connections: { Trigger: { main: [[{ node: 'Count', type: 'main', index: 0 }]] } },
	// What n8n keeps of thousands of runs that went well is of no interest here.
	settings: { executionOrder: 'v1', saveDataSuccessExecution: 'none' },
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

const isThere = async (keys: readonly string[]) => {
	const limit = Date.now() + 300_000;
	while (keys.some((key) => !counter.counts.has(key)) && Date.now() < limit) await pause(250);
	return keys.filter((key) => !counter.counts.has(key));
};

const tell = async (processor: N8n, address: string, key: string) =>
	await queue.post(processor, address, callback(key), { authorization }).catch(() => 0);

beforeAll(async () => {
	service = await startSandbox({ port: 0, speed: 10 });
	undoAfterwards(service.close);
	counter = await startCounter();
	const { login, password, apiKey } = demo;
	const credentials = sandboxCredentials({
		partnerBaseUrl: service.partnerUrl,
		messagingBaseUrl: service.messagingUrl,
		login,
		password,
		apiKey,
	});
	const { data } = credentials[2] ?? { data: {} };
	authorization = `Basic ${btoa(`${String(data.login)}:${String(data.password)}`)}`;
	queue = await startQueue(credentials);
	await queue.publish(listening('callbacks'));
	// Processors learn of a new workflow from the database when they are first asked for it.
	for (const processor of queue.webhooks) {
		while ((await tell(processor, 'callbacks/fast', 'warm')) !== 200) await pause(200);
	}
});

test('nobody is let in without the login, by either processor', async () => {
	for (const processor of queue.webhooks) {
		for (const address of ['callbacks/fast', 'callbacks/confirmed']) {
			expect(await queue.post(processor, address, callback('stranger'))).toBe(401);
		}
	}
	expect(counter.counts.has('stranger')).toBe(false);
});

test('2,000 callbacks over both processors, every tenth one twice: each starts its workflow once', async () => {
	const keys = keysOf('fast', 2_000);
	const answers = new Map<number, number>();
	await inParallel([...keys.entries()], 20, async ([index, key]) => {
		const status = await tell(queue.webhooks[index % 2] as N8n, 'callbacks/fast', key);
		answers.set(status, (answers.get(status) ?? 0) + 1);
	});
	// A resend comes later, and to whichever processor is next.
	const again = keys.filter((_, index) => index % 10 === 0);
	await inParallel([...again.entries()], 20, async ([index, key]) => {
		await tell(queue.webhooks[(index + 1) % 2] as N8n, 'callbacks/fast', key);
	});
	expect([...answers]).toEqual([[200, keys.length]]);
	expect(await isThere(keys)).toEqual([]);
	// Whatever a resend may have started by mistake has come by now.
	const last = keysOf('after', 20);
	await inParallel(last, 5, async (key) => {
		await tell(queue.webhooks[0] as N8n, 'callbacks/fast', key);
	});
	expect(await isThere(last)).toEqual([]);
	const twice = keys.filter((key) => counter.counts.get(key) !== 1);
	console.log(
		`${keys.length} callbacks and ${again.length} resends over two processors: ${twice.length} worked on more than once`,
	);
	expect(twice).toEqual([]);
});

test('confirmed address: a processor and then a worker are killed, and nothing is lost', async () => {
	const keys = keysOf('confirmed', 300);
	let answered = 0;
	let resent = 0;
	/** As the service does it, only faster: until it is answered 2xx. */
	const untilAnswered = async ([index, key]: [number, string]) => {
		for (let attempt = 0; ; attempt++) {
			const processor = queue.webhooks[(index + attempt) % 2] as N8n;
			const status = await tell(processor, 'callbacks/confirmed', key);
			if (status >= 200 && status < 300) break;
			resent++;
			await pause(500);
		}
		answered++;
	};
	const killAt = async (count: number, victim: N8n) => {
		while (answered < count) await pause(20);
		await victim.killHard();
		await victim.start();
	};
	await Promise.all([
		inParallel([...keys.entries()], 10, untilAnswered),
		killAt(60, queue.webhooks[1] as N8n).then(
			async () => await killAt(160, queue.workers[0] as N8n),
		),
	]);
	const missing = keys.filter((key) => !counter.counts.has(key));
	const twice = keys.filter((key) => (counter.counts.get(key) ?? 0) > 1);
	console.log(
		`${keys.length} callbacks, ${resent} resends, a processor and a worker killed: ${missing.length} lost, ${twice.length} worked on more than once`,
	);
	expect(missing).toEqual([]);
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
			text: 'Your flowers are on their way',
		},
		credentials: { bulkMessagingApi: { id: 'sandboxMessagingApi', name: 'Sandbox' } },
	});
	const { status, error, items } = await queue.end(await queue.run(workflow, 'Start'));
	expect([status, error?.message]).toEqual(['success', undefined]);
	expect(items('Send').map(({ json }) => json)).toMatchObject([
		{ outcome: 'delivered', destination: '79161234567' },
	]);
	const [callbackLog] = service.sandbox.callbacks.filter(({ url }) =>
		url.includes('webhook-waiting'),
	);
	expect(callbackLog?.url).toContain(queue.webhooks[0]?.url);
});
