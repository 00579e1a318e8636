import { partner } from '../../../../core/contract/partner';
import { SenderFee } from '../../../../core/contract/price';
import { defineOperation } from '../../../../core/engine/operation';

export const getSenderFees = defineOperation({
	value: 'getSenderFees',
	name: 'Get Sender Fees',
	action: 'Get sender fees',
	description: "List each operator's subscription fee for a sender name",
	endpoint: partner.senderFeeList,
	output: SenderFee,
	params: [],
	request: () => ({}),
});
