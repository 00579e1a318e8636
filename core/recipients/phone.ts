import { callingCodeOf, isCountry, parsePhone, planOf } from '../../vendor/phone';
import type { CountryCode, PhoneNumber } from '../../vendor/phone';
import { nameOfCallingCode, nameOfCountry } from './countries';
import { isWritten, mostDigits, read, tooManyDigits } from './written';
import type { PhoneResult, Written } from './written';

const ambiguous = { reason: 'can be read in two ways. Write it with + and the country code' };

/* From digits to a number in one country */

/**
 * How far a reading can be trusted. The library's patterns become outdated, so a number from an unknown range is accepted if it is
 * as long as a mobile number in its country. The library's "possible" lengths don't help: they include freephone numbers, so half
 * of a number in Belarus, Turkey or Israel would be possible.
 */
const none = 0;
const byLength = 1;
const known = 2;
const mobile = 3;

interface Reading {
	digits: string;
	trust: typeof none | typeof byLength | typeof known | typeof mobile;
	number: PhoneNumber;
}

/** The shortest numbers exist on Niue: +683 and four digits. */
const fewestDigits = 7;
/** After +7 come ten digits that start with 3 to 9, after +1 ten digits that start with 2 to 9. This doesn't depend on metadata. */
const outsideOfPlan = /^(?:7(?![3-9]\d{9}$)|1(?![2-9]\d{9}$))/;

/** The country, or the calling code if it isn't known: for a code, the library uses the biggest country. */
const homeOf = ({ country, countryCallingCode }: PhoneNumber) => country ?? countryCallingCode;

const trustIn = (number: PhoneNumber, digits: string): Reading['trust'] => {
	if (digits.length < fewestDigits || digits.length > mostDigits) return none;
	if (outsideOfPlan.test(digits)) return none;
	const { pattern, mobilePattern, mobileLengths } = planOf(homeOf(number));
	const national = number.nationalNumber;
	const isAsLong = mobileLengths.includes(national.length);
	if (!pattern.test(national)) return isAsLong && !national.startsWith('0') ? byLength : none;
	return isAsLong && mobilePattern?.test(national) ? mobile : known;
};

const readingOf = (text: string, country?: CountryCode): Reading | undefined => {
	const number = parsePhone(text, country);
	if (!number) return undefined;
	const digits = number.number.slice(1);
	return { digits, number, trust: trustIn(number, digits) };
};

const placeOf = ({ country, countryCallingCode }: PhoneNumber): string =>
	(country && nameOfCountry(country)) ??
	nameOfCallingCode(countryCallingCode) ??
	`a country with the code +${countryCallingCode}`;

/** `slack` is how many extra digits may be a wrong prefix rather than a number that is too long. */
const misfit = (number: PhoneNumber, place = placeOf(number), slack = 0): PhoneResult => {
	const { mobileLengths } = planOf(homeOf(number));
	const { length } = number.nationalNumber;
	const isShort = length < Math.min(...mobileLengths);
	const isLong = length > Math.max(...mobileLengths) + slack;
	const what = isShort ? 'is too short for a' : isLong ? 'is too long for a' : "isn't a valid";
	return { reason: `${what} phone number in ${place}` };
};

const contested = (home: Reading, abroad: Reading): PhoneResult => {
	const places = `${placeOf(home.number)} or in ${placeOf(abroad.number)}`;
	return { reason: `could be a number in ${places}. Write it with + and the country code` };
};

const eightInstead = (place: string, more = ''): PhoneResult => ({
	reason: `could be a number in ${place} with a plus before its 8. Write +7 instead of +8${more}`,
});

/**
 * `+8` and ten digits, in a country where domestic calls start with 8: the plus may have been added by mistake. No country code
 * starts with 89, so +8 912 345-67-89 can be corrected. Other numbers that are known in Russia or Kazakhstan are read as foreign
 * only if that is certain: the number is a mobile number abroad, and a separator right after the foreign code shows that the code
 * was meant. +84 95 123 45 67 is in Vietnam, +8 (495) 123-45-67 isn't, and +84951234567 may be either.
 */
