import type { IExecuteFunctions, ILoadOptionsFunctions, INode } from 'n8n-workflow';
import type { Endpoint } from '../contract/endpoint';

export interface Login {
	login: string;
	password: string;
}

const callbackCredential = 'bulkMessagingCallbackApi';

/** Every form in which a login is presented. */
export const loginSecrets = ({ login, password }: Login): string[] => {
	const pair = `${login}:${password}`;
	// Without its padding, which some leave out.
	const header = Buffer.from(pair).toString('base64').replace(/=+$/, '');
	const forUrls = Buffer.from(pair).toString('base64url');
	return [pair, header, forUrls, password, login];
};

/** Whether the node has a Callback credential chosen. */
export const hasCallbackCredential = (caller: IExecuteFunctions | ILoadOptionsFunctions): boolean =>
	caller.getNode().credentials?.[callbackCredential] !== undefined;

/** A node that has the Callback credential chosen: its login and password. */
export const callbackLogin = async (
	caller: IExecuteFunctions | ILoadOptionsFunctions,
): Promise<Login | undefined> => {
	if (!hasCallbackCredential(caller)) return undefined;
	const { login, password } = await caller.getCredentials<Login>(callbackCredential);
	return { login, password };
};

/** An operation of each node that shows the credential. */
const showing = {
	messaging: { resource: 'message', operation: 'send' },
	partner: { resource: 'dispatch', operation: 'send' },
} as const satisfies Record<Endpoint['api'], object>;

/**
 * The same for operations that do not use it: the service keeps the login, and may repeat it in its answer to any call.
 * n8n gives a credential only to an operation that shows its field, so it is asked as if it were one of those. Where that
 * does not work, the login is not known here, and nothing else is lost.
 */
export const callbackLoginAnywhere = async (
	caller: IExecuteFunctions | ILoadOptionsFunctions,
	api: Endpoint['api'],
): Promise<Login | undefined> => {
	const own = caller.getNode();
	const node: INode = { ...own, parameters: { ...showing[api], options: { callbackUrl: '-' } } };
	// A view of n8n's own context, in which only the parameters of the node are others.
	const asking = Object.create(caller, { node: { value: node } }) as typeof caller;
	return await callbackLogin(asking).catch(() => undefined);
};
