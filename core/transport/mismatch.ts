import type { Endpoint } from '../contract/endpoint';
import type { Caller } from './connection';
import { toShowable } from './redact';

const sampleSize = 3;

/** The first entries of a list stand for the others: a note in the log is not worth a walk through thousands of them. */
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

/** Unknown fields are kept and a mismatch is only noted: a send that went through must not look like a failure. */
export const noteMismatch = (
	caller: Caller,
	endpoint: Endpoint,
	body: unknown,
	secrets: readonly string[],
): void => {
	const issue = endpoint.reply.safeParse(sampleOf(body)).error?.issues[0];
	if (issue === undefined) return;
	// Names and values in it are the service's own: a line break would look like another entry of the log.
	const difference = toShowable(`"${issue.path.join('.')}": ${issue.message}`, secrets);
	caller.logger.warn(
		`The reply to ${endpoint.method} ${endpoint.path} differs from the known interface at ${difference}`,
	);
};
