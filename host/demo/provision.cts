import { writeFileSync } from 'node:fs';
import type { Credential } from '../n8n/credential.cts';
import {
	languageModelCredential,
	putCredentials,
	sandboxCredentials,
	type SandboxAccess,
} from '../n8n/credentials.cts';
import type { N8n } from '../n8n/n8n.cts';
import { contentFingerprint, needsPublishing, readSamples } from '../n8n/samples.cts';
import type { Session } from '../n8n/session.cts';
import type { Report } from '../process/report.cts';
import { readJson } from './state.cts';

interface Target {
	session: Session;
	n8n: N8n;
	access: SandboxAccess;
	/** Where the language model of the agent sample answers. */
	modelUrl: string;
	report: Report;
}

interface Provided {
	/** What was put into each, by id. */
	credentials: Record<string, Credential['data']>;
	/** Fingerprints, by id: of the sample, and of what n8n has made of it. */
	workflows: Record<string, { sample: string; stored: string }>;
}

/**
 * Brings the credentials and the sample workflows into a running n8n. What was provided is written down in the file
 * `record`, so that the next start changes only what has changed in the checkout and never takes away what a person has
 * made: a sample they have edited is kept as a workflow of their own before the new version replaces it, a credential
 * they have pointed elsewhere stays as it is.
 */
export async function provision(target: Target, record: string) {
	const before = readJson<Provided>(record) ?? { credentials: {}, workflows: {} };
	const credentials = await provideCredentials(target, before.credentials);
	const workflows = await provideWorkflows(target, before.workflows);
	writeFileSync(record, JSON.stringify({ credentials, workflows }, null, '\t'));
}

async function provideCredentials(
	{ session, n8n, access, modelUrl, report }: Target,
	before: Provided['credentials'],
) {
	const provided: Provided['credentials'] = {};
	const changed: Credential[] = [];
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

/** n8n does not show secrets, so the URL and the login have to tell. */
function isEdited(stored: Credential['data'], last: Credential['data']) {
	return ['baseUrl', 'login', 'url'].some((field) => stored[field] !== last[field]);
}

async function provideWorkflows({ session, report }: Target, before: Provided['workflows']) {
	const provided: Provided['workflows'] = {};
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
