import { CredentialTestContext } from 'n8n-core';
import type { IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { json, reset, text } from '../support/server.cts';
import {
	asked,
	cutOff,
	login,
	password,
	serve,
	servePartner,
	unusedAddress,
	type Answer,
} from '../transport/service.cts';

const { testPartnerLogIn } = new BulkMessagingPartner().methods.credentialTest;

/** Presses "Test" in the window of the credential, in n8n's own context. */
const press = async (data: Record<string, string>) => {
	const n8n = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
	const result = await testPartnerLogIn.call(n8n, {
		id: '1',
		name: 'Partner',
		type: 'bulkMessagingPartnerApi',
		data: { login, password, ...data },
	});
	// Whatever happens, the password is in no message.
	expect(result.message).not.toContain(password);
	return result;
};

const companies = json(200, { total: 0, page: 1, per_page: 1, items: [] });
const refusal = (status: number, code: number, msg: string) =>
	json(status, { error: { code, msg } });
const works = { status: 'OK', message: 'Connection successful!' };

it('logs in even if there is a token, then reads one company', async () => {
	const server = await servePartner(() => companies);

	expect(await press({ baseUrl: server.url, token: 'an old one' })).toEqual(works);
	expect(asked(server.received)).toEqual(['POST /auth/token', 'GET /company?page=1&per_page=1']);
});

it('an access token is used as it is, without a login', async () => {
	const server = await serve(() => companies);

	const accessToken = ' Bearer my-token\n';
	expect(await press({ baseUrl: server.url, logInWith: 'accessToken', accessToken })).toEqual(
		works,
	);
	expect(server.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer my-token']);
});

it('a wrong password: says so, and nothing else is asked', async () => {
	const server = await servePartner(
		() => companies,
		() => refusal(401, 4010, `Wrong password ${password}`),
	);

	const { status, message } = await press({ baseUrl: server.url });

	expect(status).toBe('Error');
	expect(message).toContain("'Password'");
	expect(message).toContain('Wrong password ***');
	expect(asked(server.received)).toEqual(['POST /auth/token']);
});

describe('the login works, the list of companies does not', () => {
	it.each<[string, Answer, string]>([
		['401', () => refusal(401, 4010, 'Not Authenticated'), 'The service rejected the token.'],
		['403', () => refusal(403, 4030, 'Access Denied'), "isn't allowed to read"],
		['403 with a reason', () => refusal(403, 4030, 'Blocked'), 'The service says: Blocked'],
		['404', () => text(404, ''), "Check 'Base URL'"],
		['500', () => json(500, {}), "Something went wrong on the service's side"],
		['429', () => text(429, ''), 'too many requests'],
		['a web page', () => text(200, '<!doctype html>', 'text/html'), 'A web page'],
		['an empty response', () => text(200, ''), 'was empty'],
		['an error with 200', () => refusal(200, 4000, 'Bad Request'), 'invalid'],
		['a redirect', () => json(302, {}, { location: 'https://elsewhere.example/' }), 'redirects'],
		['a lost connection', () => reset, 'The connection to the service was lost'],
		['half a response', () => cutOff(200, { items: [] }), 'The connection to the service was lost'],
	])('%s', async (_, answer, says) => {
		const server = await servePartner(answer);

		const { status, message } = await press({ baseUrl: server.url });

		expect(status).toBe('Error');
		expect(message).toContain(says);
	});
});

it.each([
	['no URL', { baseUrl: '' }, "'Base URL' is"],
	['no URL for an access token', { baseUrl: '', logInWith: 'accessToken' }, "'Base URL' is"],
	['no access token', { logInWith: 'accessToken', accessToken: ' ' }, "'Access Token' is empty"],
	[
		'a token with other letters',
		{ logInWith: 'accessToken', accessToken: 'токен' },
		"can't be sent",
	],
	['a token with a gap', { logInWith: 'accessToken', accessToken: 'to\u200bken' }, "can't be sent"],
	['no login', { login: '' }, "'Login' is empty"],
	['no password', { password: '' }, "'Password' is empty"],
	['only "Bearer"', { logInWith: 'accessToken', accessToken: 'Bearer' }, "'Access Token' is empty"],
])('%s: nothing is asked', async (_, data, says) => {
	const server = await serve(() => companies);

	const { status, message } = await press({ baseUrl: server.url, ...data });

	expect(status).toBe('Error');
	expect(message).toContain(says);
	expect(server.received).toHaveLength(0);
});

it('nobody there', async () => {
	const { status, message } = await press({ baseUrl: unusedAddress });

	expect(status).toBe('Error');
	expect(message).toContain("The service can't be reached");
});
