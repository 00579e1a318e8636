import { setTimeout as pause } from 'node:timers/promises';
import { demo } from '../../sandbox/demo.cts';
import {
	callBack,
	fallbackWorkflow,
	loopWorkflow,
	reply,
	untilItWaits,
	waitingWorkflow,
	type Waiting,
} from './support/waiting.cts';
import { isOlderThan, startN8n, testFrom, type Execution, type OwnN8n } from './support/n8n.cts';
import { startOpenSandbox, type OpenSandbox } from './support/openSandbox.cts';

/** A workflow that sleeps until the service reports what became of its message. */

const { numbers, senderNames } = demo;
const minute = 60_000;

let n8n: OwnN8n;
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

/** An older n8n may call it crashed for a while, because its event log doesn't say that an execution waits. */
const untilItSucceeds = async (executionId: string) => {
	for (;;) {
		const execution = await n8n.session.execution(executionId);
		if (execution.status === 'success' && execution.runs.After !== undefined) return execution;
		await pause(200);
	}
};

/** The URL without each of its values, and with another one in its place. */
const forgeriesOf = (signedUrl: string) => {
	const changed = (change: (query: URLSearchParams) => void) => {
		const url = new URL(signedUrl);
		change(url.searchParams);
		return url.href;
	};
	return [
		...[...new URL(signedUrl).searchParams.keys()].flatMap((name) => [
			changed((query) => query.delete(name)),
			changed((query) => query.set(name, '')),
			changed((query) => query.set(name, 'a'.repeat(query.get(name)?.length ?? 0))),
		]),
		changed((query) => [...query.keys()].forEach((name) => query.delete(name))),
	];
};

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

	test.each([
		['read', numbers.mts, minute],
		['notRead', numbers.unread, 26 * 60 * minute],
	])('%s, when that is waited for: delivered keeps it waiting', async (outcome, phone, ms) => {
		const waiting = await wait({
			phone,
			parameters: { channelType: 'VIBER', senderName: senderNames.viber, responseType: 'reading' },
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
				waitId: expect.any(String),
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
		for (const url of forgeriesOf(waiting.resumeUrl)) {
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

const ask = async (
	responseType: 'approval' | 'freeText' = 'approval',
	{ parameters, ...options }: NonNullable<Parameters<typeof wait>[0]> = {},
) => await wait({ ...options, parameters: { responseType, ...parameters } });

const open = async (link: string, method = 'GET', userAgent = 'Mozilla/5.0') => {
	const response = await fetch(link, { method, headers: { 'user-agent': userAgent } });
	return { status: response.status, headers: response.headers, html: await response.text() };
};

describeWaiting('a reply', () => {
	test.each([
		['approve', 'approved', { approved: true }],
		['decline', 'declined', { approved: false }],
	])('%s: the workflow continues with it, once', async (given, outcome, data) => {
		const waiting = await ask();
		const { status, headers, html } = await reply(waiting.link, given);
		expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
		expect(html).toContain('Thank you');
		const execution = await waiting.end();
		expect(jsonOf(execution, 'Wait')).toEqual([
			{
				destination: numbers.mts,
				outcome,
				data,
				text: 'Hello',
				channelType: 'SMS',
				occurredAt: expect.any(String) as string,
				externalMessageId: waiting.message.externalMessageId,
				messageUuid: waiting.message.uuid,
			},
		]);
		expect(jsonOf(execution, 'After')).toEqual([{ outcome, order: 7 }]);
	});

	test('previews, crawlers and empty forms: nothing is answered', async () => {
		const waiting = await ask();
		const visitors = [
			'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
			'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
			'WhatsApp/2.24.1 A',
			'TelegramBot (like TwitterBot)',
			'facebookexternalhit/1.1;line-poker/1.0',
			'Viber/13.3.0.5 CFNetwork/1125.2 Darwin/19.4.0',
			'curl/8.0',
		];
		for (const visitor of visitors) {
			const { status, headers, html } = await open(waiting.link, 'GET', visitor);
			expect([visitor, status, headers.get('cache-control')]).toEqual([visitor, 200, 'no-store']);
			expect(headers.get('content-security-policy')).toBe(
				"default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
			);
			expect(headers.get('referrer-policy')).toBe('no-referrer');
			expect(html).toContain('Your reply is needed');
			await open(waiting.link, 'HEAD', visitor);
			await open(waiting.link, 'POST', visitor);
		}
		expect(await waiting.status()).toBe('waiting');
		await reply(waiting.link, 'approve');
		expect(jsonOf(await waiting.end(), 'After')).toMatchObject([{ outcome: 'approved' }]);
	});

	/** Opening the link and replying change nothing any more. */
	const expectOver = async (waiting: Waiting) => {
		const before = await n8n.session.execution(waiting.executionId);
		for (const { status, html } of [
			await open(waiting.link),
			await reply(waiting.link, 'approve'),
		]) {
			expect(status).toBe(200);
			expect(html).toContain('No action required');
		}
		const { status, runs } = await n8n.session.execution(waiting.executionId);
		expect(status).toBe('success');
		expect(runs).toEqual(before.runs);
	};

	test('again: the first one counts', async () => {
		const waiting = await ask();
		await reply(waiting.link, 'decline');
		expect(jsonOf(await waiting.end(), 'After')).toMatchObject([{ outcome: 'declined' }]);
		await expectOver(waiting);
	});

	testFrom('2.8', 'it lets several requests resume an execution at the same moment.')(
		'ten at the same moment: one counts, and only that person is thanked',
		async () => {
			const waiting = await ask('freeText');
			const texts = Array.from({ length: 10 }, (_, index) => `Reply ${index}`);
			const replies = await Promise.all(
				texts.map(async (text) => ({ text, ...(await reply(waiting.link, text)) })),
			);
			const execution = await waiting.end();
			expect(execution.runs.After).toHaveLength(1);
			const thanked = replies.filter(({ html }) => html.includes('Thank you'));
			expect(jsonOf(execution, 'Wait').map(({ data }) => data)).toEqual(
				thanked.map(({ text }) => ({ text })),
			);
			await expectOver(waiting);
		},
	);

	test("by a forged link, or by the service's URL: 401 or ignored, and it keeps waiting", async () => {
		const waiting = await ask();
		const { link, resumeUrl } = waiting;
		const forged = [
			...forgeriesOf(link),
			`${link}&report=1`,
			resumeUrl.replace('reportAsked=', 'ask='),
		];
		for (const url of forged) {
			expect([url, (await open(url)).status]).toEqual([url, 401]);
			expect([url, (await reply(url, 'approve')).status]).toEqual([url, 401]);
		}
		expect((await reply(resumeUrl, 'approve')).status).toBe(200);
		expect(await waiting.status()).toBe('waiting');
		await reply(link, 'approve');
		expect(jsonOf(await waiting.end(), 'After')).toMatchObject([{ outcome: 'approved' }]);
	});

	test('to the previous message of a loop: it is over, and the next one keeps waiting', async () => {
		const workflow = loopWorkflow('replyLoop', service, { responseType: 'approval' });
		const first = await untilItWaits(n8n, service, workflow);
		await reply(first.link, 'approve');
		const second = await n8n.session.executionEnd(first.executionId, {
			until: (status) => status === 'waiting' && service.store.byExternalId.has('replyLoop-2'),
		});
		expect(second.status).toBe('waiting');
		for (const { status, html } of [await open(first.link), await reply(first.link, 'approve')]) {
			expect(status).toBe(410);
			expect(html).toContain('Someone has already replied');
		}
		expect(await first.status()).toBe('waiting');
		const link = service.store.byExternalId.get('replyLoop-2')?.[0]?.single?.links?.[0]?.url ?? '';
		await reply(link, 'decline');
		expect(jsonOf(await first.end(), 'After')).toEqual([
			{ outcome: 'approved', order: 1 },
			{ outcome: 'declined', order: 2 },
		]);
	});
});

describeWaiting('n8n is not there for a while', () => {
	// kill -9 leaves only what n8n has stored; after a regular end it has stored as much.
	test('killed: goes on waiting, for a result and for a reply; a callback that came meanwhile is healed by the resend', async () => {
		const missed = await wait();
		const asked = await ask();
		await n8n.killHard();
		await advance(minute);
		expect(answersTo(missed)).toStrictEqual([undefined]);
		await n8n.start();
		expect((await open(asked.link)).html).toContain('Your reply is needed');
		await reply(asked.link, 'approve');
		expect(jsonOf(await untilItSucceeds(asked.executionId), 'After')).toEqual([
			{ outcome: 'approved', order: 7 },
		]);
		if (!isOlderThan('2.41')) expect(await missed.status()).toBe('waiting');
		await advance(5 * minute);
		expect(answersTo(missed)).toEqual([undefined, 200]);
		expect(jsonOf(await untilItSucceeds(missed.executionId), 'After')).toEqual([
			{ outcome: 'delivered', order: 7 },
		]);
	});
});

describeWaiting('in workflows', () => {
	test('one item after the other; a late report of the first does not end the waiting for the second', async () => {
		const workflow = loopWorkflow('waitingLoop', service);
		const first = await untilItWaits(n8n, service, workflow);
		expect(first.message.externalMessageId).toBe('waitingLoop-1');
		await advance(minute);
		while (service.store.byExternalId.get('waitingLoop-2') === undefined) await pause(50);
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
