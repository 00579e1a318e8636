import { partner } from '../../../../core/contract/partner';
import { defineOperation } from '../../../../core/engine/operation';
import { checkRequest } from '../../../../core/transport/send';
import { companyForList, dispatchInPath } from '../../shared/locators';
import { MovedDispatch } from './simpleDispatch';
import { partnerApi } from './steps/service';
import { moveOrFail } from './steps/start';

export const stop = defineOperation({
	value: 'stop',
	name: 'Stop',
	action: 'Stop dispatch',
	done: { one: 'dispatch stopped', many: 'dispatches stopped' },
	description: "Stop sending a dispatch. Messages that were already sent can't be recalled.",
	output: MovedDispatch,
	restsOn: partner.dispatchStop,
	effect: 'repeatable',
	onceFor: ({ id }) => id,
	params: [companyForList, dispatchInPath],
	check: ({ id }) => checkRequest(partner.dispatchStop, { path: { id } }),
	each: async ({ id }, { context }) => [
		{ dispatchId: id, ...(await moveOrFail(context, partnerApi, id, 'stop')) },
	],
});
