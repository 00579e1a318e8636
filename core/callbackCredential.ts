import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IExecuteFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { hideSecrets } from './transport/connection';

const callbackCredential = 'bulkMessagingCallbackApi';
const shortestPassword = 12;

const problemOf = ({ login, password }: { login: string; password: string }) => {
	if (login === '') return 'Login is empty. Make one up, for example "callbacks".';
	if (login.includes(':'))
		return 'Login must not contain a colon: HTTP takes what follows it for the password.';
	if (password.length < shortestPassword) {
		return `Password is too short. Anybody may guess at it over the internet: use at least ${shortestPassword} characters.`;
	}
	return undefined;
};

/** Login and password for callbacks are made up by the user: what can be tested is that they can work and are not weak. */
export async function testCallbackCredential(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const problem = problemOf({
		login: String(data?.login ?? ''),
		password: String(data?.password ?? ''),
	});
	return problem === undefined
		? { status: 'OK', message: 'Ready. Whoever calls back must present this login and password.' }
		: { status: 'Error', message: problem };
}

/** The address for the service, with login and password in it: that is how it presents them (RFC 3986, Basic). */
const withLogin = (
	callbackUrl: string,
	{ login, password }: { login: string; password: string },
): string => {
	const url = new URL(callbackUrl);
	url.username = encodeURIComponent(login);
	url.password = encodeURIComponent(password);
	return url.href;
};

/** With a callback credential, its login and password go into the address for the service, and nowhere else. */
export const toCallback = async (
	context: IExecuteFunctions,
	callbackUrl: string | undefined,
): Promise<{ callbackUrl?: string; secrets: string[] }> => {
	const isProtected = context.getNode().credentials?.[callbackCredential] !== undefined;
	if (callbackUrl === undefined || !isProtected) return { callbackUrl, secrets: [] };
	const { login, password } = await context.getCredentials<{ login: string; password: string }>(
		callbackCredential,
	);
	const full = withLogin(callbackUrl, { login, password });
	const pair = `${login}:${password}`;
	// As the service will present it.
	const header = Buffer.from(pair).toString('base64');
	const secrets = [full, pair, header, password, login];
	// The service keeps them, and may repeat them in its answer to any call.
	hideSecrets(context, secrets);
	return { callbackUrl: full, secrets };
};

/** A callback address as it may be shown: without its login, and without the signature that lets an execution go on. */
export const toShownCallback = (callbackUrl: string): string => {
	if (!URL.canParse(callbackUrl)) return '***';
	const url = new URL(callbackUrl);
	if (url.username !== '') url.username = '***';
	if (url.password !== '') url.password = '***';
	if (url.searchParams.has('signature')) url.searchParams.set('signature', '***');
	return url.href;
};
