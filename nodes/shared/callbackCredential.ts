import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IExecuteFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { loginIn } from '../../core/contract/callbackUrl';
import { addHintOnce } from '../../core/engine/hints';
import {
	type Login,
	callbackLogin,
	hideSecrets,
	loginSecrets,
} from '../../core/transport/connection';
import { toUrlPart } from '../../core/transport/request';
import { checkCallback, emptyLogin } from './callbackCheck';
import { callbackAuthentication, type CallbackAuthentication } from './callbackParams';
import { isTestUrl } from './triggerUrls';

const shortestPassword = 12;

const loginProblem = ({ login, password }: Login) => {
	if (login === '') return '\'Login\' is empty. Choose any login, for example "callbacks".';
	if (login.includes(':'))
		return "'Login' must not contain a colon, because HTTP reads everything after it as the password.";
	if (password.length < shortestPassword) {
		return `'Password' is too short. Anyone on the internet can try to guess it, so use at least ${shortestPassword} characters.`;
	}
	return undefined;
};

/** The user chooses this login and password freely, so the test only checks that they can work and aren't weak. */
export async function testCallbackCredential(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const problem = loginProblem({
		login: String(data?.login ?? ''),
		password: String(data?.password ?? ''),
	});
	return problem === undefined
		? { status: 'OK', message: 'Ready. Only callbacks with this login and password are accepted.' }
		: { status: 'Error', message: problem };
}

/** The URL for the service with login and password in it, which the service sends as Basic authentication (RFC 3986). */
const withLogin = (callbackUrl: string, { login, password }: Login): string => {
	const url = new URL(callbackUrl);
	url.username = toUrlPart(login);
	url.password = toUrlPart(password);
	return url.href;
};

const hintAtTestUrl = (context: IExecuteFunctions, callbackUrl: string): void => {
	if (!isTestUrl(callbackUrl)) return;
	addHintOnce(
		context,
		"'Callback URL' is a test URL, which works only while the editor is listening for a test event. For real messages, use the trigger's production URL and publish its workflow.",
	);
};

/** Adds the login and password of the Callback credential to the URL for the service, and hides them everywhere else. */
export const toCallback = async (
	context: IExecuteFunctions,
	callbackUrl: string | undefined,
	authentication: CallbackAuthentication = callbackAuthentication.default,
): Promise<{ callbackUrl?: string; secrets: string[] }> => {
	if (callbackUrl === undefined) return { secrets: [] };
	checkCallback(context, callbackUrl, authentication);
	hintAtTestUrl(context, callbackUrl);
	const written = loginIn(callbackUrl);
	const chosen = authentication === 'credential' ? await callbackLogin(context) : undefined;
	if (chosen !== undefined && (!chosen.login || !chosen.password)) throw emptyLogin();
	const full = chosen === undefined ? callbackUrl : withLogin(callbackUrl, chosen);
	const logins = [written, chosen].filter((login) => login !== undefined);
	if (logins.length === 0) return { callbackUrl, secrets: [] };
	const secrets = [full, ...logins.flatMap(loginSecrets)];
	// The service stores them and may repeat them in the response to any call.
	hideSecrets(context, secrets);
	return { callbackUrl: full, secrets };
};
