import { UnfitValueError } from '../../core/engine/errors';
import type { Param } from '../../core/engine/params';
import { countries } from '../../core/recipients/countries';
import { toDigits } from '../../core/recipients/phone';

export const defaultCountry = {
	displayName: 'Default Country',
	name: 'defaultCountry',
	type: 'options',
	options: countries,
	default: 'RU',
	// Numbers with a country code don't need a default country.
	whenEmpty: 'leaveOut',
	description:
		'The country of phone numbers without +, such as 8 (912) 345-67-89. Numbers in other countries need + and the country code.',
} as const satisfies Param;

export const phoneLabel = 'Phone Number';

export const phoneNumber = {
	displayName: phoneLabel,
	name: 'destination',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. {{ $json.phone }}',
	description: 'In any common format',
} as const satisfies Param;

/** A phone number in any common format as the digits that the service needs. Throws an error that names the field. */
export const requireDigits = (value: unknown, country: string, displayName: string): string => {
	const { digits, reason } = toDigits(value, country);
	if (digits !== undefined) return digits;
	throw new UnfitValueError(displayName, `${JSON.stringify(value)} ${reason}`);
};
