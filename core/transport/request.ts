import type { IHttpRequestOptions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { isUploadFile } from '../contract/company';
import { WrittenBody, type Endpoint } from '../contract/endpoint';

export type QueryValue =
	| string
	| number
	| boolean
	| ReadonlyArray<string | number | boolean>
	| undefined;

const withoutTrailingSlashes = (text: string) => {
	let end = text.length;
	while (end > 0 && text[end - 1] === '/') end--;
	return text.slice(0, end);
};

/** Replaces lone surrogates, which appear when text is cut inside a character and which can't be encoded in a URL. */
export const toUrlPart = (text: string) => encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));

/** Arrays are sent by repeating the parameter: `brand=MTS&brand=TELE2`. */
export const toQueryString = (query: Readonly<Record<string, QueryValue>> = {}): string => {
	const pairs: string[] = [];
	for (const [name, value] of Object.entries(query)) {
		if (value === undefined) continue;
		for (const single of Array.isArray(value) ? value : [value]) {
			pairs.push(`${toUrlPart(name)}=${toUrlPart(String(single))}`);
		}
	}
	return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
};

const fillPath = (path: string, values: Readonly<Record<string, string | number>> = {}): string =>
	path.replace(/\{(\w+)\}/g, (_, name: string) => {
		const segment = String(values[name]);
		// These would change the path, even in encoded form.
		if (segment === '.' || segment === '..') throw new UserError(`"${segment}" isn't a valid ID`);
		return toUrlPart(segment);
	});

const version = '/v1';

/** Whether the endpoint may have two possible paths at the service. */
export const hasVersion = ({ api, path }: Pick<Endpoint, 'api' | 'path'>): boolean =>
	api === 'messaging' && path.startsWith(`${version}/`);

/** Whether the `/v1` of the messaging API's paths is merged with the `/v1` at the end of the base URL, or added to it. */
export type VersionRoute = 'merged' | 'literal';

/**
 * The URL of an endpoint. Partner paths are relative to the base URL; messaging paths too, except the widget's
 * (`/api/v1/verifier/…`), which is absolute, and `/v1/…`, which merges with the version at the end of the base URL.
 */
export const endpointUrl = (
	baseUrl: string,
	endpoint: Pick<Endpoint, 'api' | 'path'>,
	pathValues?: Readonly<Record<string, string | number>>,
	route: VersionRoute = 'merged',
): string => {
	const { api, path } = endpoint;
	const base = withoutTrailingSlashes(baseUrl.trim());
	const filled = fillPath(path, pathValues);
	if (api === 'messaging' && path.startsWith('/api/')) return `${new URL(base).origin}${filled}`;
	const isMerged = route === 'merged' && hasVersion(endpoint);
	return base + (isMerged ? filled.slice(version.length) : filled);
};

/**
 * Whether a path from the user stays below the base URL. URLs drop tabs and line breaks and read %2e as a dot, so neither may be
 * used to leave it.
 */
export const isPathBelow = (path: string): boolean =>
	path.startsWith('/') &&
	!path.startsWith('//') &&
	!/[?#\p{Cc}\\]|(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/iu.test(path);

/** What is wrong with a base URL, as the end of the sentence "'Base URL' …"; `undefined` if it is valid. */
export const baseUrlProblem = (baseUrl: string, api: Endpoint['api']): string | undefined => {
	const text = withoutTrailingSlashes(baseUrl.trim());
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		return "isn't a valid URL. It must start with https://, for example https://api.example.com";
	}
	if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must start with https://';
	if (url.search !== '' || url.hash !== '') return 'must not contain "?" or "#"';
	if (api === 'messaging' && !url.pathname.endsWith('/api/v1')) {
		return `must end with /api/v1. Did you mean ${url.origin}/api/v1?`;
	}
	return undefined;
};

/** The body of a request as bytes, the same for every attempt: n8n doesn't resend a form after it has renewed a token. */
export const encodeBody = async (
	endpoint: Endpoint,
	body: unknown,
): Promise<Pick<IHttpRequestOptions, 'body' | 'headers'>> => {
	if (endpoint.encoding === 'none' || body === undefined) return {};
	if (endpoint.encoding === 'json') {
		// Bytes, because n8n and its HTTP library would parse text again and drop an empty object.
		const bytes = body instanceof WrittenBody ? body.bytes : Buffer.from(JSON.stringify(body));
		return { body: bytes, headers: { 'Content-Type': 'application/json' } };
	}
	const form = new FormData();
	const append = (field: string, part: unknown) => {
		// A file needs a name, or the platform wouldn't write it as one. Anything else is JSON.
		if (isUploadFile(part)) {
			const { filename, contentType: type, bytes } = part;
			form.append(field, new File([new Uint8Array(bytes)], filename, { type }));
		} else form.append(field, JSON.stringify(part));
	};
	// checkRequest has checked that the body is an object.
	for (const [field, part] of Object.entries(body as object) as Array<[string, unknown]>) {
		// Several files have numbered fields: `file1`, `file2`.
		if (Array.isArray(part)) part.forEach((one, index) => append(`${field}${index + 1}`, one));
		else append(field, part);
	}
	const written = new Response(form);
	return {
		body: Buffer.from(await written.arrayBuffer()),
		headers: { 'Content-Type': written.headers.get('content-type') },
	};
};
