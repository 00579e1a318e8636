/** Requests and responses as the page and the log show them: without passwords, tokens and logins in URLs. */

const mask = '***';
/** Longer bodies aren't kept: a thousand of them would need too much memory. */
const longestBody = 20_000;
/** The entries that are kept of a list in a body that is too long. */
const shownEntries = 3;

const isSecret = (name: string) => /password|token|secret|api[_-]?key|authorization/i.test(name);
/** A login ends at the last `@`: a password may contain others. */
const withoutLogin = (text: string) => text.replace(/(:\/\/)[^\s/?#]*(?=@)/g, `$1${mask}`);

const masked = (value: unknown, mostEntries = Infinity): unknown => {
	if (typeof value === 'string') return withoutLogin(value);
	if (Array.isArray(value)) {
		const left = value.slice(0, mostEntries).map((one) => masked(one, mostEntries));
		const rest = value.length - left.length;
		return rest === 0 ? left : [...left, `… ${rest.toLocaleString('en')} more`];
	}
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, one]) => [
			name,
			isSecret(name) ? mask : masked(one, mostEntries),
		]),
	);
};

/** The query of a URL, with its question mark. */
export const maskedQuery = (url: string): string => {
	const { search, searchParams } = new URL(url);
	const given = [...searchParams];
	const shown = given.map(([name, value]) => [name, isSecret(name) ? mask : withoutLogin(value)]);
	const hasSecret = shown.some(([, value], index) => value !== given[index]?.[1]);
	return hasSecret ? `?${new URLSearchParams(shown).toString()}` : search;
};

/** What is kept of a body: the body, or why it isn't kept. */
export interface KeptBody {
	body?: string;
	/** Its long lists have only their first entries. */
	isShortened?: true;
	leftOut?: string;
}

const tooLong: KeptBody = {
	leftOut: `longer than ${longestBody.toLocaleString('en')} characters`,
};
const notJson: KeptBody = { leftOut: 'not JSON' };
const longestRead = 4 * longestBody;

const maskedText = (text: string): KeptBody => {
	if (text === '') return {};
	if (text.length > longestRead) return tooLong;
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		// Secrets can't be found in invalid JSON, so it isn't kept.
		return { leftOut: 'not valid JSON' };
	}
	const body = JSON.stringify(masked(value));
	if (body.length <= longestBody) return { body };
	const shortened = JSON.stringify(masked(value, shownEntries));
	return shortened.length <= longestBody ? { body: shortened, isShortened: true } : tooLong;
};

export const maskedBody = async (request: Request): Promise<KeptBody> => {
	if (request.body === null) return {};
	const length = Number(request.headers.get('content-length') ?? 0);
	const type = request.headers.get('content-type') ?? '';
	if (!type.includes('json')) return notJson;
	if (length > longestRead) return tooLong;
	return maskedText(await request.clone().text());
};

/** `text` is what the sandbox wrote as JSON, or `undefined` for every other response. */
export const maskedReply = (response: Response, text: string | undefined): KeptBody => {
	if (text !== undefined) return maskedText(text);
	return response.body === null ? {} : notJson;
};
