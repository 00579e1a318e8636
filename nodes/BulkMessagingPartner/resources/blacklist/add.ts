import { defineOperation } from '../../../../core/engine/operation';
import { comment, concurrency, endpoint, output, entryParams, toMsisdn } from './entry';

export const add = defineOperation({
	value: 'add',
	name: 'Add',
	action: 'Add number to blacklist',
	description: 'Block a phone number, so that it gets no more messages from a company',
	endpoint,
	output,
	concurrency,
	params: [
		...entryParams,
		{
			...comment,
			placeholder: 'e.g. Replied STOP',
			description: 'Why the number is blocked, for later reference',
		},
	],
	request: ({ companyId, msisdn, defaultCountry, comment: given }) => ({
		body: {
			companyId,
			msisdn: toMsisdn(msisdn, defaultCountry),
			blacklist: true,
			comment: given || undefined,
		},
	}),
	confirms: ({ blacklist }) => blacklist,
});
