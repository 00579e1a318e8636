// @ts-check
'use strict';

const path = require('node:path');
const { setTimeout: pause } = require('node:timers/promises');
const { owner } = require('./owner.cjs');

/**
 * @typedef {object} Credential
 * @property {string} id
 * @property {string} name
 * @property {string} type
 * @property {Record<string, unknown>} data
 *
 * @typedef {object} WorkflowNode
 * @property {string} id
 * @property {string} name
 * @property {string} type
 * @property {number} typeVersion
 * @property {[number, number]} position
 * @property {Record<string, unknown>} parameters
 * @property {Record<string, {id: string, name: string}>} [credentials]
 * @property {string} [webhookId]
 * @property {boolean} [disabled]
 *
 * @typedef {object} Workflow
 * @property {string} id
 * @property {string} name
 * @property {WorkflowNode[]} nodes
 * @property {Record<string, unknown>} connections
 * @property {Record<string, unknown>} [settings]
 * @property {Record<string, Item[]>} [pinData] what a node gives out in a manual run instead of working
 *
 * @typedef {Workflow & {versionId: string, activeVersionId: string | null, isArchived?: boolean}} StoredWorkflow
 *
 * @typedef {object} Item
 * @property {Record<string, unknown>} json
 * @property {Record<string, unknown>} [binary]
 * @property {unknown} [pairedItem]
 *
 * @typedef {object} ExecutionError
 * @property {string} message
 * @property {string} [description]
 *
 * @typedef {object} NodeRun
 * @property {string} executionStatus
 * @property {ExecutionError} [error]
 * @property {{main?: Array<Item[] | null>}} [data]
 *
 * @typedef {object} Execution
 * @property {string} id
 * @property {string} status
 * @property {string} mode
 * @property {string} workflowId
 * @property {ExecutionError} [error] what stopped it
 * @property {Record<string, NodeRun[]>} runs every run of every node, by the node's name
 * @property {(node: string, output?: number) => Item[]} items what a node gave out, all its runs together
 *
 * @typedef {object} ExecutionSummary
 * @property {string} id
 * @property {string} status
 * @property {string} mode
 * @property {string} workflowId
 */

/** n8n refused: `status` says how. */
class Refusal extends Error {
	/**
	 * @param {string} request
	 * @param {number} status
	 * @param {string} body
	 */
	constructor(request, status, body) {
		super(`n8n answered ${status} to ${request}: ${body.slice(0, 500)}`);
		this.status = status;
	}
}

/**
 * n8n stores what an execution did in the format of its own dependency `flatted`.
 * @param {string} host
 * @param {string} data empty while nothing has been stored
 * @returns {{error?: ExecutionError, runData?: Record<string, NodeRun[]>}}
 */
function readResult(host, data) {
	const flatted = require(path.join(host, 'node_modules', 'flatted'));
	const stored = flatted.parse(data || '[{}]');
	return stored?.resultData ?? {};
}

/** What of a workflow is its author's, without what n8n adds. @param {Omit<Workflow, 'id'>} workflow */
function contentOf({ name, nodes, connections, settings = {}, pinData = {} }) {
	return { name, nodes, connections, settings, pinData };
}

const ended = new Set(['success', 'error', 'crashed', 'canceled']);

/** The owner, signed in at one n8n: its REST API as the editor uses it. */
class Session {
	/**
	 * @param {string} url
	 * @param {string} host the folder of the installed n8n
	 */
	constructor(url, host) {
		this.url = url;
		this.host = host;
		this.cookie = '';
	}

	async login() {
		const credentials = { emailOrLdapLoginId: owner.email, password: owner.password };
		const response = await this.request('POST', '/rest/login', credentials);
		this.cookie = response.headers
			.getSetCookie()
			.map((cookie) => cookie.split(';')[0])
			.join('; ');
	}

