import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

/** What the service must present when it calls back. Tested by the node, because there is nothing to call. */
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
				'Make up a login and a password. The nodes put them into the callback address they give to the service, and the trigger lets in only who presents them.',
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
			description: 'At least 12 characters, used nowhere else',
		},
	];
}
