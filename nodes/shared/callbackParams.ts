import type { NodeParameterValue } from 'n8n-workflow';
import { toCallbackUrl } from '../../core/contract/callbackUrl';
import { UnfitValueError } from '../../core/engine/errors';
import type { Param, ValueOf } from '../../core/engine/params';
import { additionalFields } from './additionalFields';

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

/** Always sent with a callback URL, so that the service uses the same default as the screen shows. */
export const defaultEvents: Array<'delivered'> = ['delivered'];

/** The URL in the form that the service accepts. A field that is added but blank counts as not added. */
const readCallbackUrl = (text: string | undefined): string | undefined => {
	if (text === undefined || text.trim() === '') return undefined;
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
