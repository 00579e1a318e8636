import { partner } from '../../../../core/contract/partner';
import { defineOperation } from '../../../../core/engine/operation';
import { filterCollection, limit, returnAll, simplifyParam } from '../../../shared/lists';
import { companyForList, companyId, dispatchInPath } from '../../../shared/locators';
import { dispatchStatusOptions } from '../../../shared/options';
import { SimpleDispatch, toDispatchItem } from './simpleDispatch';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get dispatch',
	description:
		'Get a dispatch with its status and how many messages are delivered, failed and pending',
	endpoint: partner.dispatchGet,
	output: SimpleDispatch,
	onceFor: ({ id, simplify }) => `${id} ${simplify}`,
	params: [companyForList, dispatchInPath, simplifyParam],
	request: ({ id }) => ({ path: { id } }),
	toItems: (dispatch, values) => [toDispatchItem(dispatch, values)],
});

export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many dispatches',
	description: "List a company's dispatches with their progress",
	endpoint: partner.dispatchList,
	output: SimpleDispatch,
	params: [
		companyId,
		returnAll,
		limit,
		filterCollection([
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				options: dispatchStatusOptions,
				default: 'STARTED',
			},
		]),
		simplifyParam,
	],
	request: ({ companyId: company, filters }) => ({ query: { companyId: company, ...filters } }),
	toItems: (dispatches, values) => dispatches.map((one) => toDispatchItem(one, values)),
});
