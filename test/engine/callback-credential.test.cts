import type { ICredentialTestFunctions } from 'n8n-workflow';
import { testCallbackCredential } from '../../nodes/shared/callback';

const check = async (login: string, password: string) =>
	// The test asks nothing of n8n: there is nothing to call.
	await testCallbackCredential.call({} as ICredentialTestFunctions, {
		id: '1',
		name: 'Callbacks',
		type: 'bulkMessagingCallbackApi',
		data: { login, password },
	});

describe('test of the callback credential', () => {
	test.each([
		['', 'long enough password', "'Login' is empty"],
		['a:b', 'long enough password', 'must not contain a colon'],
		['callbacks', 'short', 'at least 12 characters'],
	])('login "%s", password "%s": told', async (login, password, message) => {
		const result = await check(login, password);
		expect(result).toMatchObject({ status: 'Error', message: expect.stringContaining(message) });
	});

	test('a usable one is accepted', async () => {
		expect(await check('callbacks', 'long enough password')).toMatchObject({ status: 'OK' });
	});
});
