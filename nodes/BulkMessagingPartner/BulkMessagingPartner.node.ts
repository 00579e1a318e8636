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
import { listSearch, loadOptions } from './methods/lists';
import { testPartnerLogIn } from './methods/testLogIn';
import { subtitleOf } from '../shared/subtitle';
import { partnerResources } from './resources';
import { outcomeFields } from '../shared/outcomeFields';

export class BulkMessagingPartner implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bulk Messaging Partner',
		name: 'bulkMessagingPartner',
		icon: {
			light: 'file:../../icons/bulkMessagingPartner.svg',
			dark: 'file:../../icons/bulkMessagingPartner.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: subtitleOf(partnerResources),
		description:
			'Send campaigns (dispatches) to whole lists of phone numbers, and manage client companies, sender names and blacklists (partner login)',
		defaults: { name: 'Bulk Messaging Partner' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'bulkMessagingPartnerApi', required: true, testedBy: 'testPartnerLogIn' },
			{
				name: 'bulkMessagingCallbackApi',
				required: true,
				testedBy: 'testCallbackCredential',
				displayOptions: {
					show: {
						resource: ['dispatch'],
						operation: ['create', 'preview', 'send'],
						...whereCallbackCredentialIsUsed,
					},
				},
			},
		],
		properties: toProperties(partnerResources),
	};

	methods = {
		credentialTest: { testCallbackCredential, testPartnerLogIn },
		listSearch,
		loadOptions,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		await hideCallbackLogin(this, 'dispatch');
		return await runNode(this, partnerResources, outcomeFields);
	}
}
