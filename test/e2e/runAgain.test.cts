import { setTimeout as pause } from 'node:timers/promises';
import { withoutCode } from '../../core/contract/dispatchName';
import { languageModelCredential } from '../../host/service/credentials.cts';
import type { WorkflowNode } from '../../host/n8n/workflow.cts';
import { demo } from '../../sandbox/demo.cts';
import { json, startServer } from '../support/server.cts';
import { undoAfterwards } from './support/cleanup.cts';
import { isOlderThan, startN8n, testFrom, type OwnN8n, type Workflow } from './support/n8n.cts';
import { startOpenSandbox, type OpenSandbox } from './support/openSandbox.cts';
import { credentialOf, partnerNode } from './support/workflows.cts';

/** A dispatch whose run was killed, or that several runs send at once: run again, everybody has it once in the end. */

let n8n: OwnN8n;
let sandbox: OpenSandbox;

const minuteMs = 60_000;

beforeAll(async () => {
	// Its clock moves only when the test advances it, so nobody waits for half an hour.
	[n8n, sandbox] = await Promise.all([startN8n(), startOpenSandbox({ speed: 0 })]);
	const company = sandbox.store.companies.get(demo.companies.flowers);
	if (company) company.budget = null;
	await n8n.importCredentials(Object.values(sandbox.credentials));
});

const node = (
	name: string,
	type: string,
	parameters: Record<string, unknown>,
	more: Partial<WorkflowNode> = {},
): WorkflowNode => ({
	id: name,
	name,
	type: `n8n-nodes-base.${type}`,
	typeVersion: 1,
	position: [0, 0],
	parameters,
	...more,
});

const start = node('Start', 'manualTrigger', {});

const sending = (parameters: Record<string, unknown>, type = partnerNode) =>
	node(
		'Send',
		'',
		{
			resource: 'dispatch',
			operation: 'send',
			companyId: { __rl: true, mode: 'id', value: String(demo.companies.flowers) },
			channelType: 'SMS',
			text: 'The shop opens at eight',
			priceLimit: 1_000_000,
			...parameters,
		},
		{ type, credentials: credentialOf(sandbox.credentials.partner) },
	);

const chain = (id: string, nodes: WorkflowNode[]): Workflow => ({
	id,
	name: id,
	nodes: nodes.map((one, index) => ({ ...one, position: [index * 220, 0] })),
	connections: Object.fromEntries(
		nodes
			.slice(1)
			.map(({ name }, index) => [
				nodes[index]?.name,
				{ main: [[{ node: name, type: 'main', index: 0 }]] },
			]),
	),
	settings: { executionOrder: 'v1' },
});

const listOf = (count: number) =>
	`={{ Array.from({ length: ${count} }, (_, index) => ({ destination: '7916' + String(1000000 + index) })) }}`;

const dispatchesOf = (name: string) =>
	[...sandbox.store.dispatches.values()].filter((one) => withoutCode(one.name) === name);

/** Of everything that was started under this name: each number once. */
const expectEverybodyOnce = (name: string, count: number) => {
	const started = dispatchesOf(name).filter(({ status }) => status !== 'CREATED');
	const numbers = started.flatMap(({ messages }) => messages.map(({ destination }) => destination));
	expect({ messages: numbers.length, people: new Set(numbers).size }).toEqual({
		messages: count,
		people: count,
	});
};

const press = async (id: string) => await n8n.run(id, { triggerNode: 'Start' });

const summaryOf = ({ items }: Awaited<ReturnType<typeof press>>) =>
	String(items('Send')[0]?.json.summary);

