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
	description: 'Get one company by its ID',
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
				`Company ${wanted} doesn't exist in this partner account`,
				{ description: "To see the companies in this account, choose 'From List' in 'Company'." },
			);
		}
		return [toItem(company)];
	},
});
