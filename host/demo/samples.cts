import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { demo } from '../../sandbox/demo.cts';
import { contentOf, type Workflow, type WorkflowNode } from '../n8n/workflow.cts';
import { fingerprint } from '../process/fingerprint.cts';
import { projectFolder } from '../process/folders.cts';
import { emptyCredentials } from '../service/credentials.cts';

export interface SampleFile {
	file: string;
	workflow: Workflow;
}

/** In the files, credentials are placeholders without an ID. A demo has one credential of each type. */
function withCredentials(workflow: Workflow): Workflow {
	const provided = (type: string) => {
		const { id = '', name = '' } = emptyCredentials.find((one) => one.type === type) ?? {};
		return [type, { id, name }];
	};
	const nodes = workflow.nodes.map((node) => {
		if (node.credentials === undefined) return node;
		return {
			...node,
			credentials: Object.fromEntries(Object.keys(node.credentials).map(provided)),
		};
	});
	return { ...workflow, nodes };
}

/** The sample workflows, in the order of their numbers, with the credentials of a demo. */
export function readSamples(): SampleFile[] {
	const folder = path.join(projectFolder, 'workflows');
	return readdirSync(folder)
		.filter((name) => name.endsWith('.json'))
		.sort()
		.map((file) => ({
			file,
			workflow: withCredentials(
				JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Workflow,
			),
		}));
}

const usualSandbox = `http://${demo.host}:${demo.port}`;

/** The workflow with notes that link to the sandbox at this URL, which may have another port than usual. */
export function withSandboxLinks(workflow: Workflow, sandboxUrl: string): Workflow {
	const nodes = workflow.nodes.map((node) => {
		const { content } = node.parameters;
		if (typeof content !== 'string') return node;
		const linked = content.replaceAll(usualSandbox, new URL(sandboxUrl).origin);
		return { ...node, parameters: { ...node.parameters, content: linked } };
	});
	return { ...workflow, nodes };
}

/** Workflows with the same fingerprint look the same to a user. */
export function contentFingerprint(workflow: Workflow) {
	return fingerprint(JSON.stringify(contentOf(workflow)));
}

const isTrigger = (type: string) => /(trigger|\.webhook)$/i.test(type);
const isChat = (type: string) => /chatTrigger$/i.test(type);

/** The order that n8n's editor uses. All other triggers in the samples belong to an app. */
const ranks: Readonly<Record<string, number>> = {
	'n8n-nodes-base.formTrigger': 10,
	'n8n-nodes-base.webhook': 9,
	'n8n-nodes-base.scheduleTrigger': 7,
	'n8n-nodes-base.manualTrigger': 6,
};
const appRank = 8;
const rankOf = ({ type }: WorkflowNode) => ranks[type] ?? appRank;

/**
 * The node that the button "Execute workflow" starts from unless the user chooses another one. An app's trigger, such as
 * ours, has priority over a manual trigger. A chat trigger is used only if there is no other trigger.
 */
export function startNode({ nodes }: Workflow): WorkflowNode | undefined {
	const triggers = nodes.filter(({ type, disabled }) => isTrigger(type) && !disabled);
	const [first = triggers[0]] = triggers
		.filter(({ type }) => !isChat(type))
		.toSorted((a, b) => rankOf(b) - rankOf(a));
	return first;
}

/**
 * Whether the service calls this workflow, or a link in a message opens it, so that it must be active. Workflows that a
 * schedule or another system starts are published by the user, after filling in the details.
 */
export function needsPublishing({ nodes }: Workflow) {
	return nodes.some(
		({ type, parameters }) =>
			type.endsWith('.bulkMessagingTrigger') ||
			(type.endsWith('.webhook') && parameters.authentication === undefined),
	);
}

/** Whether this workflow hands messages to others. n8n publishes it only after them. */
export const handsOn = ({ nodes }: Workflow) =>
	nodes.some(({ type }) => type.endsWith('.executeWorkflow'));
