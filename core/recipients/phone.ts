import { callingCodeOf, isCountry, parsePhone, planOf } from '../../vendor/phone';
import type { CountryCode, PhoneNumber } from '../../vendor/phone';
import { nameOfCallingCode, nameOfCountry } from './countries';
import { isWritten, mostDigits, read, tooManyDigits } from './written';
import type { PhoneResult, Written } from './written';

const noCode = { reason: "doesn't start with a known country code" };
const ambiguous = { reason: 'can be read in two ways. Write it with + and the country code' };

/**
 * How far a number can be trusted. The library's patterns become outdated, so a number from an unknown range is accepted if it is
 * as long as a mobile number in its country. The library's "possible" lengths don't help: they include freephone numbers, so half
 * of a number in Belarus, Turkey or Israel would be possible.
 */
const byLength = 1;
const known = 2;
const mobile = 3;

interface Reading {
	digits: string;
	trust: typeof byLength | typeof known | typeof mobile;
	number: PhoneNumber;
}

/** The shortest numbers exist on Niue: +683 and four digits. */
const fewestDigits = 7;
/** After +7 come ten digits that start with 3 to 9, after +1 ten digits that start with 2 to 9. This doesn't depend on metadata. */
const outsideOfPlan = /^(?:7(?![3-9]\d{9}$)|1(?![2-9]\d{9}$))/;

/** For a calling code whose country isn't known, the plan of its biggest country. */
const planFor = ({ country, countryCallingCode }: PhoneNumber) =>
	planOf(country ?? countryCallingCode);

/** The number with exactly these digits after the `+`; `undefined` if there is none. */
const exactly = (digits: string): Reading | undefined => {
	if (digits.length < fewestDigits || digits.length > mostDigits) return undefined;
	const number = parsePhone(`+${digits}`);
	// The library drops digits that it reads as a carrier code, and inserts digits for some countries.
	if (number?.number !== `+${digits}` || outsideOfPlan.test(digits)) return undefined;
	const { pattern, mobilePattern, mobileLengths } = planFor(number);
	const { nationalNumber } = number;
	const isAsLong = mobileLengths.includes(nationalNumber.length);
	if (pattern.test(nationalNumber)) {
		const isMobile = isAsLong && mobilePattern?.test(nationalNumber) === true;
		return { digits, number, trust: isMobile ? mobile : known };
	}
	return isAsLong && !nationalNumber.startsWith('0')
		? { digits, number, trust: byLength }
		: undefined;
};

const placeOf = ({ country, countryCallingCode }: PhoneNumber): string =>
	(country && nameOfCountry(country)) ??
	nameOfCallingCode(countryCallingCode) ??
	`a country with the code +${countryCallingCode}`;

const misfit = (length: number, lengths: readonly number[], place: string): PhoneResult => {
	const isShort = length < Math.min(...lengths);
	const isLong = length > Math.max(...lengths);
	const what = isShort ? 'is too short for a' : isLong ? 'is too long for a' : "isn't a valid";
	return { reason: `${what} phone number in ${place}` };
};

/** Countries with more than one prefix for domestic calls. Of the 80 in Belarus, often only one digit is written. */
const severalTrunks: Readonly<Record<string, string[]>> = { BY: ['80', '8', '0'], LT: ['0', '8'] };

const trunksOf = (country: CountryCode): string[] =>
	severalTrunks[country] ?? [planOf(country).trunkPrefix ?? []].flat();

/** The number with this country code, also if the default country's prefix for domestic calls was kept after it. */
const withCode = (digits: string, country?: CountryCode): Reading | undefined => {
	const exact = exactly(digits);
	if (exact !== undefined || country === undefined) return exact;
	const code = callingCodeOf(country);
	const trunk = trunksOf(country).find((prefix) => digits.startsWith(code + prefix));
	return trunk === undefined ? undefined : exactly(code + digits.slice(code.length + trunk.length));
};

/**
 * `+8` and ten digits, in a country where domestic calls start with 8: the plus may have been added by mistake. No country code
 * starts with 89, so +8 912 345-67-89 can be corrected. Other numbers that are known with +7 are read as foreign only if they are
 * mobile numbers abroad, and a separator right after the foreign code shows that the code was meant: +84 95 123 45 67 is in
 * Vietnam, +84951234567 may not be.
 */
const correctEight = (digits: string, head: number, country?: CountryCode) => {
	if (!/^8\d{10}$/.test(digits) || !country || callingCodeOf(country) !== '7') return undefined;
	if (digits.startsWith('89')) return { digits: `7${digits.slice(1)}` };
	const home = exactly(`7${digits.slice(1)}`);
	if (!home || home.trust < known) return undefined;
	const abroad = exactly(digits);
	const isCode = abroad?.number.countryCallingCode === digits.slice(0, head);
	if (isCode && abroad.trust === mobile) return undefined;
	return {
		reason: `could be a number in ${placeOf(home.number)} with a plus before its 8. Write +7 instead of +8, or add a space after the country code`,
	};
};

