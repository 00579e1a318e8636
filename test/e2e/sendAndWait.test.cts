import { setTimeout as pause } from 'node:timers/promises';
import { demo } from '../../sandbox/demo.cts';
import {
	callBack,
	fallbackWorkflow,
	loopWorkflow,
	untilItWaits,
	waitingWorkflow,
	type Waiting,
} from './messaging/waiting.cts';
import { isOlderThan, startN8n, type Execution, type TestN8n } from './support/n8n.cts';
import { startOpenSandbox, type OpenSandbox } from './support/openSandbox.cts';

/** A workflow that sleeps until the service reports what became of its message. */

const { numbers, senderNames } = demo;
const minute = 60_000;

let n8n: TestN8n;
let service: OpenSandbox;

beforeAll(async () => {
	// The clock of the service stands still: it moves when a test says so.
	[n8n, service] = await Promise.all([startN8n(), startOpenSandbox({ speed: 0 })]);
	await n8n.importCredentials(Object.values(service.credentials));
});

let count = 0;
const wait = async (options: Parameters<typeof waitingWorkflow>[2] = {}) =>
	await untilItWaits(n8n, service, waitingWorkflow(`waiting${++count}`, service, options));

const advance = async (ms: number) => await service.sandbox.advance(ms);
const jsonOf = (execution: Execution, node: string) =>
	execution.items(node).map(({ json }) => json);

/** A callback of this message, as the contract writes it. */
const report = ({ message }: Waiting, fields: object = {}) => ({
	message_uuid: message.uuid,
	channel_type: 'SMS',
	callback_event: 'delivered',
	external_message_id: message.externalMessageId,
	status: 'delivered',
	status_time: '2026-03-02T07:00:05.000Z',
	...fields,
});

/** Every attempt to report to this address, with how n8n answered. */
const answersTo = ({ resumeUrl }: Pick<Waiting, 'resumeUrl'>) =>
	service.sandbox.callbacks
		.filter(({ url }) => url === resumeUrl)
		.flatMap(({ attempts }) => attempts.map(({ status }) => status));

const isTooOld = isOlderThan('1.107');
if (isTooOld)
	process.stdout.write('Skipped, because n8n is older than 1.107: it has no signed URLs.\n');
const describeWaiting = isTooOld ? describe.skip : describe;

if (isTooOld) {
	test('before 1.107: says which n8n it needs, and sends nothing', async () => {
		const workflow = waitingWorkflow('tooOld', service);
		const known = service.store.byUuid.size;
		await n8n.importWorkflow(workflow);
		await n8n.publish(workflow.id);
		await n8n.postWebhook(workflow.id, {});
		let executionId: string | undefined;
		while (executionId === undefined) {
			executionId = (await n8n.executions(workflow.id))[0]?.id;
			await pause(50);
		}
		const { status, error } = await n8n.session.executionEnd(executionId);
		expect([status, error?.message]).toEqual(['error', "'Send and Wait' needs n8n 1.107 or later"]);
		expect(service.store.byUuid.size).toBe(known);
	});
}

