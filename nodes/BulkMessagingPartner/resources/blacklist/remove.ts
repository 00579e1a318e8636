import { defineOperation } from '../../../../core/engine/operation';
import { comment, concurrency, endpoint, output, entryParams, toMsisdn } from './entry';

export const remove = defineOperation({
	value: 'remove',
	name: 'Remove',
	action: 'Remove number from blacklist',
	description: 'Allow a company to send messages to a phone number again',
	endpoint,
	output,
	concurrency,
	params: [
		...entryParams,
		{
			...comment,
			placeholder: 'e.g. Asked to get messages again',
			description: 'Why the number is allowed again, for later reference',
		},
	],
	request: ({ companyId, msisdn, defaultCountry, comment: given }) => ({
		body: {
			companyId,
			msisdn: toMsisdn(msisdn, defaultCountry),
			blacklist: false,
			comment: given || undefined,
		},
	}),
	confirms: ({ blacklist }) => !blacklist,
});
