import { readSamples } from '../../host/demo/samples.cts';
import type { WorkflowNode } from '../../host/n8n/workflow.cts';

/** This package supports the last n8n 1.x, and n8n 2.x from a certain version on. */
export const oldestN8n = '1.123';
const oldestN8n2 = '2.8';

/**
 * What the samples use of n8n's own nodes, by the n8n version that has it first. The first list also contains what
 * n8n had before 1.123.
 *
 * A line is a node and its version, followed by a resource, an operation or an option: n8n adds these later too, without
 * raising the node's version. An n8n that doesn't know an option ignores it.
 */
const firstWith: Readonly<Record<string, readonly string[]>> = {
	[oldestN8n]: [
		'n8n-nodes-base.executeWorkflow 1.2',
		'n8n-nodes-base.executeWorkflowTrigger 1.1',
		'n8n-nodes-base.merge 3.2 option multipleMatches',
		'n8n-nodes-base.respondToWebhook 1.1',
		'n8n-nodes-base.respondToWebhook 1.1 option responseCode',
		'n8n-nodes-base.respondToWebhook 1.1 option responseHeaders',
		'@n8n/n8n-nodes-langchain.chatTrigger 1.4',
		'@n8n/n8n-nodes-langchain.chatTrigger 1.4 option responseMode',
		'@n8n/n8n-nodes-langchain.lmChatOpenAi 1.3',
		'n8n-nodes-base.convertToFile 1.1',
		'n8n-nodes-base.convertToFile 1.1 operation toBinary',
		'n8n-nodes-base.convertToFile 1.1 option fileName',
		'n8n-nodes-base.convertToFile 1.1 option mimeType',
		'n8n-nodes-base.emailSend 2.1',
		'n8n-nodes-base.emailSend 2.1 option attachments',
		'n8n-nodes-base.filter 2.2',
		'n8n-nodes-base.googleSheets 4.7',
		'n8n-nodes-base.googleSheets 4.7 resource sheet operation read',
		'n8n-nodes-base.httpRequest 4.2',
		'n8n-nodes-base.httpRequest 4.2 option batching',
		'n8n-nodes-base.httpRequest 4.2 option pagination',
		'n8n-nodes-base.hubspot 2.2',
		'n8n-nodes-base.hubspot 2.2 resource contact operation search',
		'n8n-nodes-base.if 2.2',
		'n8n-nodes-base.limit 1',
		'n8n-nodes-base.manualTrigger 1',
		'n8n-nodes-base.merge 3.2',
		'n8n-nodes-base.noOp 1',
		'n8n-nodes-base.scheduleTrigger 1.2',
		'n8n-nodes-base.set 3.4',
		'n8n-nodes-base.splitInBatches 3',
		'n8n-nodes-base.splitOut 1',
		'n8n-nodes-base.stickyNote 1',
		'n8n-nodes-base.stopAndError 1',
		'n8n-nodes-base.summarize 1.1',
		'n8n-nodes-base.switch 3.2',
		'n8n-nodes-base.switch 3.2 option fallbackOutput',
		'n8n-nodes-base.switch 3.2 option renameFallbackOutput',
		'n8n-nodes-base.wait 1.1',
		'n8n-nodes-base.webhook 2.1',
	],
	'2.1': [
		'n8n-nodes-base.dataTable 1.1 resource row operation deleteRows',
		'n8n-nodes-base.dataTable 1.1 resource row operation rowExists',
		'@n8n/n8n-nodes-langchain.agent 3.1',
		'@n8n/n8n-nodes-langchain.agent 3.1 option maxIterations',
		'@n8n/n8n-nodes-langchain.agent 3.1 option systemMessage',
		'n8n-nodes-base.dataTable 1.1',
		'n8n-nodes-base.dataTable 1.1 resource row operation get',
		'n8n-nodes-base.dataTable 1.1 resource row operation insert',
		'n8n-nodes-base.dataTable 1.1 resource row operation rowNotExists',
		'n8n-nodes-base.dataTable 1.1 resource row operation update',
		'n8n-nodes-base.dataTable 1.1 resource row operation upsert',
	],
	'2.3': [
		'n8n-nodes-base.dataTable 1.1 option createIfNotExists',
		'n8n-nodes-base.dataTable 1.1 resource table operation create',
		'n8n-nodes-base.form 2.5',
		'n8n-nodes-base.form 2.5 operation completion',
		'n8n-nodes-base.form 2.5 operation page',
		'n8n-nodes-base.form 2.5 option buttonLabel',
		'n8n-nodes-base.form 2.5 option formDescription',
		'n8n-nodes-base.form 2.5 option formTitle',
	],
	'2.7': [
		'@n8n/n8n-nodes-langchain.chat 1.2',
		'@n8n/n8n-nodes-langchain.chat 1.2 operation send',
		// n8n makes this node from the chat node, with the same versions. It has done so since 2.6.
		'@n8n/n8n-nodes-langchain.chatHitlTool 1.2',
	],
	// Version 2 takes its key from a credential. Earlier versions of n8n weren't checked.
	'2.8': ['n8n-nodes-base.crypto 2'],
	// Version 1 uses Pipedrive's API v1, which Pipedrive has deprecated.
	'2.16': [
		'n8n-nodes-base.pipedrive 2',
		'n8n-nodes-base.pipedrive 2 resource note operation create',
		'n8n-nodes-base.pipedrive 2 resource person operation get',
		'n8n-nodes-base.pipedrive 2 resource person operation getAll',
		'n8n-nodes-base.pipedrive 2 resource person operation update',
	],
	// The first version that can let only n8n's users in. 2.24 to 2.26 weren't checked.
	// 'Require Workflow Execute Permission' exists since 2.34; the README says so.
	'2.27': [
		'n8n-nodes-base.formTrigger 2.6',
		'n8n-nodes-base.formTrigger 2.6 option buttonLabel',
		'n8n-nodes-base.formTrigger 2.6 option ignoreBots',
	],
};

