import { partner } from '../../../../core/contract/partner';
import { defineOperation } from '../../../../core/engine/operation';
import { simplifyParam } from '../../../shared/lists';
import { companyForList, senderId } from '../../shared/locators';
import { SimpleSender, toSenderItem } from './simpleSender';

export const suspend = defineOperation({
	value: 'suspend',
	name: 'Suspend',
	action: 'Suspend sender name',
	description:
		"Stop all messages under a sender name right away, until you unsuspend it. It stays registered: to end it permanently, use 'Close'.",
	endpoint: partner.senderSuspend,
	output: SimpleSender,
	params: [
		companyForList,
		senderId,
		{
			displayName: 'Reason',
			name: 'reason',
			type: 'string',
			default: '',
			placeholder: 'e.g. Complaints from recipients',
			description: 'Stored with the sender name for later reference',
		},
		simplifyParam,
	],
	request: ({ id, reason }) => ({ path: { id }, body: { reason: reason || undefined } }),
	confirms: ({ suspended }) => suspended,
	toItems: (sender, values) => [toSenderItem(sender, values)],
});
