import { partner } from '../../../../core/contract/partner';
import { defineOperation } from '../../../../core/engine/operation';
import { simplifyParam } from '../../../shared/lists';
import { companyForList, dispatchInPath } from '../../shared/locators';
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
