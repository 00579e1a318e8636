import type { ICredentialTestFunctions } from 'n8n-workflow';
import { messaging } from '../contract/messaging';
import { toHttpRequest, tryEndpoint } from './credentialTest';
import type { ServiceError } from './errors';

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

/** Tests a key by reading the balance once, which keys of all types may do. Returns the error, or `undefined` if it works. */
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
