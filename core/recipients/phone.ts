import { callingCodeOf, isCountry, parsePhone, planOf } from '../../vendor/phone';
import type { CountryCode, PhoneNumber } from '../../vendor/phone';
import { nameOfCallingCode, nameOfCountry } from './countries';
import { isWritten, mostDigits, read, tooManyDigits } from './written';
import type { PhoneResult, Written } from './written';

const twofold = { reason: 'can be read in two ways: write it with + and the country code' };

/* From digits to a number of one country */

/**
 * How far a reading can be trusted. The library's patterns grow old, so a number of an unknown range is taken when it is
 * as long as a mobile number there. The library's "possible" lengths are no help: they count in every freephone number,
 * so half a number of Belarus, Turkey or Israel is possible.
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

/** The shortest there are, as on Niue: +683 and four digits. */
const fewestDigits = 7;
/** +7 has ten digits from 3 on, +1 ten from 2 on, and that is older than any metadata. */
const outsideOfPlan = /^(?:7(?![3-9]\d{9}$)|1(?![2-9]\d{9}$))/;

/** The calling code where the country is not known: for the library that is the biggest one with this code. */
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
	`the code +${countryCallingCode}`;

/** `slack` is how many digits too many may be a wrong beginning rather than a number too long. */
const misfit = (number: PhoneNumber, place = placeOf(number), slack = 0): PhoneResult => {
	const { mobileLengths } = planOf(homeOf(number));
	const { length } = number.nationalNumber;
	const isShort = length < Math.min(...mobileLengths);
	const isLong = length > Math.max(...mobileLengths) + slack;
	const what = isShort ? 'too short for a' : isLong ? 'too long for a' : 'no';
	return { reason: `is ${what} phone number of ${place}` };
};

const contested = (home: Reading, abroad: Reading): PhoneResult => {
	const places = `${placeOf(home.number)} or of ${placeOf(abroad.number)}`;
	return { reason: `may be a number of ${places}: write it with + and the country code` };
};

const eightInstead = (place: string, more = ''): PhoneResult => ({
	reason: `may be a number of ${place} with a plus before its 8: write +7 instead${more}`,
});

/**
 * `+8` and ten digits, where 8 is what calls within the country begin with: maybe somebody put the plus before it. No
 * country code begins with 89, so +8 912 345-67-89 can be mended. Of the rest, what Russia or Kazakhstan know as a number
 * of theirs is a number abroad only beyond doubt: it is a mobile number there, and a separator right behind the code of
 * that country shows that the code was meant. +84 95 123 45 67 is in Vietnam, +8 (495) 123-45-67 is not, and
 * +84951234567 may be either.
 */
const mendEight = (
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
		`, or a space after +${code} if it is one of ${placeOf(abroad.number)}`,
	);
};

/** What may stand before the number of a country within it. 80 is how Belarus calls its own. */
const isTrunkPrefix = (prefix: string, country: CountryCode): boolean =>
	['0', '8', '80', planOf(country).trunkPrefix].includes(prefix);

/**
 * The library drops digits it takes for the code of a carrier, and puts others in for some countries: +86 113 8280 24439
 * would go to 868024439. A number goes out as it was written. Only what calls within the default country begin with may
 * be left out after its code, and a 0 in brackets after any.
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

/** The same for a number without `+`, which may begin with the code or the prefix for calls to other countries as well. */
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

const noCode = { reason: 'begins with no known country code' };

const international = (
	written: Pick<Written, 'digits' | 'head' | 'zero'>,
	country?: CountryCode,
): PhoneResult => {
	const before = written.digits.startsWith('00') ? 2 : 0;
	const digits = written.digits.slice(before);
	const head = Math.max(0, written.head - before);
	const zero = written.zero - before;
	if (digits.length > mostDigits) return tooManyDigits;
	const mended = mendEight({ digits, head }, country);
	if (mended) return mended;
	const reading = readingOf(`+${digits}`);
	if (!reading) {
		return digits.length < fewestDigits ? { reason: 'is too short for a phone number' } : noCode;
	}
	// No country has the code 8: with a separator behind it, it does not belong to a longer code.
	if (head === 1 && digits.startsWith('8')) return noCode;
	if (!isKept({ digits, zero }, reading, country)) {
		const { countryCallingCode: code } = reading.number;
		const place = placeOf(reading.number);
		return digits[code.length] === '0'
			? { reason: `has a 0 after +${code}: leave it out, or check the number` }
			: { reason: `is no phone number of ${place}` };
	}
	if (reading.trust === none) return misfit(reading.number);
	return reading.digits === digits ? { digits } : unlessTwofold(reading.digits, country);
};

