import { sharedN8n, type Execution, type TestN8n, type Workflow } from './n8n.cts';
import { startOpenSandbox, type OpenSandbox } from './openSandbox.cts';
import type { Step } from './step.cts';
import { credentialOf } from './workflows.cts';

const start = {
	id: 'start',
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: {},
};

interface Story {
	id: string;
	/** The node it is about. */
	nodeType: string;
	credential: keyof OpenSandbox['credentials'];
	steps: readonly Step[];
	/** What the service holds before the run. */
	prepare?: (service: OpenSandbox) => Promise<unknown>;
}

/** A branch per step that names the node it comes after; n8n runs them from top to bottom. */
function toWorkflow(
	{ id, nodeType, steps }: Story,
	credentials: ReturnType<typeof credentialOf>,
): Workflow {
	const places = new Map<string, [number, number]>([[start.name, start.position]]);
	const connections: Record<string, { main: [Array<{ node: string; type: 'main'; index: 0 }>] }> =
		{};
	let row = 0;
	const nodes = steps.map(({ name, type, typeVersion, parameters, after, executeOnce }, index) => {
		const before = after ?? steps[index - 1]?.name ?? start.name;
		if (after !== undefined) row += 1;
		const [x] = places.get(before) ?? [0];
		const position: [number, number] = [x + 220, row * 200];
		places.set(name, position);
		(connections[before] ??= { main: [[]] }).main[0].push({ node: name, type: 'main', index: 0 });
		return {
			id: `step-${index}`,
			name,
			type,
			typeVersion,
			position,
			parameters,
			...(executeOnce && { executeOnce }),
			...(type === nodeType && { credentials }),
		};
	});
	return {
		id,
		name: 'Every operation',
		nodes: [start, ...nodes],
		connections,
		settings: { executionOrder: 'v1' },
	};
}

interface Told {
	readonly n8n: TestN8n;
	readonly service: OpenSandbox;
	/** What a step gave out. */
	jsonOf(name: string): Array<Record<string, unknown>>;
}

/** Every operation of a node, in one workflow in a real n8n: it runs once, then each step is looked at. */
export function describeStory(story: Story): Told {
	let n8n: TestN8n;
	let service: OpenSandbox;
	let execution: Execution;
	const jsonOf = (name: string) => execution.items(name).map(({ json }) => json);

	beforeAll(async () => {
		// A minute in a second: what is sent is delivered while somebody waits for it.
		[n8n, service] = await Promise.all([sharedN8n(), startOpenSandbox({ speed: 60 })]);
		await story.prepare?.(service);
		await n8n.importCredentials(Object.values(service.credentials));
		const workflow = toWorkflow(story, credentialOf(service.credentials[story.credential]));
		await n8n.importWorkflow(workflow);
		execution = await n8n.run(workflow.id, { triggerNode: start.name });
	});

	test('it runs to its end', () => {
		const { message, description } = execution.error ?? {};
		expect({ status: execution.status, message, description }).toEqual({ status: 'success' });
	});

	const asserted = story.steps.flatMap(({ operation, name, check }) =>
		operation !== undefined && check !== undefined ? [{ operation, name, check }] : [],
	);

	test.each(asserted)('$operation: $name', ({ name, check }) => {
		check({ json: jsonOf(name), items: execution.items(name), store: service.store, of: jsonOf });
	});

	return {
		get n8n() {
			return n8n;
		},
		get service() {
			return service;
		},
		jsonOf,
	};
}