describe('n8n is killed in the middle of filling, and the workflow runs every ten minutes', () => {
	const name = 'Killed in the middle';
	const count = 4_000;

	test('it stops for half an hour and says until when; then everybody gets it, once', async () => {
		const options = { batchSize: 20 };
		const send = sending({ name, recipients: 'json', messagesJson: listOf(count), options });
		await n8n.importWorkflow(chain('killed', [start, send]));
		await n8n.session.start('killed', 'Start');
		const half = () => dispatchesOf(name)[0]?.messages.length ?? 0;
		while (half() < 400) await pause(5);
		await n8n.killHard();
		expect(half()).toBeLessThan(count);
		await n8n.start();

		const [left] = dispatchesOf(name);
		const inHalfAnHour = new Date((left?.createdAt ?? 0) + 30 * minuteMs);
		for (const minutes of [0, 10, 20]) {
			const { status, error } = await press('killed');
			expect([minutes, status, error?.message]).toEqual([
				minutes,
				'error',
				`Another run may still be sending "${name}"`,
			]);
			const [, hours, rest] =
				/^Nobody got a message from this run\. Run it again at (\d\d):(\d\d) \(\S+\)/.exec(
					error?.description ?? '',
				) ?? [];
			// To the minute: the time zone is the workflow's.
			expect([hours?.length, Number(rest)]).toEqual([
				2,
				Math.ceil(inHalfAnHour.getTime() / minuteMs) % 60,
			]);
			await sandbox.control('POST', '/clock/advance', { ms: 10 * minuteMs });
		}
		// What stopped has left nothing behind.
		expect(dispatchesOf(name)).toEqual([left]);

		// The service's `Date` header, by which the node knows the time, has whole seconds.
		await sandbox.control('POST', '/clock/advance', { ms: 1_000 });
		const sent = await press('killed');
		expect([sent.status, sent.error?.message]).toEqual(['success', undefined]);
		expectEverybodyOnce(name, count);
		const next = await press('killed');
		expect(next.status).toBe('success');
		expect(summaryOf(next)).toMatch(/^Everybody has it already: dispatch \d+ \(/);
		expect(dispatchesOf(name).map(({ status }) => status === 'CREATED')).toEqual([true, false]);
		expectEverybodyOnce(name, count);
	});
});

test('two executions at once: the second waits for the first and sends to nobody', async () => {
	const name = 'Pressed twice';
	const send = sending({ name, recipients: 'json', messagesJson: listOf(500) });
	await n8n.importWorkflow(chain('twice', [start, send]));
	const ends = await Promise.all([press('twice'), press('twice')]);
	expect(ends.map(({ status, error }) => [status, error?.message])).toEqual([
		['success', undefined],
		['success', undefined],
	]);
	const summaries = ends.map(summaryOf).sort();
	expect(summaries).toEqual([
		expect.stringMatching(/^Everybody has it already: dispatch \d+ \(/),
		'The service accepted the message for 500 of 500 people.',
	]);
	expect(dispatchesOf(name)).toHaveLength(1);
	expectEverybodyOnce(name, 500);
});

test('a sub-workflow that runs once per person, called by two executions at once: each person once', async () => {
	const people = ['79165550001', '79165550002', '79165550003', '79165550001'];
	const name = 'From a sub-workflow';
	await n8n.importWorkflow(
		chain('child', [
			node(
				'Called',
				'executeWorkflowTrigger',
				{ inputSource: 'passthrough' },
				{ typeVersion: 1.1 },
			),
			sending({ name, recipients: 'items', destination: '={{ $json.phone }}' }),
		]),
	);
	await n8n.importWorkflow(
		chain('parent', [
			start,
			node(
				'People',
				'set',
				{
					mode: 'raw',
					jsonOutput: JSON.stringify({ people: people.map((phone) => ({ phone })) }),
					options: {},
				},
				{ typeVersion: 3.4 },
			),
			node('One by one', 'splitOut', { fieldToSplitOut: 'people', options: {} }),
			node(
				'Call',
				'executeWorkflow',
				{
					workflowId: { __rl: true, mode: 'id', value: 'child' },
					mode: 'each',
					options: {},
				},
				{ typeVersion: 1.2 },
			),
		]),
	);
	if (!isOlderThan('2')) await n8n.publish('child');
	const ends = await Promise.all([press('parent'), press('parent')]);
	expect(ends.map(({ status, error }) => [status, error?.message])).toEqual([
		['success', undefined],
		['success', undefined],
	]);
	expectEverybodyOnce(name, 3);
	// Four rows in each of the two, and three of the eight have sent.
	const told = ends.flatMap(({ items }) => items('Call').map(({ json: one }) => one));
	expect(told.map(({ hasItAlready = 0 }) => hasItAlready).sort()).toEqual([0, 0, 0, 1, 1, 1, 1, 1]);
});

testFrom('2.8', 'the agent was not tried with older ones')(
	'an agent that calls its tool twice in one message: the tools send once',
	async () => {
		const name = 'From an agent';
		const call = (id: string) => ({
			id,
			type: 'function',
			function: { name: 'Send', arguments: '{"text":"The shop opens at eight"}' },
		});
		// Both calls at once, then a sentence.
		const model = await startServer(({ body }) => {
			const { messages = [] } = JSON.parse(body.toString() || '{}') as {
				messages?: Array<{ role: string; content?: unknown }>;
			};
			const results = messages.filter(({ role }) => role === 'tool');
			const message =
				results.length === 0
					? { role: 'assistant', content: null, tool_calls: [call('one'), call('two')] }
					: { role: 'assistant', content: JSON.stringify(results.map(({ content }) => content)) };
			return json(200, {
				id: 'chat',
				object: 'chat.completion',
				created: 0,
				model: 'model',
				choices: [
					{ index: 0, message, finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop' },
				],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			});
		});
		undoAfterwards(model.close);
		const credential = languageModelCredential(`${model.url}/v1`);
		await n8n.importCredentials([credential]);
		const langchain = (name: string, type: string, version: number, more: Partial<WorkflowNode>) =>
			node(
				name,
				'',
				{},
				{ type: `@n8n/n8n-nodes-langchain.${type}`, typeVersion: version, ...more },
			);
		const agent = langchain('Agent', 'agent', 3.1, {
			parameters: { promptType: 'define', text: 'Tell them', options: {} },
		});
		const chat = langchain('Model', 'lmChatOpenAi', 1.3, {
			parameters: {
				model: { __rl: true, mode: 'id', value: 'model' },
				responsesApiEnabled: false,
				options: {},
			},
			credentials: credentialOf(credential),
		});
		const tool = sending(
			{
				descriptionType: 'manual',
				toolDescription: 'Sends an SMS to all customers',
				name,
				text: "={{ $fromAI('text', `The text`, 'string') }}",
				recipients: 'json',
				messagesJson: listOf(200),
			},
			`${partnerNode}Tool`,
		);
		const { connections, ...workflow } = chain('agentTwice', [start, agent]);
		await n8n.importWorkflow({
			...workflow,
			nodes: [...workflow.nodes, chat, tool],
			connections: {
				...connections,
				Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
				Send: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
			},
		});
		const { status, error, items } = await press('agentTwice');
		expect([status, error?.message]).toEqual(['success', undefined]);
		const output = String(items('Agent')[0]?.json.output);
		expect(output).toContain('The service accepted the message for 200 of 200 people.');
		expect(output).toContain('Everybody has it already: dispatch ');
		expect(dispatchesOf(name)).toHaveLength(1);
		expectEverybodyOnce(name, 200);
	},
);
