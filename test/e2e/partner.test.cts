import { resources } from '../../nodes/BulkMessagingPartner/resources';
import { demo } from '../../sandbox/demo';
import { blacklistSteps, clientSteps } from './partner/clientSteps.cts';
import { dispatchSteps } from './partner/dispatchSteps.cts';
import { fromList, type Step } from './partner/step.cts';
import { startN8n, type Execution, type TestN8n, type Workflow } from './support/n8n.cts';
import { startOpenSandbox, type OpenSandbox } from './support/openSandbox.cts';
import { credentialOf, partnerNode } from './support/workflows.cts';

/** Every operation of the partner node, in one workflow as users build them: a node feeds the next. */

const steps: Step[] = [...clientSteps, ...dispatchSteps, ...blacklistSteps];

const operations = resources.flatMap(({ value, operations: own }) =>
	own.map((operation) => `${value}.${operation.value}`),
);

const start = {
	id: 'start',
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: {},
};

/** A branch per step that names the node it comes after; n8n runs them from top to bottom. */
function toWorkflow(credentials: ReturnType<typeof credentialOf>): Workflow {
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
			...(type === partnerNode && { credentials }),
		};
	});
	return {
		id: 'partnerStory',
		name: 'Every operation',
		nodes: [start, ...nodes],
		connections,
		settings: { executionOrder: 'v1' },
	};
}

let n8n: TestN8n;
let sandbox: OpenSandbox;
let execution: Execution;

const jsonOf = (name: string) => execution.items(name).map(({ json }) => json);

beforeAll(async () => {
	// A minute in a second: what is sent is delivered while somebody waits for it.
	[n8n, sandbox] = await Promise.all([startN8n(), startOpenSandbox({ speed: 60 })]);
	await n8n.importCredentials(Object.values(sandbox.credentials));
	const workflow = toWorkflow(credentialOf(sandbox.credentials.partner));
	await n8n.importWorkflow(workflow);
	execution = await n8n.run(workflow.id, { triggerNode: start.name });
});

test('the workflow holds every operation there is', () => {
	const held = steps.flatMap(({ operation }) => operation ?? []);
	expect(operations.filter((operation) => !held.includes(operation))).toEqual([]);
});

test('it runs to its end', () => {
	const { message, description } = execution.error ?? {};
	expect({ status: execution.status, message, description }).toEqual({ status: 'success' });
});

const asserted = steps.flatMap(({ operation, name, check }) =>
	operation !== undefined && check !== undefined ? [{ operation, name, check }] : [],
);

test.each(asserted)('$operation', ({ name, check }) => {
	check({
		json: jsonOf(name),
		items: execution.items(name),
		store: sandbox.store,
		of: jsonOf,
	});
});

/** What the editor shows when somebody opens the list of a field, with the company chosen above it. */
describe('lists of a company', () => {
	const { flowers } = demo.companies;
	const listed = async (parameter: string, method: string, companyId: unknown) => {
		const { results } = await n8n.session.searchList({
			nodeType: partnerNode,
			version: 1,
			parameter,
			method,
			parameters: { resource: 'dispatch', operation: 'get', companyId },
			credentials: credentialOf(sandbox.credentials.partner),
		});
		return results.map(({ value }) => value);
	};
	const chosen = fromList(flowers, 'Camomile Flowers LLC');
	const ofFlowers = <Entry extends { companyId: number }>(entries: Iterable<Entry>) =>
		[...entries].filter(({ companyId }) => companyId === flowers);

	test('dispatches', async () => {
		const expected = ofFlowers(sandbox.store.dispatches.values()).map(({ id }) => id);
		expect(expected).toHaveLength(4);
		expect(await listed('id', 'searchDispatches', chosen)).toEqual(expected);
	});

	test('sender names, one to choose', async () => {
		const expected = ofFlowers(sandbox.store.senders.values()).map(({ id }) => id);
		expect(await listed('id', 'searchSenders', chosen)).toEqual(expected);
	});

	test('sender names, several to choose: those a dispatch of this channel can use', async () => {
		const options = await n8n.session.ask<Array<{ value: number }>>(
			'POST',
			'/rest/dynamic-node-parameters/options',
			{
				path: 'parameters.senderIds',
				nodeTypeAndVersion: { name: partnerNode, version: 1 },
				methodName: 'getSenders',
				currentNodeParameters: {
					resource: 'dispatch',
					operation: 'create',
					companyId: chosen,
					channelType: 'SMS',
				},
				credentials: credentialOf(sandbox.credentials.partner),
			},
		);
		const expected = ofFlowers(sandbox.store.senders.values())
			.filter(
				({ channelType, status, suspended }) =>
					channelType === 'SMS' && status === 'APPROVED' && !suspended,
			)
			.map(({ id }) => id);
		expect(expected.length).toBeGreaterThan(3);
		expect(options.map(({ value }) => value)).toEqual(expected);
	});

	test('documents', async () => {
		const { companyId } = jsonOf('Create company')[0] ?? {};
		const ofClient = fromList(Number(companyId), 'Lighthouse Books');
		expect(await listed('documentId', 'searchDocuments', ofClient)).toEqual(
			jsonOf('Upload document').map(({ id }) => id),
		);
	});

	test('no company chosen: the list says what to do', async () => {
		await expect(
			listed('id', 'searchSenders', { __rl: true, mode: 'list', value: '' }),
		).rejects.toThrow('Choose a company first');
	});
});
