import { UnfitValueError } from '../../../core/engine/coerce';
import type { Param } from '../../../core/engine/params';
const countryOptions = [{ name: 'Russia', value: 'RU' }] as const;
const toDigits = (value: unknown, _country: string): { digits: string } | { reason: string } => {
	const digits = String(value).replace(/\D/g, '');
	return digits.length > 9 ? { digits } : { reason: `is unreadable${_country}` };
};

export const defaultCountry = {
	displayName: 'Default Country',
	name: 'defaultCountry',
	type: 'options',
	options: countryOptions,
	default: 'RU',
	description:
		'Which country a phone number belongs to when it is written without a country code, such as 8 (912) 345-67-89',
} as const satisfies Param;

/** A phone number in any human form as the digits the service wants, or a refusal that names the field. */
export const requireDigits = (value: unknown, country: string, displayName: string): string => {
	const result = toDigits(value, country);
	if ('digits' in result) return result.digits;
	throw new UnfitValueError(displayName, `${JSON.stringify(value)} ${result.reason}`);
};
