import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	IExecuteFunctions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { createHash } from 'crypto';
import type { Endpoint } from '../contract/endpoint';
import { callbackLoginAnywhere, loginSecrets } from './callbackLogin';
import { readAccessToken, sharedToken, storedToken, type SharedToken } from './logIn';
import { baseUrlProblem, isPathBelow, type VersionRoute } from './url';

export type Caller = IExecuteFunctions | ILoadOptionsFunctions;

const credentialTypes = {
	partner: 'bulkMessagingPartnerApi',
	messaging: 'bulkMessagingApi',
} as const satisfies Record<Endpoint['api'], string>;

export interface Connection {
	baseUrl: string;
	/** Which of the two possible paths for `/v1/…` the service has, once a call has succeeded. */
	route?: VersionRoute;
	/** Whether the credential contains an access token instead of a login. */
	usesToken: boolean;
	/** The path of an endpoint, from the credential or from the contract. */
	pathOf(endpoint: Pick<Endpoint, 'path' | 'pathSetting'>): string;
	/** Identifies the account at the service, without revealing a secret. */
	identity: string;
	credentialType: string;
	/**
	 * The credential for one call, decrypted once per run. A copy, because n8n writes a renewed token into it and the login needs
	 * the token that this call was rejected with.
	 */
	credentialForCall(): ICredentialsDecrypted;
	/**
	 * Drops the token that a call was rejected with, so that the next call logs in. False if no login can help: the credential
	 * contains the token itself, or there is none.
	 */
	dropToken(rejected: ICredentialsDecrypted): boolean;
	/** All secrets of the credential, all tokens of the run, and everything passed to `hideSecrets`. */
	secrets(): string[];
}

const secretFields = ['password', 'token', 'accessToken', 'apiKey'];

/** What is known about the connections of one caller. */
interface Known {
	byApi: Map<Endpoint['api'], Promise<Connection>>;
	/** Secrets that aren't in a credential. */
	hidden: Set<string>;
}

/** One connection per node run, because `caller` is n8n's context object, which lives as long as the run. */
const callers = new WeakMap<Caller, Known>();

const knownOf = (caller: Caller): Known => {
	const known = callers.get(caller) ?? { byApi: new Map(), hidden: new Set() };
	callers.set(caller, known);
	return known;
};

/** Adds secrets that aren't in a credential of the run's calls. From now on they are hidden in every message. */
export const hideSecrets = (caller: Caller, secrets: readonly string[]): void => {
	for (const secret of secrets) knownOf(caller).hidden.add(secret);
};

const open = async (caller: Caller, api: Endpoint['api']): Promise<Connection> => {
	const credentialType = credentialTypes[api];
	const data = await caller.getCredentials<ICredentialDataDecryptedObject>(credentialType);
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
	const reference = caller.getNode().credentials?.[credentialType];
	const secrets = new Set<string>();
	const keepSecret = (value: unknown) => {
		if (typeof value === 'string' && value !== '') secrets.add(value);
	};
	for (const field of secretFields) keepSecret(data[field]);
	keepSecret(accessToken);
	const { login, password } = data;
	if (typeof login === 'string' && typeof password === 'string' && password !== '') {
		// The login alone isn't hidden, because the reader of an error may need to know which account it is about.
		loginSecrets({ login, password })
			.filter((secret) => secret !== login)
			.forEach(keepSecret);
	}
	const callback = await callbackLoginAnywhere(caller, api);
	if (callback !== undefined) loginSecrets(callback).forEach(keepSecret);
	let newestToken = usesToken ? accessToken : storedToken(data);
	const shareToken = (): SharedToken => ({
		get token() {
			return newestToken;
		},
		keep: (token) => {
			newestToken = token;
			keepSecret(token);
		},
	});
	const account = JSON.stringify([
		credentialType,
		baseUrl,
		data.login,
		data.apiKey,
		data.accessToken,
	]);
	return {
		baseUrl,
		usesToken,
		pathOf: ({ path, pathSetting }) => {
			const other =
				pathSetting === undefined || data.changesPaths !== true
					? ''
					: String(data[pathSetting] ?? '').trim();
			if (other === '') return path;
			// Braces mark parameters in the contract's paths, but are literal in a path from the user.
			if (isPathBelow(other)) return other.replaceAll('{', '%7B').replaceAll('}', '%7D');
			throw new UserError(`A path in the credential isn't valid: ${other}`, {
				description: 'It must start with one "/" and must not contain "?", "#" or "..".',
			});
		},
		identity: createHash('sha256').update(account).digest('base64'),
		credentialType,
		credentialForCall: () => ({
			id: reference?.id ?? '',
			name: reference?.name ?? credentialType,
			type: credentialType,
			data: Object.assign({ ...data, token: newestToken }, { [sharedToken]: shareToken() }),
		}),
		dropToken: ({ data: used }) => {
			const token = String(used?.token ?? '');
			if (api !== 'partner' || usesToken || token === '') return false;
			// Another call may have renewed it since.
			if (newestToken === token) newestToken = '';
			return true;
		},
		secrets: () => [...secrets, ...knownOf(caller).hidden],
	};
};

export const connect = async (caller: Caller, api: Endpoint['api']): Promise<Connection> => {
	const { byApi } = knownOf(caller);
	const connection = byApi.get(api) ?? open(caller, api);
	byApi.set(api, connection);
	return await connection;
};
