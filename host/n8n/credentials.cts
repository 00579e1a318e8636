import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Credential } from './credential.cts';
import type { N8n } from './n8n.cts';
import type { Session } from './session.cts';

/** Where a sandbox answers, and to whom. */
export interface SandboxAccess {
	partnerBaseUrl: string;
	messagingBaseUrl: string;
	login: string;
	password: string;
	apiKey: string;
}

/** For credentials that point nowhere yet. */
export const noSandbox: SandboxAccess = {
	partnerBaseUrl: '',
	messagingBaseUrl: '',
	login: '',
	password: '',
	apiKey: '',
};

/** The three credentials of the package, pointing at a sandbox. The sample workflows name them by these ids. */
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

/** What the agent sample uses: see service/languageModel.cts. */
export function languageModelCredential(url: string): Credential {
	return {
		id: 'sandboxLanguageModel',
		name: 'Sandbox: language model',
		type: 'openAiApi',
		data: { apiKey: 'none', url },
	};
}

/** Only the import command can make a credential with a given id; it also works while n8n runs. */
export async function importCredentials(n8n: N8n, credentials: Credential[]) {
	const file = path.join(n8n.folder, 'credentials-to-import.json');
	writeFileSync(file, JSON.stringify(credentials));
	try {
		await n8n.command('import:credentials', `--input=${file}`);
	} finally {
		rmSync(file);
	}
}

/** Creates or replaces, in a running n8n. Replacing goes over REST: it takes no time, the command takes seconds. */
export async function putCredentials(n8n: N8n, session: Session, credentials: Credential[]) {
	const missing: Credential[] = [];
	for (const credential of credentials) {
		if (await session.credential(credential.id)) await session.updateCredential(credential);
		else missing.push(credential);
	}
	if (missing.length > 0) await importCredentials(n8n, missing);
}
