type Headers = Readonly<Record<string, unknown>>;

/** The text of a header; `undefined` if it is missing or empty. */
export const headerIn = (headers: Headers, name: string): string | undefined => {
	const value = headers[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
};

/** The time in a header, in milliseconds. A date contains letters: Date.parse alone would also read "1.5" as a date. */
export const dateIn = (headers: Headers, name: string): number | undefined => {
	const text = headerIn(headers, name);
	const time = text !== undefined && /[a-z]/i.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(time) ? undefined : time;
};

/** `Retry-After`: seconds, or a date. */
export const retryAfterIn = (headers: Headers, now: number): number | undefined => {
	const date = dateIn(headers, 'retry-after');
	const ms = date === undefined ? Number(headerIn(headers, 'retry-after')) * 1000 : date - now;
	return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
};
