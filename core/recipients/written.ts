/** The number in the service's form, or the reason why there is none, which follows the value in a sentence: `"+7 912" …`. */
export type PhoneResult =
	| { digits: string; reason?: undefined }
	| { reason: string; digits?: undefined };

/** A phone number as written, reduced to its digits and what is known about the other characters. */
export interface Written {
	plus: boolean;
	digits: string;
	/** How many digits come before the first separator; 0 if there is no separator between digits. */
	head: number;
	/** The position of a single 0 in brackets, which isn't dialed from abroad; -1 if there is none. */
	zero: number;
}

/** Longer texts aren't read, so that the time is limited for any input. */
const longestText = 200;
export const mostDigits = 15;
/** The international prefixes `810` and `00` may come before the digits. */
const longestPrefix = 4;

const several = { reason: 'contains more than one phone number' };
const extension = { reason: "has an extension, and messages can't be sent to an extension" };
const empty = { reason: 'is empty' };
const negative = { reason: 'is a negative number, not a phone number' };
const fraction = { reason: "isn't a whole number" };
export const tooManyDigits = {
	reason: `has more than ${mostDigits} digits, the maximum for a phone number`,
};

/* From any value to text */

export const isWritten = (result: Written | PhoneResult): result is Written => 'plus' in result;

const textOf = (value: unknown): string | { reason: string } => {
	switch (typeof value) {
		case 'string':
			return value;
		case 'number':
			if (!Number.isFinite(value)) return { reason: "isn't a phone number" };
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

/** In spreadsheets, `'+7912…` and `="7912…"` keep a number as text; `tel:` comes from links. */
const wrappedBefore = /^[\s\p{Cf}]*=?["'`‘’“”]*(?:tel:)?/iu;
const quotes = '"\'`‘’“”';
const blank = /^[\s\p{Cf}]$/u;

/** Trims the end character by character, because a regular expression would start again at every blank and be slow. */
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
/** How spreadsheets and pandas write a column of numbers. */
const float = /^([1-9]\d{9,14})[.,]0{1,2}$/;
const extensionMark =
	/\d\D*?(?:e?xt(?:ensi?on|n)?|доб(?:авочный)?|вн(?:утр(?:енний)?)?|[xх#])[.:=\s№]*\d/iu;

const hardSeparator = /[,;|\n\r\u2028\u2029]/;
const softSeparator = /[\s\p{Cf}()[\].·\-\u2010-\u2015\u2212\ufe58\ufe63/]/u;

/** Converts full-width characters and both kinds of Arabic digits to ASCII. */
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
	return { reason: `contains ${name}, which doesn't belong in a phone number` };
};

const scan = (text: string): Written | PhoneResult => {
	let digits = '';
	let plus = false;
	let cut = 0;
	let cutAt = 0;
	let opened = 0;
	let closed = 0;
	let head = 0;
	let zero = -1;
	for (let index = 0; index < text.length; index++) {
		const code = toAscii(text.charCodeAt(index));
		if (code >= 0x30 && code <= 0x39) {
			digits += String.fromCharCode(code);
		} else if (code === 0x2b) {
			if (digits !== '') return several;
			plus = true;
		} else if (hardSeparator.test(String.fromCharCode(code))) {
			if (cut === 0) {
				cut = digits.length;
				cutAt = index;
			}
		} else if (softSeparator.test(String.fromCharCode(code))) {
			head ||= digits.length;
			if (code === 0x28) opened = digits.length;
			if (code === 0x29) {
				closed = digits.length;
				if (zero < 0 && opened > 0 && digits.slice(opened) === '0') zero = opened;
			}
			// After this many digits, a second number follows, or an alternative ending of the first.
			if (code === 0x2f && digits.replace(/^00/, '').length >= 8) return several;
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
	return { plus, digits, head: head < digits.length ? head : 0, zero };
};

/** `7.9123456789E+10` is exact because all digits are there. `7.91235E+10` has lost some of them. */
const fromScientific = (first: string, decimals: string, places: number): Written | PhoneResult => {
	if (decimals.length < places) return { reason: 'may have lost its last digits in a spreadsheet' };
	if (/[1-9]/.test(decimals.slice(places))) return fraction;
	return scan(first + decimals.slice(0, places));
};

export const read = (value: unknown): Written | PhoneResult => {
	const raw = textOf(value);
	if (typeof raw !== 'string') return raw;
	if (raw.length > longestText) return { reason: 'is too long for a phone number' };
	const text = unwrapped(raw);
	const power = scientific.exec(text);
	if (power) return fromScientific(power[1], power[2], Number(power[3]));
	return scan(float.exec(text)?.[1] ?? text);
};
