import { CredentialTestContext } from 'n8n-core';
import type { ICredentialTestFunctions, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { json, reset, text, tooLate, type Behaviour } from '../support/server.cts';
import {
	apiKey,
	asked,
	cutOff,
	inOrder,
	serve,
	stalled,
	unusedAddress,
} from '../transport/service.cts';

const { testApiKey } = new BulkMessaging().methods.credentialTest;

/** What n8n gives to the test of a credential. */
const n8n = () => new CredentialTestContext({} as IWorkflowExecuteAdditionalData);

const test = async (data: Record<string, string>, context: ICredentialTestFunctions = n8n()) => {
	const result = await testApiKey.call(context, {
		id: '1',
		name: 'Key',
		type: 'bulkMessagingApi',
		data,
	});
	// Whatever happens, the key is in no message.
	expect(result.message).not.toContain(apiKey);
	return result;
};

const balance = json(200, { RUB: 120.5 });
const refusal = (code: number, msg: string, status = 401) => json(status, { error: { code, msg } });
const notAuthenticated = refusal(4010, 'Not Authenticated');

/** A service that accepts the key in one scheme. */
const accepting =
	(scheme: string, otherwise: Behaviour = notAuthenticated) =>
	({ headers }: { headers: { authorization?: string } }) =>
		headers.authorization === `${scheme} ${apiKey}` ? balance : otherwise;

const schemesIn = (received: ReadonlyArray<{ headers: { authorization?: string } }>) =>
	received.map(({ headers }) => headers.authorization?.split(' ')[0]);

it.each(['Bearer', 'Basic'])('%s: a key that works is asked for once', async (scheme) => {
	const server = await serve(accepting(scheme));

	const result = await test({ baseUrl: `${server.url}/api/v1`, apiKey: ` ${apiKey}\n`, scheme });

	expect(result.status).toBe('OK');
	expect(asked(server.received)).toEqual(['GET /api/v1/balance']);
	expect(schemesIn(server.received)).toEqual([scheme]);
});

it('a passing test says what it proves', async () => {
	const server = await serve(accepting('Bearer'));

	const result = await test({ baseUrl: `${server.url}/api/v1`, apiKey: `Bearer ${apiKey}` });

	expect(result).toEqual({
		status: 'OK',
		message: "The service knows this key. Whether its type fits an operation isn't tested.",
	});
	expect(schemesIn(server.received)).toEqual(['Bearer']);
});

it.each([
	['Bearer', 'Basic', notAuthenticated],
	['Basic', 'Bearer', notAuthenticated],
	['Bearer', 'Basic', refusal(4012, 'Bad credentials')],
	['Bearer', 'Basic', text(401, '')],
])('%s is chosen and %s works: it is named, and not taken silently', async (chosen, other, no) => {
	const server = await serve(accepting(other, no));

	const result = await test({ baseUrl: `${server.url}/api/v1`, apiKey, scheme: chosen });

	expect(result).toEqual({
		status: 'Error',
		message: `The key works with the scheme ${other}. Set 'Scheme' to '${other}'.`,
	});
	expect(schemesIn(server.received)).toEqual([chosen, other]);
});

describe('a key that works in no scheme', () => {
	it.each([
		['4010', notAuthenticated, 'The service says: Not Authenticated'],
		['4012', refusal(4012, 'Bad credentials'), 'The service says: Bad credentials'],
		['no code', text(401, ''), 'a list of IP addresses'],
	])('%s: both were tried, and what may be wrong', async (_, answer, says) => {
		const server = await serve(() => answer);

		const { status, message } = await test({ baseUrl: `${server.url}/api/v1`, apiKey });

		expect(status).toBe('Error');
		expect(message).toContain('both as Bearer and as Basic');
		expect(message).toContain('mistyped, deactivated or reissued');
		expect(message).toContain(says);
		expect(message).not.toContain("try the other 'Scheme'");
		expect(server.received).toHaveLength(2);
	});

	it('is not shown, even if the service repeats it', async () => {
		const server = await serve(() => refusal(4010, `Unknown key ${apiKey}`));

		const { message } = await test({ baseUrl: `${server.url}/api/v1`, apiKey });

		expect(message).toContain('Unknown key ***');
	});
});

it.each([
	['4013', refusal(4013, 'IP not allowed'), 'list of IP addresses'],
	['403', refusal(4030, 'Access Denied', 403), "can't read the balance"],
	['503', text(503, ''), "Something went wrong on the service's side"],
	['a lost connection', reset, 'The connection to the service was lost'],
])('the other scheme has another result: %s', async (_, second, says) => {
	const server = await serve(inOrder(notAuthenticated, second));

	const { status, message } = await test({ baseUrl: `${server.url}/api/v1`, apiKey });

	expect(status).toBe('Error');
	expect(message).toContain(
		'The service rejected the API key with the scheme Bearer. With Basic, the result is different: ',
	);
	expect(message).toContain(says);
	expect(server.received).toHaveLength(2);
});

describe('what has nothing to do with the scheme is told as what it is, after one request', () => {
	it.each([
		['4013', refusal(4013, 'IP not allowed'), 'list of IP addresses'],
		['500', json(500, {}), "Something went wrong on the service's side"],
		['503', text(503, ''), "Something went wrong on the service's side"],
		['429', text(429, ''), 'too many requests'],
		['403', refusal(4030, 'Access Denied', 403), "can't read the balance"],
		['404', text(404, ''), "Check 'Base URL'"],
		['a redirect', json(302, {}, { location: 'https://elsewhere.example/' }), 'redirects'],
		['a web page', text(200, '<!doctype html><title>Hi</title>', 'text/html'), 'A web page'],
		['an empty answer', text(200, ''), 'was empty'],
		['an error with 200', refusal(4000, 'Bad Request', 200), 'invalid'],
		['a lost connection', reset, 'The connection to the service was lost'],
		['an answer cut off', cutOff(200, { RUB: 1 }), 'The connection to the service was lost'],
		['no answer in time', tooLate, "didn't respond in time"],
		['an answer that does not end', stalled(200, { RUB: 1 }), "didn't respond in time"],
	])('%s', async (_, answer, says) => {
		const server = await serve(() => answer);

		const { status, message } = await test({ baseUrl: `${server.url}/api/v1`, apiKey });

		expect(status).toBe('Error');
		expect(message).toContain(says);
		expect(server.received).toHaveLength(1);
	});

	it('nobody there', async () => {
		const { status, message } = await test({ baseUrl: `${unusedAddress}/api/v1`, apiKey });

		expect(status).toBe('Error');
		expect(message).toContain("The service can't be reached");
	});
});

it.each([
	['Base URL is empty', { baseUrl: '', apiKey }, "'Base URL' is"],
	['Base URL ends otherwise', { baseUrl: '/v2', apiKey }, "'Base URL' must end with /api/v1"],
	['API Key is empty', { baseUrl: '/api/v1', apiKey: ' ' }, "'API Key' is empty"],
	['API Key has another alphabet', { baseUrl: '/api/v1', apiKey: 'ключ' }, "can't be sent"],
	['API Key is missing', { baseUrl: '/api/v1' }, "'API Key' is empty"],
])('%s: nothing is asked', async (_, data, says) => {
	const server = await serve(() => balance);

	const baseUrl = data.baseUrl && `${server.url}${data.baseUrl}`;
	const { status, message } = await test({ ...data, baseUrl });

	expect(status).toBe('Error');
	expect(message).toContain(says);
	expect(server.received).toHaveLength(0);
});
