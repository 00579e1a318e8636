import { createServer as createSecureServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { exchange, judge } from '../../core/transport/exchange';
import { explain } from '../../core/transport/explain';
import { send } from '../../core/transport/send';
import { partner } from '../../core/contract/partner';
import { json } from '../support/server.cts';
import { attempt } from '../support/transportNode.cts';
import { createCompany, getDispatch, quick } from './calls.cts';
import { selfSigned } from './certificate.cts';
import { partnerCredential, servePartner, unusedAddress } from './service.cts';

const withToken = { token: 'still-valid' };

/** How often n8n was asked to send, whether or not anybody was there to receive it. */
const countAttempts = async (baseUrl: string) => {
	let attempts = 0;
	const attempted = await attempt(partnerCredential(baseUrl, withToken), async (context) => {
		const spy = jest.spyOn(context.helpers, 'httpRequestWithAuthentication');
		try {
			return await send(context, partner.dispatchStart, { path: { id: 5 } }, { retry: quick });
		} finally {
			attempts = spy.mock.calls.length;
			spy.mockRestore();
		}
	});
	return { ...attempted, attempts };
};

it('a call is tried several times where nobody listens', async () => {
	const { failure, attempts } = await countAttempts(unusedAddress);
	expect(attempts).toBe(quick.attempts);
	expect(failure).toMatchObject({
		outcome: 'notCarriedOut',
		message: "The service can't be reached",
		problem: { connection: 'ECONNREFUSED' },
	});
	expect(failure?.description).toContain('Base URL');
});

it('a name that does not exist is told, and the call was not carried out', async () => {
	const { failure } = await createCompany.run(
		partnerCredential('http://does-not-exist.invalid', withToken),
	);
	expect(failure?.outcome).toBe('notCarriedOut');
	// ENOTFOUND, or EAI_AGAIN on a machine without a name server.
	expect(failure?.message).toMatch(
		/^The service's (URL doesn't exist|host name couldn't be looked up)$/,
	);
});

describe('https', () => {
	let secure: Server;
	let received = 0;
	let url = '';
	beforeAll(async () => {
		secure = createSecureServer(selfSigned, (_, response) => {
			received++;
			response.end('{}');
		});
		secure.on('tlsClientError', () => undefined);
		await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
		url = `https://127.0.0.1:${(secure.address() as AddressInfo).port}`;
	});
	afterAll(async () => {
		await new Promise((resolve) => {
			secure.close(resolve);
			secure.closeAllConnections();
		});
	});

	it('a certificate that nobody vouches for is not trusted, and nothing is sent', async () => {
		const { failure, attempts } = await countAttempts(url);
		expect(failure).toMatchObject({
			outcome: 'notCarriedOut',
			message: "The service's certificate isn't trusted",
		});
		expect(failure?.description).toContain('certificate');
		// It will not be better in a second.
		expect(attempts).toBe(1);
		expect(received).toBe(0);
	});

	it('a server that answers without encryption is told', async () => {
		const service = await servePartner(() => json(200, getDispatch.reply));
		const { failure, attempts } = await countAttempts(service.url.replace('http:', 'https:'));
		expect(failure).toMatchObject({
			// The same fault may come after a request was read: it is not certain.
			outcome: 'unknown',
			message: "A secure connection to the service couldn't be set up",
		});
		expect(failure?.description).toContain('may not support https://');
		expect(attempts).toBe(1);
		expect(service.received).toHaveLength(0);
	});

	it('a server that wants encryption and is spoken to without', async () => {
		const { failure } = await createCompany.run(
			partnerCredential(url.replace('https:', 'http:'), withToken),
		);
		expect(failure?.name).toBe('ServiceError');
		expect(received).toBe(0);
	});
});

describe('an error of an older n8n, without the one that caused it', () => {
	const judgeThrown = async (fields: object) => {
		const fail = async () => await Promise.reject(Object.assign(new Error('failed'), fields));
		const exchanged = await exchange(fail, { url: 'http://127.0.0.1:1', timeout: 1_000 });
		return judge(partner.dispatchStart, exchanged, 0);
	};

	it('a refused connection is named, and does not prove that nothing was sent', async () => {
		expect(await judgeThrown({ httpCode: 'ECONNREFUSED' })).toMatchObject({
			verdict: 'unknown',
			problem: { connection: 'ECONNREFUSED' },
		});
	});

	it('a host that does not exist got nothing', async () => {
		expect(await judgeThrown({ httpCode: 'ENOTFOUND' })).toMatchObject({
			verdict: 'notCarriedOut',
			problem: { connection: 'ENOTFOUND' },
		});
	});

	it('the code of a cause comes first', async () => {
		const cause = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
		expect(await judgeThrown({ httpCode: 'ENOTFOUND', cause })).toMatchObject({
			verdict: 'unknown',
			problem: { connection: 'ECONNRESET' },
		});
	});

	it.each([200, '200', '0x1AD', ['429'], 600, '', null, true])(
		'%p is no status of a rejection',
		async (httpCode) => {
			expect((await judgeThrown({ httpCode })).verdict).toBe('unknown');
		},
	);
});

describe('explain', () => {
	it.each([
		['ENOTFOUND', "The service's URL doesn't exist", 'Base URL'],
		['EAI_AGAIN', "The service's host name couldn't be looked up", "your n8n's network"],
		['ECONNREFUSED', "The service can't be reached", 'Base URL'],
		['EHOSTUNREACH', "The service can't be reached", 'firewall'],
		['ENETUNREACH', "The service can't be reached", 'firewall'],
		['ETIMEDOUT', "The service didn't respond in time", 'Try again'],
		['ECONNABORTED', "The service didn't respond in time", 'Try again'],
		['ECONNRESET', 'The connection to the service was lost', 'Try again'],
		['EPIPE', 'The connection to the service was lost', 'Try again'],
		['EPROTO', "A secure connection to the service couldn't be set up", 'https://'],
		['CERT_HAS_EXPIRED', "The service's certificate isn't trusted", 'expired'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', "The service's certificate isn't trusted", 'self-signed'],
		['SELF_SIGNED_CERT_IN_CHAIN', "The service's certificate isn't trusted", 'self-signed'],
		['ERR_TLS_CERT_ALTNAME_INVALID', "The service's certificate isn't trusted", 'another host'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', "The service's certificate isn't trusted", 'proxy'],
		['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', "The service's certificate isn't trusted", 'proxy'],
	])('%s', (connection, message, says) => {
		for (const api of ['partner', 'messaging'] as const) {
			const explanation = explain({ connection }, api);
			expect(explanation.message).toBe(message);
			expect(explanation.description).toContain(says);
		}
	});
});
