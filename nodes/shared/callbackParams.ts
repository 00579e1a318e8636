import type { NodeParameterValue } from 'n8n-workflow';
import { toCallbackUrl } from '../../core/contract/callbackUrl';
import { UnfitValueError } from '../../core/engine/errors';
import type { Param, ValueOf } from '../../core/engine/params';
import { additionalFields } from './additionalFields';

/**
 * How the service proves to the receiver that it may call. It is an option beside Callback URL: n8n drops the value of a field
 * that is shown only when an option is given.
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
			description: 'The login and password of the Bulk Messaging Callback API credential above',
		},
		{
			name: 'In the URL',
			value: 'url',
			description: 'You write them in Callback URL, as in https://login:password@n8n.example.com/…',
		},
		{
			name: 'None',
			value: 'none',
			description:
				'For a receiver that asks for no login. The Bulk Messaging Trigger asks for one by default.',
		},
	],
	default: 'credential',
	description: 'Where the login for Callback URL comes from. Without this option: the credential.',
} as const satisfies Param;

export type CallbackAuthentication = ValueOf<typeof callbackAuthentication>;

/** Where the service reports: usually a URL of the trigger. */
export const callbackUrl = {
	displayName: 'Callback URL',
	name: 'callbackUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://n8n.example.com/webhook/…',
	description:
		"Where the service reports each message's status: a URL of the Bulk Messaging Trigger. With a URL, the trigger's Callback credential is required above. To send a login in the URL or none, add Callback Authentication.",
} as const satisfies Param;

/** Always sent with a Callback URL, so that the screen and the service agree on it. */
export const defaultEvents: Array<'delivered'> = ['delivered'];

/** As the service accepts it. A field that is added and left blank is the same as no field. */
const readCallbackUrl = (text: string | undefined): string | undefined => {
	if (text === undefined || text.trim() === '') return undefined;
	const result = toCallbackUrl(text);
	if (result.problem === undefined) return result.url;
	throw new UnfitValueError(callbackUrl.displayName, result.problem);
};

/**
 * The one to send: in the field, or in Additional Fields. n8n shows and gives the Callback credential only where the field is, so
 * without it nothing could take its place.
 */
export const wantedCallbackUrl = (
	{
		callbackUrl: inField,
		callbackAuthentication: authentication = 'credential',
	}: {
		callbackUrl?: string;
		callbackAuthentication?: CallbackAuthentication;
	},
	additional: Readonly<Record<string, unknown>>,
): string | undefined => {
	if (!Object.hasOwn(additional, callbackUrl.name)) return readCallbackUrl(inField);
	const { callbackUrl: instead } = additional;
	if (instead === undefined) return undefined;
	const url = readCallbackUrl(String(instead));
	if (inField === undefined && authentication === 'credential') {
		throw new UnfitValueError(
			additionalFields.displayName,
			`contains callbackUrl, which needs the Callback credential. Enter the URL in the option "${callbackUrl.displayName}" instead`,
		);
	}
	return url;
};

const authenticationField = `options.${callbackAuthentication.name}`;

/**
 * For the Callback credential: it is shown, and required, only where it is used. The cast: n8n decides by the same function
 * whether a field and whether a credential is shown, but its type for credentials does not know conditions.
 */
export const whereCallbackCredentialIsUsed = {
	[authenticationField]: [{ _cnd: { not: 'url' } }],
	// The same field by its other name: n8n joins several conditions for one name with "or".
	[`/${authenticationField}`]: [{ _cnd: { not: 'none' } }],
	// Last: n8n stops at a field that contains an expression, and shows the credential whatever follows.
	[`options.${callbackUrl.name}`]: [{ _cnd: { exists: true } }],
} as unknown as Record<string, NodeParameterValue[]>;
