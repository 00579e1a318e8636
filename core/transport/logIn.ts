import { createHmac } from 'crypto';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import type { Endpoint } from '../contract/endpoint';
import { partner } from '../contract/partner';
import { ServiceError, toServiceError } from './outcome';
import { exchange, type HttpRequest, judge } from './exchange';
import { baseUrlProblem, endpointUrl } from './request';
import type { HttpAnswer } from './types';

/** Calls that need a token at the same moment share one login. */
const underWay = new Map<string, Promise<string>>();

/** Servers don't accept longer headers. */
const longestToken = 8_000;
const isPresentable = (token: string) => token.length <= longestToken && /^[!-~]+$/.test(token);

/** One attempt at a call, for the login and the tests of credentials. Throws a ServiceError. */
export const exchangeOnce = async (
	endpoint: Endpoint,
	httpRequest: HttpRequest,
	options: IHttpRequestOptions,
	secrets: readonly string[],
): Promise<HttpAnswer> => {
	const answer = await exchange(httpRequest, { ...options, timeout: 30_000 });
	const judgment = judge(endpoint, answer, Date.now());
	if (judgment.verdict === 'done') return judgment.answer;
	throw toServiceError(endpoint, judgment, secrets);
};

/** Without retries: the call that needs the token is retried as a whole, and its pauses can be canceled. */
const requestToken = async (
	httpRequest: HttpRequest,
	{ baseUrl, login, password }: Record<'baseUrl' | 'login' | 'password', string>,
): Promise<string> => {
	const options: IHttpRequestOptions = {
		method: partner.token.method,
		url: endpointUrl(baseUrl, partner.token),
		headers: { 'Content-Type': 'application/json' },
		body: Buffer.from(JSON.stringify({ login, password })),
		ignoreHttpStatusErrors: true,
	};
	const { body } = await exchangeOnce(partner.token, httpRequest, options, [password]);
	const reply = partner.token.reply.safeParse(body);
	if (reply.success && isPresentable(reply.data.token)) return reply.data.token;
	throw new ServiceError({ status: 200, reply: 'notJson' }, 'refused', partner.token);
};

/** A login contains no ID that could be missing, so a 404 means that the service isn't there. */
const atLogIn = (error: unknown): unknown => {
	if (!(error instanceof ServiceError) || error.problem.status !== 404) return error;
	const problem = { ...error.problem, code: undefined, hasNoLogIn: true as const };
	return new ServiceError(problem, error.outcome, partner.token);
};

/** Outside our nodes, such as in the window of the credential, n8n shows only the message, so it has to contain everything. */
const inOneText = (error: unknown): unknown =>
	error instanceof ServiceError ? new UserError(error.inOneText) : error;

/** The token that the user entered, without the word "Bearer" that is often copied with it. */
export const readAccessToken = (value: unknown): string =>
	String(value ?? '')
		.trim()
		.replace(/^Bearer(?:\s+|$)/i, '');

/** The newest token, shared by the calls of one run, as one call sees it. */
export interface SharedToken {
	readonly token: string;
	keep(token: string): void;
	/** Why the login for this call failed. An older n8n wraps the error and loses it. */
	failure?: unknown;
}
export const sharedToken = Symbol('token of the run');

/** The transport added it; n8n's type for a credential allows only string keys. */
const sharedBy = (credential: ICredentialDataDecryptedObject) =>
	(credential as { [sharedToken]?: SharedToken })[sharedToken];

/** Exchanges login and password for the token that every other call to the partner API needs. */
export const logIn = async (
	httpRequest: HttpRequest,
	credential: ICredentialDataDecryptedObject,
): Promise<string> => {
	const baseUrl = String(credential.baseUrl ?? '');
	const problem = baseUrlProblem(baseUrl, 'partner');
	if (problem !== undefined) throw new UserError(`'Base URL' ${problem}`);
	const login = String(credential.login ?? '');
	const password = String(credential.password ?? '');
	const shared = sharedBy(credential);
	// This call was rejected with an old token, and another call of the run has renewed it since.
	if (shared && shared.token !== '' && shared.token !== credential.token) return shared.token;
	const key = JSON.stringify([baseUrl, login, password]);
	const token =
		underWay.get(key) ??
		requestToken(httpRequest, { baseUrl, login, password }).finally(() => underWay.delete(key));
	underWay.set(key, token);
	try {
		shared?.keep(await token);
		return await token;
	} catch (error) {
		const failure = atLogIn(error);
		if (shared === undefined) throw inOneText(failure);
		shared.failure = failure;
		throw failure;
	}
};

/** Why the login for a call failed; `undefined` if it didn't. */
export const logInFailure = ({ data }: ICredentialsDecrypted): unknown =>
	data && sharedBy(data)?.failure;

/**
 * Says which login a token is for, without revealing the password. It is stored with the token: after the user has changed the
 * login, n8n keeps the old token, and calls with it would act for the old account.
 */
const ownerOf = (token: string, { baseUrl, login, password }: ICredentialDataDecryptedObject) =>
	createHmac('sha256', token)
		.update(JSON.stringify([baseUrl, login, password]))
		.digest('base64url');

/** The stored token, or '' if it isn't for the login that the credential contains now. */
export const storedToken = (credential: ICredentialDataDecryptedObject): string => {
	const token = String(credential.token ?? '');
	return token !== '' && credential.tokenOwner === ownerOf(token, credential) ? token : '';
};

/** What n8n stores in the credential after a login. */
export const toStore = (token: string, credential: ICredentialDataDecryptedObject) => ({
	token,
	tokenOwner: ownerOf(token, credential),
});

/** The token for a credential, whichever way it logs in. */
export const tokenOf = async (
	httpRequest: HttpRequest,
	credential: ICredentialDataDecryptedObject,
): Promise<string> => {
	if (credential.logInWith !== 'accessToken') return await logIn(httpRequest, credential);
	const token = readAccessToken(credential.accessToken);
	if (token === '') throw new UserError("'Access Token' is empty");
	return token;
};
