import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { tokenOf, toStore } from '../core/transport/logIn';

export class BulkMessagingPartnerApi implements ICredentialType {
	name = 'bulkMessagingPartnerApi';

	displayName = 'Bulk Messaging Partner API';

	icon: Icon = {
		light: 'file:../icons/bulkMessagingPartner.svg',
		dark: 'file:../icons/bulkMessagingPartner.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-bulk-messaging/n8n-nodes-bulk-messaging#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://partner.example.com',
			description: "The partner API's URL. You find it in the provider's documentation.",
		},
		{
			displayName: 'Log In With',
			name: 'logInWith',
			type: 'options',
			options: [
				{ name: 'Access Token', value: 'accessToken', description: 'A token you already have' },
				{ name: 'Login and Password', value: 'login' },
			],
			default: 'login',
		},
		{
			displayName: 'Login',
			name: 'login',
			type: 'string',
			default: '',
			required: true,
			displayOptions: { show: { logInWith: ['login'] } },
			description: "Your partner account's login. You get it from the provider.",
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			displayOptions: { show: { logInWith: ['login'] } },
			description: "Your partner account's password. You get it from the provider.",
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			displayOptions: { show: { logInWith: ['accessToken'] } },
			description:
				"A token from the partner API's POST /auth/token for your login and password. After a password change, you need a new one.",
		},
		{
			// n8n fills it by calling preAuthentication: when it is empty, and after a 401.
			displayName: 'Token',
			name: 'token',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
		{
			// Which login the token is for.
			displayName: 'Token Owner',
			name: 'tokenOwner',
			type: 'hidden',
			typeOptions: { password: true },
			default: '',
		},
	];

	async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject) {
		return toStore(await tokenOf(this.helpers.httpRequest, credentials), credentials);
	}

	// A function, not a template: n8n evaluates a template's expressions on every request. A property, not a method: n8n copies
	// only properties, and without this one it offers neither 'Custom API Call' nor the credential in its HTTP Request node.
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		return {
			...requestOptions,
			headers: { ...requestOptions.headers, Authorization: `Bearer ${String(credentials.token)}` },
		};
	};
}
