import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { testCallbackCredential, whereCallbackCredentialIsUsed } from '../shared/callback';
import { hideCallbackLogin } from '../shared/callbackLogin';
import { toProperties } from '../../core/engine/properties';
import { runNode } from '../../core/engine/run';
import { subtitleOf } from '../shared/subtitle';
import { testApiKey } from '../shared/testApiKey';
import { messagingResources } from './resources';
import { receiveOutcome, resumeWebhooks } from './resources/message/wait/resumeWebhook';
import { outcomeFields } from '../shared/outcomeFields';

export class BulkMessaging implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bulk Messaging',
		name: 'bulkMessaging',
		icon: {
			light: 'file:../../icons/bulkMessaging.svg',
			dark: 'file:../../icons/bulkMessaging.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: subtitleOf(messagingResources),
		description:
			'Send single messages, one per item; wait for delivery or a reply; verify phone numbers (API key). For whole lists, use Bulk Messaging Partner.',
		defaults: { name: 'Bulk Messaging' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'bulkMessagingApi', required: true, testedBy: 'testApiKey' },
			{
				name: 'bulkMessagingCallbackApi',
				required: true,
				testedBy: 'testCallbackCredential',
				displayOptions: {
					show: {
						resource: ['message'],
						operation: ['send', 'sendCascade'],
						...whereCallbackCredentialIsUsed,
					},
				},
			},
		],
		webhooks: resumeWebhooks,
		properties: toProperties(messagingResources),
	};

	methods = { credentialTest: { testApiKey, testCallbackCredential } };

	webhook = receiveOutcome;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		await hideCallbackLogin(this, 'message');
		return await runNode(this, messagingResources, outcomeFields);
	}
}
