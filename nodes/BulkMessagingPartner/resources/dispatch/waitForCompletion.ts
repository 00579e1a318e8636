import { Dispatch } from '../../../../core/contract/dispatch';
import { partner } from '../../../../core/contract/partner';
import { toItem } from '../../../../core/engine/items';
import { defineOperation } from '../../../../core/engine/operation';
import { checkRequest } from '../../../../core/transport/send';
import { z } from '../../../../vendor/zod';
import { companyForList, dispatchInPath } from '../../shared/locators';
import { pendingIn, waitAtMost, watchDispatch } from './delivery/watch';

export const waitForCompletion = defineOperation({
	value: 'waitForCompletion',
	name: 'Wait for Completion',
	action: 'Wait for completion of dispatch',
	description:
		'Wait until nothing of a dispatch is pending any more, and return its final counters. The execution keeps running meanwhile.',
	output: Dispatch.extend({ completed: z.boolean(), stillPending: z.number() }),
	onceFor: ({ id }) => id,
	params: [companyForList, dispatchInPath, waitAtMost],
	effect: 'reads',
	check: ({ id }) => checkRequest(partner.dispatchGet, { path: { id } }),
	each: async ({ id, limitMinutes }, { context }) => {
		const dispatch = await watchDispatch(context, id, limitMinutes);
		return [
			{
				...toItem(dispatch),
				completed: dispatch.status === 'COMPLETED',
				stillPending: pendingIn(dispatch),
			},
		];
	},
});
