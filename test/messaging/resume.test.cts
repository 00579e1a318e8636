import type { IDataObject } from 'n8n-workflow';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { demo } from '../../sandbox/demo.cts';
import { runNode, type Credentials } from '../support/n8n.cts';
import { singlesOf, useMessaging } from './messages.cts';
import { callWebhook } from './waitingWebhook.cts';

/**
 * Who may resume a waiting execution, without n8n's own check of the signature in the URL: not every n8n makes it. And what
 * 'Send and Wait' does in an n8n that lacks the functions it needs.
 */

const service = useMessaging();
const workflowId = 'resumed';
const parameters = {
	resource: 'message',
	operation: 'sendAndWait',
	channelType: 'SMS',
	senderName: demo.senderNames.sms,
	destination: demo.numbers.mts,
	message: 'Hello',
};

/** Sends, and returns what the service got and what n8n has stored. */
const untilItWaits = async (values: IDataObject = {}) => {
	const { run, items } = await runNode({
		node: new BulkMessaging(),
		parameters: { ...parameters, ...values },
		credentials: service.credentials(),
		workflowId,
	});
	expect(run.status).toBe('waiting');
	const [message] = singlesOf(service.sandbox);
	const { callbackUrl = '', externalMessageId = '' } = message?.single ?? {};
	return {
		stored: items[0]?.json ?? {},
		query: Object.fromEntries(new URL(callbackUrl).searchParams) as IDataObject,
		report: [{ external_message_id: externalMessageId, status: 'delivered' }],
	};
};

interface Callback {
	stored: IDataObject;
	query: IDataObject;
	report: unknown[];
	credentials?: Credentials;
	ofExecution?: string;
	/** What n8n has changed since it sent. */
	changed?: { getSignedResumeUrl: (() => string) | undefined };
}

const callBack = async ({ report, credentials = service.credentials(), ...others }: Callback) => {
	const request = { workflowId, parameters, method: 'POST', body: report, credentials } as const;
	const { status, resumedWith, answer } = await callWebhook({ ...request, ...others });
	// The service sends a callback again that isn't confirmed.
	expect(answer).toEqual(status === 200 ? { received: true } : undefined);
	return { status, resumedWith };
};

test('the webhook is open for opening the link, and for the form and the callbacks', () => {
	const { webhooks } = new BulkMessaging().description;
	expect(webhooks).toMatchObject([
		{ httpMethod: 'GET', restartWebhook: true },
		{ httpMethod: 'POST', restartWebhook: true },
	]);
});

const arrives = { status: 200, resumedWith: { outcome: 'delivered' } };

test('the URL that the service got resumes the execution', async () => {
	expect(await callBack(await untilItWaits())).toMatchObject(arrives);
});

test.each<[string, (query: IDataObject) => IDataObject]>([
	['no signature', ({ report }) => ({ report })],
	['an empty signature', (query) => ({ ...query, signature: '' })],
	['a signature of the same length', (query) => ({ ...query, signature: 'a'.repeat(64) })],
	['a shorter one', (query) => ({ ...query, signature: String(query.signature).slice(1) })],
	['one with other letters', (query) => ({ ...query, signature: 'я'.repeat(64) })],
	[
		'two of them',
		(query) => ({ ...query, signature: [query.signature, query.signature] as string[] }),
	],
	['an object', (query) => ({ ...query, signature: { 0: query.signature } as IDataObject })],
	['no ID of the wait', ({ signature }) => ({ signature })],
	['the ID of another wait', (query) => ({ ...query, report: 'another' })],
	['an ID as a list', (query) => ({ ...query, report: [query.report] as string[] })],
	['nothing', () => ({})],
])('%s in the URL: 401, and the execution keeps waiting', async (_, forge) => {
	const waiting = await untilItWaits();
	expect(await callBack({ ...waiting, query: forge(waiting.query) })).toEqual({ status: 401 });
});

