import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IExecuteFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { loginIn } from '../../core/contract/callbackUrl';
import { perRun } from '../../core/engine/perRun';
import { callbackLogin, loginSecrets, type Login } from '../../core/transport/callbackLogin';
import { hideSecrets } from '../../core/transport/connection';
import { toUrlPart } from '../../core/transport/url';
import { checkCallback, emptyLogin } from './callbackCheck';
import { callbackAuthentication, type CallbackAuthentication } from './callbackParams';
import { isTestUrl } from './triggerUrls';

const shortestPassword = 12;

const loginProblem = ({ login, password }: Login) => {
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
	const problem = loginProblem({
		login: String(data?.login ?? ''),
		password: String(data?.password ?? ''),
	});
	return problem === undefined
		? { status: 'OK', message: 'Ready. Whoever calls back must present this login and password.' }
		: { status: 'Error', message: problem };
}

/** The URL for the service, with login and password in it: that is how it presents them (RFC 3986, Basic). */
const withLogin = (callbackUrl: string, { login, password }: Login): string => {
	const url = new URL(callbackUrl);
	url.username = toUrlPart(login);
	url.password = toUrlPart(password);
	return url.href;
};

/** Runs that were warned about a test URL. */
const warnedRuns = perRun(() => ({ isWarned: false }));

const hintAtTestUrl = (context: IExecuteFunctions, callbackUrl: string): void => {
	const run = warnedRuns(context);
	if (run.isWarned || !isTestUrl(callbackUrl)) return;
	run.isWarned = true;
	context.addExecutionHints({
		message:
			'"Callback URL" is a test URL: n8n answers it only while the editor is listening for a test event. For real messages, use the production URL of the trigger and publish its workflow.',
		location: 'outputPane',
		type: 'warning',
	});
};

/** With the Callback credential, its login and password go into the URL for the service, and nowhere else. */
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
	// The service keeps them, and may repeat them in its answer to any call.
	hideSecrets(context, secrets);
	return { callbackUrl: full, secrets };
};
