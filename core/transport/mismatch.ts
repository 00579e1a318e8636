import type { Endpoint } from '../contract/endpoint';
import type { Caller } from './connection';
import { toShowable } from './redact';

const sampleSize = 3;

/** Only the first entries of a list, because checking thousands of entries would be too slow for a log entry. */
const sampleOf = (body: unknown): unknown => {
	if (Array.isArray(body)) return body.slice(0, sampleSize);
	if (typeof body !== 'object' || body === null) return body;
	return Object.fromEntries(
		Object.entries(body).map(([name, value]) => [
			name,
			Array.isArray(value) ? value.slice(0, sampleSize) : (value as unknown),
		]),
	);
};

/** Logs a response that differs from the contract. It isn't an error, because a successful send must not look like a failure. */
export const noteMismatch = (
	caller: Caller,
	endpoint: Endpoint,
	body: unknown,
	secrets: readonly string[],
): void => {
	const issue = endpoint.reply.safeParse(sampleOf(body)).error?.issues[0];
	if (issue === undefined) return;
	// The text contains the service's own names and values, and a line break in them would look like another log entry.
	const difference = toShowable(`"${issue.path.join('.')}": ${issue.message}`, secrets);
	caller.logger.warn(
		`The response to ${endpoint.method} ${endpoint.path} differs from the documented API at ${difference}`,
	);
};