type Ids = Record<'own' | 'uuid', IDataObject[string]>;
test.each<[string, (ids: Ids) => IDataObject]>([
	['with spaces', ({ own }) => ({ external_message_id: `${String(own)} ` })],
	['empty', ({ uuid }) => ({ external_message_id: '', message_uuid: uuid })],
	['an object', ({ uuid }) => ({ external_message_id: {}, message_uuid: uuid })],
	['a number', ({ own }) => ({ external_message_id: Number(own) })],
	['in camelCase and capitals', ({ own }) => ({ externalMessageId: own, status: 'DELIVERED' })],
])('the custom message ID in the callback is %s: the outcome arrives', async (_, idsFrom) => {
	const waiting = await untilItWaits({ externalMessageId: '12345' });
	const { externalMessageId: own, messageUuid: uuid } = waiting.stored;
	const report = [{ status: 'delivered', ...idsFrom({ own, uuid }) }];
	expect(await callBack({ ...waiting, report })).toMatchObject(arrives);
});

test.each(['read', 'unread'])(
	'waiting for the delivery, and it is %s: delivered',
	async (status) => {
		const waiting = await untilItWaits();
		const report = waiting.report.map((one) => ({ ...one, status }));
		expect(await callBack({ ...waiting, report })).toMatchObject(arrives);
	},
);

test('undelivered: when and why, as the callback says', async () => {
	const waiting = await untilItWaits();
	const time = '2026-03-02T10:00:00Z';
	const report = [
		{ ...waiting.report[0], status: 'undelivered', error_code: 454, status_time: time },
	];
	expect(await callBack({ ...waiting, report })).toMatchObject({
		resumedWith: { outcome: 'failed', errorCode: 454, occurredAt: time },
	});
});

test('a time that is not a text is left out', async () => {
	const waiting = await untilItWaits();
	const report = [{ ...waiting.report[0], status_time: 17 }];
	const { resumedWith } = await callBack({ ...waiting, report });
	expect(resumedWith).toMatchObject({ outcome: 'delivered' });
	expect(resumedWith).not.toHaveProperty('occurredAt');
});

test.each([
	['has an outcome already', { outcome: 'delivered' }],
	['is of no wait', { waitId: undefined }],
])('the stored item %s: the execution keeps waiting', async (_, changed) => {
	const waiting = await untilItWaits();
	const stored = { ...waiting.stored, ...changed };
	expect(await callBack({ ...waiting, stored })).toEqual({ status: 200 });
});

test('an error code that is not a number: the message failed, without a code', async () => {
	const waiting = await untilItWaits();
	const report = [{ message_uuid: waiting.stored.messageUuid, status: 'unsent', error_code: '?' }];
	const { resumedWith } = await callBack({ ...waiting, report });
	expect(resumedWith).toMatchObject({ outcome: 'failed', reason: "The message couldn't be sent." });
	expect(resumedWith).not.toHaveProperty('errorCode');
});

test('a callback that says nothing at all, or nothing final: the execution keeps waiting', async () => {
	const waiting = await untilItWaits();
	const [{ external_message_id: own } = {}] = waiting.report;
	const report = [null, 17, 'delivered', { external_message_id: own, status: 'sent' }];
	expect(await callBack({ ...waiting, report })).toEqual({ status: 200 });
});

test('the service gave no UUID, and the callback has only that: the outcome arrives', async () => {
	const waiting = await untilItWaits();
	const stored = { ...waiting.stored, messageUuid: undefined };
	const report = [{ message_uuid: 'any', status: 'delivered' }];
	expect(await callBack({ ...waiting, stored, report })).toMatchObject({
		resumedWith: { outcome: 'delivered', messageUuid: 'any' },
	});
});

test.each<[string, IDataObject, IDataObject]>([
	['another custom message ID', { external_message_id: 'another' }, {}],
	['another UUID', { message_uuid: 'another' }, {}],
	['no ID', {}, {}],
	['no ID, and the service gave no UUID', {}, { messageUuid: undefined }],
])('%s in the callback: the execution keeps waiting', async (_, ids, changed) => {
	const waiting = await untilItWaits();
	const stored = { ...waiting.stored, ...changed };
	const report = [{ ...ids, status: 'delivered' }];
	expect(await callBack({ ...waiting, stored, report })).toEqual({ status: 200 });
});

