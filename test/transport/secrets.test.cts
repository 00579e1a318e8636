import { sleep } from 'n8n-workflow';
import { partner } from '../../core/contract/partner';
import { logIn } from '../../core/transport/logIn';
import { send } from '../../core/transport/send';
import { json, text } from '../support/server.cts';
import { attempt, type Attempted } from '../support/transportNode.cts';
import { createCompany, dispatch, getDispatch, quick, askBalance } from './calls.cts';
import { apiKey, partnerCredential, password, serve, servePartner } from './service.cts';

const error = (status: number, msg: string) => json(status, { error: { code: 1, msg } });
const once = { retry: { ...quick, attempts: 1 } };

const expectHidden = ({ failure, record }: Attempted, ...secrets: string[]) => {
	// Outside our nodes everything stands in the message.
	expect(`${failure?.message} ${failure?.description}`).toContain('***');
	for (const secret of secrets) expect(record).not.toContain(secret);
};

describe('the token and the password', () => {
	it('are not in what a good call leaves behind', async () => {
		const service = await servePartner(() => json(200, getDispatch.reply));
		const { record, reply } = await getDispatch.run(partnerCredential(service.url));
		expect(reply).toEqual(getDispatch.reply);
		expect(record).not.toContain('token-1');
		expect(record).not.toContain(password);
	});

	it.each([400, 401, 403, 500])(
		'are hidden when the service repeats them with %d',
		async (status) => {
			const service = await servePartner(({ headers }) =>
				error(status, `Your ${headers.authorization} and "${password}" are wrong (${password})`),
			);
			const attempted = await createCompany.run(partnerCredential(service.url), once);
			expectHidden(attempted, 'token-', password);
			expect(attempted.failure?.description).toContain('Your Bearer *** and "***" are wrong (***)');
		},
	);

	it.each([
		['another shape', json(400, { reason: { given: [password, 'token-1'] } })],
		['a plain text', text(400, `${password} token-1`)],
	])('are hidden in %s', async (_, answer) => {
		const service = await servePartner(() => answer);
		expectHidden(await getDispatch.run(partnerCredential(service.url)), 'token-1', password);
	});

	it('are hidden when the log-in is refused', async () => {
		const service = await servePartner(
			() => json(200, getDispatch.reply),
			() => error(401, `Wrong password ${password}`),
		);
		expectHidden(await getDispatch.run(partnerCredential(service.url)), password);
	});

	it('are hidden when n8n logs in by itself, as it does for a credential test', async () => {
		const service = await servePartner(
			() => json(200, getDispatch.reply),
			() => error(401, `Wrong password ${password}`),
		);
		const credentials = partnerCredential(service.url);
		const attempted = await attempt(
			credentials,
			async ({ helpers }) =>
				await logIn(helpers.httpRequest, { ...credentials.bulkMessagingPartnerApi }),
		);
		expectHidden(attempted, password);
	});

	it.each([
		['of the credential', { token: 'token-0' }, 'token-0'],
		['of this execution', {}, 'token-1'],
	])('an old token %s stays a secret after a new log-in', async (_, credential, old) => {
		let release: () => void = () => undefined;
		const service = await servePartner(({ url, headers }) => {
			if (url === '/dispatches/2') {
				return (request, response) => {
					release = () => error(400, `Bad ${headers.authorization}`)(request, response);
				};
			}
			return headers.authorization === `Bearer ${old}`
				? error(401, 'No')
				: json(200, { ...dispatch, id: 1 });
		});

		const attempted = await attempt(partnerCredential(service.url, credential), async (context) => {
			const held = send(context, partner.dispatchGet, { path: { id: 2 } }, { retry: quick });
			while (service.receivedAt('GET', '/dispatches/2').length === 0) await sleep(5);
			await send(context, partner.dispatchGet, { path: { id: 1 } }, { retry: quick });
			release();
			return await held;
		});

		expectHidden(attempted, old);
	});
});

describe('the API key', () => {
	it.each([
		['as the user has it', apiKey],
		['pasted with spaces around it', ` ${apiKey}\n`],
	])('%s is hidden when the service repeats it', async (_, stored) => {
		const server = await serve(({ headers }) => error(401, `Unknown ${headers.authorization}`));
		const attempted = await askBalance(server.url, { apiKey: stored });
		expectHidden(attempted, apiKey);
	});
});
