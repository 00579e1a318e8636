import { NodeOperationError } from 'n8n-workflow';
import { Company } from '../../../core/contract/company';
import { partner } from '../../../core/contract/partner';
import { toItem } from '../../../core/engine/items';
import { defineOperation, type Resource } from '../../../core/engine/operation';
import type { Param } from '../../../core/engine/params';
import { find } from '../../../core/transport/list';
import {
	fieldCollection,
	limit,
	requireSome,
	returnAll,
	updateCollection,
} from '../../shared/lists';
import { companyId } from '../../shared/locators';

const budgetParam = {
	displayName: 'Monthly Budget',
	name: 'budget',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 2 },
	default: 0,
	description:
		'The most the company may spend per calendar month; 0 blocks all sending. Messages reserve their estimated price when they are sent.',
} as const satisfies Param;

const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create company',
	done: { one: 'company created', many: 'companies created', id: 'companyId' },
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
		fieldCollection([
			{
				displayName: 'Legal Address',
				name: 'counteragentAddress',
				type: 'string',
				default: '',
				placeholder: 'e.g. 1 Tverskaya Street, Moscow',
			},
			{
				...budgetParam,
				description: `${budgetParam.description} Without this field, there is no limit.`,
			},
			{
				displayName: 'Registration Reason Code (KPP)',
				name: 'counteragentKpp',
				type: 'string',
				default: '',
				placeholder: 'e.g. 773601001',
				description: 'Only for legal entities',
			},
		]),
	],
	request: ({
		name,
		counteragentType,
		counteragentInn,
		additionalFields: { budget, ...rest },
	}) => ({ body: { company: { name, counteragentType, counteragentInn, ...rest }, budget } }),
});

const get = defineOperation({
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

const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many companies',
	description: 'List the client companies with their status and monthly budget',
	endpoint: partner.companyList,
	params: [returnAll, limit],
	request: () => ({}),
});

const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update company',
	done: { one: 'company updated', many: 'companies updated' },
	description: "Change a company's name, address, status or monthly budget",
	endpoint: partner.companyUpdate,
	params: [
		companyId,
		updateCollection([
			{ displayName: 'Actual Address', name: 'actualAddress', type: 'string', default: '' },
			budgetParam,
			{ displayName: 'Name', name: 'name', type: 'string', default: '' },
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
		]),
	],
	request: ({ companyId: id, updateFields }) => ({
		path: { id },
		body: requireSome(updateFields),
	}),
});

export const company: Resource = {
	value: 'company',
	name: 'Company',
	description: 'A client company with its own sender names, dispatches and budget',
	operations: [create, get, getAll, update],
};