const correctEight = (
	{ digits, head }: Pick<Written, 'digits' | 'head'>,
	country?: CountryCode,
): PhoneResult | undefined => {
	if (!/^8\d{10}$/.test(digits) || !country || callingCodeOf(country) !== '7') return undefined;
	if (digits.startsWith('89')) return { digits: `7${digits.slice(1)}` };
	const home = readingOf(`+7${digits.slice(1)}`);
	const abroad = readingOf(`+${digits}`);
	if (!home || home.trust < known || !abroad) return undefined;
	const place = placeOf(home.number);
	if (abroad.trust !== mobile || head === 1) return eightInstead(place);
	const { countryCallingCode: code } = abroad.number;
	if (digits.slice(0, head) === code) return undefined;
	return eightInstead(
		place,
		`, or add a space after +${code} if it is a number in ${placeOf(abroad.number)}`,
	);
};

/** Whether domestic calls in the country start with this prefix. Belarus uses 80. */
const isTrunkPrefix = (prefix: string, country: CountryCode): boolean =>
	['0', '8', '80', planOf(country).trunkPrefix].includes(prefix);

/**
 * Whether the library kept the number as written. The library drops digits that it reads as a carrier code, and inserts digits for
 * some countries: +86 113 8280 24439 would become 868024439. Only two changes are allowed: removing the domestic prefix after the
 * default country's code, and a 0 in brackets after any code.
 */
const isKept = (
	{ digits, zero }: Pick<Written, 'digits' | 'zero'>,
	{ digits: read, number: { countryCallingCode: code, nationalNumber } }: Reading,
	country?: CountryCode,
): boolean => {
	if (read === digits) return true;
	const inserted = digits.startsWith(code) && digits.endsWith(nationalNumber);
	if (!inserted) return false;
	const between = digits.slice(code.length, -nationalNumber.length);
	if (between === '0' && zero === code.length) return true;
	return (
		country !== undefined && callingCodeOf(country) === code && isTrunkPrefix(between, country)
	);
};

/** The same for a number without `+`, which may also start with the country code or the prefix for international calls. */
const isKeptAtHome = (
	digits: string,
	{ number: { countryCallingCode: code, nationalNumber } }: Reading,
	country: CountryCode,
): boolean => {
	if (!digits.endsWith(nationalNumber)) return false;
	const before = digits.slice(0, -nationalNumber.length);
	const isAtHome = callingCodeOf(country) === code;
	if (isAtHome && (before === '' || isTrunkPrefix(before, country))) return true;
	if (before.startsWith(code)) {
		const between = before.slice(code.length);
		return isAtHome && (between === '' || isTrunkPrefix(between, country));
	}
	if (!before.endsWith(code)) return false;
	const prefix = before.slice(0, -code.length);
	return planOf(country).internationalPrefix?.test(prefix) === true;
};

const noCode = { reason: "doesn't start with a known country code" };

const international = (
	written: Pick<Written, 'digits' | 'head' | 'zero'>,
	country?: CountryCode,
): PhoneResult => {
	const before = written.digits.startsWith('00') ? 2 : 0;
	const digits = written.digits.slice(before);
	const head = Math.max(0, written.head - before);
	const zero = written.zero - before;
	if (digits.length > mostDigits) return tooManyDigits;
	const corrected = correctEight({ digits, head }, country);
	if (corrected) return corrected;
	const reading = readingOf(`+${digits}`);
	if (!reading) {
		return digits.length < fewestDigits ? { reason: 'is too short for a phone number' } : noCode;
	}
	// No country has the code 8, and with a separator after it, it isn't part of a longer code.
	if (head === 1 && digits.startsWith('8')) return noCode;
	if (!isKept({ digits, zero }, reading, country)) {
		const { countryCallingCode: code } = reading.number;
		const place = placeOf(reading.number);
		return digits[code.length] === '0'
			? { reason: `has a 0 after +${code}. Remove it, or check the number` }
			: { reason: `isn't a valid phone number in ${place}` };
	}
	if (reading.trust === none) return misfit(reading.number);
	return reading.digits === digits ? { digits } : unlessAmbiguous(reading.digits, country);
};

