import { callingCodeOf, isCountry, parsePhone, planOf } from '../../vendor/phone';
import type { CountryCode, PhoneNumber } from '../../vendor/phone';
import { nameOfCallingCode, nameOfCountry } from './countries';

/** The number as the service wants it, or why there is none: words that go on after the value, `"+7 912" …`. */
export type PhoneResult =
	| { digits: string; reason?: undefined }
	| { reason: string; digits?: undefined };

interface Written {
	plus: boolean;
	digits: string;
	slash: boolean;
}

/** Longer texts are not read at all, so the time is bounded for any input. */
const longestText = 200;
const mostDigits = 15;
/** The international prefixes `810` and `00` may stand before the digits. */
const longestPrefix = 4;

const several = { reason: 'holds more than one phone number' };
const extension = { reason: 'has an extension, and a message cannot reach one' };
const empty = { reason: 'is empty' };
const negative = { reason: 'is negative, and no phone number is' };
const fraction = { reason: 'is not a whole number' };
const tooManyDigits = {
	reason: `has more digits than the ${mostDigits} of the longest phone number`,
};
const twofold = { reason: 'can be read in two ways: write it with + and the country code' };

/* From any value to text */

const isWritten = (result: Written | PhoneResult): result is Written => 'plus' in result;

const textOf = (value: unknown): string | { reason: string } => {
	switch (typeof value) {
		case 'string':
			return value;
		case 'number':
			if (!Number.isFinite(value)) return { reason: 'is no phone number' };
			if (value < 0) return negative;
			if (!Number.isInteger(value)) return fraction;
			return Number.isSafeInteger(value) ? String(value) : tooManyDigits;
		case 'bigint':
			if (value < 0n) return negative;
			return value <= BigInt(Number.MAX_SAFE_INTEGER) ? String(value) : tooManyDigits;
		case 'undefined':
			return empty;
		case 'boolean':
			return { reason: 'is true or false, not a phone number' };
		default:
			if (value === null) return empty;
			return { reason: `is ${Array.isArray(value) ? 'a list' : 'an object'}, not a phone number` };
	}
};

/* From text to `+` and digits */

