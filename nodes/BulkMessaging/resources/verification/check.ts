import { messaging } from '../../../../core/contract/messaging';
import { toItem } from '../../../../core/engine/items';
import { defineOperation } from '../../../../core/engine/operation';
import { z } from '../../../../vendor/zod';
import { key } from './key';

export const check = defineOperation({
	value: 'check',
	name: 'Check by Widget',
	action: 'Check verification by widget',
	description: 'Check whether the person confirmed the number in the phone verification widget',
	endpoint: messaging.verificationCheck,
	output: z.object({ confirmed: z.boolean(), status: z.string() }),
	effect: 'reads',
	params: [key],
	request: ({ key: given }) => ({ body: { key: given } }),
	// `confirmed` comes last, so that a field of the same name in the response can't replace it.
	toItems: (reply) => [{ ...toItem(reply), confirmed: reply.status === 'CONFIRMED' }],
});
