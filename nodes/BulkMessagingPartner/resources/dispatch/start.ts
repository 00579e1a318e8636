import { partner } from '../../../../core/contract/partner';
import { defineOperation } from '../../../../core/engine/operation';
import { companyForList, dispatchInPath } from '../../shared/locators';
import { whyNotStarted, withReason } from './delivery/refusal';
import { isReached, lookUpMove, startedStatuses } from './delivery/statuses';
import { MovedDispatch, toDispatchItem } from './simpleDispatch';

export const start = defineOperation({
	value: 'start',
	name: 'Start',
	action: 'Start dispatch',
	description:
		"Start sending a dispatch. This costs money. The estimated price is reserved from the company's monthly budget; the final cost may be lower.",
	endpoint: partner.dispatchStart,
	output: MovedDispatch,
	onceFor: ({ id }) => id,
	params: [companyForList, dispatchInPath],
	request: ({ id }) => ({ path: { id } }),
	toItems: (dispatch) => [toDispatchItem(dispatch)],
	confirms: ({ status }) => isReached(status, startedStatuses),
	explain: async (error, { path }, { context }) =>
		await withReason(context, error, { dispatchId: path.id, byStatus: whyNotStarted }),
	lookUp: async ({ path }, { context }) => await lookUpMove(context, path.id, startedStatuses),
});
