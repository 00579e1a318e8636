import { defineOperation } from '../../../../core/engine/operation';
import { concurrency, endpoint, output, entryParams, toMsisdn } from './entry';

export const remove = defineOperation({
	value: 'remove',
	name: 'Remove',
	action: 'Remove number from blacklist',
	description: 'Allow messages of a company to a phone number again',
	endpoint,
	output,
	concurrency,
	params: entryParams,
	request: ({ companyId, msisdn, defaultCountry }) => ({
		body: { companyId, msisdn: toMsisdn(msisdn, defaultCountry), blacklist: false },
	}),
	confirms: ({ blacklist }) => !blacklist,
});
