import type { IDataObject } from 'n8n-workflow';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { runNode } from '../support/n8n.cts';
import { json, type Received } from '../support/server.cts';
import { partnerCredential, servePartner } from './service.cts';

/** The partner API with a token that the user has: nobody logs in. */

const getCompanies = async (accessToken: string) => {
	const answer = ({ headers }: Received) =>
		headers.authorization === 'Bearer good'
			? json(200, { page: 1, perPage: 10, total: 0, items: [] })
			: json(401, { error: { code: 4010, msg: 'Not Authenticated' } });
	const server = await servePartner(answer);
	const { error } = await runNode({
		node: new BulkMessagingPartner(),
		parameters: { resource: 'company', operation: 'getAll', returnAll: true },
		credentials: partnerCredential(server.url, { logInWith: 'accessToken', accessToken }),
	});
	return { error, server };
};

test.each(['good', ' good ', 'Bearer good'])('%j is used as it is meant', async (token) => {
	const { error, server } = await getCompanies(token);
	expect(error).toBeUndefined();
	expect(server.logIns).toEqual([]);
});

test('a service that repeats it does not show it, however it was pasted', async () => {
	const answer = ({ headers }: Received) =>
		json(400, {
			error: {
				code: 4000,
				msg: `bad request with ${headers.authorization?.replace('Bearer ', '')}`,
			},
		});
	const server = await servePartner(answer);
	const accessToken = 'Bearer secret-token-1';
	const { error } = await runNode({
		node: new BulkMessagingPartner(),
		parameters: { resource: 'company', operation: 'getAll', returnAll: true },
		credentials: partnerCredential(server.url, { logInWith: 'accessToken', accessToken }),
	});
	expect(error?.description).toContain('bad request with');
	expect(`${error?.message} ${error?.description}`).not.toContain('secret-token-1');
});

test('one that is rejected: the error names the token, and nobody logs in', async () => {
	const { error, server } = await getCompanies('old');
	expect(error?.message).toBe('The service rejected the access token in the credential');
	expect(error?.description).toContain("'Log In With'");
	expect(
		JSON.stringify([error?.message, error?.description] as unknown as IDataObject),
	).not.toContain("'Password' and test");
	expect(server.logIns).toEqual([]);
	// n8n asks once more after a 401.
	expect(server.calls.length).toBeLessThanOrEqual(2);
});

test.each(['  ', 'Bearer', 'bearer  '])('%j is empty: nothing is sent', async (token) => {
	const { error, server } = await getCompanies(token);
	expect(error?.message).toContain("'Access Token' in the credential is empty");
	expect(server.received).toEqual([]);
});
