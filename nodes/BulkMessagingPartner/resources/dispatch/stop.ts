import { partner } from '../../../../core/contract/partner';
import { defineOperation } from '../../../../core/engine/operation';
import { companyForList, dispatchInPath } from '../../shared/locators';
import { whyNotStopped, withReason } from './delivery/refusal';
import { lookUpMove } from './delivery/statuses';
import { MovedDispatch, toDispatchItem } from './simpleDispatch';

export const stop = defineOperation({
	value: 'stop',
	name: 'Stop',
	action: 'Stop dispatch',
	description: "Stop sending a dispatch. Messages that were already sent can't be recalled.",
	endpoint: partner.dispatchStop,
	output: MovedDispatch,
	onceFor: ({ id }) => id,
	params: [companyForList, dispatchInPath],
	request: ({ id }) => ({ path: { id } }),
	toItems: (dispatch) => [toDispatchItem(dispatch)],
	confirms: ({ status }) => status === 'STOPPED',
	explain: async (error, { path }, { context }) =>
		await withReason(context, error, { dispatchId: path.id, byStatus: whyNotStopped }),
	lookUp: async ({ path }, { context }) => await lookUpMove(context, path.id, ['STOPPED']),
});
