import { toShownCallback } from './contract/callbackUrl';
import { isAboutAsked, waitingUse } from './contract/waitingUrl';

export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every text in a JSON value. */
export const textsIn = (value: unknown): string[] => {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** The contract has at most five levels. n8n fails to store and to read data that is nested very deeply. */
const mostLevels = 50;
const cut = '(nested too deeply)';

/** The name of a field that contains a callback URL, in any spelling. */
const callbackField = /^callback[_-]?url$/i;
const isCallbackField = (name: string) =>
	(name.length === 11 || name.length === 12) && callbackField.test(name);

const put = (copy: object, name: string, value: unknown) =>
	// Not by assignment: a field called "__proto__" would become the prototype.
	Object.defineProperty(copy, name, {
		value,
		writable: true,
		enumerable: true,
		configurable: true,
	});

const hidden = '…';
const word = /[^\s"'<>]+/g;
const signature = /(?:[?&;]|%3f|%26)signature(?:=|%3d)/i;

/** A signature has 64 digits, so no shorter text contains one. This runs for every text of every response. */
const shortest = 64;

/** A text without the queries of URLs at which an execution waits: anyone who reads one could reply, or report. */
const withoutResumeQueries = (text: string): string => {
	if (text.length < shortest || !signature.test(text)) return text;
	return text.replace(word, (url) =>
		waitingUse.test(url) && signature.test(url) ? url.replace(/(?:\?|%3f).*/is, `?${hidden}`) : url,
	);
};

/** Whether a field contains such a URL. */
const isReplyUrl = (value: unknown): boolean =>
	typeof value === 'string' && withoutResumeQueries(value) !== value;

/** Whether the service reports to this URL about a message with a link to reply. */
const isReportAboutAsked = (callbackUrl: unknown): boolean =>
	typeof callbackUrl === 'string' && isAboutAsked(callbackUrl);

/** Such a message without all of its links: the service may have shortened the one to reply, and so made it unrecognizable. */
const withoutLinks = (text: string): string =>
	text.replace(word, (one) => (/:\/\/|\.\w+\//.test(one) ? hidden : one));

/** How a text is made safe to show. */
type Hide = (text: string) => string;

/** Copies only values that change and the lists and objects around them, because this runs for every response. */
const safeList = (list: readonly unknown[], levels: number, hide: Hide): unknown => {
	let copy: unknown[] | undefined;
	for (let index = 0; index < list.length; index++) {
		const inner = list[index];
		const next = safe(inner, levels, hide);
		if (next === inner) continue;
		copy ??= [...list];
		copy[index] = next;
	}
	return copy ?? list;
};

const safeObject = (
	value: Readonly<Record<string, unknown>>,
	levels: number,
	hide: Hide,
): unknown => {
	let copy: object | undefined;
	const names = Object.keys(value);
	const isAsked =
		// A click has the long link and the short one.
		isReplyUrl(value.url) ||
		names.some((name) => isCallbackField(name) && isReportAboutAsked(value[name]));
	const others = isAsked && hide === withoutResumeQueries ? withoutLinks : hide;
	for (const name of names) {
		const inner = value[name];
		const next = safe(inner, levels, isCallbackField(name) ? toShownCallback : others);
		if (next === inner) continue;
		copy ??= { ...value };
		put(copy, name, next);
	}
	return copy ?? value;
};

const safe = (value: unknown, levels: number, hide: Hide): unknown => {
	if (typeof value === 'string') return hide(value);
	if (typeof value !== 'object' || value === null) return value;
	if (levels === 0) return cut;
	return Array.isArray(value)
		? safeList(value, levels - 1, hide)
		: safeObject(value as Record<string, unknown>, levels - 1, hide);
};

/**
 * Makes data from the service safe to output: hides the login and the signature in callback URLs, which the service repeats, hides
 * what lets a reader reply to a message, and cuts off data that is nested too deeply. Returns the same value if nothing had to change.
 */
export const toSafeData = (value: unknown): unknown =>
	safe(value, mostLevels, withoutResumeQueries);
