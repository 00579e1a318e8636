import { Spelled, toSigns } from './spelling';

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

/** Always hidden, even if this run doesn't know them: a login in a URL, and the signature that lets an execution continue. */
const secretParts = [
	/(:(?:\\*\/){2})[^\s/?#@\\]*(?=@)/g,
	/(%3a(?:%2f){2})[^\s/?#@%\\]*(?:%(?!2f|3f|23|40)[^\s/?#@%\\]*)*(?=%40)/gi,
	/(\bsignature(?:=|%3d))[\w%.~+/-]+/gi,
];

/** Replaces everything secret, also where two secrets overlap. Stops when there is enough to show; the rest isn't shown. */
const hide = (text: string, secrets: ReadonlyArray<ReturnType<typeof toSigns>>) => {
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
	const hidden = [...new Set(secrets.map((secret) => secret.trim()))]
		.filter((secret) => withoutControls(secret).length >= shortestSecret)
		.map(toSigns);
	const most = mostRead + longestSpelling * Math.max(0, ...hidden.map(({ length }) => length));
	const { shown, rest } = hide(withoutControls(text).slice(0, most), hidden);
	const decodings = new Spelled(shown + rest).decodings(deepest);
	if (decodings.some((one) => hidden.some((secret) => one.contains(secret)))) return hiddenText;
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
