/**
 * Finds a secret in text from the service, unchanged or escaped for a URL, a form, JSON or HTML, and undoes escapes inside escapes,
 * such as JSON inside JSON.
 */

/** One character that is escaped, at every position where one begins. */
const escape =
	/(?=(%[0-7][\da-f]|%[cd][\da-f]%[\da-f]{2}|%e[\da-f](?:%[\da-f]{2}){2}|%f[\da-f](?:%[\da-f]{2}){3}|\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\["'\\/bfnrtv]|&#\d{1,12};?|&#x[\da-f]{1,12};?|&(?:amp|lt|gt|quot|apos);?))/gi;

const named = new Map([
	['amp', '&'],
	['lt', '<'],
	['gt', '>'],
	['quot', '"'],
	['apos', "'"],
	...[...'bfnrtv'].map((name, index) => [name, '\b\f\n\r\t\v'.charAt(index)] as const),
]);
const fromCode = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : '');

const unescape = (text: string): string => {
	if (text.startsWith('%')) return Buffer.from(text.replaceAll('%', ''), 'hex').toString();
	const name = text.slice(1).replace(/;$/, '').toLowerCase();
	if (/^#x/.test(name)) return fromCode(parseInt(name.slice(2), 16));
	if (name.startsWith('#')) return fromCode(Number(name.slice(1)));
	if (name.length === 1 || text.startsWith('&')) return named.get(name) ?? name;
	const units = name.split('\\u').map((unit) => parseInt(unit.replace(/^[ux]/, ''), 16));
	return String.fromCharCode(...units);
};

type Secret = ReturnType<typeof toSigns>;

/** Several control characters in a row were replaced with one space. A form encodes a space as a plus. */
export const toSigns = (secret: string) =>
	[...secret].map((sign) => {
		const isControl = /[\p{Cc}\u2028\u2029]/u.test(sign);
		return { sign, other: isControl ? ' ' : sign === ' ' ? '+' : sign, isControl };
	});

/** A text whose escaped characters are known, by where they begin. */
export class Spelled {
	private readonly escapes = new Map<number, { kind: string; sign: string; end: number }>();

	constructor(readonly text: string) {
		for (const { 1: found = '', index } of text.matchAll(escape)) {
			const end = index + found.length;
			this.escapes.set(index, { kind: found.charAt(0), sign: unescape(found), end });
		}
	}

	/** The end of a secret that begins at `start`; 0 if it doesn't begin there. */
	endOf(secret: Secret, start: number): number {
		let ends = [start];
		let isAfterControl = false;
		for (const { sign, other, isControl } of secret) {
			const next: number[] = [];
			for (const from of ends) {
				const escaped = this.escapes.get(from);
				if (escaped?.sign === sign) next.push(escaped.end);
				if (this.text.startsWith(sign, from) || this.text.startsWith(other, from)) {
					next.push(from + sign.length);
				}
				if (isControl && isAfterControl) next.push(from);
			}
			if (next.length === 0) return 0;
			ends = next.length === 1 ? next : [...new Set(next)];
			isAfterControl = isControl;
		}
		return Math.max(...ends);
	}

	contains(secret: Secret): boolean {
		for (let index = 0; index < this.text.length; index++) {
			if (this.endOf(secret, index) > 0) return true;
		}
		return false;
	}

	/** The text after the escapes of these kinds were undone once. */
	private decode(kinds: string): string {
		let decoded = '';
		for (let index = 0; index < this.text.length; ) {
			const found = this.escapes.get(index);
			const isMeant = found !== undefined && kinds.includes(found.kind);
			decoded += isMeant ? found.sign : this.text.charAt(index);
			index = isMeant ? found.end : index + 1;
		}
		return decoded;
	}

	/** The text after its escapes were undone: one kind of them or all, up to `depth` times. */
	decodings(depth: number): Spelled[] {
		if (this.escapes.size === 0 || depth === 0) return [];
		const texts = new Set(['%', '\\', '&', '%\\&'].map((kinds) => this.decode(kinds)));
		texts.delete(this.text);
		const decoded = [...texts].map((text) => new Spelled(text));
		return [...decoded, ...decoded.flatMap((one) => one.decodings(depth - 1))];
	}
}
