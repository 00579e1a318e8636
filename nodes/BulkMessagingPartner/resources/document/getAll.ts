import { partner } from '../../../../core/contract/partner';
import { defineOperation } from '../../../../core/engine/operation';
import { companyId } from '../../shared/locators';

export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many documents',
	description: 'List the documents uploaded for a company',
	endpoint: partner.documentList,
	params: [companyId],
	request: ({ companyId: id }) => ({ path: { id } }),
});