	/**
	 * @param {string} method
	 * @param {string} address
	 * @param {unknown} [body]
	 */
	async request(method, address, body) {
		const response = await fetch(this.url + address, {
			method,
			headers: {
				'content-type': 'application/json',
				cookie: this.cookie,
				// n8n closes what has been idle for a while, and on a busy machine a request may just be on its way there.
				connection: 'close',
			},
			body: body === undefined ? undefined : JSON.stringify(body),
			signal: AbortSignal.timeout(60_000),
		});
		if (!response.ok) {
			throw new Refusal(`${method} ${address}`, response.status, await response.text());
		}
		return response;
	}

	/**
	 * The `data` of n8n's answer. Its shape is n8n's affair: whoever calls says what they expect.
	 * @template T
	 * @param {string} method
	 * @param {string} address
	 * @param {unknown} [body]
	 * @returns {Promise<T>}
	 */
	async ask(method, address, body) {
		const response = await this.request(method, address, body);
		const { data } = /** @type {{data: T}} */ (await response.json());
		return data;
	}

	/**
	 * @template T
	 * @param {string} address
	 * @returns {Promise<T | undefined>} undefined when there is no such thing
	 */
	async find(address) {
		try {
			return await this.ask('GET', address);
		} catch (error) {
			// n8n says 403 of a workflow that does not exist.
			if (error instanceof Refusal && [403, 404].includes(error.status)) return undefined;
			throw error;
		}
	}

	/** @param {string} id @returns {Promise<Credential | undefined>} secrets blanked */
	async credential(id) {
		return await this.find(`/rest/credentials/${id}?includeData=true`);
	}

	/** Changes a credential that exists; only the import command can make one with a given id. @param {Credential} credential */
	async updateCredential({ id, name, type, data }) {
		await this.ask('PATCH', `/rest/credentials/${id}`, { name, type, data });
	}

	/**
	 * What the button "Test" of a credential does.
	 * @param {Credential} credential
	 * @returns {Promise<{status: 'OK' | 'Error', message: string}>}
	 */
	async testCredential(credential) {
		return await this.ask('POST', '/rest/credentials/test', { credentials: credential });
	}

	/**
	 * What the editor asks when somebody types into a "From list" field.
	 * @param {object} search
	 * @param {string} search.nodeType
	 * @param {number} search.version
	 * @param {string} search.parameter the name of the field
	 * @param {string} search.method the node's list search method
	 * @param {string} [search.filter] what was typed
	 * @param {string} [search.paginationToken] from the page before
	 * @param {Record<string, unknown>} search.parameters the node's parameters as they are
	 * @param {Record<string, {id: string, name: string}>} search.credentials
	 * @returns {Promise<{results: Array<{name: string, value: string | number, description?: string}>, paginationToken?: unknown}>}
	 */
	async searchList({
		nodeType,
		version,
		parameter,
		method,
		filter,
		paginationToken,
		parameters,
		credentials,
	}) {
		return await this.ask('POST', '/rest/dynamic-node-parameters/resource-locator-results', {
			path: `parameters.${parameter}`,
			nodeTypeAndVersion: { name: nodeType, version },
			currentNodeParameters: parameters,
			methodName: method,
			filter,
			paginationToken,
			credentials,
		});
	}

	/** @param {string} id @returns {Promise<StoredWorkflow | undefined>} */
	async workflow(id) {
		return await this.find(`/rest/workflows/${id}`);
	}

	/**
	 * Creates or replaces.
	 * @param {Workflow} workflow
	 * @returns {Promise<StoredWorkflow>}
	 */
	async putWorkflow(workflow) {
		const stored = await this.workflow(workflow.id);
		if (!stored) return await this.addWorkflow(workflow, workflow.id);
		return await this.ask('PATCH', `/rest/workflows/${workflow.id}?forceSave=true`, {
			...contentOf(workflow),
			versionId: stored.versionId,
		});
	}

	/**
	 * @param {Omit<Workflow, 'id'>} workflow
	 * @param {string} [id] n8n makes one up when none is given
	 * @returns {Promise<StoredWorkflow>}
	 */
	async addWorkflow(workflow, id) {
		return await this.ask('POST', '/rest/workflows', { id, ...contentOf(workflow) });
	}

