import { partner } from '../../core/contract/partner';
import { send } from '../../core/transport/send';
import { json, reset, text, type Behaviour } from '../support/server.cts';
import { actLikeN8nBefore29, attempt } from '../support/transportNode.cts';
import { createCompany, dispatch, repeatableCalls, unrepeatableCalls } from './calls.cts';
import { asked, inOrder, partnerCredential, servePartner, type Answer } from './service.cts';

const unauthorized: Behaviour = json(401, { error: { code: 4010, msg: 'Not Authenticated' } });
const expired = { token: 'expired-token' };

/** Lets in whoever carries a token that was given out here. */
const guarded =
	(good: Behaviour): Answer =>
	({ headers }) =>
		/^Bearer token-\d+$/.test(headers.authorization ?? '') ? good : unauthorized;

describe.each([
	['n8n 2.9 or later throws for a 401', false],
	['n8n before 2.9 returns a 401', true],
])('%s', (_version, isOld) => {
	beforeAll(() => actLikeN8nBefore29(isOld));
	afterAll(() => actLikeN8nBefore29(false));

	describe.each([...repeatableCalls, ...unrepeatableCalls])('$name', ({ status, reply, run }) => {
		it('is repeated once with a new token after a 401', async () => {
			const service = await servePartner(guarded(json(status, reply)));

			const attempted = await run(partnerCredential(service.url, expired));

			expect(attempted.reply).toEqual(reply);
			expect(service.logIns).toHaveLength(1);
			expect(service.calls.map(({ headers }) => headers.authorization)).toEqual([
				'Bearer expired-token',
				'Bearer token-1',
			]);
			const [first, second] = service.calls;
			expect(second?.url).toBe(first?.url);
			expect(second?.body).toEqual(first?.body);
			expect(second?.headers['content-type']).toBe(first?.headers['content-type']);
		});

		it('ends when every token is refused', async () => {
			const service = await servePartner(() => unauthorized);

			const { failure } = await run(partnerCredential(service.url, expired));

			expect(failure).toMatchObject({ outcome: 'refused', problem: { status: 401, code: 4010 } });
			expect(failure?.message).toBe('The service rejected the login in the credential');
			expect(failure?.description).toContain("'Login' and 'Password'");
			expect(service.calls).toHaveLength(2);
			expect(service.logIns).toHaveLength(1);
		});
	});

	it.each([
		['login', { login: 'another-login' }],
		['password', { password: 'another-password' }],
	])('a token of before the %s was changed is not used', async (_, changed) => {
		const service = await servePartner(guarded(json(201, createCompany.reply)));
		const { bulkMessagingPartnerApi: stored } = partnerCredential(service.url, expired);

		await createCompany.run({ bulkMessagingPartnerApi: { ...stored, ...changed } });

		expect(service.logIns).toHaveLength(1);
		expect(service.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1']);
	});

	it('a token of another URL, or one that nobody knows the login of, is not used', async () => {
		const service = await servePartner(guarded(json(201, createCompany.reply)));
		const elsewhere = partnerCredential('https://elsewhere.example', expired);
		const { baseUrl } = partnerCredential(service.url).bulkMessagingPartnerApi ?? {};

		await createCompany.run({
			bulkMessagingPartnerApi: { ...elsewhere.bulkMessagingPartnerApi, baseUrl: String(baseUrl) },
		});
		await createCompany.run({
			bulkMessagingPartnerApi: {
				...partnerCredential(service.url).bulkMessagingPartnerApi,
				token: 'from-an-older-version',
			},
		});

		expect(service.logIns).toHaveLength(2);
		expect(service.calls.map(({ headers }) => headers.authorization)).toEqual([
			'Bearer token-1',
			'Bearer token-2',
		]);
	});

	it('a new access token is used at once, whatever token is stored', async () => {
		const service = await servePartner(guarded(json(201, createCompany.reply)));
		const accessToken = { logInWith: 'accessToken', accessToken: 'token-7' };

		const { reply } = await createCompany.run(
			partnerCredential(service.url, { ...expired, ...accessToken }),
		);

		expect(reply).toEqual(createCompany.reply);
		expect(service.logIns).toHaveLength(0);
		expect(service.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-7']);
	});

	it.each([
		['no body', text(401, '')],
		['a text', text(401, 'Unauthorized')],
		['a web page', text(401, '<html><body>Log in</body></html>', 'text/html')],
		['a body of another shape', json(401, { message: 'expired' })],
	])('understands a 401 with %s', async (_, refusal) => {
		const service = await servePartner(inOrder(refusal, json(201, createCompany.reply)));

		const { reply } = await createCompany.run(partnerCredential(service.url, expired));

		expect(reply).toEqual(createCompany.reply);
		expect(service.calls).toHaveLength(2);
	});

	it('is sent no third time when the outcome of the second is unknown', async () => {
		const service = await servePartner(
			inOrder(unauthorized, reset, json(201, createCompany.reply)),
		);

		const { failure } = await createCompany.run(partnerCredential(service.url, expired));

		expect(failure?.outcome).toBe('unknown');
		expect(service.calls).toHaveLength(2);
	});

	it('is refused when the log-in for a new token is', async () => {
		const service = await servePartner(
			() => unauthorized,
			() => json(401, { error: { code: 4012, msg: 'Bad credentials' } }),
		);

		const { failure } = await createCompany.run(partnerCredential(service.url, expired));

		expect(failure).toMatchObject({ outcome: 'refused', problem: { code: 4012 } });
		expect(asked(service.received)).toEqual(['POST /company', 'POST /auth/token']);
	});

	it('is not carried out when the log-in for a new token gets no answer', async () => {
		const service = await servePartner(
			() => unauthorized,
			() => reset,
		);

		const { failure } = await createCompany.run(partnerCredential(service.url, expired));

		expect(failure?.outcome).toBe('notCarriedOut');
		expect(service.logIns).toHaveLength(4);
		expect(new Set(service.calls.map(({ headers }) => headers.authorization))).toEqual(
			new Set(['Bearer expired-token']),
		);
	});

	it('keeps the new token for the calls that follow in the same execution', async () => {
		const service = await servePartner(guarded(json(200, dispatch)));

		await attempt(partnerCredential(service.url, expired), async (context) => {
			for (let call = 0; call < 3; call++) {
				await send(context, partner.dispatchGet, { path: { id: dispatch.id } });
			}
		});

		expect(asked(service.received)).toEqual([
			'GET /dispatches/5',
			'POST /auth/token',
			'GET /dispatches/5',
			'GET /dispatches/5',
			'GET /dispatches/5',
		]);
	});
});
