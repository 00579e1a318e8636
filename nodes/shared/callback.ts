import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IExecuteFunctions,
	INodeCredentialTestResult,
	NodeParameterValue,
} from 'n8n-workflow';
import { loginIn, toCallbackUrl } from '../../core/contract/callbackUrl';
import { eventOptions, type EventName } from '../../core/contract/events';
import { UnfitValueError } from '../../core/engine/errors';
import type { Param, ValueOf } from '../../core/engine/params';
import { additionalFields } from './additionalFields';
import { ledgerOf } from '../../core/engine/ledger';
import { hideSecrets, type Login, loginSecrets } from '../../core/transport/connection';
import { isTestUrl, isTriggerUrl } from './triggerUrls';
import { addHintOnce } from '../../core/engine/hints';
import { toUrlPart } from '../../core/transport/request';
import { isBlank } from '../../core/value';
import { callbackLogin, hasCallbackCredential } from './callbackLogin';

/**
 * How the service logs in to the receiver. It is an option next to 'Callback URL', because n8n drops the value of a field that is
 * shown only when an option is added.
 */
export const callbackAuthentication = {
	displayName: 'Callback Authentication',
	name: 'callbackAuthentication',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Callback Credential',
			value: 'credential',
			description:
				'Use the login and password from the Bulk Messaging Callback API credential above',
		},
		{
			name: 'In the URL',
			value: 'url',
			description:
				"Write login and password in 'Callback URL', as in https://login:password@n8n.example.com/…",
		},
		{
			name: 'None',
			value: 'none',
			description:
				"For a receiver that doesn't ask for a login. The Bulk Messaging Trigger asks for one by default.",
		},
	],
	default: 'credential',
	description:
		"Where the login for 'Callback URL' comes from. Without this option, the credential is used.",
} as const satisfies Param;

export type CallbackAuthentication = ValueOf<typeof callbackAuthentication>;

/** Where the service sends its callbacks: usually a URL of the trigger. */
export const callbackUrl = {
	displayName: 'Callback URL',
	name: 'callbackUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://n8n.example.com/webhook/…',
	description:
		"Where the service reports the status of each message. Copy this URL from a Bulk Messaging Trigger and choose the trigger's Callback credential above. To use another login or none, add the option 'Callback Authentication'.",
} as const satisfies Param;

export const callbackEventsOf = <Name extends EventName>(names: readonly Name[]) =>
	({
		displayName: 'Callback Events',
		name: 'callbackEvents',
		type: 'multiOptions',
		options: eventOptions(names),
		default: ['delivered'],
		whenEmpty: 'refuse',
		description: "Which events the service reports to 'Callback URL'",
	}) as const satisfies Param;

/** Always sent with a callback URL, so that the service uses the same default as the screen shows. */
export const defaultEvents: Array<'delivered'> = ['delivered'];

/** The URL in the form that the service accepts. A field that is added but blank counts as not added. */
const readCallbackUrl = (text: string | undefined): string | undefined => {
	if (text === undefined || isBlank(text)) return undefined;
	const result = toCallbackUrl(text);
	if (result.problem === undefined) return result.url;
	throw new UnfitValueError(callbackUrl.displayName, result.problem);
};

/**
 * The URL to send, from the field or from 'Additional Fields'. n8n provides the Callback credential only if the field is added, so
 * a URL in 'Additional Fields' alone can't use it.
 */
export const wantedCallbackUrl = (
	{
		callbackUrl: inField,
		callbackAuthentication: authentication = 'credential',
	}: { callbackUrl?: string; callbackAuthentication?: CallbackAuthentication },
	additional: Readonly<Record<string, unknown>>,
): string | undefined => {
	if (!Object.hasOwn(additional, callbackUrl.name)) return readCallbackUrl(inField);
	const { callbackUrl: instead } = additional;
	if (instead === undefined) return undefined;
	const url = readCallbackUrl(String(instead));
	if (inField === undefined && authentication === 'credential') {
		throw new UnfitValueError(
			additionalFields.displayName,
			`contains callbackUrl, which needs the Callback credential. Enter the URL in the option '${callbackUrl.displayName}' instead`,
		);
	}
	return url;
};

