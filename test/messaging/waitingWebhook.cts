import { WebhookContext } from 'n8n-core';
import {
	createRunExecutionData,
	Workflow,
	type IDataObject,
	type INode,
	type INodeParameters,
	type INodeTypes,
	type IWebhookData,
} from 'n8n-workflow';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { additionalDataOf, type Credentials } from '../support/n8n.cts';

interface Request {
	workflowId: string;
	/** The node's. */
	parameters: INodeParameters;
	credentials?: Credentials;
	/** The item that the execution sleeps with. */
	stored: IDataObject;
	method: 'GET' | 'POST';
	query: IDataObject;
	/** n8n has none for a GET. */
	body?: unknown;
	ofExecution?: string;
	/** What n8n has changed since it sent. */
	changed?: object;
}

/** A request to the webhook of a waiting Send and Wait, as n8n calls it once its own checks have passed. */
export const callWebhook = async ({
	workflowId,
	parameters,
	credentials = {},
	stored,
	method,
	query,
	body,
	ofExecution = 'e1',
	changed = {},
}: Request) => {
	const type = new BulkMessaging();
	const nodeTypes: INodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	};
	const node: INode = {
		// As in runNode.
		id: '2',
		name: 'Tested',
		type: 'tested',
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: Object.fromEntries(
			Object.keys(credentials).map((name) => [name, { id: name, name }]),
		),
	};
	const workflow = new Workflow({
		id: workflowId,
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes,
	});
	const shown = { status: 200, html: '', headers: {} as Record<string, string> };
	const response = {
		status(code: number) {
			shown.status = code;
			return response;
		},
		set(headers: Record<string, string>) {
			Object.assign(shown.headers, headers);
			return response;
		},
		send(html: string) {
			shown.html = html;
			return response;
		},
	};
	const additionalData = Object.assign(additionalDataOf(workflow, credentials, 'webhook'), {
		executionId: ofExecution,
		httpRequest: { method, query, body, headers: {}, params: {} },
		httpResponse: response,
	});
	const context = new WebhookContext(
		workflow,
		node,
		// Express' types are not installed; the node uses only what is given above.
		additionalData as never,
		'webhook',
		{ webhookDescription: type.description.webhooks?.[0] } as IWebhookData,
		[],
		createRunExecutionData({
			executionData: {
				nodeExecutionStack: [{ node, data: { main: [[{ json: stored }]] }, source: null }],
			},
		}),
	);
	const { workflowData, webhookResponse, noWebhookResponse } = await type.webhook.call(
		Object.assign(context, changed),
	);
	return {
		...shown,
		/** What n8n responds with; `undefined` if the node has responded itself. */
		answer: noWebhookResponse === true ? undefined : (webhookResponse as unknown),
		html: String(webhookResponse ?? shown.html),
		resumedWith: workflowData?.[0]?.[0]?.json,
	};
};
