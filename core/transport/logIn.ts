import type { ICredentialDataDecryptedObject, IHttpRequestHelper } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { partner } from '../contract/partner';
import { ServiceError } from './errors';
import { exchange } from './exchange';
import { defaultRetryPolicy } from './retry';
import { settle } from './settle';
import { baseUrlProblem, endpointUrl } from './url';

/** Calls that need a token at the same moment share one log-in instead of starting one each. */
const underWay = new Map<string, Promise<string>>();

/** What a header can carry. More than this no server takes in. */
const longestToken = 8_000;
const isPresentable = (token: string) => token.length <= longestToken && /^[!-~]+$/.test(token);

const requestToken = async (
	{ helpers }: IHttpRequestHelper,
	{ baseUrl, login, password }: Record<'baseUrl' | 'login' | 'password', string>,
): Promise<string> => {
	const { body } = await settle(
		partner.token,
		async () =>
			await exchange(helpers.httpRequest, {
				method: partner.token.method,
				url: endpointUrl(baseUrl, partner.token),
				headers: { 'Content-Type': 'application/json' },
				body: Buffer.from(JSON.stringify({ login, password })),
				timeout: 30_000,
				ignoreHttpStatusErrors: true,
			}),
		// Once: whoever needs the token tries again as a whole, and can be cancelled in its pauses.
		{ retry: { ...defaultRetryPolicy, attempts: 1 }, secrets: () => [password] },
	);
	const reply = partner.token.reply.safeParse(body);
	if (reply.success && isPresentable(reply.data.token)) return reply.data.token;
	throw new ServiceError({ status: 200, reply: 'notJson' }, 'refused', partner.token);
};

/** A log-in refers to nothing that could be missing. What is not there is the service, as with a call nobody knows (405). */
const atLogIn = (error: unknown): unknown =>
	error instanceof ServiceError && error.problem.status === 404
		? new ServiceError(
				{ ...error.problem, status: 405, code: undefined },
				error.outcome,
				partner.token,
			)
		: error;

/** Outside our nodes, as in the window of the credential, the message is all that is shown: it has to say everything. */
const inOneText = (error: unknown): unknown =>
	error instanceof ServiceError ? new UserError(error.inOneText) : error;

/** A token that the user has. People copy it with the word that stands before it in a header. */
export const readAccessToken = (value: unknown): string =>
	String(value ?? '')
		.trim()
		.replace(/^Bearer(?:\s+|$)/i, '');

/** The token that the calls of one run share; the newest one counts. */
export interface SharedToken {
	readonly token: string;
	keep(token: string): void;
}
export const sharedToken = Symbol('token of the run');

/** The transport put it there; n8n's type of a credential knows text keys only. */
const sharedBy = (credential: ICredentialDataDecryptedObject) =>
	(credential as { [sharedToken]?: SharedToken })[sharedToken];

/** Exchanges login and password for the token that every other call of the partner API carries. */
export const logIn = async (
	http: IHttpRequestHelper,
	credential: ICredentialDataDecryptedObject,
): Promise<string> => {
	const baseUrl = String(credential.baseUrl ?? '');
	const problem = baseUrlProblem(baseUrl, 'partner');
	if (problem !== undefined) throw new UserError(`Base URL ${problem}`);
	const login = String(credential.login ?? '');
	const password = String(credential.password ?? '');
	const shared = sharedBy(credential);
	// Refused with an older token than another call of the run has by now.
	if (shared && shared.token !== '' && shared.token !== credential.token) return shared.token;
	const key = JSON.stringify([baseUrl, login, password]);
	const token =
		underWay.get(key) ??
		requestToken(http, { baseUrl, login, password }).finally(() => underWay.delete(key));
	underWay.set(key, token);
	try {
		shared?.keep(await token);
		return await token;
	} catch (error) {
		throw shared ? atLogIn(error) : inOneText(atLogIn(error));
	}
};
