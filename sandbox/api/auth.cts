import { accessDenied, badCredentials, ipNotAllowed, notAuthenticated } from './apiError.cts';
import type { KeyType } from '../stored/entities.cts';
import type { World } from '../stored/world.cts';

interface Caller {
	authorization: string | undefined;
	address: string;
}

const header = /^(Bearer|Basic) +(\S+) *$/i;

/** Partner API: a token that this service issued and that hasn't expired. The contract has no code for its 401, so we chose one. */
export const checkToken = ({ store, timeline }: World, { authorization }: Caller): void => {
	const [, scheme, token] = header.exec(authorization ?? '') ?? [];
	if (scheme?.toLowerCase() !== 'bearer') throw notAuthenticated('a Bearer token is required');
	const known = store.tokens.get(token);
	if (known === undefined) throw notAuthenticated('the token is not valid');
	if (known.expiresAt <= timeline.now) throw notAuthenticated('the token has expired');
};

/** The paths that a key of each type may call. All types may read the balance. */
const mayCall: Record<KeyType, RegExp> = {
	FULL: /^/,
	MESSAGES: /^(?:\/v1)?\/(?:message|dispatch|flashcall-conversion)\b/,
	ENTITIES: /^(?:\/v1)?\/(?:sender-names|templates)\b/,
	VERIFIER: /\/verifier\//,
	WIDGET: /\/verifier\/widget\//,
};

/** Messaging API: the key follows `Bearer` or `Basic` unchanged. Here both work for every key. */
export const checkKey = (
	{ store }: World,
	{ authorization, address }: Caller,
	path: string,
): void => {
	if (authorization === undefined || authorization === '') throw notAuthenticated();
	const [, , value] = header.exec(authorization) ?? [];
	if (value === undefined) throw badCredentials();
	const key = store.keys.get(value);
	if (key === undefined || !key.active) throw notAuthenticated();
	if (key.ips.length > 0 && !key.ips.includes(address)) throw ipNotAllowed();
	if (path !== '/balance' && !mayCall[key.type].test(path)) throw accessDenied();
};
