import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fingerprint, projectFolder } from '../host/places.cjs';
import { contentOf } from '../host/session.cjs';

/** @typedef {import('../host/session.cjs').Workflow} Workflow */

/** The sample workflows, in the order of their numbers. */
export function readSamples() {
	const folder = path.join(projectFolder, 'workflows');
	return readdirSync(folder)
		.filter((name) => name.endsWith('.json'))
		.sort()
		.map((name) => {
			/** @type {Workflow} */
			const workflow = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
			return { file: name, workflow };
		});
}

/**
 * Two workflows with the same one are the same to a person.
 * @param {Workflow} workflow
 */
export function contentFingerprint(workflow) {
	return fingerprint(JSON.stringify(contentOf(workflow)));
}

const isManual = (/** @type {string} */ type) => type.endsWith('.manualTrigger');
const isTrigger = (/** @type {string} */ type) => /(trigger|\.webhook)$/i.test(type);

/**
 * The node a run starts from: a manual start when there is one.
 * @param {Workflow} workflow
 */
export function startNode({ nodes }) {
	const triggers = nodes.filter(({ type, disabled }) => isTrigger(type) && !disabled);
	return triggers.find(({ type }) => isManual(type)) ?? triggers[0];
}

/**
 * Something from outside starts it, so it must be active.
 * @param {Workflow} workflow
 */
export function needsPublishing({ nodes }) {
	return nodes.some(({ type, disabled }) => isTrigger(type) && !isManual(type) && !disabled);
}

/**
 * Other workflows call it; n8n publishes a caller only after what it calls.
 * @param {Workflow} workflow
 */
export function isCalledByOthers({ nodes }) {
	return nodes.some(({ type }) => type.endsWith('.executeWorkflowTrigger'));
}
