import { partner, PartnerMessage } from '../../../../core/contract/partner';
import { defineOperation } from '../../../../core/engine/operation';
import { toItem } from '../../../../core/engine/items';
import { limit, returnAll, simplifyParam } from '../../../shared/lists';
import { companyForList, dispatchId } from '../../shared/locators';
import { messageStatusOptions } from '../../shared/options';

/** What people look at; the raw object has eleven fields. */
const SimpleDispatchMessage = PartnerMessage.pick({
	messageUuid: true,
	destination: true,
	text: true,
	parts: true,
	status: true,
	price: true,
	sentAt: true,
	deliveredAt: true,
});

export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many messages',
	description: 'List the messages of a dispatch with their texts, statuses and prices',
	endpoint: partner.messageList,
	output: SimpleDispatchMessage,
	// Everything that changes the result.
	onceFor: ({ dispatchId: dispatch, filters, returnAll: isAll, limit: most, simplify }) =>
		JSON.stringify([dispatch, filters, isAll || most, simplify]),
	params: [
		companyForList,
		dispatchId,
		returnAll,
		limit,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: [
				{
					displayName: 'Status',
					name: 'status',
					type: 'options',
					options: messageStatusOptions,
					default: 'DELIVERED',
				},
			],
		},
		simplifyParam,
	],
	request: ({ dispatchId: dispatch, filters }) => ({ query: { dispatchId: dispatch, ...filters } }),
	toItems: (messages, { simplify: simple }) =>
		messages.map((message) => toItem(message, simple ? SimpleDispatchMessage : undefined)),
});
