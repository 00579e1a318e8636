import type { IExecuteFunctions } from 'n8n-workflow';
import { loginIn } from '../../core/contract/callbackUrl';
import { UnfitValueError } from '../../core/engine/errors';
import { ledgerOf } from '../../core/engine/ledger';
import { hasCallbackCredential } from '../../core/transport/connection';
import { callbackAuthentication, callbackUrl, type CallbackAuthentication } from './callbackParams';
import { isTriggerUrl } from './triggerUrls';

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
		"is 'None', but the Bulk Messaging Trigger of this n8n asks for a login",
		`The trigger at ${urlField} would reject every callback. Set ${choiceField} to 'Callback Credential' and choose the credential that the trigger uses. If the trigger's 'Authentication' is 'None', choose any Callback credential: the trigger ignores the login.`,
	);

export const emptyLogin = () =>
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
