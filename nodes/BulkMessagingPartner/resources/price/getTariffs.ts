import { partner } from '../../../../core/contract/partner';
import { Tariff } from '../../../../core/contract/price';
import { defineOperation } from '../../../../core/engine/operation';
import { tariffFilters } from './tariffFilters';

export const getTariffs = defineOperation({
	value: 'getTariffs',
	name: 'Get Tariffs',
	action: 'Get tariffs',
	description: 'List what messages cost, by operator, sender type and traffic type',
	endpoint: partner.tariffList,
	output: Tariff,
	params: [
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: tariffFilters,
		},
	],
	request: ({ filters: { brand, ...filters } }) => ({
		query: { ...filters, brand: brand || undefined },
	}),
});