test('the custom message ID ends inside an emoji: nothing is sent', async () => {
	const { error } = await runNode({
		node: new BulkMessaging(),
		parameters: { ...parameters, externalMessageId: 'Rose 🌹'.slice(0, -1) },
		credentials: service.credentials(),
	});
	expect(`${error?.message} ${error?.description}`).toContain(
		"'Custom Message ID' contains half of an emoji",
	);
	expect(await service.everything()).toEqual([]);
});

test('the URL of another execution: 401', async () => {
	const waiting = await untilItWaits();
	expect(await callBack({ ...waiting, ofExecution: 'e2' })).toEqual({ status: 401 });
});

test.each<[string, (() => string) | undefined]>([
	['an error', () => new URL('n8n.example.com').href],
	['no URL', () => ''],
	['a URL without a signature', () => 'https://n8n.example.com/webhook-waiting/e1/2'],
	['nothing, because it has no such function', undefined],
])('n8n makes %s to compare with: 401', async (_, getSignedResumeUrl) => {
	const waiting = await untilItWaits();
	for (const signature of [waiting.query.signature, '', 'undefined', 'null']) {
		const query = { ...waiting.query, signature };
		const callback = { ...waiting, query, changed: { getSignedResumeUrl } };
		expect(await callBack(callback)).toEqual({ status: 401 });
	}
});

test('the API key was changed meanwhile: the outcome still arrives', async () => {
	const waiting = await untilItWaits();
	const credentials = { bulkMessagingApi: { baseUrl: 'http://127.0.0.1', apiKey: 'another' } };
	expect(await callBack({ ...waiting, credentials })).toMatchObject(arrives);
});

/** Sends with an n8n that has other functions than the one of the tests. */
const runIn = async (changed: object) => {
	const node = new BulkMessaging();
	const otherwise = Object.create(node) as BulkMessaging;
	otherwise.execute = async function (this) {
		return await node.execute.call(Object.assign(this, changed));
	};
	return await runNode({ node: otherwise, parameters, credentials: service.credentials() });
};

test('an n8n before 1.107 has no signed resume URL: nothing is sent, and it says which n8n is needed', async () => {
	const { error } = await runIn({ getSignedResumeUrl: undefined });
	expect(error?.message).toBe("'Send and Wait' needs n8n 1.107 or later");
	expect(error?.description).toMatch(/^Nothing was sent\./);
	expect(await service.everything()).toEqual([]);
});

test.each<[string, (more?: object) => unknown]>([
	['an error', () => new URL('n8n.example.com/webhook').href],
	['no URL', () => ''],
	['a URL without a signature', () => 'https://n8n.example.com/webhook-waiting/e1/2'],
	['a URL with an empty signature', () => 'https://n8n.example.com/webhook-waiting/1?signature='],
	['a URL that calls it a token', () => 'https://n8n.example.com/webhook-waiting/1?token=abc'],
	['something else', () => undefined],
	// It signs the first URL, but not the one of the message.
	['one URL', (more) => `http://127.0.0.1/webhook-waiting/1?${more ? 'report' : 'signature'}=1`],
])('n8n makes %s: nothing is sent, and it says what to do', async (name, getSignedResumeUrl) => {
	const { error } = await runIn({ getSignedResumeUrl });
	expect(error?.description).toMatch(/^Nothing was sent\./);
	if (name !== 'one URL') {
		expect(error?.message).toContain('it has no valid URL for callbacks');
		expect(error?.description).toMatch(/^Nothing was sent\. Set .*WEBHOOK_URL.* https:/);
	}
	expect(await service.everything()).toEqual([]);
});

test('n8n 1.107 to 2.13 checks the signature only if asked: it is asked before anything is sent', async () => {
	const sentBefore: number[] = [];
	await runIn({
		setSignatureValidationRequired: () => sentBefore.push(singlesOf(service.sandbox).length),
	});
	expect(sentBefore).toEqual([0]);
	expect(singlesOf(service.sandbox)).toHaveLength(1);
});
