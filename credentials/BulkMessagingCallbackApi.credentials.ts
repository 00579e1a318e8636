import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

/** The login that callbacks must contain. The nodes test it, because there is no server to test it with. */
export class BulkMessagingCallbackApi implements ICredentialType {
	name = 'bulkMessagingCallbackApi';

	displayName = 'Bulk Messaging Callback API';

	icon: Icon = {
		light: 'file:../icons/bulkMessaging.svg',
		dark: 'file:../icons/bulkMessaging.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-bulk-messaging/n8n-nodes-bulk-messaging#credentials';

	properties: INodeProperties[] = [
		{
			displayName:
				'Make up a login and a password. The nodes add them to the callback URL they send to the service, and the trigger rejects callbacks without them.',
			name: 'notice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'Login',
			name: 'login',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. callbacks',
			description: 'Any name without a colon',
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: "At least 12 characters. Don't use it anywhere else.",
		},
	];
}
