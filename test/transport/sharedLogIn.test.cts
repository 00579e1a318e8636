import { sleep } from 'n8n-workflow';
import { partner } from '../../core/contract/partner';
import { send } from '../../core/transport/send';
import { json, type Behaviour } from '../support/server.cts';
import { actLikeN8nBefore29, attempt } from '../support/transportNode.cts';
import { dispatch, getDispatch, quick } from './calls.cts';
import { giveTokens, inOrder, partnerCredential, servePartner, type Answer } from './service.cts';

const unauthorized: Behaviour = json(401, { error: { code: 4010, msg: 'Not Authenticated' } });
const expired = { token: 'expired-token' };

/** Lets in whoever carries a token that was given out here. */
const guarded: Answer = ({ headers }) =>
	/^Bearer token-\d+$/.test(headers.authorization ?? '') ? json(200, dispatch) : unauthorized;

describe.each([
	['n8n 2.9 or later throws for a 401', false],
	['n8n before 2.9 returns a 401', true],
])('%s', (_version, isOld) => {
	beforeAll(() => actLikeN8nBefore29(isOld));
	afterAll(() => actLikeN8nBefore29(false));

	describe('many calls at a time', () => {
		const sendMany = async (url: string, count: number, other?: Record<string, string>) =>
			await attempt(partnerCredential(url, other), async (context) => {
				const path = { id: dispatch.id };
				const replies = await Promise.all(
					Array.from(
						{ length: count },
						async () => await send(context, partner.dispatchGet, { path }, { retry: quick }),
					),
				);
				return replies.length;
			});

		it('share one log-in when there is no token yet', async () => {
			const service = await servePartner(guarded);

			const { reply } = await sendMany(service.url, 30);

			expect(reply).toBe(30);
			expect(service.logIns).toHaveLength(1);
			expect(service.calls).toHaveLength(30);
		});

		it('share one log-in when the token has expired', async () => {
			const refused: Array<() => void> = [];
			const service = await servePartner(({ headers }) =>
				headers.authorization === 'Bearer expired-token'
					? (request, response) => {
							// Held back until all have asked, so that all are refused at the same moment.
							refused.push(() => unauthorized(request, response));
							if (refused.length === 30) refused.forEach((refuse) => refuse());
						}
					: json(200, dispatch),
			);

			const { reply } = await sendMany(service.url, 30, expired);

			expect(reply).toBe(30);
			expect(service.calls).toHaveLength(60);
			expect(service.logIns).toHaveLength(1);
		});

		it('succeed one after the other at a service that knows one token per login', async () => {
			let current = 'none yet';
			const logIn = giveTokens();
			const service = await servePartner(
				({ url, headers }) =>
					(request, response) => {
						const answer = () =>
							headers.authorization === `Bearer ${current}` ? json(200, dispatch) : unauthorized;
						// Refused one by one, so that log-ins and refusals overlap.
						setTimeout(() => answer()(request, response), 5 * Number(url.split('/').at(-1)));
					},
				(request) => {
					current = `token-${service.logIns.length}`;
					return logIn(request);
				},
			);

			const { reply, failure } = await sendMany(service.url, 30, expired);

			expect(failure).toBeUndefined();
			expect(reply).toBe(30);
			expect(service.logIns).toHaveLength(1);
		});

		it('use the token that another call has got meanwhile', async () => {
			let release: () => void = () => undefined;
			const service = await servePartner(({ url, headers }) => {
				if (headers.authorization !== 'Bearer expired-token') {
					// The first call is through with its new token; only now the second one is refused.
					if (url === '/dispatches/1') release();
					return json(200, { ...dispatch, id: Number(url.split('/').at(-1)) });
				}
				if (url === '/dispatches/1') return unauthorized;
				return (request, response) => {
					release = () => unauthorized(request, response);
				};
			});

			const { reply } = await attempt(partnerCredential(service.url, expired), async (context) => {
				const second = send(context, partner.dispatchGet, { path: { id: 2 } }, { retry: quick });
				const isWaiting = () => service.receivedAt('GET', '/dispatches/2').length > 0;
				while (!isWaiting()) await sleep(5);
				await send(context, partner.dispatchGet, { path: { id: 1 } }, { retry: quick });
				return await second;
			});

			expect(reply).toEqual({ ...dispatch, id: 2 });
			expect(service.logIns).toHaveLength(1);
		});

		it('share the failure of a log-in', async () => {
			const service = await servePartner(
				guarded,
				inOrder(json(401, { error: { code: 4012, msg: 'Bad credentials' } })),
			);

			const { failure } = await sendMany(service.url, 30);

			expect(failure?.outcome).toBe('refused');
			expect(service.logIns).toHaveLength(1);
			expect(service.calls).toHaveLength(0);
		});

		it('do not share a log-in with another login', async () => {
			const service = await servePartner(guarded, giveTokens());

			await Promise.all([
				getDispatch.run(partnerCredential(service.url, { login: 'one' })),
				getDispatch.run(partnerCredential(service.url, { login: 'two' })),
			]);

			const logins = service.logIns.map(({ body }) => JSON.parse(String(body)).login);
			expect(logins.sort()).toEqual(['one', 'two']);
		});
	});
});
