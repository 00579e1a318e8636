import { setTimeout as pause } from 'node:timers/promises';
import type { Credential } from './credential.cts';
import {
	readExecution,
	type Execution,
	type ExecutionSummary,
	type StoredExecution,
} from './execution.cts';
import { owner } from './owner.cts';
import { contentOf, type StoredWorkflow, type Workflow } from './workflow.cts';

/** n8n rejected a request with this status. */
export class Refusal extends Error {
	constructor(
		request: string,
		readonly status: number,
		body: string,
	) {
		super(`n8n responded with ${status} to ${request}: ${body.slice(0, 500)}`);
	}
}

/** The request that the editor sends when a user types into a "From list" field. */
interface ListSearch {
	nodeType: string;
	version: number;
	/** The name of the field. */
	parameter: string;
	/** The node's list search method. */
	method: string;
	/** What was typed. */
	filter?: string;
	/** From the previous page. */
	paginationToken?: string;
	/** The node's current parameters. */
	parameters: Record<string, unknown>;
	credentials: Record<string, { id: string; name: string }>;
}

interface ListPage {
	results: Array<{ name: string; value: string | number; description?: string }>;
	paginationToken?: unknown;
}

interface Publication {
	status: string;
	triggers: Array<{ errorMessage: string | null }>;
}

const ended = new Set(['success', 'error', 'crashed', 'canceled']);

/** The REST API of one n8n as the editor uses it, signed in as the owner. */
export class Session {
	private cookie = '';

	/** `host` is the folder of the installed n8n. */
	constructor(
		private readonly url: string,
		private readonly host: string,
	) {}

	async login() {
		const credentials = { emailOrLdapLoginId: owner.email, password: owner.password };
		const ask = async () => await this.request('POST', '/rest/login', credentials);
		const response = await ask().catch(async (error: unknown) => {
			if (!(error instanceof Refusal) || error.status !== 401) throw error;
			// An older n8n doesn't take its owner from the environment.
			await this.request('POST', '/rest/owner/setup', owner);
			return await ask();
		});
		this.cookie = response.headers
			.getSetCookie()
			.map((cookie) => cookie.split(';')[0])
			.join('; ');
	}

	async request(method: string, path: string, body?: unknown) {
		const response = await fetch(this.url + path, {
			method,
			headers: {
				'content-type': 'application/json',
				cookie: this.cookie,
				// n8n closes idle connections. On a busy machine a request could be sent on one that is being closed.
				connection: 'close',
			},
			body: body === undefined ? undefined : JSON.stringify(body),
			signal: AbortSignal.timeout(60_000),
		});
		if (!response.ok) {
			throw new Refusal(`${method} ${path}`, response.status, await response.text());
		}
		return response;
	}

