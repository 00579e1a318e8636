const longest = 500;
const shortestSecret = 3;
const mask = '***';
/** What is shown of a text that contains a secret with escapes inside escapes. */
const hiddenText = `${mask} (hidden, because it contains a secret)`;
/** Text beyond this length isn't shown. */
const mostRead = 5_000;
/** How much longer than a secret its spelling may be: escaped twice, for example. So much more is read, to find its end. */
const longestSpelling = 40;
/** How many escapes may be nested, besides those that are replaced in place. */
const deepest = 3;

const withoutControls = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** A character that is escaped for a URL, JSON or HTML, at every position where one begins. */
const escape =
	/(?=(%[0-7][\da-f]|%[cd][\da-f]%[\da-f]{2}|%e[\da-f](?:%[\da-f]{2}){2}|%f[\da-f](?:%[\da-f]{2}){3}|\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\["'\\/bfnrtv]|&#\d{1,12};?|&#x[\da-f]{1,12};?|&(?:amp|lt|gt|quot|apos);?))/gi;

const htmlNames = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

const unescape = (text: string): string => {
	if (text.startsWith('%')) return Buffer.from(text.replaceAll('%', ''), 'hex').toString();
	const name = text.slice(1).replace(/;$/, '').toLowerCase();
	if (name.startsWith('#')) {
		const code = Number(name.replace('#', name.startsWith('#x') ? '0' : ''));
		return code <= 0x10ffff ? String.fromCodePoint(code) : '';
	}
	if (text.startsWith('&')) return htmlNames.get(name) ?? '';
	// Control characters are replaced with spaces everywhere.
	if (name.length === 1) return /[bfnrtv]/.test(name) ? ' ' : name;
	const units = name.split('\\u').map((unit) => parseInt(unit.replace(/^[ux]/, ''), 16));
	return String.fromCharCode(...units);
};

/** A text, and its escaped characters by where they begin. */
class Spelled {
	private readonly escapes = new Map<number, { sign: string; end: number }>();

	constructor(readonly text: string) {
		for (const { 1: found = '', index } of text.matchAll(escape)) {
			const sign = unescape(found).replace(/[\p{Cc}\u2028\u2029]/u, ' ');
			this.escapes.set(index, { sign, end: index + found.length });
		}
	}

	/** The end of a secret that begins at `start`, with any of its characters escaped; 0 if it doesn't begin there. */
	endOf(secret: readonly string[], start: number): number {
		let ends = [start];
		for (const sign of secret) {
			const next: number[] = [];
			for (const from of ends) {
				const escaped = this.escapes.get(from);
				if (escaped?.sign === sign) next.push(escaped.end);
				// A form encodes a space as a plus.
				const isPlus = sign === ' ' && this.text.charAt(from) === '+';
				if (isPlus || this.text.startsWith(sign, from)) next.push(from + sign.length);
			}
			if (next.length === 0) return 0;
			ends = next.length === 1 ? next : [...new Set(next)];
		}
		return Math.max(...ends);
	}

	get hasEscapes(): boolean {
		return this.escapes.size > 0;
	}

	contains(secret: readonly string[]): boolean {
		for (let index = 0; index < this.text.length; index++) {
			if (this.endOf(secret, index) > 0) return true;
		}
		return false;
	}

	/** The text after its escapes were undone once. */
	decoded(): Spelled {
		let decoded = '';
		for (let index = 0; index < this.text.length; ) {
			const { sign = this.text.charAt(index), end = index + 1 } = this.escapes.get(index) ?? {};
			decoded += sign;
			index = end;
		}
		return new Spelled(decoded);
	}
}

/** Always hidden, even if this run doesn't know them: a login in a URL, and the signature that lets an execution continue. */
const secretParts = [
	/(:(?:\\*\/){2})[^\s/?#@\\]*(?=@)/g,
	/(%3a(?:%2f){2})[^\s/?#@%\\]*(?:%(?!2f|3f|23|40)[^\s/?#@%\\]*)*(?=%40)/gi,
	/(\bsignature(?:=|%3d))[\w%.~+/-]+/gi,
];

/** Replaces everything secret, also where two secrets overlap. Stops when there is enough to show; the rest isn't shown. */
const hide = (text: string, secrets: ReadonlyArray<readonly string[]>) => {
	const ends = new Map<number, number>();
	for (const part of secretParts) {
		for (const { 0: whole, 1: before = '', index } of text.matchAll(part)) {
			ends.set(index + before.length, index + whole.length);
		}
	}
	const spelled = new Spelled(text);
	let shown = '';
	let hiddenUntil = 0;
	let index = 0;
	for (; index < text.length && index < mostRead && shown.length <= longest; index++) {
		let end = ends.get(index) ?? 0;
		for (const secret of secrets) end = Math.max(end, spelled.endOf(secret, index));
		if (end > hiddenUntil) {
			if (index >= hiddenUntil) shown += mask;
			hiddenUntil = end;
		}
		if (index >= hiddenUntil) shown += text.charAt(index);
	}
	return { shown, rest: text.slice(Math.max(index, hiddenUntil)) };
};

/**
 * Makes text from outside safe to show: without secrets, without control characters, and shortened. Secrets are hidden before the
 * text is shortened, so that no part of a secret remains at the cut.
 */
export const toShowable = (text: string, secrets: readonly string[] = []): string => {
	const hidden = [...new Set(secrets.map(withoutControls))]
		.filter((secret) => secret.length >= shortestSecret)
		.map((secret) => [...secret]);
	const most = mostRead + longestSpelling * Math.max(0, ...hidden.map(({ length }) => length));
	const { shown, rest } = hide(withoutControls(text).slice(0, most), hidden);
	let left = new Spelled(shown + rest);
	for (let depth = 0; depth < deepest && left.hasEscapes; depth++) {
		left = left.decoded();
		if (hidden.some((secret) => left.contains(secret))) return hiddenText;
	}
	if (shown.length > longest) return `${shown.slice(0, longest)}…`;
	return rest === '' ? shown.trim() : `${shown}…`;
};

/** Changes every text in a JSON value, including field names. */
const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
	if (typeof value === 'string') return change(value);
	if (Array.isArray(value)) return value.map((one: unknown) => mapTexts(one, change));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, one]) => [change(name), mapTexts(one, change)]),
	);
};

/** Hides secrets in every text of a JSON value. Text without a secret isn't shortened. */
export const withoutSecrets = (value: unknown, secrets: readonly string[]): unknown => {
	if (secrets.length === 0) return value;
	return mapTexts(value, (text) => {
		const shown = toShowable(text, secrets);
		const isHidden = shown.includes(mask) || secrets.some((secret) => text.includes(secret));
		return isHidden ? shown : text;
	});
};
