import { partner } from '../../../../core/contract/partner';
import { defineOperation } from '../../../../core/engine/operation';
import { limit, returnAll } from '../../../shared/lists';

export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many companies',
	description: 'List the client companies with their status and monthly budget',
	endpoint: partner.companyList,
	params: [returnAll, limit],
	request: () => ({}),
});
