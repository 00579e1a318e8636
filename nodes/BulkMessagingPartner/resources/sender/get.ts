import { partner } from '../../../../core/contract/partner';
import { defineOperation } from '../../../../core/engine/operation';
import { simplifyParam } from '../../../shared/lists';
import { companyId, senderId } from '../../shared/locators';
import { SimpleSender, toSenderItem } from './simpleSender';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get sender name',
	description: 'Get one sender name with its status',
	endpoint: partner.senderGet,
	output: SimpleSender,
	params: [companyId, senderId, simplifyParam],
	request: ({ companyId: company, id }) => ({ path: { id }, query: { companyId: company } }),
	toItems: (sender, values) => [toSenderItem(sender, values)],
});
