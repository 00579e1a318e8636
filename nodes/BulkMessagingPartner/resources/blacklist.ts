import { partner, Recipient } from '../../../core/contract/partner';
import { defineOperation, type Resource } from '../../../core/engine/operation';
import { defaultCountry, phoneLabel, phoneNumber, requireDigits } from '../../shared/phone';
import { companyId } from '../../shared/locators';

interface ChangeTexts {
	value: string;
	name: string;
	action: string;
	done: { one: string; many: string };
	description: string;
	comment: { placeholder: string; description: string };
}

/** Adding and removing a number are the same call with another value of `blacklist`. */
const setBlacklisted = (blacklist: boolean, { comment, ...texts }: ChangeTexts) =>
	defineOperation({
		...texts,
		endpoint: partner.recipientUpdate,
		output: Recipient,
		// The order of the numbers doesn't matter, so several requests run at a time. More could overload the service.
		concurrency: 10,
		params: [
			companyId,
			{ ...phoneNumber, name: 'msisdn', placeholder: 'e.g. +7 912 345-67-89' },
			defaultCountry,
			{ displayName: 'Comment', name: 'comment', type: 'string', default: '', ...comment },
		],
		request: ({ companyId: company, msisdn, defaultCountry: country, comment: given }) => ({
			body: {
				companyId: company,
				msisdn: requireDigits(msisdn, country, phoneLabel),
				blacklist,
				comment: given || undefined,
			},
		}),
		confirms: (recipient) => recipient.blacklist === blacklist,
	});

export const blacklist: Resource = {
	value: 'blacklist',
	name: 'Blacklist',
	description: "Phone numbers that must not get a company's messages",
	operations: [
		setBlacklisted(true, {
			value: 'add',
			name: 'Add',
			action: 'Add number to blacklist',
			done: { one: 'number blocked', many: 'numbers blocked' },
			description:
				"Block a phone number, so that it gets no more messages from a company. The API can't list blocked numbers, so keep your own list.",
			comment: {
				placeholder: 'e.g. Replied STOP',
				description: 'Why the number is blocked, for later reference',
			},
		}),
		setBlacklisted(false, {
			value: 'remove',
			name: 'Remove',
			action: 'Remove number from blacklist',
			done: { one: 'number unblocked', many: 'numbers unblocked' },
			description: 'Allow a company to send messages to a phone number again',
			comment: {
				placeholder: 'e.g. Asked to get messages again',
				description: 'Why the number is allowed again, for later reference',
			},
		}),
	],
};
