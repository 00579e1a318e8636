import { partner } from '../../../../core/contract/partner';
import { requireSome } from '../../../../core/engine/coerce';
import { defineOperation } from '../../../../core/engine/operation';
import { companyId } from '../../shared/locators';

export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update company',
	description: "Change a company's name, address, status or monthly budget",
	endpoint: partner.companyUpdate,
	params: [
		companyId,
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description: 'Only the fields you add here are changed',
			options: [
				{
					displayName: 'Actual Address',
					name: 'actualAddress',
					type: 'string',
					default: '',
				},
				{
					displayName: 'Monthly Budget',
					name: 'budget',
					type: 'number',
					typeOptions: { minValue: 0, numberPrecision: 2 },
					default: 0,
					description:
						"The most the company may spend per calendar month; with 0, the company can't spend anything. Sending a message reserves its approximate cost; the final cost is set after delivery and may be lower. The amount spent is reset on the 1st of each month, between 00:00 and 03:00.",
				},
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
				},
				{
					displayName: 'Status',
					name: 'status',
					type: 'options',
					options: [
						{ name: 'Active', value: 'ACTIVE' },
						{ name: 'Disabled', value: 'DISABLED', description: "The company can't send messages" },
					],
					default: 'ACTIVE',
				},
			],
		},
	],
	request: ({ companyId: id, updateFields }) => ({
		path: { id },
		body: requireSome(updateFields, 'Update Fields'),
	}),
});
