import { z } from '../../vendor/zod';
import type { Endpoint } from '../contract/endpoint';
import { apiErrors, ErrorBody } from '../contract/errors';
import { toSafeData } from '../json';
import { tooLarge } from './exchange';
import { errorIn, isAbsent } from './replyShape';
import type { Exchange, FailedOutcome, HttpAnswer, Problem } from './types';

/** What one attempt shows. `done`: the call was carried out, and the response is readable. */
type Judgment =
	| { verdict: 'done'; answer: HttpAnswer; problem?: undefined }
	| { verdict: FailedOutcome; problem: Problem };

const neverSent = new Set([
	'ENOTFOUND',
	'EAI_AGAIN',
	'ERR_INVALID_URL',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'UNABLE_TO_GET_ISSUER_CERT',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/** These errors can occur before anything is sent, but also on a connection that has already sent a request. */
const atConnecting = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);

const wasNeverSent = (code: string, syscall: string | undefined) =>
	atConnecting.has(code)
		? syscall === 'connect' || syscall === 'bind'
		: neverSent.has(code) || code.startsWith('CERT_');

const brokenForGood = /^(ERR_|EPROTO|CERT_|DEPTH_|SELF_|UNABLE_)/;

/** Whether trying again could help. A wrong certificate, an invalid URL or a response that is too large won't change. */
export const isPassing = ({ connection, reply }: Problem) =>
	reply !== 'tooLarge' &&
	(connection === undefined || connection === 'ERR_NETWORK' || !brokenForGood.test(connection));

const looksLikeHtml = (body: unknown) =>
	typeof body === 'string' && /^\s*<(?:!doctype|html|head|body)\b/i.test(body.slice(0, 200));

const header = (headers: Readonly<Record<string, unknown>>, name: string) => {
	const value = headers[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
};

/** `Retry-After`: seconds, or a date. */
const readRetryAfter = (
	headers: Readonly<Record<string, unknown>>,
	now: number,
): number | undefined => {
	const text = header(headers, 'retry-after');
	if (text === undefined) return undefined;
	// A date contains letters. Date.parse alone would also read "1.5" as a date.
	const ms = /[a-z]/i.test(text) ? Date.parse(text) - now : Number(text) * 1000;
	return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
};

const describeBody = (body: unknown): Pick<Problem, 'code' | 'serviceText' | 'reply'> => {
	if (body === tooLarge) return { reply: 'tooLarge' };
	const known = ErrorBody.safeParse(body);
	if (known.success) {
		return { code: known.data.error.code, serviceText: known.data.error.msg };
	}
	if (looksLikeHtml(body)) return { reply: 'html' };
	if (isAbsent(body)) return { reply: 'empty' };
	if (typeof body === 'string') return { serviceText: body };
	// The error doesn't have the contract's shape, so it is shown as it is.
	return { serviceText: JSON.stringify(toSafeData(body)) };
};

type Asked = Pick<
	Endpoint,
	'method' | 'replyType' | 'repeatable' | 'pathParams' | 'query' | 'body'
>;

const idName = /(?:ids?|uuid|key)$/i;

/** Whether a part of the request may contain an ID that doesn't exist. If its fields are unknown, it may. */
const mayNameId = (part: z.ZodTypeAny | undefined): boolean => {
	if (part === undefined) return false;
	if (!(part instanceof z.ZodObject)) return true;
	return Object.keys(part.shape as object).some((name) => idName.test(name));
};

/**
 * Whether a 404 is about the URL and not about an ID. The service reports a missing entry as JSON with a code. Text, a web page
 * or an empty body comes from a server that doesn't have this URL. Other JSON proves that only if the request contains no ID.
 */
const isAboutUrl = ({ pathParams, query, body }: Asked, reply: unknown): boolean => {
	if (isAbsent(reply)) return true;
	// JSON that ends early may be the service's own error.
	if (typeof reply === 'string') return !/^\s*[[{]/.test(reply);
	const known = ErrorBody.safeParse(reply);
	if (reply === tooLarge || (known.success && known.data.error.code in apiErrors)) return false;
	return ![pathParams, query, body].some(mayNameId);
};

/**
 * After a response with a success status, a call that changes something counts as accepted, whatever the body is, and is never
 * sent again. Only a body that reports an error, or a web page from another server, leaves the outcome unknown.
 */
const judgeSuccess = ({ method, replyType, repeatable }: Asked, answer: HttpAnswer): Judgment => {
	const { status, body } = answer;
	const error = errorIn(body);
	if (error !== undefined) {
		const problem = { status, code: error.code, serviceText: error.words };
		return { verdict: repeatable ? 'refused' : 'unknown', problem };
	}
	const isReadable =
		replyType === 'text'
			? typeof body === 'string' && body.trim() !== '' && !looksLikeHtml(body)
			: typeof body === 'object' && body !== null;
	// A repeatable change is sent again to get a readable response, unless the response is simply empty.
	const isAccepted =
		method !== 'GET' &&
		(isAbsent(body) || (!repeatable && body !== tooLarge && !looksLikeHtml(body)));
	if (isReadable || isAccepted) return { verdict: 'done', answer };
	const { reply } = describeBody(body);
	return { verdict: 'unknown', problem: { status, reply: reply ?? 'notJson' } };
};

const judgeAnswer = (endpoint: Asked, answer: HttpAnswer, now: number): Judgment => {
	const { status, headers, body } = answer;
	if (status >= 200 && status < 300) return judgeSuccess(endpoint, answer);
	const problem: Problem = {
		status,
		...describeBody(body),
		location: header(headers, 'location'),
		retryAfterMs: readRetryAfter(headers, now),
		...(status === 404 && isAboutUrl(endpoint, body) && { isUnknownUrl: true }),
	};
	if (status === 429) return { verdict: 'notCarriedOut', problem };
	// A redirect is a common response to a request that was carried out, except those that say where to send the same request.
	const isRedirect = status >= 300 && status < 400 && ![301, 307, 308].includes(status);
	const isDone = isRedirect && !endpoint.repeatable;
	const isOpen = isDone || status === 408 || status >= 500;
	if (isOpen) return { verdict: 'unknown', problem };
	return { verdict: 'refused', problem };
};

export const judge = (endpoint: Asked, outcome: Exchange, now: number): Judgment => {
	if (outcome.kind === 'answer') return judgeAnswer(endpoint, outcome, now);
	if (outcome.kind === 'noLogIn') {
		const verdict = outcome.outcome === 'refused' ? 'refused' : 'notCarriedOut';
		return { verdict, problem: outcome.problem };
	}
	const problem: Problem = { connection: outcome.code };
	const isUnsent = outcome.code !== undefined && wasNeverSent(outcome.code, outcome.syscall);
	return { verdict: isUnsent ? 'notCarriedOut' : 'unknown', problem };
};