/** Rejects digits that would be read as another number when they are written with a plus. */
const unlessAmbiguous = (digits: string, country?: CountryCode): PhoneResult =>
	international({ digits, head: 0, zero: -1 }, country).digits === digits ? { digits } : ambiguous;

/**
 * Bare digits, without an 8, a 0 or a country code before them, are accepted as a number in the default country if they are a
 * mobile number there, or another known number of the only length that mobile numbers have, so that no digit can be missing. With
 * +7 they must not start with 7 or 8, which may be the start of a longer number, except that numbers in Kazakhstan start with 7.
 */
const isComplete = (digits: string, { number, trust }: Reading, country: CountryCode): boolean => {
	if (number.countryCallingCode === '7' && /^[78]/.test(digits)) {
		return country === 'KZ' && (/^7[12]/.test(digits) || (trust === mobile && digits[0] === '7'));
	}
	const { mobileLengths } = planOf(homeOf(number));
	const isWhole = mobileLengths.length === 1 && mobileLengths[0] === digits.length;
	return trust === mobile || (trust === known && isWhole);
};

/**
 * Reads a number without `+`. The default country comes first: a mobile number there is accepted; another known number too, unless
 * it would be a mobile number elsewhere and has no domestic prefix or country code; digits that only have the right length are
 * accepted if they are known nowhere else. A number that belongs to another country needs its `+`, because a guess could reach a
 * stranger.
 */
const domestic = (digits: string, country: CountryCode): PhoneResult => {
	const code = callingCodeOf(country);
	const { mobileLengths } = planOf(country);
	const read = readingOf(digits, country);
	const own = read && isKeptAtHome(digits, read, country) ? read : undefined;
	const withCode = (text: string) => {
		const reading = readingOf(`+${text}`);
		return reading && isKept({ digits: text, zero: -1 }, reading, country) ? reading : undefined;
	};
	const before = own ? digits.length - own.number.nationalNumber.length : 0;
	const isBare = own?.number.nationalNumber === digits && !digits.startsWith('0');
	const isDoubtful = isBare && !isComplete(digits, own, country);

	const claims = [
		isDoubtful ? undefined : own,
		digits.startsWith(code) ? withCode(digits) : undefined,
		digits.startsWith('00') ? withCode(digits.slice(2)) : undefined,
	].filter((reading) => reading !== undefined);
	const best = Math.max(none, ...claims.map(({ trust }) => trust));
	const [claim, ...others] = claims.filter(({ trust }) => trust === best && trust > none);
	if (others.some((other) => other.digits !== claim.digits)) return ambiguous;
	if (claim && isDoubtful && own.trust >= best) return ambiguous;
	if (claim && best === mobile) return unlessAmbiguous(claim.digits, country);

	const abroad = /^0/.test(digits) || digits.startsWith(code) ? undefined : readingOf(`+${digits}`);
	if (claim) {
		const { length } = claim.number.nationalNumber;
		const isHome = best === known && before === 1 && mobileLengths.includes(length);
		const rival = best === known ? mobile : known;
		return abroad && abroad.trust >= rival && !isHome
			? contested(claim, abroad)
			: unlessAmbiguous(claim.digits, country);
	}

	if (isDoubtful && own.trust >= known && mobileLengths.includes(digits.length)) {
		return abroad?.trust === mobile
			? contested(own, abroad)
			: { reason: `is missing a digit, or +${code} at the start` };
	}
	const place = nameOfCountry(country) ?? country;
	if (abroad && abroad.trust >= known) {
		const elsewhere = placeOf(abroad.number);
		return {
			reason: `isn't a valid phone number in ${place}. For a number in ${elsewhere}, write + at the start`,
		};
	}
	if (own && own.number.countryCallingCode !== code) return misfit(own.number);
	if (own) return misfit(own.number, place, before === 0 ? code.length : 0);
	const what = digits.length < fewestDigits ? 'is too short for a' : "isn't a valid";
	return { reason: `${what} phone number in ${place}` };
};

/* The whole conversion */

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
		if (plus || digits.startsWith('00')) return international(written);
		const name = JSON.stringify(country.slice(0, 20));
		return { reason: `has no country code, and ${name} isn't a valid default country` };
	}
	return plus ? international(written, country) : domestic(digits, country);
};
