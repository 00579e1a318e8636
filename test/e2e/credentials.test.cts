import { sharedN8n, type Credential, type TestN8n } from './support/n8n.cts';
import { startSandbox, type TestSandbox } from './support/sandbox.cts';
import { credentialOf, manualWorkflow, partnerNode } from './support/workflows.cts';

/**
 * What the user sees after "Save" in the credential's window: n8n calls the node's test and says how it went. Everything it may say
 * is in test/partner/testLogIn.test.cts and test/messaging/testApiKey.test.cts.
 */

let n8n: TestN8n;
let sandbox: TestSandbox;

beforeAll(async () => {
	[n8n, sandbox] = await Promise.all([sharedN8n(), startSandbox()]);
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
});

test('partner API: a wrong password', async () => {
	const result = await howItWent(
		withData(sandbox.credentials.partner, { password: 'wrong-password' }),
	);

	expect(result.status).toBe('Error');
	expect(result.message).toContain('Password');
	expect(result.message).not.toContain('wrong-password');
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

test('callbacks: a login and a password that can work', async () => {
	expect(await howItWent(sandbox.credentials.callback)).toMatchObject({ status: 'OK' });
});

test('callbacks: a password that anybody could guess', async () => {
	const result = await howItWent(withData(sandbox.credentials.callback, { password: 'short' }));

	expect(result.status).toBe('Error');
	expect(result.message).toContain('Password');
});