	/** The `data` of n8n's response. n8n decides on its shape, so the caller states the expected type. */
	async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await this.request(method, path, body);
		const { data } = (await response.json()) as { data: T };
		return data;
	}

	/** `undefined` if it doesn't exist. */
	private async find<T>(path: string): Promise<T | undefined> {
		try {
			return await this.ask<T>('GET', path);
		} catch (error) {
			// n8n responds with 403 for a workflow that doesn't exist.
			if (error instanceof Refusal && [403, 404].includes(error.status)) return undefined;
			throw error;
		}
	}

	/** With its secrets blanked. */
	async credential(id: string) {
		return await this.find<Credential>(`/rest/credentials/${id}?includeData=true`);
	}

	/** Changes an existing credential. Only the import command can create one with a given id. */
	async updateCredential({ id, name, type, data }: Credential) {
		await this.ask('PATCH', `/rest/credentials/${id}`, { name, type, data });
	}

	/** Does what a credential's "Test" button does. */
	async testCredential(credential: Credential) {
		return await this.ask<{ status: 'OK' | 'Error'; message: string }>(
			'POST',
			'/rest/credentials/test',
			{ credentials: credential },
		);
	}

	async searchList({ nodeType, version, parameter, method, parameters, ...search }: ListSearch) {
		return await this.ask<ListPage>(
			'POST',
			'/rest/dynamic-node-parameters/resource-locator-results',
			{
				...search,
				path: `parameters.${parameter}`,
				nodeTypeAndVersion: { name: nodeType, version },
				currentNodeParameters: parameters,
				methodName: method,
			},
		);
	}

	async workflow(id: string) {
		return await this.find<StoredWorkflow>(`/rest/workflows/${id}`);
	}

	/** Creates or replaces. */
	async putWorkflow(workflow: Workflow) {
		return await this.replaceWorkflow(await this.workflow(workflow.id), workflow);
	}

	/** Without a stored one, it is created. */
	async replaceWorkflow(
		stored: StoredWorkflow | undefined,
		workflow: Workflow,
	): Promise<StoredWorkflow> {
		if (!stored) return await this.addWorkflow(workflow, workflow.id);
		return await this.ask('PATCH', `/rest/workflows/${workflow.id}?forceSave=true`, {
			...contentOf(workflow),
			versionId: stored.versionId,
		});
	}

	/** Without an id, n8n generates one. */
	async addWorkflow(workflow: Omit<Workflow, 'id'>, id?: string): Promise<StoredWorkflow> {
		// An older n8n wants to be told that the workflow is inactive.
		return await this.ask('POST', '/rest/workflows', { id, ...contentOf(workflow), active: false });
	}

	/** Deactivates and deletes all of them, with their executions. */
	async deleteWorkflows() {
		const stored = await this.ask<Array<{ id: string }>>('GET', '/rest/workflows');
		for (const { id } of stored) {
			await this.ask('POST', `/rest/workflows/${id}/archive`, {}).catch((error: unknown) => {
				// An older n8n deletes a workflow without archiving it first, and this one may be archived already.
				if (!(error instanceof Refusal)) throw error;
			});
			await this.deleteWorkflow(id);
		}
	}

	private async deleteWorkflow(id: string, limit = Date.now() + 60_000): Promise<void> {
		try {
			await this.ask('DELETE', `/rest/workflows/${id}`);
		} catch (error) {
			const isUnpublishing = error instanceof Refusal && error.status === 409;
			if (!isUnpublishing || Date.now() > limit) throw error;
			await pause(100);
			await this.deleteWorkflow(id, limit);
		}
	}

	private async activate({ id, versionId }: StoredWorkflow) {
		try {
			await this.ask('POST', `/rest/workflows/${id}/activate`, { versionId });
		} catch (error) {
			if (!(error instanceof Refusal) || error.status !== 404) throw error;
			// The way of an older n8n.
			await this.ask('PATCH', `/rest/workflows/${id}`, { active: true, versionId });
		}
	}

	/** Activates the stored version and waits until its triggers listen. */
	async publish(id: string) {
		const stored = await this.workflow(id);
		if (!stored) throw new Error(`There is no workflow ${id} to publish.`);
		await this.activate(stored);
		const limit = Date.now() + 30_000;
		for (;;) {
			const publication = await this.find<Publication>(`/rest/workflows/${id}/publication-status`);
			// An older n8n has no such status: its triggers listen as soon as it has responded.
			if (publication === undefined) return;
			const { status, triggers } = publication;
			if (status === 'published') return;
			if (status === 'failed' || status === 'partial' || Date.now() > limit) {
				const reasons = triggers.map(({ errorMessage }) => errorMessage).filter(Boolean);
				throw new Error(`"${stored.name}" was not published (${status}): ${reasons.join('; ')}`);
			}
			await pause(100);
		}
	}

	/**
	 * Does what the button "Execute workflow" does, and returns the id of the execution. If the start node is a trigger that
	 * waits for an event, there is no id: nothing runs until the event arrives.
	 */
	async start(id: string, triggerNode: string) {
		const workflowData = await this.workflow(id);
		const { executionId } = await this.ask<{ executionId: string }>(
			'POST',
			`/rest/workflows/${id}/run`,
			{
				workflowData,
				triggerToStartFrom: { name: triggerNode },
				runData: {},
				startNodes: [],
			},
		);
		return executionId;
	}

	/** Resolves when the execution has ended, or when `until` accepts its status. */
	async executionEnd(
		id: string,
		{
			timeoutSeconds = 300,
			until,
		}: { timeoutSeconds?: number; until?: (status: string) => boolean } = {},
	): Promise<Execution> {
		const limit = Date.now() + timeoutSeconds * 1000;
		// n8n returns the whole execution each time, so a long one is asked for less and less often.
		let pauseMs = 100;
		for (;;) {
			// n8n 2.20 responds with 500 as long as it has saved nothing of the execution but its start.
			const execution = await this.execution(id).catch((error: unknown) => {
				const hasNoData =
					error instanceof Refusal && error.message.includes("(reading 'resultData')");
				if (hasNoData && Date.now() <= limit) return;
				throw error;
			});
			if (execution && (ended.has(execution.status) || until?.(execution.status))) return execution;
			if (Date.now() > limit) {
				const status = execution?.status ?? 'unknown';
				throw new Error(`Execution ${id} is still ${status} after ${timeoutSeconds} s.`);
			}
			await pause(pauseMs);
			pauseMs = Math.min(pauseMs * 1.3, 600);
		}
	}

	async execution(id: string): Promise<Execution> {
		const stored = await this.ask<StoredExecution>('GET', `/rest/executions/${id}`);
		return readExecution(stored, this.host);
	}

	/** Newest first. */
	async executions(workflowId: string) {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const { results } = await this.ask<{ results: ExecutionSummary[] }>(
			'GET',
			`/rest/executions?filter=${filter}&limit=100`,
		);
		// n8n lists those that run first, and one that is just ending twice: as running, then as ended.
		const byId = new Map(results.map((one) => [one.id, one]));
		return [...byId.values()].sort((a, b) => Number(b.id) - Number(a.id));
	}

	/** The rows of a data table, oldest first, or `undefined` if there is no table with that name. */
	async tableRows(name: string) {
		const filter = encodeURIComponent(JSON.stringify({ name }));
		const tables = await this.ask<{
			data: Array<{ id: string; name: string; projectId: string }>;
		}>('GET', `/rest/data-tables-global?filter=${filter}`);
		const table = tables.data.find((one) => one.name === name);
		if (table === undefined) return undefined;
		const { data } = await this.ask<{ data: Array<Record<string, unknown>> }>(
			'GET',
			`/rest/projects/${table.projectId}/data-tables/${table.id}/rows?take=250&sortBy=id:asc`,
		);
		return data;
	}
}
