import {
	hideSecrets,
	loginSecrets,
	type Caller,
	type Login,
} from '../../core/transport/connection';

const callbackCredential = 'bulkMessagingCallbackApi';

/** Whether the node has a Callback credential chosen. */
export const hasCallbackCredential = (caller: Caller): boolean =>
	caller.getNode().credentials?.[callbackCredential] !== undefined;

/** Login and password of the Callback credential; `undefined` if the node has none. */
export const callbackLogin = async (caller: Caller): Promise<Login | undefined> => {
	if (!hasCallbackCredential(caller)) return undefined;
	const { login, password } = await caller.getCredentials<Login>(callbackCredential);
	return { login, password };
};

/**
 * Hides the login in every operation of a node, because the service stores it and may repeat it in the response to any call. n8n
 * provides a credential only to operations that show its field, so this pretends to be 'Send' of the resource. If that fails, the
 * login can't be hidden, but nothing else is affected.
 */
export const hideCallbackLogin = async (
	caller: Caller,
	resource: 'message' | 'dispatch',
): Promise<void> => {
	const parameters = { resource, operation: 'send', options: { callbackUrl: '-' } };
	const node = { value: { ...caller.getNode(), parameters } };
	// The same n8n context, with only the node's parameters replaced.
	const asking = Object.create(caller, { node }) as Caller;
	const login = await callbackLogin(asking).catch(() => undefined);
	if (login !== undefined) hideSecrets(caller, loginSecrets(login));
};
