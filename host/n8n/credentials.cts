// @ts-check
'use strict';

const { rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');

/**
 * @typedef {object} SandboxAccess what the sandbox prints when it starts
 * @property {string} partnerBaseUrl
 * @property {string} messagingBaseUrl
 * @property {string} login
 * @property {string} password
 * @property {string} apiKey
 */

/**
 * The three credentials of the package, pointing at a sandbox. The sample workflows name them by these ids.
 * @param {SandboxAccess} sandbox
 * @returns {import('./session.cjs').Credential[]}
 */
function sandboxCredentials({ partnerBaseUrl, messagingBaseUrl, login, password, apiKey }) {
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

/**
 * What the agent sample uses: see languageModel.cjs.
 * @param {string} url
 * @returns {import('./session.cjs').Credential}
 */
function languageModelCredential(url) {
	return {
		id: 'sandboxLanguageModel',
		name: 'Sandbox: language model',
		type: 'openAiApi',
		data: { apiKey: 'none', url },
	};
}

/**
 * Only the import command can make a credential with a given id; it also works while n8n runs.
 * @param {import('./n8n.cjs').N8n} n8n
 * @param {import('./session.cjs').Credential[]} credentials
 */
async function importCredentials(n8n, credentials) {
	const file = path.join(n8n.folder, 'credentials-to-import.json');
	writeFileSync(file, JSON.stringify(credentials));
	try {
		await n8n.command('import:credentials', `--input=${file}`);
	} finally {
		rmSync(file);
	}
}

/**
 * Creates or replaces, in a running n8n. Replacing goes over REST: it takes no time, the command takes seconds.
 * @param {import('./n8n.cjs').N8n} n8n
 * @param {import('./session.cjs').Session} session
 * @param {import('./session.cjs').Credential[]} credentials
 */
async function putCredentials(n8n, session, credentials) {
	const missing = [];
	for (const credential of credentials) {
		if (await session.credential(credential.id)) await session.updateCredential(credential);
		else missing.push(credential);
	}
	if (missing.length > 0) await importCredentials(n8n, missing);
}

module.exports = {
	importCredentials,
	languageModelCredential,
	putCredentials,
	sandboxCredentials,
};
