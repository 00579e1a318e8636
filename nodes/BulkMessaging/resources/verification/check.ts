import { messaging } from '../../../../core/contract/messaging';
import { toItem } from '../../../../core/engine/items';
import { defineOperation } from '../../../../core/engine/operation';
import { z } from '../../../../vendor/zod';
import { key } from './key';

export const check = defineOperation({
	value: 'check',
	name: 'Check by Widget',
	action: 'Check verification by widget',
	description: 'See whether the user of the phone verification widget has confirmed the number',
	endpoint: messaging.verificationCheck,
	output: z.object({ confirmed: z.boolean(), status: z.string() }),
	effect: 'reads',
	params: [key],
	request: ({ key: given }) => ({ body: { key: given } }),
	// Last: nothing else in an answer may confirm a number.
	toItems: (reply) => [{ ...toItem(reply), confirmed: reply.status === 'CONFIRMED' }],
});
