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
		'Stop all traffic under a sender name at once, until it is unsuspended. It stays registered: to end it for good, use Close.',
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
			placeholder: 'e.g. Complaints of recipients',
			description: 'Kept with the name for whoever looks at it later',
		},
		simplifyParam,
	],
	request: ({ id, reason }) => ({ path: { id }, body: { reason: reason || undefined } }),
	confirms: ({ suspended }) => suspended,
	toItems: (sender, values) => [toSenderItem(sender, values)],
});
