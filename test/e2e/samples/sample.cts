import { setTimeout as pause } from 'node:timers/promises';
import type { Credential } from '../../../host/n8n/credential.cts';
import { withoutCode } from '../../../core/contract/dispatchName';
import { startNode } from '../../../host/demo/samples.cts';
import type { WorkflowNode } from '../../../host/n8n/workflow.cts';
import type { Execution, TestN8n, Workflow } from '../support/n8n.cts';
import type { OpenSandbox } from '../support/openSandbox.cts';

interface Connection {
	/** By the name of the node. */
	credentials?: Record<string, Credential[]>;
	/** Of the workflow as JSON. */
	change?: (json: string) => string;
}

const same = (json: string) => json;
const nextDay = ', next day';

/** One sample workflow, imported into a real n8n that works against a sandbox. */
export class Sample {
	constructor(
		readonly workflow: Workflow,
		readonly n8n: TestN8n,
		readonly sandbox: OpenSandbox,
	) {}

	/**
	 * The same workflow as in production: its web and mail nodes work instead of giving out sample data. `from` in their URLs is
	 * replaced by `to`.
	 */
	async connected(from: string, to: string, { credentials = {}, change = same }: Connection) {
		const id = `${this.workflow.id.slice(0, 17)}Live`;
		const json = JSON.stringify({ ...this.workflow, id });
		const workflow = JSON.parse(change(from ? json.replaceAll(from, to) : json)) as Workflow;
		const { nodes, pinData = {} } = workflow;
		for (const node of nodes) {
			if (/\.(httpRequest|emailSend)$/.test(node.type)) delete pinData[node.name];
			const own = credentials[node.name]?.map(({ type, ...named }) => [type, named]);
			if (own) node.credentials = Object.fromEntries(own) as WorkflowNode['credentials'];
		}
		await this.n8n.importWorkflow(workflow);
		return new Sample(workflow, this.n8n, this.sandbox);
	}

	/** The same workflow a day later, by the service's clock. A name of one's own counts for ever, so it gets another one. */
	async nextDay(): Promise<Sample> {
		await this.sandbox.control('POST', '/clock/advance', { ms: 21 * 3_600_000 });
		const nodes = this.workflow.nodes.map((node) => {
			const { name, resource } = node.parameters;
			return resource === 'dispatch' && typeof name === 'string'
				? { ...node, parameters: { ...node.parameters, name: `${name}${nextDay}` } }
				: node;
		});
		const workflow = { ...this.workflow, id: `${this.workflow.id.slice(0, 17)}Next`, nodes };
		await this.n8n.importWorkflow(workflow);
		return new Sample(workflow, this.n8n, this.sandbox);
	}

	/** What the button does, to the end or until it waits for something. */
	async execute(): Promise<Execution> {
		const start = startNode(this.workflow)?.name ?? 'no trigger';
		const id = await this.n8n.session.start(this.workflow.id, start);
		return await this.ended(id, { orWaits: true });
	}

	/** An execution that must end well. */
	async ended(id: string, { orWaits = false } = {}): Promise<Execution> {
		const until = (status: string) => orWaits && status === 'waiting';
		const execution = await this.n8n.session.executionEnd(id, { until, timeoutSeconds: 150 });
		const { message, description } = execution.error ?? {};
		expect({ message, description }).toEqual({});
		expect(orWaits ? ['success', 'waiting'] : ['success']).toContain(execution.status);
		return execution;
	}

	/** An execution that has come as far as this node, and perhaps waits there. */
	async reached(id: string, node: string): Promise<Execution> {
		await this.until(async () => (await this.n8n.session.execution(id)).runs[node] !== undefined);
		return await this.ended(id, { orWaits: true });
	}

	/** The executions that callbacks have started so far; every one must end well. */
	async triggered(): Promise<Execution[]> {
		const all = await this.n8n.executions(this.workflow.id);
		const own = all.filter(({ mode }) => mode === 'webhook');
		return await Promise.all(own.map(async ({ id }) => await this.ended(id)));
	}

	/** Waits for something to come; when it never does, the test runs into its time limit. */
	async until(isThere: () => Promise<boolean>) {
		while (!(await isThere())) await pause(250);
	}

	/** What the button does where the run must stop: the title of its error. */
	async stops(): Promise<string | undefined> {
		const start = startNode(this.workflow)?.name ?? 'no trigger';
		const id = await this.n8n.session.start(this.workflow.id, start);
		const { status, error } = await this.n8n.session.executionEnd(id, { timeoutSeconds: 150 });
		expect(status).toBe('error');
		return error?.message;
	}

	/** Pressed again: it ends well, and nobody gets anything. */
	async pressedAgain(name: string, node = 'Send dispatch'): Promise<Execution> {
		const before = this.dispatches(name).length;
		const execution = await this.execute();
		const told = execution.items(node).map(({ json }) => json);
		expect(told.filter(({ outcome }) => outcome !== undefined && outcome !== 'skipped')).toEqual(
			[],
		);
		expect(JSON.stringify(told)).toMatch(/as it already|hasItAlready/);
		expect(this.dispatches(name)).toHaveLength(before);
		return execution;
	}

	/** All dispatches of this name that the service holds, also of the next day. */
	dispatches(name: string) {
		const all = [...this.sandbox.store.dispatches.values()];
		return all.filter((one) => withoutCode(one.name).replace(nextDay, '') === name);
	}

	/** The newest of them. */
	dispatch(name: string) {
		return this.dispatches(name).at(-1);
	}

	/** Who gets which text in it. */
	texts(name: string) {
		const messages = this.dispatch(name)?.messages ?? [];
		return messages.map(({ destination, text, state }) => [destination, text, state]);
	}

	async table(name: string) {
		return await this.n8n.session.tableRows(name);
	}
}

export const jsonOf = (execution: Execution, node: string, output = 0) =>
	execution.items(node, output).map(({ json }) => json);

export type Check = (sample: Sample) => Promise<void>;
