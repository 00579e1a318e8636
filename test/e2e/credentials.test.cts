import { freePort } from '../../host/process/ports.cts';
import { sharedN8n, type Credential, type TestN8n } from './support/n8n.cts';
import { startSandbox, type TestSandbox } from './support/sandbox.cts';
import { credentialOf, manualWorkflow, partnerNode } from './support/workflows.cts';

/** What the user sees after "Save" in the credential's window: n8n tests it and says how it went. */

let n8n: TestN8n;
let sandbox: TestSandbox;
let nobody: string;

beforeAll(async () => {
	[n8n, sandbox] = await Promise.all([sharedN8n(), startSandbox()]);
	nobody = `http://127.0.0.1:${await freePort()}`;
});

/** As if somebody had typed these into the window of a credential that exists. */
const withData = (credential: Credential, data: Record<string, unknown>): Credential => ({
	...credential,
	data: { ...credential.data, ...data },
});

const howItWent = async (credential: Credential) => await n8n.session.testCredential(credential);

test('partner API: the right password', async () => {
	expect(await howItWent(withData(sandbox.credentials.partner, {}))).toMatchObject({
		status: 'OK',
	});
});

describe('partner API: an access token', () => {
	const withToken = (accessToken: string) =>
		withData(sandbox.credentials.partner, {
			logInWith: 'accessToken',
			accessToken,
			// What was typed before the choice stays stored, and must not be used.
			login: 'nobody',
			password: 'wrong-password',
		});
	const logIns = async () => {
		const response = await fetch(`${sandbox.controlUrl}/requests`);
		const { counts } = (await response.json()) as { counts: Record<string, number> };
		return counts['POST /auth/token'] ?? 0;
	};

	test('that works: tested and used without a log-in', async () => {
		const credential = withToken(await sandbox.logIn());
		const before = await logIns();
		await n8n.importCredentials([credential]);
		expect(await howItWent(credential)).toMatchObject({ status: 'OK' });
		await n8n.importWorkflow(
			manualWorkflow('byToken', {
				name: 'Companies',
				type: partnerNode,
				parameters: { resource: 'company', operation: 'getAll', returnAll: true },
				credentials: credentialOf(credential),
			}),
		);
		const run = await n8n.run('byToken', { triggerNode: 'Start' });
		expect(run.status).toBe('success');
		expect(run.items('Companies')).toHaveLength(3);
		expect(await logIns()).toBe(before);
	});

	test.each([
		['that does not work', 'wrong-token', 'rejected the token'],
		['that is empty', ' ', "'Access Token' is empty"],
	])('%s', async (_, accessToken, says) => {
		const result = await howItWent(withToken(accessToken));
		expect(result).toEqual({ status: 'Error', message: expect.stringContaining(says) });
		expect(result.message).not.toContain('wrong-token');
	});
});

test('partner API: a wrong password', async () => {
	const result = await howItWent(
		withData(sandbox.credentials.partner, { password: 'wrong-password' }),
	);

	expect(result.status).toBe('Error');
	expect(result.message).toContain('Password');
	expect(result.message).not.toContain('wrong-password');
});

test('partner API: an address where something else answers', async () => {
	const { partnerBaseUrl } = sandbox.access;
	const result = await howItWent(
		withData(sandbox.credentials.partner, { baseUrl: `${partnerBaseUrl}/elsewhere` }),
	);

	expect(result.status).toBe('Error');
	expect(result.message).toContain('Base URL');
});

test('partner API: an address where nobody answers', async () => {
	const result = await howItWent(withData(sandbox.credentials.partner, { baseUrl: nobody }));

	expect(result.status).toBe('Error');
	expect(result.message).toContain('Base URL');
});

test('messaging API: the right key', async () => {
	expect(await howItWent(withData(sandbox.credentials.messaging, {}))).toMatchObject({
		status: 'OK',
	});
});

test('messaging API: a wrong key', async () => {
	const result = await howItWent(withData(sandbox.credentials.messaging, { apiKey: 'wrong-key' }));

	expect(result.status).toBe('Error');
	expect(result.message).toContain('API Key');
	expect(result.message).not.toContain('wrong-key');
});

test('messaging API: a key that works with the other scheme only', async () => {
	// The first request is rejected, as one with the wrong scheme would be.
	const planned = await fetch(`${sandbox.controlUrl}/faults`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ kind: 'status', status: 401, match: { path: '*/balance' } }),
	});
	expect(planned.ok).toBe(true);
	const result = await howItWent(withData(sandbox.credentials.messaging, {}));

	expect(result).toMatchObject({
		status: 'Error',
		message: "The key works with the scheme Basic. Set 'Scheme' to 'Basic'.",
	});
});

test('messaging API: an address where something else answers', async () => {
	const { origin } = new URL(sandbox.access.messagingBaseUrl);
	const result = await howItWent(
		withData(sandbox.credentials.messaging, { baseUrl: `${origin}/elsewhere/api/v1` }),
	);

	expect(result.status).toBe('Error');
	expect(result.message).toContain('Base URL');
});

test('messaging API: an address where nobody answers', async () => {
	const result = await howItWent(
		withData(sandbox.credentials.messaging, { baseUrl: `${nobody}/api/v1` }),
	);

	expect(result.status).toBe('Error');
});

test('callbacks: a login and a password that can work', async () => {
	expect(await howItWent(sandbox.credentials.callback)).toMatchObject({ status: 'OK' });
});

test('callbacks: a password that anybody could guess', async () => {
	const result = await howItWent(withData(sandbox.credentials.callback, { password: 'short' }));

	expect(result.status).toBe('Error');
	expect(result.message).toContain('Password');
});
