import { partner } from '../../../../core/contract/partner';
import { defineOperation } from '../../../../core/engine/operation';

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create company',
	description: 'Create a client company, with or without a monthly spending limit',
	endpoint: partner.companyCreate,
	params: [
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Northwind Traders',
			description: 'The company name to show in lists',
		},
		{
			displayName: 'Counterparty Type',
			name: 'counteragentType',
			type: 'options',
			options: [
				{ name: 'Legal Entity', value: 'LEGAL', description: 'A registered company' },
				{
					name: 'Sole Proprietor',
					value: 'INDIVIDUAL',
					description: 'A person who runs a business',
				},
			],
			default: 'LEGAL',
			required: true,
		},
		{
			displayName: 'Tax Number (INN)',
			name: 'counteragentInn',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 7707083893',
			description: "The counterparty's tax number",
		},
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Legal Address',
					name: 'counteragentAddress',
					type: 'string',
					default: '',
					placeholder: 'e.g. 1 Tverskaya Street, Moscow',
				},
				{
					displayName: 'Monthly Budget',
					name: 'budget',
					type: 'number',
					typeOptions: { minValue: 0, numberPrecision: 2 },
					default: 0,
					description:
						"The most the company may spend per calendar month. For no limit, don't add this field; with 0, the company can't spend anything. Sending a message reserves its approximate cost; the final cost is set after delivery and may be lower. The amount spent is reset on the 1st of each month, between 00:00 and 03:00.",
				},
				{
					displayName: 'Registration Reason Code (KPP)',
					name: 'counteragentKpp',
					type: 'string',
					default: '',
					placeholder: 'e.g. 773601001',
					description: 'Only for legal entities',
				},
			],
		},
	],
	request: ({
		name,
		counteragentType,
		counteragentInn,
		additionalFields: { budget, ...rest },
	}) => ({
		body: { company: { name, counteragentType, counteragentInn, ...rest }, budget },
	}),
});