/** `'+7912…` and `="7912…"` keep a spreadsheet from reading a number; `tel:` comes from links. */
const wrappedBefore = /^[\s\p{Cf}]*=?["'`‘’“”]*(?:tel:)?/iu;
const quotes = '"\'`‘’“”';
const blank = /^[\s\p{Cf}]$/u;

/** From the end, one by one: an expression that looks for the end starts anew at every blank before it. */
const unwrapped = (raw: string): string => {
	const text = raw.replace(wrappedBefore, '');
	let end = text.length;
	for (let width; end > 0; end -= width) {
		width = end > 1 && (text.codePointAt(end - 2) ?? 0) > 0xffff ? 2 : 1;
		if (!blank.test(text.slice(end - width, end))) break;
	}
	while (end > 0 && quotes.includes(text.charAt(end - 1))) end--;
	return text.slice(0, end);
};

const scientific = /^([1-9])[.,](\d+)e\+?(\d{1,2})$/i;
/** What becomes of a column of numbers in a spreadsheet or in pandas. */
const float = /^([1-9]\d{9,14})[.,]0{1,2}$/;
const extensionMark =
	/\d\D*?(?:e?xt(?:ensi?on|n)?|доб(?:авочный)?|вн(?:утр(?:енний)?)?|[xх#])[.:=\s№]*\d/iu;

const isHardSeparator = (code: number) =>
	code === 0x2c || // ,
	code === 0x3b || // ;
	code === 0x7c || // |
	code === 0x0a ||
	code === 0x0d ||
	code === 0x2028 ||
	code === 0x2029;

const softSeparator = /[\s\p{Cf}()[\].·\-\u2010-\u2015\u2212\ufe58\ufe63/]/u;

/** Full-width forms become ASCII, Arabic digits of both kinds too. */
const toAscii = (code: number): number => {
	if (code < 0x660) return code;
	if (code <= 0x669) return code - 0x660 + 0x30;
	if (code >= 0x6f0 && code <= 0x6f9) return code - 0x6f0 + 0x30;
	if (code >= 0xff01 && code <= 0xff5e) return code - 0xfee0;
	return code === 0xfe62 ? 0x2b : code;
};

const strange = (text: string, index: number): { reason: string } => {
	if (extensionMark.test(text)) return extension;
	const sign = String.fromCodePoint(text.codePointAt(index) ?? 0);
	if (/[\p{L}\p{M}]/u.test(sign)) return { reason: 'contains letters' };
	const name = /[\p{P}\p{S}\p{N}]/u.test(sign) ? `"${sign}"` : 'a character';
	return { reason: `contains ${name}, which belongs to no phone number` };
};

const scan = (text: string): Written | PhoneResult => {
	let digits = '';
	let plus = false;
	let slash = false;
	let cut = 0;
	let cutAt = 0;
	let opened = 0;
	let closed = 0;
	for (let index = 0; index < text.length; index++) {
		const code = toAscii(text.charCodeAt(index));
		if (code >= 0x30 && code <= 0x39) {
			digits += String.fromCharCode(code);
		} else if (code === 0x2b) {
			if (digits !== '') return several;
			plus = true;
		} else if (isHardSeparator(code)) {
			if (cut === 0) {
				cut = digits.length;
				cutAt = index;
			}
		} else if (softSeparator.test(String.fromCharCode(code))) {
			if (code === 0x28) opened = digits.length;
			if (code === 0x29) closed = digits.length;
			if (code === 0x2f && digits !== '') {
				// After so many digits there begins a second number, or another ending of the first.
				if (digits.replace(/^00/, '').length >= 8) return several;
				slash = true;
			}
		} else {
			return strange(text, index);
		}
	}
	if (digits === '') return /[^\s\p{Cf}]/u.test(text) ? { reason: 'contains no digits' } : empty;
	if (cut > 0 && digits.length > cut) {
		if (cut < 5) return strange(text, cutAt);
		return digits.length - cut < 5 ? extension : several;
	}
	if (opened >= 7 && closed > opened && closed === digits.length) return extension;
	if (digits.length > mostDigits + longestPrefix) return tooManyDigits;
	return { plus, digits, slash };
};

/** `7.9123456789E+10`: exact only with all the digits there. `7.91235E+10` has lost some for good. */
const fromScientific = (first: string, decimals: string, places: number): Written | PhoneResult => {
	if (decimals.length < places) return { reason: 'may have lost its last digits in a spreadsheet' };
	if (/[1-9]/.test(decimals.slice(places))) return fraction;
	return scan(first + decimals.slice(0, places));
};

const read = (value: unknown): Written | PhoneResult => {
	const raw = textOf(value);
	if (typeof raw !== 'string') return raw;
	if (raw.length > longestText) return { reason: 'is too long for a phone number' };
	const text = unwrapped(raw);
	const power = scientific.exec(text);
	if (power) return fromScientific(power[1], power[2], Number(power[3]));
	return scan(float.exec(text)?.[1] ?? text);
};

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

/**
 * `+8` and ten digits, where 8 is what calls within the country begin with: maybe somebody put the plus before it. No
 * country code begins with 89, so +8 912 345-67-89 can be mended. Of the rest, what is a mobile number abroad stays one.
 */
const mendEight = (digits: string, country?: CountryCode): PhoneResult | undefined => {
	if (!/^8\d{10}$/.test(digits) || !country || callingCodeOf(country) !== '7') return undefined;
	if (digits.startsWith('89')) return { digits: `7${digits.slice(1)}` };
	const home = readingOf(`+7${digits.slice(1)}`);
	const abroad = readingOf(`+${digits}`);
	if (!home || home.trust < known || !abroad || abroad.trust === mobile) return undefined;
	const place = placeOf(home.number);
	return { reason: `may be a number of ${place} with a plus before its 8: write +7 instead` };
};

const international = (written: string, country?: CountryCode): PhoneResult => {
	const digits = written.replace(/^00/, '');
	if (digits.length > mostDigits) return tooManyDigits;
	const mended = mendEight(digits, country);
	if (mended) return mended;
	const reading = readingOf(`+${digits}`);
	if (!reading) {
		return digits.length < fewestDigits
			? { reason: 'is too short for a phone number' }
			: { reason: 'begins with no known country code' };
	}
	if (reading.trust === none) return misfit(reading.number);
	return reading.digits === digits ? { digits } : settle(reading.digits, country);
};

/** Digits that would be read as others, the next time they come by with a plus, are no number to send to. */
const settle = (digits: string, country?: CountryCode): PhoneResult =>
	international(digits, country).digits === digits ? { digits } : twofold;

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

/** The home of a number is guessed only where nothing else can be meant, so a mistyped number stays where it is. */
const isBeyondDoubt = (abroad: Reading, { digits, slash }: Written, country: CountryCode) =>
	abroad.trust === mobile &&
	abroad.number.country !== undefined &&
	abroad.digits === digits &&
	digits.length >= 10 &&
	!planOf(country).mobileLengths.includes(digits.length) &&
	!slash;

/**
 * Without `+`. The default country comes first: a mobile number there is one; so is another known number, unless it
 * would be a mobile number elsewhere and no 8 or 0 or code before it speaks for home; digits that merely have the length
 * are one if they are known nowhere else. What the default country cannot claim may be a number of another.
 */
const domestic = (written: Written, country: CountryCode): PhoneResult => {
	const { digits } = written;
	const code = callingCodeOf(country);
	const { mobileLengths } = planOf(country);
	const own = readingOf(digits, country);
	const before = own ? digits.length - own.number.nationalNumber.length : 0;
	const isBare = own?.number.nationalNumber === digits && !digits.startsWith('0');
	const isDoubtful = isBare && !isComplete(digits, own, country);

	const claims = [
		isDoubtful ? undefined : own,
		digits.startsWith(code) ? readingOf(`+${digits}`) : undefined,
		digits.startsWith('00') ? readingOf(`+${digits.slice(2)}`) : undefined,
	].filter((reading) => reading !== undefined);
	const best = Math.max(none, ...claims.map(({ trust }) => trust));
	const [claim, ...others] = claims.filter(({ trust }) => trust === best && trust > none);
	if (others.some((other) => other.digits !== claim.digits)) return twofold;
	if (claim && isDoubtful && own.trust >= best) return twofold;
	if (claim && best === mobile) return settle(claim.digits, country);

	const abroad = /^0/.test(digits) || digits.startsWith(code) ? undefined : readingOf(`+${digits}`);
	if (claim) {
		const { length } = claim.number.nationalNumber;
		const isHome = best === known && before === 1 && mobileLengths.includes(length);
		const rival = best === known ? mobile : known;
		return abroad && abroad.trust >= rival && !isHome
			? contested(claim, abroad)
			: settle(claim.digits, country);
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

const convert = (value: unknown, defaultCountry: string, isQuick: boolean): PhoneResult => {
	const isRussia = isQuick && defaultCountry === 'RU';
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
		if (plus || digits.startsWith('00')) return international(digits);
		const name = JSON.stringify(country.slice(0, 20));
		return { reason: `has no country code, and ${name} is no default country` };
	}
	return plus ? international(digits, country) : domestic(written, country);
};

/**
 * The digits of a phone number with its country code, from whatever a person or a program wrote. The default country, by
 * its ISO code, is the one of numbers without a code. A doubtful number is refused: a wrong one reaches a stranger.
 */
export const toDigits = (value: unknown, defaultCountry: string): PhoneResult =>
	convert(value, defaultCountry, true);

/** The same without the short way for Russian mobile numbers, for the test that holds the two equal. */
export const toDigitsInFull = (value: unknown, defaultCountry: string): PhoneResult =>
	convert(value, defaultCountry, false);
