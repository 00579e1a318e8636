import { messaging } from '../../core/contract/messaging';
import { json } from '../support/server.cts';
import { createCompany, getDispatch, trySend, askBalance } from './calls.cts';
import {
	apiKey,
	messagingCredential,
	partnerCredential,
	password,
	serve,
	servePartner,
} from './service.cts';

const statuses = [301, 302, 303, 307, 308];
const moved = (status: number, location: string) => json(status, {}, { location });

/** Where a redirect leads; nothing may ever arrive there. */
const serveElsewhere = async () => await serve(() => json(200, getDispatch.reply));

describe.each([getDispatch, createCompany])('$name', ({ name, run }) => {
	it.each(statuses)('is not sent on after %d', async (status) => {
		const elsewhere = await serveElsewhere();
		const service = await servePartner(() => moved(status, `${elsewhere.url}/new`));

		const { failure } = await run(partnerCredential(service.url));

		expect(elsewhere.received).toHaveLength(0);
		expect(service.calls).toHaveLength(1);
		expect(failure).toMatchObject({
			// A usual answer to what was carried out.
			outcome: [302, 303].includes(status) && name.startsWith('POST') ? 'unknown' : 'refused',
			message: 'The URL in the credential redirects to another URL',
			problem: { status },
		});
		expect(failure?.description).toContain(`the service redirects to ${elsewhere.url}/new`);
		expect(failure?.description).toContain('Base URL');
	});
});

it.each(statuses)('login and password are not sent on after %d', async (status) => {
	const elsewhere = await serveElsewhere();
	const service = await servePartner(
		() => json(200, getDispatch.reply),
		() => moved(status, `${elsewhere.url}/auth/token`),
	);

	const { failure } = await getDispatch.run(partnerCredential(service.url));

	expect(elsewhere.received).toHaveLength(0);
	expect(service.calls).toHaveLength(0);
	expect(failure?.message).toBe('The URL in the credential redirects to another URL');
});

it.each(
	statuses.flatMap((status) => [
		[status, messaging.balance] as const,
		[status, messaging.ping] as const,
	]),
)('an API key is not sent on after %d', async (status, endpoint) => {
	const elsewhere = await serveElsewhere();
	const server = await serve(() => moved(status, `${elsewhere.url}${endpoint.path}`));
	const { failure } = await trySend(messagingCredential(`${server.url}/api/v1`), endpoint, {});
	expect(elsewhere.received).toHaveLength(0);
	expect(server.received).toHaveLength(1);
	expect(failure).toMatchObject({ outcome: 'refused', problem: { status } });
});

it('is explained without an address when there is none', async () => {
	const service = await servePartner(() => json(302, {}));
	const { failure } = await getDispatch.run(partnerCredential(service.url));
	expect(failure?.message).toBe('The URL in the credential redirects to another URL');
	expect(failure?.description).not.toContain('redirects to ');
	expect(failure?.description).not.toContain('undefined');
});

it('shows no secret that the address holds', async () => {
	const partnerService = await servePartner(() =>
		moved(302, `https://example.com/log-in?p=${password}&t=token-1`),
	);
	const server = await serve(() => moved(302, `https://example.com/?key=${apiKey}`));
	const partnerCall = await getDispatch.run(partnerCredential(partnerService.url));
	const messagingCall = await askBalance(server.url);
	expect(partnerCall.failure?.description).toContain('https://example.com/log-in?p=***&t=***');
	expect(messagingCall.failure?.description).toContain('https://example.com/?key=***');
	expect(partnerCall.record).not.toContain(password);
	expect(partnerCall.record).not.toContain('token-1');
	expect(messagingCall.record).not.toContain(apiKey);
});
