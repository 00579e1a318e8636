const longest = 500;
const shortestSecret = 3;
const mask = '***';
/** What is shown of a text that contains a secret in another spelling. */
const hiddenText = `${mask} (hidden, because it contains a secret)`;
/** How much is read at least, and how much longer than a secret its spelling may be, for example if it is escaped twice. */
const mostRead = 5_000;
const longestSpelling = 40;
/** How many escapes may be nested. */
const deepest = 4;

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

/** As secrets and texts are compared: control characters are shown as spaces, and a form encodes a space as a plus. */
const asCompared = (text: string) => text.replace(/[+\p{Cc}\u2028\u2029]/gu, ' ');

/** A text, and its escaped characters by where they begin. */
const withEscapes = (text: string) => {
	const escapes = new Map<number, { sign: string; end: number }>();
	for (const { 1: found = '', index } of text.matchAll(escape)) {
		escapes.set(index, { sign: asCompared(unescape(found)), end: index + found.length });
	}
	return { text, escapes };
};
type EscapedText = ReturnType<typeof withEscapes>;

/** The text after its escapes were undone once. */
const decode = ({ text, escapes }: EscapedText): string => {
	let decoded = '';
	for (let index = 0; index < text.length; ) {
		const { sign = text.charAt(index), end = index + 1 } = escapes.get(index) ?? {};
		decoded += sign;
		index = end;
	}
	return decoded;
};

/** Whether the text contains the secret, any of whose characters may be escaped. */
const spells = ({ text, escapes }: EscapedText, secret: readonly string[]): boolean => {
	for (let start = 0; start < text.length; start++) {
		let ends = [start];
		for (const sign of secret) {
			const next = new Set<number>();
			for (const from of ends) {
				const escaped = escapes.get(from);
				if (escaped?.sign === sign) next.add(escaped.end);
				if (text.startsWith(sign, from)) next.add(from + sign.length);
			}
			ends = [...next];
			if (ends.length === 0) break;
		}
		if (ends.length > 0) return true;
	}
	return false;
};

/** Always hidden, even if this run doesn't know them: a login in a URL, and the signature that lets an execution continue. */
const secretParts = [
	/(:(?:\\*\/){2})[^\s/?#@\\]*(?=@)/g,
	/(%3a(?:%2f){2})[^\s/?#@%\\]*(?:%(?!2f|3f|23|40)[^\s/?#@%\\]*)*(?=%40)/gi,
	/(\bsignature(?:=|%3d))[\w%.~+/-]+/gi,
];

/**
 * Makes text from outside safe to show: without secrets, without control characters, and shortened. A secret is replaced where it
 * stands; a text that contains one in another spelling is hidden as a whole. Secrets are hidden before the text is shortened, so that
 * no part of a secret remains at the cut.
 */
export const toShowable = (text: string, secrets: readonly string[] = []): string => {
	const hidden = [...new Set(secrets.map(withoutControls))]
		.filter((secret) => secret.length >= shortestSecret)
		// The longest first, because one may begin with another.
		.sort((a, b) => b.length - a.length);
	const most = mostRead + longestSpelling * (hidden[0]?.length ?? 0);
	const whole = withoutControls(text);
	let shown = whole.slice(0, most);
	for (const secret of hidden) shown = shown.replaceAll(secret, mask);
	for (const part of secretParts) shown = shown.replace(part, `$1${mask}`);
	let level = withEscapes(asCompared(shown));
	for (let depth = 0; depth < deepest; depth++) {
		if (hidden.some((secret) => spells(level, [...asCompared(secret)]))) return hiddenText;
		level = withEscapes(decode(level));
	}
	// The text may be cut inside a secret. This is far behind the shown part, unless very much was replaced before it.
	const isCut = whole.length > most;
	if (isCut && shown.length < most - mostRead + longest) return hiddenText;
	return isCut || shown.length > longest ? `${shown.slice(0, longest)}…` : shown.trim();
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
