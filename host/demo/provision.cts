import { writeFileSync } from 'node:fs';
import {
	languageModelCredential,
	putCredentials,
	sandboxCredentials,
} from '../n8n/credentials.cjs';
import { contentFingerprint, needsPublishing, readSamples } from '../n8n/samples.cjs';
import { readJson } from './state.mjs';

/**
 * @typedef {object} Target
 * @property {import('../n8n/session.cjs').Session} session
 * @property {import('../n8n/n8n.cjs').N8n} n8n
 * @property {import('../n8n/credentials.cjs').SandboxAccess} access
 * @property {string} modelUrl where the language model of the agent sample answers
 * @property {(text: string) => void} report
 *
 * @typedef {Record<string, Record<string, unknown>>} ProvidedCredentials what was put into each, by id
 * @typedef {Record<string, {sample: string, stored: string}>} ProvidedWorkflows fingerprints, by id: of the sample,
 * and of what n8n has made of it
 */

/**
 * Brings the credentials and the sample workflows into a running n8n. What was provided is written down, so that the
 * next start changes only what has changed in the checkout and never takes away what a person has made: a sample they
 * have edited is kept as a workflow of their own before the new version replaces it, a credential they have pointed
 * elsewhere stays as it is.
 * @param {Target} target
 * @param {string} record the file to write down in
 */
export async function provision(target, record) {
	/** @type {{credentials: ProvidedCredentials, workflows: ProvidedWorkflows}} */
	const before = readJson(record) ?? { credentials: {}, workflows: {} };
	const credentials = await provideCredentials(target, before.credentials);
	const workflows = await provideWorkflows(target, before.workflows);
	writeFileSync(record, JSON.stringify({ credentials, workflows }, null, '\t'));
}

/**
 * @param {Target} target
 * @param {ProvidedCredentials} before
 */
async function provideCredentials({ session, n8n, access, modelUrl, report }, before) {
	/** @type {ProvidedCredentials} */
	const provided = {};
	const changed = [];
	for (const credential of [...sandboxCredentials(access), languageModelCredential(modelUrl)]) {
		const { id, data } = credential;
		const last = before[id];
		provided[id] = data;
		if (JSON.stringify(last) === JSON.stringify(data)) continue;
		const stored = await session.credential(id);
		if (stored && last && isEdited(stored.data, last)) {
			report(`left the credential "${stored.name}" as you have changed it`);
			provided[id] = last;
		} else {
			changed.push(credential);
		}
	}
	await putCredentials(n8n, session, changed);
	return provided;
}

/**
 * n8n does not show secrets, so the address and the login have to tell.
 * @param {Record<string, unknown>} stored
 * @param {Record<string, unknown>} last
 */
function isEdited(stored, last) {
	return ['baseUrl', 'login', 'url'].some((field) => stored[field] !== last[field]);
}

/**
 * @param {Target} target
 * @param {ProvidedWorkflows} before
 */
async function provideWorkflows({ session, report }, before) {
	/** @type {ProvidedWorkflows} */
	const provided = {};
	// Backwards: n8n lists what was changed last first, so number 1 comes out on top.
	for (const { workflow } of readSamples().reverse()) {
		const sample = contentFingerprint(workflow);
		const last = before[workflow.id];
		const stored = await session.workflow(workflow.id);
		if (stored && last?.sample === sample) {
			provided[workflow.id] = last;
			continue;
		}
		if (stored && last && contentFingerprint(stored) !== last.stored) {
			await session.addWorkflow({ ...stored, name: `${stored.name} (your version)` });
			report(`"${workflow.name}" is new; what you had made of it is kept as "(your version)"`);
		}
		const now = await session.putWorkflow(workflow);
		provided[workflow.id] = { sample, stored: contentFingerprint(now) };
		if (needsPublishing(workflow)) await session.publish(workflow.id);
	}
	return provided;
}
