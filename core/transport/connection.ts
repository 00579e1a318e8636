import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	IExecuteFunctions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { createHash } from 'crypto';
import type { Endpoint } from '../contract/endpoint';
import { readApiKey } from './credentialTest';
import type { HttpRequest } from './exchange';
import { logInFailure, readAccessToken, sharedToken, storedToken, type SharedToken } from './logIn';
import { withoutSecrets } from './redact';
import { baseUrlProblem, isPathBelow, type VersionRoute } from './request';

export type Caller = IExecuteFunctions | ILoadOptionsFunctions;

export interface Login {
	login: string;
	password: string;
}

/** Every form in which a login may appear in a request or a response. */
export const loginSecrets = ({ login, password }: Login): string[] => {
	const pair = `${login}:${password}`;
	// Without padding, which some programs leave out. It has at most two characters.
	const header = Buffer.from(pair)
		.toString('base64')
		.replace(/={1,2}$/, '');
	const forUrls = Buffer.from(pair).toString('base64url');
	return [pair, header, forUrls, password, login];
};

interface Connection {
	baseUrl: string;
	/** Which of the two possible paths for `/v1/…` the service has, once a call has succeeded. */
	route?: VersionRoute;
	/** Whether the credential contains an access token instead of a login. */
	usesToken: boolean;
	/** The path of an endpoint, from the credential or from the contract. */
	pathOf(endpoint: Endpoint): string;
	/** Identifies the account at the service, without revealing a secret. */
	identity: string;
	/** Sends a request through n8n, with the credential. */
	request: HttpRequest;
}

/** What is known about the connections of one caller. */
interface Known {
	byApi: Map<Endpoint['api'], Promise<Connection>>;
	secrets: Set<string>;
}

/** One connection per node run, because `caller` is n8n's context object, which lives as long as the run. */
const callers = new WeakMap<Caller, Known>();

const knownOf = (caller: Caller): Known => {
	const known = callers.get(caller) ?? { byApi: new Map(), secrets: new Set() };
	callers.set(caller, known);
	return known;
};

/** Adds secrets that aren't in a credential of the run's calls. From now on they are hidden in every message. */
export const hideSecrets = (caller: Caller, secrets: readonly string[]): void => {
	for (const secret of secrets) knownOf(caller).secrets.add(secret);
};

/** All secrets of the credentials, all tokens of the run, and everything passed to `hideSecrets`. */
export const secretsOf = (caller: Caller): string[] => [...knownOf(caller).secrets];

/** A text with something in it that the service sent, such as a status that the contract doesn't have. */
export const withSecretsHidden = (caller: Caller, text: string): string =>
	String(withoutSecrets(text, secretsOf(caller)));

const credentialTypes = {
	partner: 'bulkMessagingPartnerApi',
	messaging: 'bulkMessagingApi',
} as const satisfies Record<Endpoint['api'], string>;

/** The secrets of a credential, and of the Callback credential if the node has one. */
const secretsIn = (data: ICredentialDataDecryptedObject) => {
	const { login, password, token, accessToken, apiKey } = data;
	const values = [password, token, accessToken, readAccessToken(accessToken), apiKey];
	if (apiKey !== undefined) values.push(readApiKey(apiKey));
	if (typeof login === 'string' && typeof password === 'string' && password !== '') {
		// The login alone isn't hidden, because the reader of an error may need to know which account it is about.
		values.push(...loginSecrets({ login, password }).filter((secret) => secret !== login));
	}
	return values.filter((value) => typeof value === 'string').filter((text) => text !== '');
};

const open = async (caller: Caller, api: Endpoint['api']): Promise<Connection> => {
	const type = credentialTypes[api];
	const data = await caller.getCredentials<ICredentialDataDecryptedObject>(type);
	const baseUrl = String(data.baseUrl ?? '');
	const problem = baseUrlProblem(baseUrl, api);
	if (problem !== undefined) {
		throw new UserError(`'Base URL' in the credential ${problem}`, {
			description: "Open the credential, correct 'Base URL' and test it.",
		});
	}
	const usesToken = api === 'partner' && data.logInWith === 'accessToken';
	const accessToken = readAccessToken(data.accessToken);
	if (usesToken && accessToken === '') {
		throw new UserError("'Access Token' in the credential is empty", {
			description:
				"Open the credential and enter the token, or set 'Log In With' to 'Login and Password'.",
		});
	}
	const reference = caller.getNode().credentials?.[type];
	hideSecrets(caller, secretsIn(data));
	let newestToken = usesToken ? accessToken : storedToken(data);

	/** A copy for every call, because n8n writes a renewed token into it and the login needs the token that was rejected. */
	const credentialForCall = () => {
		const shared: SharedToken = {
			get token() {
				return newestToken;
			},
			keep: (token) => {
				newestToken = token;
				hideSecrets(caller, [token]);
			},
		};
		return {
			id: reference?.id ?? '',
			name: reference?.name ?? type,
			type,
			data: { ...data, token: newestToken, [sharedToken]: shared },
		};
	};
	const requestWith = async (
		options: Parameters<HttpRequest>[0],
		credentialsDecrypted: ICredentialsDecrypted,
	) => {
		// For calls with a credential, n8n uses the caller's cancel signal and ignores the request's own.
		const asking = Object.create(caller, {
			getExecutionCancelSignal: { value: () => options.abortSignal },
		}) as Caller;
		try {
			return (await caller.helpers.httpRequestWithAuthentication.call(
				asking,
				type,
				// A copy for every call, because n8n changes the object it gets.
				{ ...options, headers: { ...options.headers } },
				{ credentialsDecrypted },
				// n8n doesn't type what `returnFullResponse` returns. A body that isn't read must be closed.
			)) as { statusCode: number; body?: { destroy?: () => void } };
		} catch (error) {
			throw logInFailure(credentialsDecrypted) ?? error;
		}
	};
	const account = JSON.stringify([type, baseUrl, data.login, data.apiKey, data.accessToken]);
	return {
		baseUrl,
		usesToken,
		pathOf: ({ path, pathSetting }) => {
			if (pathSetting === undefined || data.changesPaths !== true) return path;
			const other = String(data[pathSetting] ?? '').trim();
			if (other === '') return path;
			// Braces mark parameters in the contract's paths, but are literal in a path from the user.
			if (isPathBelow(other)) return other.replaceAll('{', '%7B').replaceAll('}', '%7D');
			throw new UserError(`A path in the credential isn't valid: ${other}`, {
				description: 'It must start with one "/" and must not contain "?", "#" or "..".',
			});
		},
		identity: createHash('sha256').update(account).digest('base64'),
		request: async (options) => {
			const credential = credentialForCall();
			const response = await requestWith(options, credential);
			const { token } = credential.data;
			// From 2.9 on, n8n throws for this status and renews the token itself. Earlier versions return the response as it is.
			const canLogIn = api === 'partner' && !usesToken && token !== '';
			if (response.statusCode !== 401 || !canLogIn) return response;
			response.body?.destroy?.();
			// Another call may have renewed it since.
			if (newestToken === token) newestToken = '';
			return await requestWith(options, credentialForCall());
		},
	};
};

export const connect = async (caller: Caller, api: Endpoint['api']): Promise<Connection> => {
	const { byApi } = knownOf(caller);
	const connection = byApi.get(api) ?? open(caller, api);
	byApi.set(api, connection);
	return await connection;
};
