import { partner } from '../../../../core/contract/partner';
import { defineOperation } from '../../../../core/engine/operation';
import { simplifyParam, splitList } from '../../../shared/lists';
import { companyId } from '../../shared/locators';
import { channelOptions } from '../../../shared/channels';
import { brandOptions, commonTypeOptions, senderStatusOptions } from '../../shared/options';
import { SimpleSender, toSenderItem } from './simpleSender';

export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many sender names',
	description:
		"List a company's sender names, all or filtered by status, operator, channel, message type or country",
	endpoint: partner.senderList,
	output: SimpleSender,
	params: [
		companyId,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			description:
				'A sender name must match every filter you add. Within one filter, any of the values is enough.',
			options: [
				{
					displayName: 'Channels',
					name: 'channelType',
					type: 'multiOptions',
					options: channelOptions,
					allowArbitraryValues: true,
					default: [],
				},
				{
					displayName: 'Country Codes',
					name: 'countryCode',
					type: 'string',
					default: '',
					placeholder: 'e.g. RU, KZ',
					description: 'One or more, separated by commas',
				},
				{
					displayName: 'Message Types',
					name: 'commonType',
					type: 'multiOptions',
					options: commonTypeOptions,
					default: [],
					description: 'The types of messages sent under the name',
				},
				{
					displayName: 'Operators',
					name: 'brand',
					type: 'multiOptions',
					options: brandOptions,
					default: [],
				},
				{
					displayName: 'Statuses',
					name: 'status',
					type: 'multiOptions',
					options: senderStatusOptions,
					default: [],
				},
			],
		},
		simplifyParam,
	],
	request: ({ companyId: company, filters: { countryCode, ...filters } }) => ({
		query: { companyId: company, ...filters, countryCode: splitList(countryCode) },
	}),
	toItems: (senders, values) => senders.map((sender) => toSenderItem(sender, values)),
});
