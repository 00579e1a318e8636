import { partner } from '../../../../core/contract/partner';
import { defineOperation } from '../../../../core/engine/operation';
import { checkRequest } from '../../../../core/transport/send';
import { z } from '../../../../vendor/zod';
import { simplifyParam } from '../../../shared/lists';
import { companyForList, dispatchInPath } from '../../../shared/locators';
import { waitAtMost } from '../../../dispatches/params/limits';
import { pendingIn, watchDispatch } from '../../../dispatches/steps/watch';
import { SimpleDispatch, toDispatchItem } from './simpleDispatch';

export const waitForCompletion = defineOperation({
	value: 'waitForCompletion',
	name: 'Wait for Completion',
	action: 'Wait for dispatch to complete',
	description:
		'Wait until a dispatch has no pending messages, then return its final counts. The execution keeps running until then.',
	output: z
		.object({ completed: z.boolean(), stillPending: z.number() })
		.extend(SimpleDispatch.omit({ createdAt: true }).shape),
	onceFor: ({ id, simplify }) => `${id} ${simplify}`,
	params: [companyForList, dispatchInPath, waitAtMost, simplifyParam],
	effect: 'reads',
	check: ({ id }) => checkRequest(partner.dispatchGet, { path: { id } }),
	each: async ({ id, limitMinutes, ...values }, { context }) => {
		const dispatch = await watchDispatch(context, id, limitMinutes);
		const { createdAt, ...shown } = toDispatchItem(dispatch, values);
		return [
			{
				completed: dispatch.status === 'COMPLETED',
				stillPending: pendingIn(dispatch),
				...shown,
				...(!values.simplify && { createdAt }),
			},
		];
	},
});
