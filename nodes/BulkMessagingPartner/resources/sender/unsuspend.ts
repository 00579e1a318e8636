import { partner } from '../../../../core/contract/partner';
import { defineOperation } from '../../../../core/engine/operation';
import { simplifyParam } from '../../../shared/lists';
import { companyForList, senderId } from '../../shared/locators';
import { SimpleSender, toSenderItem } from './simpleSender';

export const unsuspend = defineOperation({
	value: 'unsuspend',
	name: 'Unsuspend',
	action: 'Unsuspend sender name',
	description: 'Allow messages under a suspended sender name again',
	endpoint: partner.senderUnsuspend,
	output: SimpleSender,
	params: [companyForList, senderId, simplifyParam],
	request: ({ id }) => ({ path: { id } }),
	confirms: ({ suspended }) => !suspended,
	toItems: (sender, values) => [toSenderItem(sender, values)],
});
