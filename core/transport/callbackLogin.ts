import type { IExecuteFunctions, ILoadOptionsFunctions, INode } from 'n8n-workflow';
import type { Endpoint } from '../contract/endpoint';

export interface Login {
	login: string;
	password: string;
}

const callbackCredential = 'bulkMessagingCallbackApi';

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

/** Whether the node has a Callback credential chosen. */
export const hasCallbackCredential = (caller: IExecuteFunctions | ILoadOptionsFunctions): boolean =>
	caller.getNode().credentials?.[callbackCredential] !== undefined;

/** Login and password of the Callback credential; `undefined` if the node has none. */
export const callbackLogin = async (
	caller: IExecuteFunctions | ILoadOptionsFunctions,
): Promise<Login | undefined> => {
	if (!hasCallbackCredential(caller)) return undefined;
	const { login, password } = await caller.getCredentials<Login>(callbackCredential);
	return { login, password };
};

/** For each node, an operation that uses the credential. */
const showing = {
	messaging: { resource: 'message', operation: 'send' },
	partner: { resource: 'dispatch', operation: 'send' },
} as const satisfies Record<Endpoint['api'], object>;

/**
 * The same for operations that don't use the credential, because the service stores the login and may repeat it in the response to
 * any call. n8n provides a credential only to operations that show its field, so this pretends to be one of them. If that fails,
 * the login can't be hidden, but nothing else is affected.
 */
export const callbackLoginAnywhere = async (
	caller: IExecuteFunctions | ILoadOptionsFunctions,
	api: Endpoint['api'],
): Promise<Login | undefined> => {
	const own = caller.getNode();
	const node: INode = { ...own, parameters: { ...showing[api], options: { callbackUrl: '-' } } };
	// The same n8n context, with only the node's parameters replaced.
	const asking = Object.create(caller, { node: { value: node } }) as typeof caller;
	return await callbackLogin(asking).catch(() => undefined);
};
