import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { messaging } from '../core/contract/messaging';
import { baseUrlProblem } from '../core/transport/url';

/** What is only assumed can be somewhere else for an account. */
const movableCalls = [
	['Path of Stop', messaging.messageStop],
	['Path of Send Cascade', messaging.cascadeSend],
	['Path of Check by Widget', messaging.verificationCheck],
	['Path of Send Code', messaging.codeSend],
	['Path of Check Code', messaging.codeCheck],
] as const;

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
			description: 'The address of the messaging API. It ends with /api/v1.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: "Created in your account on the provider's website",
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
				'How the key is presented. Bearer is right for most keys; try Basic when a key that is certainly right is not accepted. The key is sent as it is in both.',
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
		const scheme = credentials.scheme === 'Basic' ? 'Basic' : 'Bearer';
		return {
			...requestOptions,
			headers: {
				...requestOptions.headers,
				Authorization: `${scheme} ${String(credentials.apiKey).trim()}`,
			},
		};
	}

	// A key of any type may read the balance.
	test: ICredentialTestRequest = {
		request: { baseURL: '={{ $credentials.baseUrl }}', url: '/balance' },
		rules: [
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message:
						'The service did not accept the API Key. It may be mistyped, deactivated or reissued, or this n8n calls from an address that is not on the list of the key. If the key is right, try the other Scheme.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message: 'This API Key has a type that may not read the balance.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message: 'Nothing is there at this address. Check Base URL: it ends with /api/v1.',
				},
			},
		],
	};
}
