import { partner } from '../../../../core/contract/partner';
import { defineOperation } from '../../../../core/engine/operation';
import { companyForList, dispatchInPath } from '../../shared/locators';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get dispatch',
	description:
		'Get a dispatch with its status and how many messages are delivered, failed and pending',
	endpoint: partner.dispatchGet,
	onceFor: ({ id }) => id,
	params: [companyForList, dispatchInPath],
	request: ({ id }) => ({ path: { id } }),
});
