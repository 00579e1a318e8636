import type {
	ICredentialTestFunctions,
	IHttpRequestOptions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import type { Endpoint } from '../contract/endpoint';
import { messaging } from '../contract/messaging';
import { ServiceError } from './outcome';
import type { HttpRequest } from './exchange';
import { exchangeOnce } from './logIn';
import { endpointUrl, toQueryString, type QueryValue } from './request';

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
	const options: IHttpRequestOptions = {
		method: endpoint.method,
		url: endpointUrl(baseUrl, endpoint) + toQueryString(query),
		headers: { Authorization: authorization },
	};
	return await exchangeOnce(endpoint, httpRequest, options, secrets).then(
		() => undefined,
		(error: unknown) => {
			if (error instanceof ServiceError) return error;
			throw error;
		},
	);
};

type KeyScheme = 'Bearer' | 'Basic';

export const keySchemeOf = (chosen: unknown): KeyScheme =>
	chosen === 'Basic' ? 'Basic' : 'Bearer';

export const otherScheme: Readonly<Record<KeyScheme, KeyScheme>> = {
	Bearer: 'Basic',
	Basic: 'Bearer',
};

/** A key may be pasted together with its scheme. */
export const readApiKey = (value: unknown): string =>
	String(value ?? '')
		.trim()
		.replace(/^(?:Bearer|Basic)(?:\s+|$)/i, '');

/** Both schemes send the key unchanged, without encoding it. */
export const toAuthorization = (scheme: KeyScheme, apiKey: unknown): string =>
	`${scheme} ${readApiKey(apiKey)}`;

/** Tests a key by reading the balance once, which keys of all types may do. Returns the error, or `undefined` if it is known. */
export const tryKey = async (
	test: ICredentialTestFunctions,
	{ baseUrl, apiKey }: Record<'baseUrl' | 'apiKey', string>,
	scheme: KeyScheme,
): Promise<ServiceError | undefined> =>
	await tryEndpoint(toHttpRequest(test), messaging.balance, {
		baseUrl,
		authorization: toAuthorization(scheme, apiKey),
		secrets: [apiKey],
	});
