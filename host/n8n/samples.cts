import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fingerprint } from '../process/fingerprint.cts';
import { projectFolder } from '../process/folders.cts';
import { contentOf, type Workflow, type WorkflowNode } from './workflow.cts';

/** The sample workflows, in the order of their numbers. */
export function readSamples() {
	const folder = path.join(projectFolder, 'workflows');
	return readdirSync(folder)
		.filter((name) => name.endsWith('.json'))
		.sort()
		.map((file) => ({
			file,
			workflow: JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Workflow,
		}));
}

/** Two workflows with the same one are the same to a person. */
export function contentFingerprint(workflow: Workflow) {
	return fingerprint(JSON.stringify(contentOf(workflow)));
}

const isTrigger = (type: string) => /(trigger|\.webhook)$/i.test(type);
const isChat = (type: string) => /chatTrigger$/i.test(type);

/** As n8n's editor ranks them; any other trigger that samples use belongs to an app. */
const ranks: Readonly<Record<string, number>> = {
	'n8n-nodes-base.formTrigger': 10,
	'n8n-nodes-base.webhook': 9,
	'n8n-nodes-base.scheduleTrigger': 7,
	'n8n-nodes-base.manualTrigger': 6,
};
const appRank = 8;
const rankOf = ({ type }: WorkflowNode) => ranks[type] ?? appRank;

/**
 * The node that the button "Execute workflow" starts from unless the user chooses another one. An app's trigger, such as ours,
 * comes before a manual start. A chat takes part only if nothing else can start the workflow.
 */
export function startNode({ nodes }: Workflow): WorkflowNode | undefined {
	const triggers = nodes.filter(({ type, disabled }) => isTrigger(type) && !disabled);
	const [first = triggers[0]] = triggers
		.filter(({ type }) => !isChat(type))
		.toSorted((a, b) => rankOf(b) - rankOf(a));
	return first;
}

/**
 * The service calls it, so it must be active. A workflow that a schedule or another system starts is published by the
 * person who fills it in.
 */
export function needsPublishing({ nodes }: Workflow) {
	return nodes.some(({ type }) => type.endsWith('.bulkMessagingTrigger'));
}
