import { json, reset, text, truncated } from '../support/server.cts';
import { createCompany, getDispatch, repeatableCalls, unrepeatableCalls } from './calls.cts';
import {
	asked,
	inOrder,
	login,
	partnerCredential,
	password,
	servePartner,
	type Answer,
} from './service.cts';

const good: Answer = () => json(200, getDispatch.reply);

it('exchanges login and password for the token that the call carries', async () => {
	const service = await servePartner(good);
	await getDispatch.run(partnerCredential(service.url));
	expect(service.logIns).toHaveLength(1);
	const [logIn] = service.logIns;
	expect(logIn?.method).toBe('POST');
	expect(logIn?.headers['content-type']).toBe('application/json');
	expect(logIn?.headers.authorization).toBeUndefined();
	expect(JSON.parse(String(logIn?.body))).toEqual({ login, password });
	expect(service.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1']);
});

it('does not log in while there is a token', async () => {
	const service = await servePartner(good);
	await getDispatch.run(partnerCredential(service.url, { token: 'from-yesterday' }));
	expect(service.logIns).toHaveLength(0);
	expect(service.calls[0]?.headers.authorization).toBe('Bearer from-yesterday');
});

it('sends a login and a password of any characters', async () => {
	const service = await servePartner(good);
	const odd = { login: 'Логин "1"', password: 'pa"ss\\wörd\u0001 👋{}' };
	const { reply } = await getDispatch.run(partnerCredential(service.url, odd));
	expect(JSON.parse(String(service.logIns[0]?.body))).toEqual(odd);
	expect(reply).toEqual(getDispatch.reply);
});

describe.each([...repeatableCalls, ...unrepeatableCalls])('$name', ({ run }) => {
	it.each([401, 400, 403])('is never sent when the log-in is refused with %d', async (status) => {
		const service = await servePartner(good, () => json(status, { error: 'no' }));

		const { failure } = await run(partnerCredential(service.url));

		expect(failure).toMatchObject({ name: 'ServiceError', outcome: 'refused' });
		expect(asked(service.received)).toEqual(['POST /auth/token']);
	});
});

it.each([
	[404, 4040, "The URL in the credential doesn't lead to the service", 'Base URL'],
	[401, 4012, 'The service rejected the login in the credential', "'Login' and 'Password'"],
])('says what is wrong after %d, code %d', async (status, code, message, named) => {
	const service = await servePartner(good, () => json(status, { error: { code, msg: 'Not so' } }));
	const { failure } = await getDispatch.run(partnerCredential(service.url));
	expect(failure?.message).toBe(message);
	expect(failure?.description).toContain(named);
	expect(failure?.description).toContain('The service says: Not so');
});

it.each([
	['500', json(500, { error: { code: 5000, msg: 'Internal Server Error' } })],
	['502 with a web page', text(502, '<html></html>', 'text/html')],
	['429', json(429, {}, { 'retry-after': '0' })],
	['a connection reset', reset],
	['truncated JSON', truncated(200, { token: 'a-token-that-is-cut-off' })],
])('is repeated after %s', async (_, trouble) => {
	const service = await servePartner(good, inOrder(trouble, json(200, { token: 'second-try' })));
	const { reply } = await getDispatch.run(partnerCredential(service.url));
	expect(reply).toEqual(getDispatch.reply);
	expect(asked(service.received)).toEqual([
		'POST /auth/token',
		'POST /auth/token',
		'GET /dispatches/5',
	]);
	expect(service.calls[0]?.headers.authorization).toBe('Bearer second-try');
});

it('is given up after four hang-ups, and the call was not carried out', async () => {
	const service = await servePartner(good, () => reset);
	const { failure } = await createCompany.run(partnerCredential(service.url));
	expect(failure).toMatchObject({
		outcome: 'notCarriedOut',
		message: 'The connection to the service was lost',
	});
	expect(asked(service.received)).toEqual(Array(4).fill('POST /auth/token'));
});

it.each([
	['no token', json(200, { ok: true })],
	['an empty token', json(200, { token: '' })],
	['a token that is no text', json(200, { token: 5 })],
	['a list', json(200, [])],
])('%s in the answer is a failure, and the call is never sent', async (_, answer) => {
	const service = await servePartner(good, () => answer);
	const { failure } = await createCompany.run(partnerCredential(service.url));
	expect(failure).toMatchObject({ name: 'ServiceError', problem: { status: 200 } });
	expect(failure?.outcome).not.toBe('unknown');
	expect(service.calls).toHaveLength(0);
});
