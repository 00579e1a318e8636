import type { ICredentialTestFunctions, INodeCredentialTestResult } from 'n8n-workflow';
import type { Endpoint } from '../contract/endpoint';
import { ServiceError } from './errors';
import { exchange, type HttpRequest } from './exchange';
import { defaultRetryPolicy } from './retry';
import { settle } from './settle';
import { endpointUrl, toQueryString, type QueryValue } from './url';

/** n8n provides only its older request helper for testing a credential. It has other names for the same options. */
export const toHttpRequest =
	({ helpers: { request } }: ICredentialTestFunctions): HttpRequest =>
	async ({ url, method, headers, body, timeout, abortSignal }) => {
		const answer = (await request({
			uri: url,
			method,
			headers,
			...(body !== undefined && { body }),
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

/** The window of the credential shows only this text, so it also says what to do. */
export const failedTest = (message: string): INodeCredentialTestResult => ({
	status: 'Error',
	message,
});

interface TestCall {
	baseUrl: string;
	authorization: string;
	/** No error shows them. */
	secrets: string[];
	query?: Record<string, QueryValue>;
}

/** Tests a credential with one call. Returns the error, or `undefined` if the service accepts the credential. */
export const tryEndpoint = async (
	httpRequest: HttpRequest,
	endpoint: Endpoint,
	{ baseUrl, authorization, secrets, query }: TestCall,
): Promise<ServiceError | undefined> => {
	const options = {
		method: endpoint.method,
		url: endpointUrl(baseUrl, endpoint) + toQueryString(query),
		headers: { Authorization: authorization },
		timeout: 30_000,
	};
	const trying = settle(endpoint, async () => await exchange(httpRequest, options), {
		retry: { ...defaultRetryPolicy, attempts: 1 },
		secrets: () => secrets,
	});
	return await trying.then(
		() => undefined,
		(error: unknown) => {
			if (error instanceof ServiceError) return error;
			throw error;
		},
	);
};
