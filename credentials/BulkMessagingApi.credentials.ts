import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { messaging } from '../core/contract/messaging';
import { keySchemeOf, toAuthorization } from '../core/transport/apiKey';
import { baseUrlProblem } from '../core/transport/url';

/** What is only assumed can be somewhere else for an account. */
const movableCalls = [
	['Path of Stop', messaging.messageStop],
	['Path of Send Cascade', messaging.cascadeSend],
	['Path of Check by Widget', messaging.verificationCheck],
	['Path of Send Code', messaging.codeSend],
	['Path of Check Code', messaging.codeCheck],
] as const;

/** Tested by the node: a rejected key is tried in the other scheme too. */
export class BulkMessagingApi implements ICredentialType {
	name = 'bulkMessagingApi';

	displayName = 'Bulk Messaging API';

	icon: Icon = {
		light: 'file:../icons/bulkMessaging.svg',
		dark: 'file:../icons/bulkMessaging.dark.svg',
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
			placeholder: 'e.g. https://api.example.com/api/v1',
			description:
				"The URL of the messaging API. You find it in the provider's documentation. It ends with /api/v1.",
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				"You create it in your account on the provider's website. When a key is reissued there, its old value stops working.",
		},
		{
			displayName: 'Scheme',
			name: 'scheme',
			type: 'options',
			options: [
				{ name: 'Bearer', value: 'Bearer' },
				{ name: 'Basic', value: 'Basic' },
			],
			default: 'Bearer',
			description:
				"How the key is sent. The provider's revision history says that keys created from 2021-09-30 are sent as Basic, and its current reference shows Bearer. Which one your key needs isn't stated. If the test says 401, try the other one: the test names it if it works.",
		},
		{
			displayName: 'Change Paths',
			name: 'changesPaths',
			type: 'boolean',
			default: false,
			description:
				"Whether to enter other paths for operations that the provider's published interface names but doesn't show",
		},
		...movableCalls.map(
			([displayName, { pathSetting, path }]): INodeProperties => ({
				displayName,
				name: pathSetting ?? '',
				type: 'string',
				default: '',
				placeholder: `e.g. ${path}`,
				displayOptions: { show: { changesPaths: [true] } },
				description: 'Empty: the usual path. It starts with a slash.',
			}),
		),
	];

	// A function, not a template: n8n evaluates a template's expressions on every request.
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const problem = baseUrlProblem(String(credentials.baseUrl ?? ''), 'messaging');
		if (problem !== undefined) throw new UserError(`Base URL ${problem}`);
		return {
			...requestOptions,
			headers: {
				...requestOptions.headers,
				Authorization: toAuthorization(keySchemeOf(credentials.scheme), credentials.apiKey),
			},
		};
	}
}
