import { partner } from '../../../../core/contract/partner';
import { requireSome } from '../../../../core/engine/coerce';
import { defineOperation } from '../../../../core/engine/operation';
import { companyId } from '../../shared/locators';

export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update company',
	description: 'Change the name, address, status or monthly budget of a company',
	endpoint: partner.companyUpdate,
	params: [
		companyId,
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description: 'Only what you add here is changed',
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
						'The most the company may spend per calendar month; 0 means that nothing may be spent. Messages reserve their approximate cost when they are sent; the final cost, fixed after delivery, may be lower. What was spent is reset on the 1st of the month, between 00:00 and 03:00.',
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
						{ name: 'Disabled', value: 'DISABLED', description: 'The company can send nothing' },
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
