import { setTimeout as pause } from 'node:timers/promises';
import { demo } from '../../../sandbox/demo.cts';
import type { Execution, TestN8n, Workflow } from './n8n.cts';
import type { OpenSandbox } from './openSandbox.cts';
import { credentialOf, messagingNode } from './workflows.cts';

/** A workflow that waits for the outcome of a message, and what a test does with it. */

const node = (name: string, type: string, typeVersion: number, parameters: object, more = {}) => ({
	id: `node-${name.toLowerCase().replace(/\W+/g, '-')}`,
	name,
	type,
	typeVersion,
	position: [0, 0] as [number, number],
	parameters: parameters as Record<string, unknown>,
	...more,
});

const to = (name: string) => [{ node: name, type: 'main', index: 0 }];

const fieldsOf = (items: string) =>
	node('Fields', 'n8n-nodes-base.code', 2, { jsCode: `return ${items};` });

/** What comes after it sees the outcome, and the item it came from. */
const after = node('After', 'n8n-nodes-base.set', 3.4, {
	mode: 'raw',
	jsonOutput: '={{ { outcome: $json.outcome, order: $("Fields").item.json.order } }}',
	options: {},
});

const sendAndWait = (sandbox: OpenSandbox, parameters: object) =>
	node(
		'Wait',
		messagingNode,
		1,
		{
			resource: 'message',
			operation: 'sendAndWait',
			channelType: 'SMS',
			senderName: demo.senderNames.sms,
			destination: '={{ $json.phone }}',
			message: 'Hello',
			...parameters,
		},
		{ credentials: credentialOf(sandbox.credentials.messaging) },
	);

const start = (id: string) =>
	node(
		'Start',
		'n8n-nodes-base.webhook',
		2,
		{ httpMethod: 'POST', path: id, responseMode: 'onReceived', options: {} },
		{ webhookId: id },
	);

/** Start → Fields → Wait → After. */
export const waitingWorkflow = (
	id: string,
	sandbox: OpenSandbox,
	{ phone = demo.numbers.mts, parameters = {} }: { phone?: string; parameters?: object } = {},
): Workflow => ({
	id,
	name: id,
	nodes: [
		start(id),
		fieldsOf(`[{ json: { phone: "${phone}", order: 7 } }]`),
		sendAndWait(sandbox, parameters),
		after,
	],
	connections: {
		Start: { main: [to('Fields')] },
		Fields: { main: [to('Wait')] },
		Wait: { main: [to('After')] },
	},
	settings: { executionOrder: 'v1' },
});

/** The same for each of several items, one after the other. */
export const loopWorkflow = (
	id: string,
	sandbox: OpenSandbox,
	parameters: object = {},
): Workflow => ({
	...waitingWorkflow(id, sandbox),
	nodes: [
		start(id),
		fieldsOf('[1, 2].map((order) => ({ json: { phone: "+7916123450" + order, order } }))'),
		node('Loop', 'n8n-nodes-base.splitInBatches', 3, { batchSize: 1, options: {} }),
		sendAndWait(sandbox, { externalMessageId: `=${id}-{{ $json.order }}`, ...parameters }),
		after,
	],
	connections: {
		Start: { main: [to('Fields')] },
		Fields: { main: [to('Loop')] },
		Loop: { main: [to('After'), to('Wait')] },
		Wait: { main: [to('Loop')] },
	},
});

/** VIBER first; whatever does not arrive goes by SMS. */
export const fallbackWorkflow = (id: string, sandbox: OpenSandbox, phone: string): Workflow => {
	const viber = sendAndWait(sandbox, {
		channelType: 'VIBER',
		senderName: demo.senderNames.viber,
		options: { ttl: 60 },
	});
	const sms = {
		...sendAndWait(sandbox, {
			operation: 'send',
			destination: '={{ $json.destination }}',
			text: 'Hello',
		}),
		id: 'node-sms',
		name: 'SMS',
	};
	const decide = node('Delivered?', 'n8n-nodes-base.if', 2, {
		conditions: {
			options: { caseSensitive: true, typeValidation: 'strict' },
			combinator: 'and',
			conditions: [
				{
					id: 'delivered',
					leftValue: '={{ $json.outcome }}',
					rightValue: 'delivered',
					operator: { type: 'string', operation: 'equals' },
				},
			],
		},
		options: {},
	});
	return {
		...waitingWorkflow(id, sandbox, { phone }),
		nodes: [start(id), fieldsOf(`[{ json: { phone: "${phone}", order: 7 } }]`), viber, decide, sms],
		connections: {
			Start: { main: [to('Fields')] },
			Fields: { main: [to('Wait')] },
			Wait: { main: [to('Delivered?')] },
			'Delivered?': { main: [[], to('SMS')] },
		},
	};
};

export interface Waiting {
	readonly executionId: string;
	/** As the service has got it: signed. */
	readonly resumeUrl: string;
	/** What the person gets: the page, and the short link to it. Both are empty if nobody is asked. */
	readonly link: string;
	readonly shortLink: string;
	readonly message: { uuid: string; externalMessageId: string };
	/** When it is over, or sleeps again. */
	end(): Promise<Execution>;
	status(): Promise<string>;
}

/** The newest message that reports to a waiting execution. */
const newestMessage = ({ store }: OpenSandbox) =>
	[...store.byUuid.values()].findLast(({ single }) => single?.callbackUrl !== undefined);

/** Runs the workflow as an active one, until its execution sleeps. */
export async function untilItWaits(
	n8n: TestN8n,
	sandbox: OpenSandbox,
	workflow: Workflow,
	{ isPublished = false } = {},
): Promise<Waiting> {
	if (!isPublished) {
		await n8n.importWorkflow(workflow);
		await n8n.publish(workflow.id);
	}
	const known = new Set((await n8n.executions(workflow.id)).map(({ id }) => id));
	await n8n.postWebhook(workflow.id, {});
	let executionId: string | undefined;
	while (executionId === undefined) {
		executionId = (await n8n.executions(workflow.id)).find(({ id }) => !known.has(id))?.id;
		await pause(50);
	}
	await n8n.session.executionEnd(executionId, { until: (status) => status === 'waiting' });
	const { uuid = '', single } = newestMessage(sandbox) ?? {};
	const { url: link = '', shortUrl: shortLink = '' } = single?.links?.[0] ?? {};
	return {
		executionId,
		resumeUrl: single?.callbackUrl ?? '',
		link,
		shortLink,
		message: { uuid, externalMessageId: single?.externalMessageId ?? '' },
		end: async () => await n8n.session.executionEnd(executionId),
		status: async () => (await n8n.session.execution(executionId)).status,
	};
}

/** Calls back as the service does. */
export async function callBack(resumeUrl: string, body: unknown) {
	const response = await fetch(resumeUrl, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	await response.text();
	return response.status;
}

/** What a browser sends when a person presses a button of the page behind the link. */
export async function reply(link: string, text: string) {
	const response = await fetch(link, {
		method: 'POST',
		body: new URLSearchParams({ reply: text }),
	});
	return { status: response.status, headers: response.headers, html: await response.text() };
}
