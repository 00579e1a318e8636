import { isHttpUrl } from './rfc3986';

/** The URL that the contract accepts, or the problem as the end of the sentence `'Callback URL' …`. */
type CallbackUrlResult = { url: string; problem?: undefined } | { problem: string };

const urlExample = 'such as https://n8n.example.com/webhook/1';
const noUrl = { problem: `must be a URL that starts with http:// or https://, ${urlExample}` };
const problem = (words: string) => ({ problem: `${words}. It must be a URL ${urlExample}` });

/** Invisible characters are often copied along with a URL from a page or a chat. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;
const beginning = /^https?:\/\/[^/?#]/i;

/**
 * A callback URL in the form of the contract: RFC 3986, with spaces and letters of other alphabets encoded and the host name in
 * Punycode. URLs that a browser would silently repair, such as `https:/example.com`, are rejected: the user couldn't see where the
 * callbacks go.
 */
export const toCallbackUrl = (text: string): CallbackUrlResult => {
	const trimmed = text.trim();
	if (!beginning.test(trimmed)) return noUrl;
	if (invisible.test(trimmed))
		return problem('contains a line break or another invisible character');
	if (trimmed.includes('#'))
		return problem('contains a "#", and the service ignores everything after it');
	if (trimmed.split('?', 1)[0]?.includes('\\')) return problem('contains a "\\"');
	const url = URL.canParse(trimmed) ? new URL(trimmed).href : '';
	return isHttpUrl(url) ? { url } : problem("isn't a valid URL");
};

const decoded = (text: string) => {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
};

/** Login and password in a URL, decoded as the service sends them. */
export const loginIn = (url: string): { login: string; password: string } | undefined => {
	const { username, password } = new URL(url);
	if (username === '' && password === '') return undefined;
	return { login: decoded(username), password: decoded(password) };
};

const masked = '***';

/** A callback URL that is safe to show: without its login and the signature that lets an execution continue. */
export const toShownCallback = (callbackUrl: string): string => {
	if (callbackUrl.trim() === '') return callbackUrl;
	const url = URL.canParse(callbackUrl) ? new URL(callbackUrl) : undefined;
	// In any other text the position of the login is unknown, so all of it is hidden.
	if (url === undefined || !/^https?:$/.test(url.protocol)) return masked;
	const signatures = [...url.searchParams.keys()].filter((name) => /signature$/i.test(name));
	if (url.username === '' && url.password === '' && signatures.length === 0) return callbackUrl;
	if (url.username !== '') url.username = masked;
	if (url.password !== '') url.password = masked;
	for (const name of signatures) url.searchParams.set(name, masked);
	return url.href;
};
