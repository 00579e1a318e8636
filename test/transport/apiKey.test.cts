import { messaging } from '../../core/contract/messaging';
import { json, text } from '../support/server.cts';
import { trySend, askBalance } from './calls.cts';
import { apiKey, asked, messagingCredential, serve } from './service.cts';

const balance = { RUB: 120.5 };

describe('the key', () => {
	it.each([
		['Bearer by default', {}, `Bearer ${apiKey}`],
		['Bearer', { scheme: 'Bearer' }, `Bearer ${apiKey}`],
		['Basic', { scheme: 'Basic' }, `Basic ${apiKey}`],
		['a scheme that is not offered', { scheme: 'Digest' }, `Bearer ${apiKey}`],
		['a key like name:secret', { scheme: 'Basic', apiKey: 'name:secret' }, 'Basic name:secret'],
		['a key with line breaks around it', { apiKey: `\n${apiKey} \n` }, `Bearer ${apiKey}`],
		['a key pasted with its scheme', { apiKey: `Bearer ${apiKey}` }, `Bearer ${apiKey}`],
		[
			'a key pasted with the other scheme',
			{ scheme: 'Basic', apiKey: ` bearer  ${apiKey}` },
			`Basic ${apiKey}`,
		],
	])('is sent as it is: %s', async (_, credential, authorization) => {
		const server = await serve(() => json(200, balance));
		const { reply } = await askBalance(server.url, credential);
		expect(reply).toEqual(balance);
		expect(server.received.map(({ headers }) => headers.authorization)).toEqual([authorization]);
	});

	it.each([apiKey, `Bearer ${apiKey}`])(
		'%s: is in no message, however it was pasted',
		async (pasted) => {
			const server = await serve(() =>
				json(400, { error: { code: 4000, msg: `the key ${apiKey} is bad` } }),
			);
			const { failure } = await askBalance(server.url, { apiKey: pasted });
			expect(failure?.description).toContain('the key *** is bad');
		},
	);

	it('is not exchanged for another one after a 401', async () => {
		const server = await serve(() =>
			json(401, { error: { code: 4010, msg: 'Not Authenticated' } }),
		);
		const { failure } = await askBalance(server.url);
		expect(failure).toMatchObject({ outcome: 'refused', problem: { status: 401, code: 4010 } });
		expect(asked(server.received)).toEqual(['GET /api/v1/balance']);
	});
});

describe('base URL', () => {
	it.each(['', '/', '/api', '/v1', '/api/v2', '/api/v1/message'])(
		'ending with "%s" is told to need /api/v1, and nothing is sent',
		async (ending) => {
			const server = await serve(() => json(200, balance));
			const credentials = messagingCredential(`${server.url}${ending}`);
			for (const endpoint of [messaging.balance, messaging.ping]) {
				const { failure } = await trySend(credentials, endpoint, {});
				expect(failure?.message).toBe(
					`'Base URL' in the credential must end with /api/v1. Did you mean ${server.url}/api/v1?`,
				);
				expect(failure?.description).toContain('Open the credential');
			}
			expect(server.received).toHaveLength(0);
		},
	);
});

describe('GET /ping', () => {
	const ping = async (url: string) =>
		await trySend(messagingCredential(`${url}/api/v1`), messaging.ping, {});

	it('is answered with plain text and needs no key', async () => {
		const server = await serve(() => text(200, 'PONG'));
		const { reply } = await ping(server.url);
		expect(reply).toBe('PONG');
		expect(asked(server.received)).toEqual(['GET /api/v1/ping']);
		expect(server.received[0]?.headers).not.toHaveProperty('authorization');
		expect(JSON.stringify(server.received[0]?.headers)).not.toContain(apiKey);
	});
});
