import type { Credential } from '../n8n/credential.cts';

/** A sandbox's URLs and the logins it accepts. */
export interface SandboxAccess {
	partnerBaseUrl: string;
	messagingBaseUrl: string;
	login: string;
	password: string;
	apiKey: string;
}

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

/** All credentials of a demo, without URLs and logins. */
export const emptyCredentials: Credential[] = [
	...sandboxCredentials({
		partnerBaseUrl: '',
		messagingBaseUrl: '',
		login: '',
		password: '',
		apiKey: '',
	}),
	languageModelCredential(''),
	signingKeyCredential,
];