describeWaiting('the outcome', () => {
	test('delivered: goes on with it, linked to its item', async () => {
		const waiting = await wait();
		await advance(minute);
		const execution = await waiting.end();
		expect(execution.status).toBe('success');
		expect(jsonOf(execution, 'Wait')).toEqual([
			{
				outcome: 'delivered',
				messageUuid: waiting.message.uuid,
				externalMessageId: waiting.message.externalMessageId,
				destination: numbers.mts,
				channelType: 'SMS',
				occurredAt: expect.any(String),
			},
		]);
		expect(jsonOf(execution, 'After')).toEqual([{ outcome: 'delivered', order: 7 }]);
		expect(answersTo(waiting)).toEqual([200]);
	});

	test('undelivered', async () => {
		const waiting = await wait({
			phone: numbers.undelivered,
			parameters: { options: { ttl: 60 } },
		});
		await advance(2 * minute);
		expect(jsonOf(await waiting.end(), 'After')).toMatchObject([{ outcome: 'failed', order: 7 }]);
	});

	test('unsent, with what the error means', async () => {
		const waiting = await wait({ phone: numbers.unsent });
		await advance(minute);
		expect(jsonOf(await waiting.end(), 'Wait')).toMatchObject([
			{
				outcome: 'failed',
				errorCode: 455,
				reason: expect.stringContaining('restricted') as string,
			},
		]);
	});

	test.each([
		['read', numbers.mts, minute],
		['notRead', numbers.unread, 26 * 60 * minute],
	])('%s, when that is waited for: delivered keeps it waiting', async (outcome, phone, ms) => {
		const waiting = await wait({
			phone,
			parameters: { channelType: 'VIBER', senderName: senderNames.viber, waitFor: 'reading' },
		});
		await advance(10_000);
		expect(answersTo(waiting)).toEqual([200]);
		expect(await waiting.status()).toBe('waiting');
		await advance(ms);
		expect(jsonOf(await waiting.end(), 'After')).toMatchObject([{ outcome, order: 7 }]);
	});

	test('nobody reports until the limit: timeout, with the message to look it up by', async () => {
		const waiting = await wait({ parameters: { limitHours: 0.001 } });
		const execution = await waiting.end();
		expect(execution.status).toBe('success');
		expect(jsonOf(execution, 'Wait')).toEqual([
			{
				outcome: 'timeout',
				messageUuid: waiting.message.uuid,
				externalMessageId: waiting.message.externalMessageId,
				destination: numbers.mts,
				channelType: 'SMS',
			},
		]);
		expect(jsonOf(execution, 'After')).toEqual([{ outcome: 'timeout', order: 7 }]);
		expect(jsonOf(execution, 'Fields')).toEqual([{ phone: numbers.mts, order: 7 }]);
		expect(await callBack(waiting.resumeUrl, [report(waiting)])).toBe(200);
	});
});

describeWaiting('a callback', () => {
	test('with a forged signature or id, or without one: 401, and it keeps waiting', async () => {
		const waiting = await wait();
		const changed = (change: (query: URLSearchParams) => void) => {
			const url = new URL(waiting.resumeUrl);
			change(url.searchParams);
			return url.href;
		};
		const forged = [
			...['signature', 'ext'].flatMap((name) => [
				changed((query) => query.delete(name)),
				changed((query) => query.set(name, '')),
				changed((query) => query.set(name, 'a'.repeat(query.get(name)?.length ?? 0))),
			]),
			changed((query) => [...query.keys()].forEach((name) => query.delete(name))),
		];
		for (const url of forged) {
			expect([url, await callBack(url, [report(waiting)])]).toEqual([url, 401]);
		}
		expect(await waiting.status()).toBe('waiting');
		expect(await callBack(waiting.resumeUrl, [report(waiting)])).toBe(200);
		expect((await waiting.end()).status).toBe('success');
	});

	test('of another message, of another event, or of nothing: 200, and it keeps waiting', async () => {
		const waiting = await wait();
		const bodies: unknown[] = [
			[report(waiting, { external_message_id: 'another', message_uuid: 'another' })],
			[report(waiting, { external_message_id: 'another' })],
			[report(waiting, { callback_event: 'sent', status: 'sent' })],
			[report(waiting, { callback_event: 'price', status: undefined, price: 1 })],
			[report(waiting, { status: 'something new' })],
			[report(waiting, { external_message_id: undefined, message_uuid: 'another' })],
			[],
			{},
			[null, 1, 'x', []],
		];
		for (const body of bodies) expect(await callBack(waiting.resumeUrl, body)).toBe(200);
		expect(await waiting.status()).toBe('waiting');
		const mixed = [report(waiting, { external_message_id: 'another' }), report(waiting)];
		expect(await callBack(waiting.resumeUrl, mixed)).toBe(200);
		expect(jsonOf(await waiting.end(), 'After')).toMatchObject([{ outcome: 'delivered' }]);
	});

	test('without the own ID, by the UUID; one object instead of a list', async () => {
		const waiting = await wait();
		const body = report(waiting, { external_message_id: undefined });
		expect(await callBack(waiting.resumeUrl, body)).toBe(200);
		expect(jsonOf(await waiting.end(), 'After')).toMatchObject([{ outcome: 'delivered' }]);
	});

	test('that comes again, and late: 200, and nothing runs twice', async () => {
		const waiting = await wait();
		expect(await callBack(waiting.resumeUrl, [report(waiting)])).toBe(200);
		const { runs } = await waiting.end();
		expect(await callBack(waiting.resumeUrl, [report(waiting)])).toBe(200);
		await advance(minute);
		expect(answersTo(waiting)).toEqual([200]);
		await pause(500);
		expect(runs.After).toHaveLength(1);
		const { runs: later } = await n8n.session.execution(waiting.executionId);
		expect(later.After).toHaveLength(1);
	});

	test('before the execution sleeps: refused, and healed by the resend', async () => {
		const workflow = waitingWorkflow(`waiting${++count}`, service);
		await n8n.importWorkflow(workflow);
		await n8n.publish(workflow.id);
		// The node looks once after it has sent. The answer to that takes a while, and the message is over meanwhile.
		service.sandbox.faults.add({
			kind: 'delay',
			ms: 4_000,
			match: { method: 'GET', path: '*/message' },
		});
		const known = service.store.byUuid.size;
		const started = untilItWaits(n8n, service, workflow, { isPublished: true });
		while (service.store.byUuid.size === known) await pause(50);
		await pause(500);
		await advance(minute);
		const waiting = await started;
		expect(answersTo(waiting)).toEqual([409]);
		expect(await waiting.status()).toBe('waiting');
		await advance(5 * minute);
		expect(jsonOf(await waiting.end(), 'After')).toMatchObject([{ outcome: 'delivered' }]);
		expect(answersTo(waiting)).toEqual([409, 200]);
	});
});

