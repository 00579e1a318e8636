import { messaging } from '../../../../core/contract/messaging';
import { defineOperation } from '../../../../core/engine/operation';
import { additionalFields, toAdditional } from '../../../shared/additionalFields';
import { key } from './key';

export const send = defineOperation({
	value: 'send',
	name: 'Send by Widget',
	action: 'Send verification by widget',
	description:
		"Send the phone verification widget's message. This costs money. It needs an API key created for verification.",
	endpoint: messaging.verificationSend,
	params: [key, additionalFields],
	request: ({ key: given, additionalFields: additional }) => ({
		body: { key: given, ...toAdditional(additional) },
	}),
});
