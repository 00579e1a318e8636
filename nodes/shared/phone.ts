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
	// Numbers with a country code need none.
	whenEmpty: 'leaveOut',
	description:
		'Which country a phone number belongs to when it is written without a country code, such as 8 (912) 345-67-89',
} as const satisfies Param;

/** What the screen calls the number of a message. */
export const phoneLabel = 'Phone Number';

/** A phone number in any human form as the digits the service wants, or a refusal that names the field. */
export const requireDigits = (value: unknown, country: string, displayName: string): string => {
	const { digits, reason } = toDigits(value, country);
	if (digits !== undefined) return digits;
	throw new UnfitValueError(displayName, `${JSON.stringify(value)} ${reason}`);
};
