/** Requests as the page and the log show them: without passwords, tokens and logins in URLs. */

const mask = '***';
/** Longer bodies aren't kept: a thousand of them would need too much memory. */
const longestBody = 20_000;

const isSecret = (name: string) => /password|token|secret|api_?key|authorization/i.test(name);
const withoutLogin = (text: string) => text.replace(/(:\/\/)[^\s/?#@]*(?=@)/g, `$1${mask}`);

const masked = (value: unknown): unknown => {
	if (typeof value === 'string') return withoutLogin(value);
	if (Array.isArray(value)) return value.map(masked);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, one]) => [name, isSecret(name) ? mask : masked(one)]),
	);
};

/** The query of a URL, with its question mark. */
export const maskedQuery = (url: string): string => {
	const { search, searchParams } = new URL(url);
	const secrets = [...searchParams.keys()].filter(isSecret);
	if (secrets.length === 0) return search;
	for (const name of secrets) searchParams.set(name, mask);
	return `?${searchParams.toString()}`;
};

/** What is kept of a request's body: the body, or why it isn't kept. */
export interface KeptBody {
	body?: string;
	leftOut?: string;
}

export const maskedBody = async (request: Request): Promise<KeptBody> => {
	if (request.body === null) return {};
	const length = Number(request.headers.get('content-length') ?? 0);
	const type = request.headers.get('content-type') ?? '';
	const tooLong = { leftOut: `longer than ${longestBody.toLocaleString('en')} characters` };
	if (!type.includes('json')) return { leftOut: 'not JSON' };
	if (length > 4 * longestBody) return tooLong;
	const text = await request.clone().text();
	if (text === '') return {};
	if (text.length > longestBody) return tooLong;
	try {
		return { body: JSON.stringify(masked(JSON.parse(text))) };
	} catch {
		// Secrets can't be found in invalid JSON, so it isn't kept.
		return { leftOut: 'not valid JSON' };
	}
};