describeWaiting('n8n is not there for a while', () => {
	/** An older n8n may call it crashed for a while, because its event log doesn't say that an execution waits. */
	const untilItSucceeds = async (executionId: string) => {
		for (;;) {
			const execution = await n8n.session.execution(executionId);
			if (execution.status === 'success' && execution.runs.After !== undefined) return execution;
			await pause(200);
		}
	};

	test('restarted: goes on waiting', async () => {
		const waiting = await wait();
		await n8n.stop();
		await n8n.start();
		if (!isOlderThan('2.41')) expect(await waiting.status()).toBe('waiting');
		await advance(minute);
		expect(answersTo(waiting)).toEqual([200]);
		expect(jsonOf(await untilItSucceeds(waiting.executionId), 'After')).toEqual([
			{ outcome: 'delivered', order: 7 },
		]);
	});

	test('killed, and the callback comes meanwhile: healed by the resend', async () => {
		const waiting = await wait();
		await n8n.killHard();
		await advance(minute);
		expect(answersTo(waiting)).toEqual([undefined]);
		await n8n.start();
		await advance(5 * minute);
		expect(answersTo(waiting)).toEqual([undefined, 200]);
		const execution = isOlderThan('2.41')
			? await untilItSucceeds(waiting.executionId)
			: await waiting.end();
		expect(jsonOf(execution, 'After')).toMatchObject([{ outcome: 'delivered', order: 7 }]);
	});
});

describeWaiting('in workflows', () => {
	test('one item after the other; a late report of the first does not end the waiting for the second', async () => {
		const workflow = loopWorkflow('waitingLoop', service);
		const first = await untilItWaits(n8n, service, workflow);
		expect(first.message.externalMessageId).toBe('loop-1');
		await advance(minute);
		while (service.store.byExternalId.get('loop-2') === undefined) await pause(50);
		await n8n.session.executionEnd(first.executionId, { until: (status) => status === 'waiting' });
		expect(await callBack(first.resumeUrl, [report(first)])).toBe(200);
		await pause(500);
		expect(await first.status()).toBe('waiting');
		await advance(minute);
		const execution = await first.end();
		expect(jsonOf(execution, 'After')).toEqual([
			{ outcome: 'delivered', order: 1 },
			{ outcome: 'delivered', order: 2 },
		]);
	});

	test.each([
		['arrives: no SMS', numbers.mts, []],
		['does not: an SMS to the same number', numbers.undelivered, [numbers.undelivered]],
	])('VIBER %s', async (_, phone, expected) => {
		const workflow = fallbackWorkflow(`waitingFallback${++count}`, service, phone);
		const waiting = await untilItWaits(n8n, service, workflow);
		await advance(2 * minute);
		const execution = await waiting.end();
		expect(execution.status).toBe('success');
		expect(jsonOf(execution, 'SMS').map(({ destination }) => destination)).toEqual(expected);
	});
});