	/**
	 * Makes the stored version the active one and waits until its triggers really listen.
	 * @param {string} id
	 */
	async publish(id) {
		const stored = await this.workflow(id);
		if (!stored) throw new Error(`There is no workflow ${id} to publish.`);
		await this.ask('POST', `/rest/workflows/${id}/activate`, { versionId: stored.versionId });
		const limit = Date.now() + 30_000;
		for (;;) {
			/** @type {{status: string, triggers: Array<{errorMessage: string | null}>}} */
			const { status, triggers } = await this.ask(
				'GET',
				`/rest/workflows/${id}/publication-status`,
			);
			if (status === 'published') return;
			if (status === 'failed' || status === 'partial' || Date.now() > limit) {
				const reasons = triggers.map(({ errorMessage }) => errorMessage).filter(Boolean);
				throw new Error(`"${stored.name}" was not published (${status}): ${reasons.join('; ')}`);
			}
			await pause(100);
		}
	}

	/**
	 * What the button "Execute workflow" does. The node it starts from may be a trigger that waits for an event: then
	 * nothing runs until the event comes.
	 * @param {string} id
	 * @param {string} triggerNode
	 * @returns {Promise<string>} the id of the execution
	 */
	async start(id, triggerNode) {
		const workflowData = await this.workflow(id);
		const { executionId } = await this.ask('POST', `/rest/workflows/${id}/run`, {
			workflowData,
			triggerToStartFrom: { name: triggerNode },
			runData: {},
			startNodes: [],
		});
		return executionId;
	}

	/**
	 * @param {string} id
	 * @param {{timeoutSeconds?: number, until?: (status: string) => boolean}} [options]
	 * @returns {Promise<Execution>} when it has ended, or its status is the one waited for
	 */
	async executionEnd(id, { timeoutSeconds = 120, until } = {}) {
		const limit = Date.now() + timeoutSeconds * 1000;
		for (;;) {
			const execution = await this.execution(id);
			if (ended.has(execution.status) || until?.(execution.status)) return execution;
			if (Date.now() > limit) {
				throw new Error(`Execution ${id} is still ${execution.status} after ${timeoutSeconds} s.`);
			}
			await pause(150);
		}
	}

	/** @param {string} id @returns {Promise<Execution>} */
	async execution(id) {
		const stored = await this.ask('GET', `/rest/executions/${id}`);
		const resultData = readResult(this.host, stored.data);
		const runs = resultData.runData ?? {};
		return {
			id: String(stored.id),
			status: stored.status,
			mode: stored.mode,
			workflowId: stored.workflowId,
			error: resultData.error,
			runs,
			items: (node, output = 0) =>
				(runs[node] ?? []).flatMap((run) => run.data?.main?.[output] ?? []),
		};
	}

	/** @param {string} workflowId @returns {Promise<ExecutionSummary[]>} newest first */
	async executions(workflowId) {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const { results } = await this.ask('GET', `/rest/executions?filter=${filter}&limit=100`);
		return results;
	}

	/**
	 * The rows of a data table, oldest first; undefined when there is no table of that name.
	 * @param {string} name
	 * @returns {Promise<Array<Record<string, unknown>> | undefined>}
	 */
	async tableRows(name) {
		const filter = encodeURIComponent(JSON.stringify({ name }));
		const tables = await this.ask('GET', `/rest/data-tables-global?filter=${filter}`);
		const table = tables.data.find((/** @type {{name: string}} */ one) => one.name === name);
		if (table === undefined) return undefined;
		const { data } = await this.ask(
			'GET',
			`/rest/projects/${table.projectId}/data-tables/${table.id}/rows?take=250&sortBy=id:asc`,
		);
		return data;
	}

	/** Runs a failed or crashed execution again. @param {string} id @returns {Promise<string>} the id of the new one */
	async retry(id) {
		const execution = await this.ask('POST', `/rest/executions/${id}/retry`, {
			loadWorkflow: false,
		});
		return String(execution.id);
	}
}

module.exports = { Refusal, Session, contentOf };
