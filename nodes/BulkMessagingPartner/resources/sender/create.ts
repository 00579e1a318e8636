import { partner } from '../../../../core/contract/partner';
import { isUnusualForMegafon } from '../../../../core/contract/sender';
import { addHintOnce } from '../../../../core/engine/hints';
import { defineOperation } from '../../../../core/engine/operation';
import { simplifyParam } from '../../../shared/lists';
import { companyId } from '../../shared/locators';
import { channelType } from '../../../shared/channels';
import { brandOptions, commonTypeOptions } from '../../shared/options';
import { documentIds, toDocumentIds } from './documents';
import { SimpleSender, toSenderItem } from './simpleSender';

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create sender name',
	description:
		'Register a sender name with one operator. It starts as a draft and can be used once it is approved.',
	endpoint: partner.senderCreate,
	output: SimpleSender,
	params: [
		companyId,
		{
			displayName: 'Sender Name',
			name: 'senderName',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. NORTHWIND',
			description: 'The name recipients see as the sender. At most 11 characters for SMS.',
		},
		channelType,
		{
			displayName: 'Operator',
			name: 'brand',
			type: 'options',
			options: brandOptions,
			default: 'MTS',
			required: true,
			description: 'A sender name is registered separately with each mobile operator',
		},
		{
			displayName: 'Message Type',
			name: 'commonType',
			type: 'options',
			options: commonTypeOptions,
			default: 'COMMON',
			required: true,
			description: 'The type of messages sent under this name',
		},
		{
			displayName: 'Valid From',
			name: 'dateFrom',
			type: 'dateTime',
			default: '',
			required: true,
			description: "Uses the workflow's time zone unless the value contains one",
		},
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Comment',
					name: 'description',
					type: 'string',
					default: '',
					description: 'A comment for the people who review the sender name',
				},
				{
					displayName: 'Country ID',
					name: 'countryId',
					type: 'number',
					default: 1,
					description: '1 for Russia',
				},
				documentIds,
			],
		},
		simplifyParam,
	],
	request: (
		{
			companyId: company,
			senderName,
			channelType: channel,
			brand,
			commonType,
			dateFrom,
			additionalFields: { documentIds: documents, ...rest },
		},
		{ context },
	) => {
		if (isUnusualForMegafon(senderName, brand)) {
			addHintOnce(
				context,
				`MegaFon may reject "${senderName}": for sender names in the messaging API, it doesn't allow "+" or spaces.`,
			);
		}
		return {
			body: {
				companyId: company,
				senderName,
				channelType: channel,
				brand,
				commonType,
				dateFrom,
				...rest,
				documentIds: toDocumentIds(documents),
			},
		};
	},
	toItems: (sender, values) => [toSenderItem(sender, values)],
});
