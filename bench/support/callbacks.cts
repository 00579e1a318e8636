import { randomUUID } from 'node:crypto';
import { request, type Agent } from 'node:http';
import type { Credential } from '../../host/n8n/credential.cts';
import type { Workflow } from '../../host/n8n/workflow.cts';

const login = { user: 'callback', password: 'callback-password' };
const authorization = `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;

/** The same login for our trigger and for n8n's Webhook node. */
export const callbackLogin: Credential = {
	id: 'sandboxCallbackApi',
	name: 'Callbacks',
	type: 'bulkMessagingCallbackApi',
	data: { login: login.user, password: login.password },
};
export const webhookLogin: Credential = {
	id: 'webhookLogin',
	name: 'Webhook login',
	type: 'httpBasicAuth',
	data: login,
};

/** A callback nobody has seen before. */
const event = () => ({
	message_uuid: randomUUID(),
	channel_type: 'SMS',
	callback_event: 'delivered',
	external_message_id: 'crm-17',
	status: 'delivered',
	status_time: new Date().toISOString(),
});
export const bodies = (count: number, events = 1) =>
	Array.from({ length: count }, () => JSON.stringify(Array.from({ length: events }, event)));

const behind = (id: string, trigger: object, credential: Credential): Workflow => ({
	id,
	name: id,
	nodes: [
		{
			id: `${id}-trigger`,
			name: 'Trigger',
			type: '',
			typeVersion: 2,
			position: [0, 0],
			webhookId: id,
			parameters: {},
			credentials: { [credential.type]: { id: credential.id, name: credential.name } },
			...trigger,
		},
		{
			id: `${id}-next`,
			name: 'Next',
			type: 'n8n-nodes-base.noOp',
			typeVersion: 1,
			position: [240, 0],
			parameters: {},
		},
	],
	connections: { Trigger: { main: [[{ node: 'Next', type: 'main', index: 0 }]] } },
	settings: { executionOrder: 'v1' },
});

export const ours = behind(
	'callbacksOurs',
	{ type: 'n8n-nodes-bulk-messaging.bulkMessagingTrigger' },
	callbackLogin,
);
export const theirAddress = 'callbacksTheirs';
const webhook = {
	httpMethod: 'POST',
	path: theirAddress,
	authentication: 'basicAuth',
	responseMode: 'onReceived',
	options: {},
};
export const theirs = behind(
	'callbacksTheirs',
	{ type: 'n8n-nodes-base.webhook', parameters: webhook },
	webhookLogin,
);
export const ourAddress = 'callbacksOurs/fast';

const postOne = async (url: string, body: string, agent: Agent): Promise<void> =>
	await new Promise((resolve, reject) => {
		const headers = {
			'content-type': 'application/json',
			'content-length': Buffer.byteLength(body),
			authorization,
		};
		const sent = request(url, { method: 'POST', agent, headers });
		sent.on('response', (response) => {
			response.resume();
			response.on('end', () =>
				response.statusCode === 200
					? resolve()
					: reject(new Error(`n8n answered ${response.statusCode} to a callback.`)),
			);
		});
		sent.on('error', reject);
		sent.end(body);
	});

/** Posts the bodies, so many at a time, and waits for the last answer. */
export async function postAll(
	url: string,
	given: readonly string[],
	atATime: number,
	agent: Agent,
): Promise<void> {
	let next = 0;
	const sender = async () => {
		while (next < given.length) await postOne(url, given[next++], agent);
	};
	await Promise.all(Array.from({ length: atATime }, sender));
}
