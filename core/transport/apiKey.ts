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

/** Both schemes send the key unchanged, without encoding it. */
export const toAuthorization = (scheme: KeyScheme, apiKey: unknown): string =>
	`${scheme} ${String(apiKey).trim()}`;

type OldRequest = ICredentialTestFunctions['helpers']['request'];

/** n8n provides only its older request helper for testing a credential. It has other names for the same options. */
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
		// The helper doesn't support a signal. Without this, a response that never ends would keep its connection open.
		abortSignal?.addEventListener?.('abort', () => answer.body?.destroy?.(), { once: true });
		return answer;
	};

/** Tests a key by reading the balance once, which keys of all types may do. Returns the error, or `undefined` if it works. */
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