/** Reads a number with `+`. Exactly the written digits are used, without a prefix for domestic calls after the code. */
const international = ({ digits, head, zero }: Written, country?: CountryCode): PhoneResult => {
	if (digits.length > mostDigits) return tooManyDigits;
	const corrected = correctEight(digits, head, country);
	if (corrected) return corrected;
	const number = parsePhone(`+${digits}`);
	// No country has the code 8, and with a separator after it, it isn't part of a longer code.
	if (!number || (head === 1 && digits.startsWith('8'))) {
		const isShort = !number && digits.length < fewestDigits;
		return isShort ? { reason: 'is too short for a phone number' } : noCode;
	}
	const { countryCallingCode: code } = number;
	// `+49 (0)151`: the 0 in brackets isn't dialed from abroad.
	const isOptional = zero === code.length;
	const dialed = isOptional ? code + digits.slice(zero + 1) : digits;
	const reading = isOptional ? exactly(dialed) : withCode(dialed, country);
	if (reading) return { digits: reading.digits };
	if (digits[code.length] === '0' && !isOptional) {
		return { reason: `has a 0 after +${code}. Remove it, or check the number` };
	}
	return misfit(dialed.length - code.length, planFor(number).mobileLengths, placeOf(number));
};

/**
 * The prefix for calls to other countries, if the digits start with it. Many write 00 instead of their own prefix. Countries where
 * carriers have prefixes of their own, such as 008 in South Korea, have none here, because 00 could be a part of one.
 */
const prefixAbroad = (digits: string, country: CountryCode): string | undefined => {
	const { internationalPrefix: own } = planOf(country);
	return own && [own, '00'].find((prefix) => digits.startsWith(prefix));
};

/**
 * Whether bare digits, without a country code or a prefix before them, are a whole number in the default country: a mobile number,
 * or a known one of the only length that mobile numbers have, so that no digit can be missing. If they start like the code or the
 * prefix, they may be a part of a longer number, unless the country's own mobile numbers start so, as in Kazakhstan.
 */
const isWhole = (digits: string, { number, trust }: Reading, country: CountryCode): boolean => {
	const isDoubtful = [callingCodeOf(country), ...trunksOf(country)].some((start) =>
		digits.startsWith(start),
	);
	if (isDoubtful) return trust === mobile && number.country === country;
	const { mobileLengths } = planFor(number);
	const isOnlyLength = mobileLengths.length === 1 && mobileLengths[0] === digits.length;
	return trust === mobile || (trust === known && (isOnlyLength || digits.startsWith('0')));
};

/**
 * Reads a number without `+` in every way it can be meant: with the default country's code, with its prefix for domestic calls,
 * or bare. It is accepted only if the most trusted of these are one number, and if it isn't better known abroad. A number that
 * belongs to another country needs its `+`, because a guess could reach a stranger.
 */
const domestic = (digits: string, country: CountryCode): PhoneResult => {
	const code = callingCodeOf(country);
	const { mobileLengths } = planOf(country);
	const withTrunk = trunksOf(country)
		.filter((prefix) => digits.startsWith(prefix))
		.map((prefix) => exactly(code + digits.slice(prefix.length)));
	const bare = exactly(code + digits);
	const readings = [
		digits.startsWith(code) ? withCode(digits, country) : undefined,
		...withTrunk,
		bare,
	].filter((reading) => reading !== undefined);
	const best = Math.max(...readings.map(({ trust }) => trust));
	const [claim, ...others] = readings.filter(({ trust }) => trust === best);
	if (others.some((other) => other.digits !== claim.digits)) return ambiguous;

	const isSure = claim && (claim !== bare || isWhole(digits, bare, country));
	const isAsLong = mobileLengths.includes(claim?.number.nationalNumber.length);
	const isOwn = best === mobile || (best === known && isAsLong && withTrunk.includes(claim));
	const abroad = digits.startsWith('0') || digits.startsWith(code) ? undefined : exactly(digits);
	const isRival = abroad && abroad.trust >= (isSure && best === known ? mobile : known);
	if (isSure && (isOwn || !isRival)) return { digits: claim.digits };
	if (isRival) {
		const elsewhere = placeOf(abroad.number);
		return { reason: `could be a number in ${elsewhere}. Write it with + and the country code` };
	}
	if (best >= known) return { reason: `is missing a digit, or +${code} at the start` };
	const lengths = mobileLengths.flatMap((length) => [length, length + code.length]);
	return misfit(digits.length, lengths, nameOfCountry(country) ?? country);
};

/** A Russian mobile number, the most common case. With Russia as default country, no foreign number looks like it. */
const russianMobile = /^(?:\+7|[78])?9\d{9}$/;

/**
 * The digits of a phone number with its country code, from any common format. Numbers without a country code belong to the default
 * country, given by its ISO code. A doubtful number is rejected, because a wrong one would reach a stranger.
 */
export const toDigits = (value: unknown, defaultCountry: string): PhoneResult => {
	// Only 'RU' takes the shortcut. A test uses `ru` to check that the full way gives the same result.
	const isRussia = defaultCountry === 'RU';
	const plain = typeof value === 'number' ? String(value) : value;
	if (isRussia && typeof plain === 'string' && russianMobile.test(plain)) {
		return { digits: `7${plain.slice(-10)}` };
	}
	const written = read(value);
	if (!isWritten(written)) return written;
	const { plus, digits } = written;
	if (isRussia && russianMobile.test(plus ? `+${digits}` : digits)) {
		return { digits: `7${digits.slice(-10)}` };
	}
	const country = typeof defaultCountry === 'string' ? defaultCountry.trim().toUpperCase() : '';
	if (!isCountry(country)) {
		if (plus) return international(written);
		const name = JSON.stringify(country.slice(0, 20));
		return { reason: `has no country code, and ${name} isn't a valid default country` };
	}
	if (plus) return international(written, country);
	const prefix = prefixAbroad(digits, country);
	if (prefix === undefined) return domestic(digits, country);
	const dialed = { plus: true, digits: digits.slice(prefix.length), head: 0, zero: 0 };
	return international(dialed, country);
};

/** What stays the same however a number is written: the last digits, without a country code or another prefix. */
export const nationalPart = (number: string): string => number.slice(-10);
