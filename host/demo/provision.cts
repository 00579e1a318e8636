import type { Credential } from '../n8n/credential.cts';
import { putCredentials } from '../n8n/credentials.cts';
import type { N8n } from '../n8n/n8n.cts';
import type { Session } from '../n8n/session.cts';
import type { Workflow } from '../n8n/workflow.cts';
import type { Report } from '../process/report.cts';
import {
	languageModelCredential,
	sandboxCredentials,
	signingKeyCredential,
	type SandboxAccess,
} from '../service/credentials.cts';
import {
	contentFingerprint,
	handsOn,
	needsPublishing,
	readSamples,
	withSandboxLinks,
} from './samples.cts';
import { readJson, writeJson } from './state.cts';

interface Target {
	session: Session;
	n8n: N8n;
	access: SandboxAccess;
	/** The sandbox's page, to which the samples' notes link. */
	faceUrl: string;
	/** The URL of the agent sample's language model. */
	modelUrl: string;
	report: Report;
}

interface Provided {
	/** The data that each credential got, by id. */
	credentials: Record<string, Credential['data']>;
	/** By id: the fingerprints of the sample and of the workflow as n8n stored it. */
	workflows: Record<string, { sample: string; stored: string }>;
}

/**
 * Brings the credentials and the sample workflows into a running n8n. The file `record` lists what was provided, so that
 * the next start updates only what has changed in the checkout and never loses the user's work: an edited sample is kept
 * as a separate workflow before the new version replaces it, and an edited credential stays as it is.
 */
export async function provision(target: Target, record: string) {
	const before = readJson<Provided>(record) ?? { credentials: {}, workflows: {} };
	const credentials = await provideCredentials(target, before.credentials);
	const workflows = await provideWorkflows(target, before.workflows);
	writeJson(record, { credentials, workflows });
}

async function provideCredentials(
	{ session, n8n, access, modelUrl, report }: Target,
	before: Provided['credentials'],
) {
	const provided: Provided['credentials'] = {};
	const changed: Credential[] = [];
	const all = [
		...sandboxCredentials(access),
		languageModelCredential(modelUrl),
		signingKeyCredential,
	];
	for (const credential of all) {
		const { id, data } = credential;
		const last = before[id];
		provided[id] = data;
		if (JSON.stringify(last) === JSON.stringify(data)) continue;
		const stored = await session.credential(id);
		if (stored && last && isEdited(stored.data, last)) {
			report(`kept your changes to the credential "${stored.name}"`);
			provided[id] = last;
		} else {
			changed.push(credential);
		}
	}
	await putCredentials(n8n, session, changed);
	return provided;
}

/** n8n doesn't return secrets, so only the URLs and the login are compared. */
function isEdited(stored: Credential['data'], last: Credential['data']) {
	return ['baseUrl', 'login', 'url'].some((field) => stored[field] !== last[field]);
}

async function provideWorkflows(
	{ session, faceUrl, report }: Target,
	before: Provided['workflows'],
) {
	const provided: Provided['workflows'] = {};
	const toPublish: Workflow[] = [];
	// In reverse: n8n lists the most recently changed workflow first, so number 1 ends up on top.
	for (const { workflow: file } of readSamples().reverse()) {
		const workflow = withSandboxLinks(file, faceUrl);
		const sample = contentFingerprint(workflow);
		const last = before[workflow.id];
		const stored = await session.workflow(workflow.id);
		if (stored && last?.sample === sample) {
			provided[workflow.id] = last;
			continue;
		}
		if (stored && last && contentFingerprint(stored) !== last.stored) {
			await session.addWorkflow({ ...stored, name: `${stored.name} (your version)` });
			report(
				`updated "${workflow.name}"; your edited copy is kept as "${stored.name} (your version)"`,
			);
		}
		const now = await session.replaceWorkflow(stored, workflow);
		provided[workflow.id] = { sample, stored: contentFingerprint(now) };
		if (needsPublishing(workflow)) toPublish.push(workflow);
	}
	toPublish.sort((a, b) => Number(handsOn(a)) - Number(handsOn(b)));
	for (const { id } of toPublish) await session.publish(id);
	return provided;
}
