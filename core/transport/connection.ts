import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	IExecuteFunctions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import type { Endpoint } from '../contract/endpoint';
import { baseUrlProblem } from './url';

export type Caller = IExecuteFunctions | ILoadOptionsFunctions;

export const credentialTypes = {
	partner: 'bulkMessagingPartnerApi',
	messaging: 'bulkMessagingApi',
} as const satisfies Record<Endpoint['api'], string>;

export interface Connection {
	baseUrl: string;
	credentialType: string;
	/** Handed to n8n with every call, so that it decrypts once per run and a renewed token stays. */
	credential: ICredentialsDecrypted;
	/** Read at the moment of use: the token in it is renewed. */
	secrets(): string[];
}

const secretFields = ['password', 'token', 'apiKey'];

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
	const reference = caller.getNode().credentials?.[credentialType];
	return {
		baseUrl,
		credentialType,
		credential: {
			id: reference?.id ?? '',
			name: reference?.name ?? credentialType,
			type: credentialType,
			data,
		},
		secrets: () =>
			secretFields.map((field) => data[field]).filter((value) => typeof value === 'string'),
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
