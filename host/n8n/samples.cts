import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fingerprint } from '../process/fingerprint.cts';
import { projectFolder } from '../process/folders.cts';
import { contentOf, type Workflow } from './workflow.cts';

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

const isManual = (type: string) => type.endsWith('.manualTrigger');
const isTrigger = (type: string) => /(trigger|\.webhook)$/i.test(type);

/** The node a run starts from: a manual start when there is one. */
export function startNode({ nodes }: Workflow) {
	const triggers = nodes.filter(({ type, disabled }) => isTrigger(type) && !disabled);
	return triggers.find(({ type }) => isManual(type)) ?? triggers[0];
}

/**
 * The service calls it, so it must be active. A workflow that a schedule or another system starts is published by the
 * person who fills it in.
 */
export function needsPublishing({ nodes }: Workflow) {
	return nodes.some(({ type }) => type.endsWith('.bulkMessagingTrigger'));
}
