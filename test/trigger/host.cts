import { randomInt } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse as parseForm } from 'node:querystring';
import { buffer } from 'node:stream/consumers';
import { DataDeduplicationService, HookContext, WebhookContext, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	Workflow,
	type IDataDeduplicator,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeTypes,
	type IWebhookData,
	type IWebhookResponseData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { BulkMessagingTrigger } from '../../nodes/BulkMessagingTrigger/BulkMessagingTrigger.node';
import { webhooks } from '../../nodes/BulkMessagingTrigger/webhooks';
import { additionalDataOf, type Credentials } from '../support/n8n.cts';
import { readAndWrite, type KeysRow } from './keysRow.cts';

interface Row extends KeysRow {
	/** How often it was asked for. */
	questions: number;
	/** How many of the next questions the database refuses. */
	failures: number;
	/** How many turns of the event loop a question takes. */
	turns: number;
}

const rows = new Map<string, Row>();

const rowOf = (workflowId: string | undefined, nodeId: string | undefined): Row => {
	const name = `${workflowId} ${nodeId}`;
	const row = rows.get(name) ?? { questions: 0, failures: 0, turns: 1 };
	rows.set(name, row);
	return row;
};

const later = async () => await new Promise<void>((resolve) => setImmediate(resolve));

const deduplicator: IDataDeduplicator = {
	async checkProcessedAndRecord(items, _scope, { node, workflow }, { maxEntries }) {
		const row = rowOf(workflow.id, node?.id);
		row.questions++;
		for (let turn = 0; turn < row.turns; turn++) await later();
		if (row.failures > 0) {
			row.failures--;
			throw new Error('the database is locked');
		}
		return await readAndWrite(row, items, { between: later, maxEntries });
	},
	removeProcessed: async () => undefined,
	clearAllProcessedItems: async () => undefined,
	getProcessedDataCount: async () => 0,
};
void DataDeduplicationService.init(deduplicator);

export const login = { login: 'callbacks', password: 'correct horse battery' };
export const basic = (text = `${login.login}:${login.password}`) =>
	`Basic ${Buffer.from(text).toString('base64')}`;

export type Address = 'fast' | 'confirmed';

export interface HostOptions {
	parameters?: INodeParameters;
	credentials?: Credentials;
	mode?: WorkflowExecuteMode;
	/** The caller's address as Express tells it. */
	ip?: string;
	/** Another name: another memory. A name used before: the same trigger, as after a restart of the server alone. */
	workflowId?: string;
	/** n8n puts the execution on record; may fail. */
	record?: () => Promise<void>;
	/** The workflow behind the trigger; may fail. */
	work?: (outputs: IDataObject[][]) => Promise<void>;
}

interface CallOptions {
	authorization?: string | null;
	headers?: Record<string, string>;
	query?: string;
	signal?: AbortSignal;
}

interface Answered {
	status: number;
	text: string;
	headers: Headers;
}

/**
 * Names that no other test file has: a trigger looks at its record once more a second later, when another file may run in this
 * process.
 */
let count = randomInt(1_000_000) * 1_000_000;

const send = (response: ServerResponse, status: number, body?: unknown) => {
	response.writeHead(status, { 'content-type': 'application/json' });
	response.end(body === undefined ? undefined : JSON.stringify(body));
};

const jsonOf = (outputs: Array<INodeExecutionData[] | null>): IDataObject[][] =>
	outputs.map((output) => (output ?? []).map(({ json }) => json));

/** Parameters as n8n fills them in: whatever the user has not chosen has its default. */
const withDefaults = (given: INodeParameters): INodeParameters => ({
	...Object.fromEntries(
		new BulkMessagingTrigger().description.properties.map((one) => [one.name, one.default]),
	),
	...given,
});

/** The trigger in n8n's contexts behind a real HTTP server, called and answered the way n8n 2.41 does it. */
export const startHost = async ({
	parameters = {},
	credentials = { bulkMessagingCallbackApi: login },
	mode = 'webhook',
	ip = '127.0.0.1',
	workflowId = `w${count++}`,
	record = async () => undefined,
	work = async () => undefined,
}: HostOptions = {}) => {
	const trigger = new BulkMessagingTrigger();
	const nodeTypes: INodeTypes = {
		getByName: () => trigger,
		getByNameAndVersion: () => trigger,
		getKnownTypes: () => ({}),
	};
	const node: INode = {
		id: 'trigger',
		name: 'Trigger',
		type: 'trigger',
		typeVersion: 2,
		position: [0, 0],
		parameters: withDefaults(parameters),
		credentials: Object.fromEntries(
			Object.keys(credentials).map((type) => [type, { id: type, name: type }]),
		),
	};
	const workflow = new Workflow({
		id: workflowId,
		name: 'Reports',
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes,
	});
	/** What every started execution gave out, per output. */
	const started: IDataObject[][][] = [];
	const problems: unknown[] = [];

	const execute = async (stored: INodeExecutionData[][]) => {
		const runExecutionData = createRunExecutionData({
			executionData: { nodeExecutionStack: [{ node, data: { main: stored }, source: null }] },
		});
		const additionalData = additionalDataOf(workflow, credentials, mode);
		const run = await new WorkflowExecute(
			additionalData,
			mode,
			runExecutionData,
		).processRunExecutionData(workflow);
		const { error, runData } = run.data.resultData;
		if (error !== undefined) throw error;
		const outputs = jsonOf(runData.Trigger?.[0]?.data?.main ?? []);
		started.push(outputs);
		// n8n goes on only where there are items.
		if (outputs.some((output) => output.length > 0)) await work(outputs);
		return outputs;
	};

	const webhookData = (address: Address): IWebhookData => {
		const webhookDescription = webhooks.find(({ path }) => path === address) ?? webhooks[0];
		const additionalData = additionalDataOf(workflow, credentials, mode);
		return {
			httpMethod: 'POST',
			node: node.name,
			path: address,
			webhookDescription,
			workflowId,
			workflowExecuteAdditionalData: additionalData,
		};
	};

	const hookContext = () => {
		const data = webhookData('fast');
		const additionalData = data.workflowExecuteAdditionalData;
		return new HookContext(workflow, node, additionalData, mode, 'activate', data);
	};

	const handle = async (request: IncomingMessage, response: ServerResponse) => {
		const url = new URL(request.url ?? '', 'http://127.0.0.1');
		const rawBody = await buffer(request);
		const contentType = request.headers['content-type']?.split(';')[0];
		let body: unknown;
		try {
			if (contentType === 'application/json' && rawBody.length > 0)
				body = JSON.parse(rawBody.toString());
		} catch {
			return send(response, 422, { message: 'Failed to parse request body' });
		}
		if (contentType === 'text/plain') body = rawBody.toString();
		if (contentType === 'application/x-www-form-urlencoded') body = parseForm(rawBody.toString());
		const httpRequest = Object.assign(request, {
			body,
			ip,
			query: Object.fromEntries(url.searchParams),
			params: {},
			...(body !== undefined && { rawBody }),
			readRawBody: async () => {
				Object.assign(request, { rawBody });
			},
		});
		const data = webhookData(url.pathname.slice(1) as Address);
		const additionalData = Object.assign(data.workflowExecuteAdditionalData, {
			httpRequest,
			httpResponse: response,
		});
		// Express' types are not installed; the trigger uses what Node's own objects have, and what is added above.
		const context = new WebhookContext(
			workflow,
			node,
			additionalData as never,
			mode,
			data,
			[],
			null,
		);
		const result: IWebhookResponseData = await trigger.webhook.call(context);
		if (result.workflowData === undefined) {
			if (result.noWebhookResponse !== true) send(response, 200, result.webhookResponse ?? {});
			return;
		}
		try {
			await record();
			// As it comes back from the database.
			const stored = JSON.parse(JSON.stringify(result.workflowData)) as INodeExecutionData[][];
			if (data.webhookDescription.responseMode === 'onReceived') {
				send(response, 200, result.webhookResponse);
				await execute(stored).catch(() => undefined);
			} else {
				await execute(stored);
				send(response, 200);
			}
		} catch {
			send(response, 500, { message: 'Error in workflow' });
		}
	};

	const busy = new Set<Promise<void>>();
	const server = createServer((request, response) => {
		const handling = handle(request, response)
			.catch((error: unknown) => {
				problems.push(error);
				response.destroy();
			})
			.finally(() => busy.delete(handling));
		busy.add(handling);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const host = {
		url: `http://127.0.0.1:${port}`,
		workflowId,
		started,
		/** All items of all executions, outputs together. */
		get items(): IDataObject[] {
			return started.flat(2);
		},
		/** What n8n's table has of this trigger. */
		row: rowOf(workflowId, node.id),
		/** What must never happen: an error that leaves the trigger. */
		problems,
		async post(
			address: Address,
			body: unknown,
			{ authorization = basic(), headers = {}, query = '', signal }: CallOptions = {},
		): Promise<Answered> {
			const response = await fetch(`http://127.0.0.1:${port}/${address}${query}`, {
				method: 'POST',
				headers: {
					'content-type': 'application/json',
					...(authorization !== null && { authorization }),
					...headers,
				},
				body: typeof body === 'string' ? body : JSON.stringify(body),
				signal,
			});
			return { status: response.status, text: await response.text(), headers: response.headers };
		},
		/** Everything that was started has ended. */
		async settled() {
			while (busy.size > 0) await Promise.all(busy);
		},
		/** Posts, and waits until everything that was started has ended. Gives the status of the answer. */
		async deliver(address: Address, body: unknown, options?: CallOptions): Promise<number> {
			const { status } = await host.post(address, body, options);
			await host.settled();
			return status;
		},
		/** The one all contexts of n8n write to. */
		get logger() {
			return hookContext().logger;
		},
		/** What n8n does when the workflow is activated. */
		async activate() {
			const context = hookContext();
			const { checkExists, create } = trigger.webhookMethods.default;
			if (!(await checkExists.call(context))) await create.call(context);
		},
		execute,
		async close() {
			await new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			});
		},
	};
	hosts.push(host);
	return host;
};
export type Host = Awaited<ReturnType<typeof startHost>>;

/** What leaves a new trigger after a call, which it answers with 200. */
export const itemsFrom = async (address: Address, body: unknown, options?: HostOptions) => {
	const host = await startHost(options);
	expect(await host.deliver(address, body)).toBe(200);
	return host.items;
};

const hosts: Array<{ close(): Promise<void>; problems: unknown[] }> = [];
afterEach(async () => {
	for (const host of hosts.splice(0)) {
		await host.close();
		expect(host.problems).toEqual([]);
	}
});
