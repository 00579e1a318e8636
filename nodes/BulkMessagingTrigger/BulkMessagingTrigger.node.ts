import type {
	IExecuteFunctions,
	IHookFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { testCallbackCredential } from '../shared/callback';
import { testApiKey } from '../shared/testApiKey';
import { eventNames, events } from '../../core/contract/events';
import { emit, outputs } from './emit';
import { toPublished } from '../../core/engine/properties';
import { parameters } from './parameters';
import { receive } from './receive';
import { checkLookUp, readAccess, readFilter } from './settings';
import { webhooks } from './webhooks';

const eventLabels = JSON.stringify(
	Object.fromEntries(eventNames.map((name) => [name, events[name].label])),
);

export class BulkMessagingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bulk Messaging Trigger',
		name: 'bulkMessagingTrigger',
		icon: {
			light: 'file:../../icons/bulkMessaging.svg',
			dark: 'file:../../icons/bulkMessaging.dark.svg',
		},
		group: ['trigger'],
		// Never exactly 1: n8n would evaluate an expression for every single callback.
		version: 2,
		subtitle: `={{ ((chosen) => ${JSON.stringify(eventNames)}.every((name) => chosen.includes(name)) ? "All Events" : chosen.map((name) => (${eventLabels})[name] ?? name).join(", "))([].concat($parameter["events"] ?? [])) }}`,
		// n8n's nodes panel shows this description for the action node too, because it lists both nodes as one entry.
		description:
			'Send messages with the actions below, or start a workflow when a message is delivered, fails or is read, a link is clicked, or a recipient replies',
		defaults: { name: 'Bulk Messaging Trigger' },
		eventTriggerDescription: 'Waiting for a callback at one of the two test URLs',
		activationMessage:
			"Callbacks now start this workflow. Enter the production URL that ends with /fast as 'Callback URL' where you send messages. For inbound messages, enter it in your account on the provider's website.",
		inputs: [],
		outputs,
		credentials: [
			{
				name: 'bulkMessagingCallbackApi',
				required: true,
				testedBy: 'testCallbackCredential',
				displayOptions: { show: { authentication: ['basic'] } },
			},
			{
				name: 'bulkMessagingApi',
				required: true,
				testedBy: 'testApiKey',
				displayOptions: { show: { 'options.addMessage': [true] } },
			},
		],
		webhooks,
		properties: parameters.map(toPublished),
	};

	methods = { credentialTest: { testApiKey, testCallbackCredential } };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},
			/** Nothing to register, because the user passes on the URL. Settings that can never work fail here. */
			async create(this: IHookFunctions): Promise<boolean> {
				try {
					await readAccess(this);
					readFilter(this);
					checkLookUp(this);
				} catch (error) {
					throw new NodeOperationError(this.getNode(), error as Error);
				}
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this);
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await emit(this);
	}
}
