import { partner, Recipient } from '../../../../core/contract/partner';
import type { Param } from '../../../../core/engine/params';
import { companyId } from '../../shared/locators';
import { defaultCountry, requireDigits } from '../../../shared/phone';

export const endpoint = partner.recipientUpdate;
export const output = Recipient;

/** The order of the numbers doesn't matter, so several requests run at a time. More could overload the service. */
export const concurrency = 10;

const phoneNumber = {
	displayName: 'Phone Number',
	name: 'msisdn',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. +7 912 345-67-89',
	description: 'In any common format',
} as const satisfies Param;

export const comment = {
	displayName: 'Comment',
	name: 'comment',
	type: 'string',
	default: '',
} as const satisfies Param;

export const entryParams = [companyId, phoneNumber, defaultCountry] as const;

export const toMsisdn = (msisdn: string, country: string) =>
	requireDigits(msisdn, country, phoneNumber.displayName);
