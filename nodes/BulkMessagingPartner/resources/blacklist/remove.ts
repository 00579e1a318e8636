import { defineOperation } from '../../../../core/engine/operation';
import { concurrency, endpoint, output, params, toNumber } from './entry';

export const remove = defineOperation({
	value: 'remove',
	name: 'Remove',
	action: 'Remove number from blacklist',
	description: 'Allow messages of a company to a phone number again',
	endpoint,
	output,
	concurrency,
	params,
	request: ({ companyId, msisdn, defaultCountry }) => ({
		body: { companyId, msisdn: toNumber(msisdn, defaultCountry), blacklist: false },
	}),
	confirms: ({ blacklist }) => !blacklist,
});
