import { partner } from '../../../../core/contract/partner';
import { defineOperation } from '../../../../core/engine/operation';
import { checkRequest } from '../../../../core/transport/send';
import { companyForList, dispatchInPath } from '../../../shared/locators';
import { MovedDispatch } from './simpleDispatch';
import { partnerApi } from '../../../dispatches/ask/partner';
import { priceParam } from '../../../dispatches/params/limits';
import { moveOrFail, startByHand } from '../../../dispatches/steps/startByHand';

export const start = defineOperation({
	value: 'start',
	name: 'Start',
	action: 'Start dispatch',
	done: {
		one: 'dispatch started',
		many: 'dispatches started',
		again: 'not sent again: a dispatch is sent only once',
	},
	description:
		"Start a dispatch that 'Create' has made. This costs money. The estimated price is reserved from the company's monthly budget; the final cost may be lower.",
	output: MovedDispatch,
	restsOn: partner.dispatchStart,
	effect: 'once',
	onceFor: ({ id }) => id,
	params: [companyForList, dispatchInPath, priceParam],
	check: ({ id }) => checkRequest(partner.dispatchStart, { path: { id } }),
	each: async ({ id, priceLimit }, { context }) => [
		{ dispatchId: id, ...(await startByHand(context, partnerApi, id, priceLimit)) },
	],
});

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
