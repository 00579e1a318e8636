import { defineOperation } from '../../../../core/engine/operation';
import { comment, concurrency, endpoint, output, entryParams, toMsisdn } from './entry';

export const add = defineOperation({
	value: 'add',
	name: 'Add',
	action: 'Add number to blacklist',
	description: 'Make sure that a phone number gets no more messages of a company',
	endpoint,
	output,
	concurrency,
	params: [
		...entryParams,
		{
			...comment,
			placeholder: 'e.g. Answered STOP',
			description: 'Why the number is blocked, for whoever looks at it later',
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
