import { Spelled } from './spelling';

const longest = 500;
const shortestSecret = 3;
const mask = '***';
/** Text beyond this length is neither read nor shown. */
const mostRead = 5_000;

const withoutControls = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** Always hidden, even if this run doesn't know them: a login in a URL, and the signature that lets an execution continue. */
const secretParts = [
	/(:(?:\\*\/){2})[^\s/?#@\\]*(?=@)/g,
	/(%3a(?:%2f){2})[^\s/?#@%\\]*(?:%(?!2f|3f|23|40)[^\s/?#@%\\]*)*(?=%40)/gi,
	/(\bsignature(?:=|%3d))[\w%.~+/-]+/gi,
];

/** The end index of each secret part, by its start index. */
const secretPartsOf = (text: string): ReadonlyMap<number, number> => {
	const ends = new Map<number, number>();
	for (const part of secretParts) {
		for (const { 0: whole, 1: before = '', index } of text.matchAll(part)) {
			ends.set(index + before.length, index + whole.length);
			if (index > mostRead) break;
		}
	}
	return ends;
};

/**
 * Makes text from outside safe to show: without secrets in any spelling, without control characters, and shortened. Secrets are
 * hidden before the text is shortened, so that no part of a secret remains at the cut.
 */
export const toShowable = (text: string, secrets: readonly string[] = []): string => {
	const hidden = [...new Set(secrets.map((secret) => secret.trim()))].filter(
		(secret) => withoutControls(secret).length >= shortestSecret,
	);
	const clean = withoutControls(text);
	const parts = secretPartsOf(clean);
	const spelled = new Spelled(clean);
	let shown = '';
	let hiddenUntil = 0;
	let index = 0;
	for (; index < clean.length && index < mostRead && shown.length <= longest; index++) {
		let end = parts.get(index) ?? 0;
		for (const secret of hidden) end = Math.max(end, spelled.endOf(secret, index));
		// A secret that begins inside another one is hidden to its own end.
		if (end > hiddenUntil) {
			if (index >= hiddenUntil) shown += mask;
			hiddenUntil = end;
		}
		if (index >= hiddenUntil) shown += clean.charAt(index);
	}
	if (shown.length > longest) return `${shown.slice(0, longest)}…`;
	return index < clean.length ? `${shown}…` : shown.trim();
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

/** The same for every text in a JSON value. */
export const toShowableData = (value: unknown, secrets: readonly string[]): unknown =>
	mapTexts(value, (text) => toShowable(text, secrets));

/** The same, but text without a secret isn't shortened. */
export const withoutSecrets = (value: unknown, secrets: readonly string[]): unknown => {
	if (secrets.length === 0) return value;
	return mapTexts(value, (text) => {
		const shown = toShowable(text, secrets);
		const isHidden = shown.includes(mask) || secrets.some((secret) => text.includes(secret));
		return isHidden ? shown : text;
	});
};
