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
import { readAccessToken, sharedToken, type SharedToken } from './logIn';
import { baseUrlProblem, isPathBelow } from './url';

export type Caller = IExecuteFunctions | ILoadOptionsFunctions;

const credentialTypes = {
	partner: 'bulkMessagingPartnerApi',
	messaging: 'bulkMessagingApi',
} as const satisfies Record<Endpoint['api'], string>;

export interface Connection {
	baseUrl: string;
	/** Whether the credential holds an access token instead of a login. */
	usesToken: boolean;
	/** The path of an endpoint, by the contract or by the credential. */
	pathOf(endpoint: Pick<Endpoint, 'path' | 'pathSetting'>): string;
	/** The same for the same account at the same service, and no secret. */
	identity: string;
	credentialType: string;
	/**
	 * The credential for one call, decrypted once per run. A copy, because n8n writes a renewed token into it and the
	 * log-in must see which token this call was refused with.
	 */
	credentialForCall(): ICredentialsDecrypted;
	/** Every secret of the credential, every token the run has had, and whatever else is to be hidden. */
	secrets(): string[];
}

const secretFields = ['password', 'token', 'accessToken', 'apiKey'];

const hidden = new WeakMap<Caller, Set<string>>();

/** Secrets of a run that are in no credential of its calls: from now on no message shows them, whoever repeats them. */
export const hideSecrets = (caller: Caller, secrets: readonly string[]): void => {
	hidden.set(caller, new Set([...(hidden.get(caller) ?? []), ...secrets]));
};

const open = async (caller: Caller, api: Endpoint['api']): Promise<Connection> => {
	const credentialType = credentialTypes[api];
	const data = await caller.getCredentials<ICredentialDataDecryptedObject>(credentialType);
	const baseUrl = String(data.baseUrl ?? '');
	const problem = baseUrlProblem(baseUrl, api);
	if (problem !== undefined) {
		throw new UserError(`Base URL in the credential ${problem}`, {
			description: 'Open the credential of this node, correct Base URL and test it.',
		});
	}
	const usesToken = api === 'partner' && data.logInWith === 'accessToken';
	const accessToken = readAccessToken(data.accessToken);
	if (usesToken && accessToken === '') {
		throw new UserError('Access Token in the credential is empty', {
			description:
				"Open the credential, enter the token, or choose Login and Password in 'Log In With'.",
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
		// Not the login by itself: whoever reads an error may have to know which account it is about.
		loginSecrets({ login, password })
			.filter((secret) => secret !== login)
			.forEach(keepSecret);
	}
	const callback = await callbackLoginAnywhere(caller, api);
	if (callback !== undefined) loginSecrets(callback).forEach(keepSecret);
	let newestToken = String(data.token ?? '');
	const shared: SharedToken = {
		get token() {
			return newestToken;
		},
		keep: (token) => {
			newestToken = token;
			keepSecret(token);
		},
	};
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
			// Braces mark parameters in the contract's paths; here they are meant as they are.
			if (isPathBelow(other)) return other.replaceAll('{', '%7B').replaceAll('}', '%7D');
			throw new UserError(`A path in the credential can't be used: ${other}`, {
				description: 'It starts with one slash and has no "?", "#" or "..".',
			});
		},
		identity: createHash('sha256').update(account).digest('base64'),
		credentialType,
		credentialForCall: () => ({
			id: reference?.id ?? '',
			name: reference?.name ?? credentialType,
			type: credentialType,
			data: Object.assign({ ...data, token: newestToken }, { [sharedToken]: shared }),
		}),
		secrets: () => [...secrets, ...(hidden.get(caller) ?? [])],
	};
};

const connections = new WeakMap<Caller, Map<Endpoint['api'], Promise<Connection>>>();

/** One connection per node run: `caller` is n8n's context object, which lives as long as the run. */
export const connect = async (caller: Caller, api: Endpoint['api']): Promise<Connection> => {
	const known = connections.get(caller) ?? new Map<Endpoint['api'], Promise<Connection>>();
	connections.set(caller, known);
	const connection = known.get(api) ?? open(caller, api);
	known.set(api, connection);
	return await connection;
};
