import { isHttpUrl, isPort } from './rfc3986';

/** What the contract takes, or why it does not: words that finish the sentence `"Callback URL" …`. */
type CallbackUrlResult = { url: string; problem?: undefined } | { problem: string };

const urlExample = 'such as https://n8n.example.com/webhook/1';
const noUrl = { problem: `must be a URL that starts with http:// or https://, ${urlExample}` };
const problem = (words: string) => ({ problem: `${words}. It must be a URL ${urlExample}` });

/** They come along when a URL is copied from a page or a chat. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;
const beginning = /^https?:\/\/([^/?#]*)/i;

const toCodes = (text: string) =>
	text.replace(/[^]/gu, (sign) =>
		[...new TextEncoder().encode(sign)]
			.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
			.join(''),
	);

/** What browsers leave as it is and the RFC does not know: brackets and the like, and a percent sign before no code. */
const encodeRest = (href: string): string => {
	const start = href.indexOf('/', 'https://'.length);
	const fixed = (text: string) => text.replace(/%(?![0-9A-Fa-f]{2})/g, '%25');
	return (
		fixed(href.slice(0, start)) + fixed(href.slice(start)).replace(/[[\]|^`{}"<>\\]/g, toCodes)
	);
};

/** The two are told apart because `new URL` says of neither what is wrong. */
const problemOfAuthority = (authority: string) => {
	const port = /:(\d+)$/.exec(authority)?.[1];
	if (port !== undefined && !isPort(Number(port))) {
		return problem(`has the port ${port.slice(0, 10)}, and ports go from 1 to 65535`);
	}
	if (/(?:^|@)(?::\d*)?$/.test(authority)) return problem('has no host');
	return undefined;
};

/**
 * A callback URL as the contract has it: RFC 3986, with every other sign encoded and a host name in Punycode. What a
 * browser would quietly repair, such as `https:/example.com`, is rejected: nobody sees where the reports go then.
 */
export const toCallbackUrl = (text: string): CallbackUrlResult => {
	const trimmed = text.trim();
	const authority = beginning.exec(trimmed)?.[1];
	if (authority === undefined) return noUrl;
	if (invisible.test(trimmed)) return problem('contains a line break or another invisible sign');
	if (trimmed.includes('#'))
		return problem('contains a "#", and the service never calls what follows');
	if (trimmed.split('?', 1)[0]?.includes('\\')) return problem('contains a "\\"');
	const wrong = problemOfAuthority(authority);
	if (wrong !== undefined) return wrong;
	if (!URL.canParse(trimmed)) return problem('is not a URL');
	const url = encodeRest(new URL(trimmed).href);
	return isHttpUrl(url) ? { url } : problem('is not a URL');
};

const decoded = (text: string) => {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
};

/** Login and password that stand in a URL, as the service presents them. */
export const loginIn = (url: string): { login: string; password: string } | undefined => {
	const { username, password } = new URL(url);
	if (username === '' && password === '') return undefined;
	return { login: decoded(username), password: decoded(password) };
};

const masked = '***';

/** A callback URL as it may be shown: without its login, and without the signature that lets an execution continue. */
export const toShownCallback = (callbackUrl: string): string => {
	if (callbackUrl.trim() === '') return callbackUrl;
	const url = URL.canParse(callbackUrl) ? new URL(callbackUrl) : undefined;
	// Of anything else nobody knows where its login stands.
	if (url === undefined || !/^https?:$/.test(url.protocol)) return masked;
	const signatures = [...url.searchParams.keys()].filter((name) => /signature$/i.test(name));
	if (url.username === '' && url.password === '' && signatures.length === 0) return callbackUrl;
	if (url.username !== '') url.username = masked;
	if (url.password !== '') url.password = masked;
	for (const name of signatures) url.searchParams.set(name, masked);
	return url.href;
};