/** Digits that would be read as others, the next time they come by with a plus, are no number to send to. */
const unlessTwofold = (digits: string, country?: CountryCode): PhoneResult =>
	international({ digits, head: 0, zero: -1 }, country).digits === digits ? { digits } : twofold;

/**
 * Bare digits, with no 8, 0 or country code before them, are a number of the default country if they are a mobile number
 * there, or another known one and no digit can be missing: all mobile numbers are as long. Of +7 they may not begin with
 * a 7 or 8 that may have stood before a longer number, but Kazakhstan's own numbers do begin with 7.
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
 * A mobile number of +7, with its 7 or 8 or without, and one digit too many before or behind it: 96891234567 is one of
 * Oman, and more likely one of Russia, mistyped. So is a number behind an 8, with an area code Russia knows. Landlines
 * without the 8 are not looked at: nearly all numbers of Armenia or Poland would be one with a digit too many.
 */
const mobileTooLong = /^(?:\d[78]?9\d{9}|[78]?9\d{10})$/;

const isSlip = (digits: string, country: CountryCode): boolean => {
	if (callingCodeOf(country) !== '7') return false;
	if (mobileTooLong.test(digits)) return true;
	if (!/^8\d{11}$/.test(digits)) return false;
	return (readingOf(`+7${digits.slice(1, -1)}`)?.trust ?? none) >= known;
};

/** The home of a number is guessed only where nothing else can be meant, so a mistyped number stays where it is. */
const isBeyondDoubt = (abroad: Reading, { digits, slash }: Written, country: CountryCode) =>
	abroad.trust === mobile &&
	abroad.number.country !== undefined &&
	abroad.digits === digits &&
	digits.length >= 10 &&
	!planOf(country).mobileLengths.includes(digits.length) &&
	!slash &&
	!isSlip(digits, country);

/**
 * Without `+`. The default country comes first: a mobile number there is one; so is another known number, unless it
 * would be a mobile number elsewhere and no 8 or 0 or code before it speaks for home; digits that merely have the length
 * are one if they are known nowhere else. What the default country cannot claim may be a number of another.
 */
const domestic = (written: Written, country: CountryCode): PhoneResult => {
	const { digits } = written;
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
	if (others.some((other) => other.digits !== claim.digits)) return twofold;
	if (claim && isDoubtful && own.trust >= best) return twofold;
	if (claim && best === mobile) return unlessTwofold(claim.digits, country);

	const abroad = /^0/.test(digits) || digits.startsWith(code) ? undefined : readingOf(`+${digits}`);
	if (claim) {
		const { length } = claim.number.nationalNumber;
		const isHome = best === known && before === 1 && mobileLengths.includes(length);
		const rival = best === known ? mobile : known;
		return abroad && abroad.trust >= rival && !isHome
			? contested(claim, abroad)
			: unlessTwofold(claim.digits, country);
	}
	if (abroad && isBeyondDoubt(abroad, written, country)) return { digits };

	if (isDoubtful && own.trust >= known && mobileLengths.includes(digits.length)) {
		return abroad?.trust === mobile
			? contested(own, abroad)
			: { reason: `lacks a digit, or the +${code} before it` };
	}
	const place = nameOfCountry(country) ?? country;
	if (abroad && abroad.trust >= known) {
		const elsewhere = placeOf(abroad.number);
		return { reason: `is no phone number of ${place}, and one of ${elsewhere} must begin with +` };
	}
	if (own && own.number.countryCallingCode !== code) return misfit(own.number);
	if (own) return misfit(own.number, place, before === 0 ? code.length : 0);
	const what = digits.length < fewestDigits ? 'too short for a' : 'no';
	return { reason: `is ${what} phone number of ${place}` };
};

/* All of it */

/** What most lists hold: a Russian mobile number. No other country's number looks like it, with Russia as default. */
const russianMobile = /^(?:\+7|[78])?9\d{9}$/;

/**
 * The digits of a phone number with its country code, from whatever a person or a program wrote. The default country, by
 * its ISO code, is the one of numbers without a code. A doubtful number is refused: a wrong one reaches a stranger.
 */
export const toDigits = (value: unknown, defaultCountry: string): PhoneResult => {
	// Only exactly so: with `ru` a test goes the long way, and holds the two equal.
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
		return { reason: `has no country code, and ${name} is no default country` };
	}
	return plus ? international(written, country) : domestic(written, country);
};
