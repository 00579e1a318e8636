import { ExecuteContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { messageErrorText } from '../../core/contract/errors';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { demo } from '../../sandbox/demo.cts';
import { runNode } from '../support/n8n.cts';
import { jsonOf } from '../support/sandbox.cts';
import { json } from '../support/server.cts';
import { apiKey, messagingCredential, serve } from '../transport/service.cts';
import { fromItems, itemsUpTo, sendPath, singlesOf, useMessaging } from './messages.cts';
import { addMessage } from './table/sending.cts';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/pauses.cts'));

/** What Send and Wait does before the execution sleeps; what comes after is tried in a real n8n. */

const bench = useMessaging();
const { numbers, senderNames } = demo;

const plain: INodeParameters = {
	channelType: 'SMS',
	senderName: senderNames.sms,
	destination: numbers.mts,
	message: 'Hello',
};
/** Nobody reports that an SMS was read. */
const onViber = { channelType: 'VIBER', senderName: senderNames.viber };
const wait = async (more: INodeParameters = {}, options: Parameters<typeof bench.run>[2] = {}) =>
	await bench.run('message.sendAndWait', { ...plain, ...more }, options);

const waitTill = (result: Awaited<ReturnType<typeof wait>>) => result.run.waitTill?.getTime();

test('more than one item: stops before anything is sent, and says what to do', async () => {
	const { error } = await wait(fromItems, { items: itemsUpTo(3) });
	expect(error?.message).toBe("'Send and Wait' works with one item at a time, but received 3");
	expect(error?.description).toContain('Nothing was sent.');
	expect(error?.description).toContain('Loop Over Items');
	expect(await bench.everything()).toEqual([]);
});

test.each([
	[{}, 25],
	[{ limitHours: 0.5 }, 0.5],
])('%j: sleeps for %d hours at most', async (more, hours) => {
	const before = Date.now();
	const result = await wait(more);
	expect(result.run.status).toBe('waiting');
	const slept = (waitTill(result) ?? 0) - before;
	expect(slept).toBeGreaterThanOrEqual(hours * 3_600_000);
	expect(slept).toBeLessThan(hours * 3_600_000 + 60_000);
});

test.each([
	['delivery', ['delivered']],
	['reading', ['delivered', 'read']],
])('waiting for %s asks for these events: %j', async (responseType, events) => {
	await wait({ ...onViber, responseType });
	expect(singlesOf(bench.sandbox)[0]?.single?.callbackEvents).toEqual(events);
});

test('Read is offered where a message can be read, and delivery is waited for elsewhere', () => {
	const responseType = new BulkMessaging().description.properties.find(
		({ name }) => name === 'responseType',
	);
	expect(responseType?.displayOptions?.hide).toEqual({
		channelType: ['SMS', 'FLASHCALL', 'VOICECODE', 'TEXT_TO_SPEECH'],
	});
	expect(responseType?.default).toBe('delivery');
});

test('an n8n that only it itself can reach: nothing is sent to a service elsewhere', async () => {
	const { error } = await runNode({
		node: new BulkMessaging(),
		parameters: { resource: 'message', operation: 'sendAndWait', ...plain },
		credentials: { bulkMessagingApi: { baseUrl: 'https://api.example.com/api/v1', apiKey } },
	});
	expect(error?.message).toContain("The service can't reach your n8n instance");
	expect(error?.description).toContain('http://127.0.0.1');
	expect(error?.description).toContain('N8N_WEBHOOK_URL');
});

describe('it is over before the execution sleeps', () => {
	/** The sandbox shows the message like this when it is looked up. */
	const over = (fields: object) => {
		const [message] = singlesOf(bench.sandbox);
		Object.assign(message ?? {}, fields);
	};
	const finishWhenSent = (fields: object) => {
		const strike = bench.sandbox.faults.strike.bind(bench.sandbox.faults);
		return jest.spyOn(bench.sandbox.faults, 'strike').mockImplementation((request) => {
			if (request.method === 'GET') over(fields);
			return strike(request);
		});
	};

	test.each([
		['delivered', 'delivered', {}],
		['undelivered', 'failed', { reason: expect.any(String) as string }],
		['unsent', 'failed', { errorCode: 453, reason: messageErrorText(453) }],
		['unsent', 'failed', { errorCode: 125, reason: messageErrorText(125) }],
		['unsent', 'failed', { errorCode: 9_999, reason: "The message couldn't be sent." }],
	])('%s is %s, with %j: goes on at once', async (...row) => {
		const [state, outcome, why] = row;
		const spy = finishWhenSent({
			state,
			errorCode: 'errorCode' in why ? why.errorCode : null,
			statusAt: Date.UTC(2026, 2, 2, 7, 0, 5),
		});
		const result = await wait();
		spy.mockRestore();
		expect(result.run.status).toBe('success');
		expect(jsonOf(result.items)).toEqual([
			{
				outcome,
				messageUuid: singlesOf(bench.sandbox)[0]?.uuid,
				externalMessageId: expect.any(String) as string,
				destination: numbers.mts,
				channelType: 'SMS',
				...why,
				occurredAt: '2026-03-02T07:00:05.000Z',
			},
		]);
	});

	test('delivered, and it waits for the reading: sleeps', async () => {
		const spy = finishWhenSent({ state: 'delivered' });
		const result = await wait({ ...onViber, responseType: 'reading' });
		spy.mockRestore();
		expect(result.run.status).toBe('waiting');
	});

	test.each([
		['read', 'read'],
		['unread', 'notRead'],
	])('%s, and it waits for that: goes on at once', async (read, outcome) => {
		const spy = jest.spyOn(bench.sandbox.faults, 'strike').mockImplementation(() => {
			const [message] = singlesOf(bench.sandbox);
			if (message?.single !== undefined) Object.assign(message.single, { read, readAt: 0 });
			if (message !== undefined) message.state = 'delivered';
			return undefined;
		});
		const result = await wait({ ...onViber, responseType: 'reading' });
		spy.mockRestore();
		expect(jsonOf(result.items)).toMatchObject([{ outcome }]);
	});

	test('it cannot be looked up: sleeps, the callback will tell', async () => {
		const headers = { 'retry-after': '3600' };
		bench.sandbox.faults.add({ kind: 'status', status: 503, headers, match: { method: 'GET' } });
		expect((await wait()).run.status).toBe('waiting');
	});
});

test('n8n fails to let the execution wait, Retry On Fail: the next try sends nothing and waits', async () => {
	const failing = jest.spyOn(ExecuteContext.prototype, 'putExecutionToWait');
	failing.mockRejectedValueOnce(new Error('No active execution found'));
	const { run } = await wait({}, { tries: 2 });
	expect(failing).toHaveBeenCalledTimes(2);
	failing.mockRestore();
	expect(run.status).toBe('waiting');
	expect(singlesOf(bench.sandbox)).toHaveLength(1);
});

describe('an Custom Message ID that was used before', () => {
	const own = { externalMessageId: 'order-1' };

	test('and the message is under way: it reports elsewhere, so this stops', async () => {
		await addMessage(bench.sandbox, own);
		const { error } = await wait(own);
		expect(error?.message).toBe(
			'An earlier run already sent the message with the custom message ID order-1',
		);
		expect(error?.description).toContain('This run sent nothing.');
		expect(bench.sent('POST', sendPath)).toBe(0);
	});

	test('and the message is delivered: goes on with that', async () => {
		await addMessage(bench.sandbox, own);
		await bench.sandbox.advance(60_000);
		const { items } = await wait(own);
		expect(jsonOf(items)).toMatchObject([{ outcome: 'delivered', externalMessageId: 'order-1' }]);
		expect(bench.sent('POST', sendPath)).toBe(0);
	});

	test('Send Anyway: sends and waits', async () => {
		await addMessage(bench.sandbox, own);
		const { run } = await wait({ ...own, options: { usedBefore: 'sendAnyway' } });
		expect(run.status).toBe('waiting');
		expect(singlesOf(bench.sandbox)).toHaveLength(2);
	});
});

describe('the message is not accepted', () => {
	const senderName = 'NOBODY';
	const refusal =
		'The service rejected this message (code 404). The service says: sender name NOBODY is not approved for SMS and this number';

	test('stops', async () => {
		const { error, run } = await wait({ senderName });
		expect(error?.message).toBe(refusal);
		expect(run.waitTill).toBeUndefined();
	});

	const lose = () => {
		bench.fault('commit-then-reset', 'POST', sendPath);
		const headers = { 'retry-after': '3600' };
		bench.fault('status', 'GET', '*', { status: 503, headers, times: 100 });
	};
	const answerNothing = () => bench.respond('status', 'POST', sendPath, undefined);
	test.each<[string, () => void, string]>([
		['the answer and all looks are lost', lose, 'The connection to the service was lost'],
		['no answer, and not listed', answerNothing, "doesn't say what became of this message"],
	])('%s: stops, and does not sleep', async (_, prepare, words) => {
		prepare();
		const { error, items, run } = await wait({}, { tries: 2 });
		expect(error?.message).toMatch(
			/^It is not known whether the message with the custom message ID /,
		);
		expect(error?.description).toContain(words);
		expect(items).toEqual([]);
		expect([run.status, run.waitTill]).toEqual(['error', undefined]);
		expect(bench.sent('POST', sendPath)).toBe(1);
	});

	test('an error that repeats the address to come back to does not show it', async () => {
		let signature = '';
		const server = await serve(({ method, body }) => {
			if (method === 'GET') return json(200, { total: 0, items: [] });
			const [{ callbackUrl }] = JSON.parse(String(body)) as [{ callbackUrl: string }];
			signature = new URL(callbackUrl).searchParams.get('signature') ?? '';
			return json(400, { error: { code: 4000, msg: `${callbackUrl} is bad` } });
		});
		const { error, run } = await runNode({
			node: new BulkMessaging(),
			parameters: { resource: 'message', operation: 'sendAndWait', ...plain },
			credentials: messagingCredential(`${server.url}/api/v1`),
		});
		expect(error?.description).toContain('The service says: *** is bad');
		expect(signature).toMatch(/^[0-9a-f]{64}$/);
		expect(JSON.stringify([run, error])).not.toContain(signature);
	});
});
