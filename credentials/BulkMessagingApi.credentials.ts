import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { keyTypes } from '../core/contract/keys';
import { messaging } from '../core/contract/messaging';
import { keySchemeOf, toAuthorization } from '../core/transport/credentialTest';
import { baseUrlProblem } from '../core/transport/request';

/** Calls whose paths the provider's own documentation doesn't show: an account may need other paths. */
const movableCalls = [
	['Path for Stop', messaging.messageStop],
	['Path for Send Cascade', messaging.cascadeSend],
	['Path for Check by Widget', messaging.verificationCheck],
	['Path for Send Code', messaging.codeSend],
	['Path for Check Code', messaging.codeCheck],
	['Path for Template List', messaging.templateList],
	['Path for Sender List', messaging.senderNameList],
] as const;

/** The node tests it, because a rejected key is tried in the other scheme too. */
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
				"The messaging API's URL. You find it in the provider's documentation. It ends with /api/v1.",
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				"Create it in your account on the provider's website. If you reissue a key there, its old value stops working.",
		},
		{
			displayName: `A key works only for what it was created for: ${Object.values(keyTypes).join('; ')}. Use one credential for each type you need. The test shows only that the service knows the key, because every type may read the balance.`,
			name: 'keyTypeNotice',
			type: 'notice',
			default: '',
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
				'How the key is sent. Keep Bearer. If the test fails, it tells you whether Basic works.',
		},
		{
			displayName: 'Change Paths',
			name: 'changesPaths',
			type: 'boolean',
			default: false,
			description:
				"Whether to change the paths of operations that the provider's documentation mentions but doesn't describe",
		},
		...movableCalls.map(
			([displayName, { pathSetting, path }]): INodeProperties => ({
				displayName,
				name: pathSetting ?? '',
				type: 'string',
				default: '',
				placeholder: `e.g. ${path}`,
				displayOptions: { show: { changesPaths: [true] } },
				description: 'Starts with a slash. If empty, the default path is used.',
			}),
		),
	];

	// A function, not a template: n8n evaluates a template's expressions on every request. A property, not a method: n8n copies
	// only properties, and without this one it offers neither 'Custom API Call' nor the credential in its HTTP Request node.
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const problem = baseUrlProblem(String(credentials.baseUrl ?? ''), 'messaging');
		if (problem !== undefined) throw new UserError(`'Base URL' ${problem}`);
		return {
			...requestOptions,
			headers: {
				...requestOptions.headers,
				Authorization: toAuthorization(keySchemeOf(credentials.scheme), credentials.apiKey),
			},
		};
	};
}
