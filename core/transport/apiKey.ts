import type { ICredentialTestFunctions } from 'n8n-workflow';
import { messaging } from '../contract/messaging';
import { ServiceError } from './errors';
import { exchange, type HttpRequest } from './exchange';
import { defaultRetryPolicy } from './retry';
import { settle } from './settle';
import { endpointUrl } from './url';

type KeyScheme = 'Bearer' | 'Basic';

export const keySchemeOf = (chosen: unknown): KeyScheme =>
	chosen === 'Basic' ? 'Basic' : 'Bearer';

export const otherScheme: Readonly<Record<KeyScheme, KeyScheme>> = {
	Bearer: 'Basic',
	Basic: 'Bearer',
};

/** In both schemes the key is sent as it is, never encoded again. */
export const toAuthorization = (scheme: KeyScheme, apiKey: unknown): string =>
	`${scheme} ${String(apiKey).trim()}`;

type OldRequest = ICredentialTestFunctions['helpers']['request'];

/** n8n gives the test of a credential only its older helper, which has other names for the same. */
const toHttpRequest =
	(request: OldRequest): HttpRequest =>
	async ({ url, method, headers, timeout, abortSignal }) => {
		const answer = (await request({
			uri: url,
			method,
			headers,
			timeout,
			followRedirect: false,
			simple: false,
			resolveWithFullResponse: true,
			useStream: true,
		})) as { body?: { destroy?: () => void } };
		// It takes no signal. Without this, an answer that never ends would keep its connection.
		abortSignal?.addEventListener?.('abort', () => answer.body?.destroy?.(), { once: true });
		return answer;
	};

/** Reads the balance, once, with a key in one scheme: a key of any type may. Gives what is wrong, or nothing. */
export const tryKey = async (
	request: OldRequest,
	{ baseUrl, apiKey }: Record<'baseUrl' | 'apiKey', string>,
	scheme: KeyScheme,
): Promise<ServiceError | undefined> => {
	const { balance } = messaging;
	const options = {
		method: balance.method,
		url: endpointUrl(baseUrl, balance),
		headers: { Authorization: toAuthorization(scheme, apiKey) },
		timeout: 30_000,
	};
	const trying = settle(balance, async () => await exchange(toHttpRequest(request), options), {
		retry: { ...defaultRetryPolicy, attempts: 1 },
		secrets: () => [apiKey],
	});
	return await trying.then(
		() => undefined,
		(error: unknown) => {
			if (error instanceof ServiceError) return error;
			throw error;
		},
	);
};
