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
	/** The position of a single 0 in brackets, which isn't dialed from abroad; 0 or less if there is none. */
	zero: number;
}

/** Longer texts aren't read, so that the time is limited for any input. */
const longestText = 200;
export const mostDigits = 15;
/** The international prefixes `810` and `00` may come before the digits. */
const longestPrefix = 4;

const several = { reason: 'contains more than one phone number, or an extension' };
const empty = { reason: 'is empty' };
export const tooManyDigits = {
	reason: `has more than ${mostDigits} digits, the maximum for a phone number`,
};

export const isWritten = (result: Written | PhoneResult): result is Written => 'plus' in result;

const textOf = (value: unknown): string | { reason: string } => {
	if (typeof value === 'string') return value;
	if (value === undefined || value === null) return empty;
	if (typeof value !== 'number') return { reason: "isn't text or a number" };
	if (Number.isSafeInteger(value) && value >= 0) return String(value);
	return { reason: "isn't a phone number" };
};

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

/** How spreadsheets and pandas write a column of numbers. */
const scientific = /^\d[.,]\d+e\+?\d+$/i;
const float = /^([1-9]\d{9,14})[.,]0{1,2}$/;

/** Full-width characters and both kinds of Arabic digits. */
const otherScripts = /[\u0660-\u0669\u06f0-\u06f9\ufe62\uff01-\uff5e]/g;
const toAscii = (sign: string): string => {
	const code = sign.charCodeAt(0);
	if (code === 0xfe62) return '+';
	return String.fromCharCode(code < 0xff01 ? 0x30 + (code & 0xf) : code - 0xfee0);
};

const betweenNumbers = /[,;|\n\r\u2028\u2029]/;
const strange = /[^\d+,;|\s\p{Cf}()[\].·\-\u2010-\u2015\u2212\ufe58\ufe63/]/u;
const zeroInBrackets = /\([^\d()]*0[^\d()]*\)/;
const bracketsAtEnd = /^\([^)\d]*\d[^)]*\)\D*$/;

const onlyDigits = (text: string) => text.replace(/\D/g, '');

const describeStrange = (sign: string): { reason: string } => {
	if (/[\p{L}\p{M}]/u.test(sign)) return { reason: 'contains letters' };
	const name = /[\p{P}\p{S}\p{N}]/u.test(sign) ? `"${sign}"` : 'a character';
	return { reason: `contains ${name}, which doesn't belong in a phone number` };
};

/** Whether more digits follow that don't belong to the number. After eight digits, a slash comes before an alternative ending. */
const hasMore = (text: string): boolean => {
	const beforeSlash = text.split('/').slice(0, -1).join('');
	const bracket = text.lastIndexOf('(');
	return (
		text.lastIndexOf('+') > text.search(/\d/) ||
		text.split(betweenNumbers).filter((part) => /\d/.test(part)).length > 1 ||
		onlyDigits(beforeSlash).replace(/^00/, '').length >= 8 ||
		(onlyDigits(text.slice(0, bracket)).length >= 7 && bracketsAtEnd.test(text.slice(bracket)))
	);
};

export const read = (value: unknown): Written | PhoneResult => {
	const raw = textOf(value);
	if (typeof raw !== 'string') return raw;
	if (raw.length > longestText) return { reason: 'is too long for a phone number' };
	const whole = unwrapped(raw);
	if (scientific.test(whole)) return { reason: 'may have lost its last digits in a spreadsheet' };
	const text = (float.exec(whole)?.[1] ?? whole).replace(otherScripts, toAscii);
	const [sign] = strange.exec(text) ?? [];
	if (sign !== undefined) return describeStrange(sign);
	const digits = onlyDigits(text);
	if (digits === '') return /[^\s\p{Cf}]/u.test(text) ? { reason: 'contains no digits' } : empty;
	if (hasMore(text)) return several;
	if (digits.length > mostDigits + longestPrefix) return tooManyDigits;
	const [head = ''] = /\d+/.exec(text) ?? [];
	return {
		plus: text.includes('+'),
		digits,
		head: head.length < digits.length ? head.length : 0,
		zero: onlyDigits(text.slice(0, Math.max(0, text.search(zeroInBrackets)))).length,
	};
};
