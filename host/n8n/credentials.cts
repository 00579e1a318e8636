import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Credential } from './credential.cts';
import type { N8n } from './n8n.cts';
import type { Session } from './session.cts';

/** A sandbox's URLs and the logins it accepts. */
export interface SandboxAccess {
	partnerBaseUrl: string;
	messagingBaseUrl: string;
	login: string;
	password: string;
	apiKey: string;
}

/** For credentials that don't point to a sandbox yet. */
export const noSandbox: SandboxAccess = {
	partnerBaseUrl: '',
	messagingBaseUrl: '',
	login: '',
	password: '',
	apiKey: '',
};

/** The package's three credentials for a sandbox. The sample workflows refer to them by these ids. */
export function sandboxCredentials({
	partnerBaseUrl,
	messagingBaseUrl,
	login,
	password,
	apiKey,
}: SandboxAccess): Credential[] {
	return [
		{
			id: 'sandboxPartnerApi',
			name: 'Sandbox: partner API',
			type: 'bulkMessagingPartnerApi',
			data: { baseUrl: partnerBaseUrl, login, password },
		},
		{
			id: 'sandboxMessagingApi',
			name: 'Sandbox: messaging API',
			type: 'bulkMessagingApi',
			data: { baseUrl: messagingBaseUrl, apiKey, scheme: 'Bearer' },
		},
		{
			id: 'sandboxCallbackApi',
			name: 'Sandbox: callbacks',
			type: 'bulkMessagingCallbackApi',
			data: { login: 'callback', password: 'callback-password' },
		},
	];
}

/** For the agent sample: see service/languageModel.cts. */
export function languageModelCredential(url: string): Credential {
	return {
		id: 'sandboxLanguageModel',
		name: 'Sandbox: language model',
		type: 'openAiApi',
		data: { apiKey: 'none', url },
	};
}

/** For the sample with opt-out links: n8n's own Crypto node signs them with this key. */
export const signingKeyCredential: Credential = {
	id: 'sandboxSigningKey',
	name: 'Sandbox: signing key',
	type: 'crypto',
	data: { hmacSecret: 'sandbox-signing-key' },
};

/** Only the import command can create a credential with a given id. It also works while n8n runs. */
export async function importCredentials(n8n: N8n, credentials: Credential[]) {
	const file = path.join(n8n.folder, 'credentials-to-import.json');
	writeFileSync(file, JSON.stringify(credentials));
	try {
		await n8n.command('import:credentials', `--input=${file}`);
	} finally {
		rmSync(file);
	}
}

/** Creates or replaces credentials in a running n8n. REST replaces them at once; the import command takes seconds. */
export async function putCredentials(n8n: N8n, session: Session, credentials: Credential[]) {
	const missing: Credential[] = [];
	for (const credential of credentials) {
		if (await session.credential(credential.id)) await session.updateCredential(credential);
		else missing.push(credential);
	}
	if (missing.length > 0) await importCredentials(n8n, missing);
}