const authenticationField = `options.${callbackAuthentication.name}`;

/**
 * Shows and requires the Callback credential only where it is used. The cast is needed because n8n's type for credentials has no
 * conditions, although n8n uses the same function for fields and credentials.
 */
export const whereCallbackCredentialIsUsed = {
	[authenticationField]: [{ _cnd: { not: 'url' } }],
	// The same field with its absolute path, because n8n joins several conditions for one name with "or".
	[`/${authenticationField}`]: [{ _cnd: { not: 'none' } }],
	// This comes last: when n8n meets a field with an expression, it shows the credential without checking the rest.
	[`options.${callbackUrl.name}`]: [{ _cnd: { exists: true } }],
} as unknown as Record<string, NodeParameterValue[]>;

/** The label that n8n shows above the parameters. */
const credentialField = 'Credential for Bulk Messaging Callback API';
const urlField = `'${callbackUrl.displayName}'`;
const choiceField = `'${callbackAuthentication.displayName}'`;

const unfit = (field: string, complaint: string, advice: string) =>
	new UnfitValueError(field, complaint, undefined, advice);

const noCredential = (isWritten: boolean) =>
	unfit(
		credentialField,
		`is empty, and ${urlField} needs it`,
		isWritten
			? `${urlField} already contains a login. Add the option ${choiceField} and choose 'In the URL'.`
			: `Choose the credential that your Bulk Messaging Trigger uses. If the receiver doesn't ask for a login, add the option ${choiceField} and choose 'None'. If the login is in the URL, choose 'In the URL' there.`,
	);

const noWrittenLogin = (lacks: 'login' | 'password') =>
	unfit(
		callbackUrl.displayName,
		`contains no ${lacks}, but ${choiceField} is 'In the URL'`,
		`Write the URL as https://login:password@…, or set ${choiceField} to 'Callback Credential'.`,
	);

/** There is no option to skip this check, because a login does no harm: a trigger whose 'Authentication' is 'None' ignores it. */
const noLoginForTrigger = () =>
	unfit(
		callbackAuthentication.displayName,
		"is 'None', but 'Callback URL' belongs to a Bulk Messaging Trigger, which asks for a login by default",
		`A trigger that asks for a login rejects every callback without one. Set ${choiceField} to 'Callback Credential' and choose the credential that the trigger uses. If the trigger's 'Authentication' is 'None', choose any Callback credential: the trigger ignores the login.`,
	);

const emptyLogin = () =>
	unfit(
		credentialField,
		'has no login or no password',
		'Open the credential, fill in both and test it.',
	);

/** Read once per run, because n8n copies the whole node on every call of `getNode`. */
const surroundingsOf = (context: IExecuteFunctions) =>
	ledgerOf(context).record('surroundings', () => ({
		hasCredential: hasCallbackCredential(context),
		/** This n8n's base URLs: for webhooks and for the editor. */
		baseUrls: [context.getRestApiUrl(), context.getInstanceBaseUrl()],
	}));

/** Throws before anything is sent if the receiver would reject every callback, which the user wouldn't notice otherwise. */
export const checkCallback = (
	context: IExecuteFunctions,
	url: string | undefined,
	authentication: CallbackAuthentication = callbackAuthentication.default,
): void => {
	if (url === undefined) return;
	const { login = '', password = '' } = loginIn(url) ?? {};
	// A login without a password, or the reverse, is rejected like a missing login.
	const isWritten = login !== '' && password !== '';
	const { hasCredential, baseUrls } = surroundingsOf(context);
	if (authentication === 'credential') {
		if (!hasCredential) throw noCredential(isWritten);
		return;
	}
	if (isWritten) return;
	if (authentication === 'url') throw noWrittenLogin(login === '' ? 'login' : 'password');
	if (isTriggerUrl(url, baseUrls)) throw noLoginForTrigger();
};

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
