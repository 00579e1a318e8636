import { partner } from '../../../../core/contract/partner';
import { defineOperation } from '../../../../core/engine/operation';
import { companyForList, dispatchInPath } from '../../shared/locators';
import { defaultCountry } from '../../shared/phone';
import { recipientParams, toRecipients } from './recipients';

export const addMessages = defineOperation({
	value: 'addMessages',
	name: 'Add Messages',
	action: 'Add messages to dispatch',
	description: 'Add recipients to a dispatch that has not been started yet',
	endpoint: partner.dispatchAppend,
	params: [companyForList, dispatchInPath, ...recipientParams, defaultCountry],
	request: ({ id, ...recipients }) => ({
		path: { id },
		body: { messages: toRecipients(recipients) },
	}),
});