const howToFindOut = `Find the first n8n that has it and add a line to ${__filename.split(/[\\/]/).slice(-3).join('/')}:
1. For an n8n version, get the versions of its nodes: npm view n8n@2.8.4 dependencies.n8n-nodes-base dependencies.@n8n/n8n-nodes-langchain
2. Download them, for example: npm pack n8n-nodes-base@2.8.1
3. dist/types/nodes.json in the package lists every node with its versions, operations and options.
If it is missing in an n8n that should run the sample, use a lower version of the node.`;

const since = new Map(
	Object.entries(firstWith).flatMap(([n8n, lines]) => lines.map((line) => [line, n8n] as const)),
);

/** What a node in a workflow uses. */
function usesOf({ type, typeVersion, parameters }: WorkflowNode) {
	const node = `${type} ${typeVersion}`;
	const choices = ['resource', 'operation']
		.filter((name) => typeof parameters[name] === 'string')
		.map((name) => `${name} ${String(parameters[name])}`);
	return [
		node,
		...(choices.length > 0 ? [[node, ...choices].join(' ')] : []),
		...Object.keys(parameters.options ?? {}).map((option) => `${node} option ${option}`),
	];
}

/** The nodes of the samples that these nodes run. */
function nodesOfCalled(nodes: readonly WorkflowNode[]) {
	const called = nodes
		.filter(({ type }) => type === 'n8n-nodes-base.executeWorkflow')
		.map(({ parameters }) => parameters.workflowId as { value: string });
	return readSamples()
		.filter(({ workflow }) => called.some(({ value }) => value === workflow.id))
		.flatMap(({ workflow }) => workflow.nodes);
}

const inOrder = (versions: string[]) =>
	versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));

/** The lowest n8n version that this package supports and that has everything that these nodes and the samples they run use. */
export function neededN8n(nodes: readonly WorkflowNode[]) {
	const uses = [...nodes, ...nodesOfCalled(nodes)]
		.filter(({ type }) => !type.startsWith('n8n-nodes-bulk-messaging.'))
		.flatMap(usesOf);
	const unknown = uses.filter((use) => !since.has(use));
	if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}.\n${howToFindOut}`);
	const versions = uses.map((use) => since.get(use) ?? oldestN8n);
	if (versions.every((version) => version === oldestN8n)) return oldestN8n;
	return inOrder([oldestN8n2, ...versions]).at(-1) ?? oldestN8n2;
}

/** The lines that no sample uses. */
export function unusedLines(nodes: readonly WorkflowNode[]) {
	const used = new Set(nodes.flatMap(usesOf));
	return [...since.keys()].filter((line) => !used.has(line));
}
