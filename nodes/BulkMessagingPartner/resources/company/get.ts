import { NodeOperationError } from 'n8n-workflow';
import { Company } from '../../../../core/contract/company';
import { partner } from '../../../../core/contract/partner';
import { toItem } from '../../../../core/engine/items';
import { defineOperation } from '../../../../core/engine/operation';
import { find } from '../../../../core/transport/list';
import { companyId } from '../../shared/locators';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get company',
	description:
		'Get one company by its ID. The service cannot be asked for a single company, so the list is walked until it is found.',
	params: [companyId],
	output: Company,
	effect: 'reads',
	each: async ({ companyId: wanted }, { context }) => {
		const company = await find(
			context,
			partner.companyList,
			{},
			(entry) => entry.companyId === wanted,
		);
		if (company === undefined) {
			throw new NodeOperationError(
				context.getNode(),
				`There is no company ${wanted} in this partner account`,
				{ description: 'Choosing From List shows the companies there are.' },
			);
		}
		return [toItem(company)];
	},
});
