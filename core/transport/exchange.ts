import type { IHttpRequestOptions } from 'n8n-workflow';
import { isRecord, toSafeData } from '../json';
import { headerIn, retryAfterIn } from './headers';
import { orCancelled, ServiceError } from './outcome';
import type { Exchange, FailedOutcome, HttpAnswer, Problem } from './types';
import type { Endpoint } from '../contract/endpoint';
import { ErrorBody } from '../contract/errors';
import { errorIn } from './replyShape';
import { isBlank, isEmpty } from '../value';

export type HttpRequest = (options: IHttpRequestOptions) => Promise<unknown>;

/** Searches an error and its causes: n8n wraps the HTTP library's error, which wraps the socket's. */
const findInCauses = <T>(
	error: unknown,
	pick: (error: Record<string, unknown>) => T | undefined,
) => {
	let current = error;
	for (let depth = 0; depth < 5 && isRecord(current); depth++) {
		const found = pick(current);
		if (found !== undefined) return found;
		current = current.cause;
	}
	return undefined;
};

/** Only statuses that n8n throws for. An error with any other status isn't a response that we understand. */
const httpStatusOf = (error: Record<string, unknown>) => {
	const { status } = isRecord(error.response) ? error.response : { status: error.httpCode };
	const isStatus = typeof status === 'number' || typeof status === 'string';
	return isStatus && /^[345]\d\d$/.test(String(status)) ? Number(status) : undefined;
};

const httpBodyOf = (error: Record<string, unknown>) => {
	if (isRecord(error.response) && error.response.data !== undefined) return error.response.data;
	return isRecord(error.context) ? error.context.data : undefined;
};

const asConnectionCode = (value: unknown) =>
	typeof value === 'string' && /^[A-Z][A-Z0-9_]+$/.test(value) ? value : undefined;

/** n8n 2.20 and earlier keep the connection's error code only as `httpCode`, without the error that had it. */
const connectionCodeOf = (error: unknown) =>
	findInCauses(error, ({ code }) => asConnectionCode(code)) ??
	findInCauses(error, ({ httpCode }) => asConnectionCode(httpCode));

/** Response size is limited. The largest real response, for a dispatch with 100,000 messages, has about 20 MB. */
const largestBytes = 64 * 1024 * 1024;

/** Stands for a body that exceeded the limit and wasn't read completely. */
export const tooLarge = Symbol('a body that is too large');

const isStream = (body: unknown): body is AsyncIterable<Uint8Array> =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

const parse = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
};

/**
 * Reads a response as a stream and stops at the limit, because n8n's HTTP library would read any amount, however much it
 * decompresses to. JSON is parsed, anything else stays text.
 */
const readBody = async (body: unknown): Promise<Pick<HttpAnswer, 'body' | 'bytes'>> => {
	if (!isStream(body)) return { body, bytes: 0 };
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of body) {
		bytes += chunk.length;
		if (bytes > largestBytes) return { body: tooLarge, bytes };
		chunks.push(chunk);
	}
	// The decoder drops the byte order mark that some services put before their text.
	return { body: parse(new TextDecoder().decode(Buffer.concat(chunks))), bytes };
};

/** Applies the timeout to the body too, because the HTTP library stops watching the time when the response begins. */
const readInTime = async (body: unknown, timeoutMs: number) => {
	const read = await orCancelled(readBody(body), AbortSignal.timeout(timeoutMs), undefined);
	if (read !== undefined) return read;
	throw Object.assign(new Error("The response didn't end in time"), { code: 'ETIMEDOUT' });
};

/** Reads an error that n8n has thrown. n8n throws for a 401, because it renews the token then, but not for other statuses. */
const toExchange = async (error: unknown, timeoutMs: number): Promise<Exchange> => {
	const status = findInCauses(error, httpStatusOf);
	if (status !== undefined) {
		// If the body can't be read, the status alone is enough.
		const unread = { body: undefined, bytes: 0 };
		const read = await readInTime(findInCauses(error, httpBodyOf), timeoutMs).catch(() => unread);
		return { kind: 'answer', status, headers: {}, ...read };
	}
	const syscall = findInCauses(error, ({ syscall: name }) =>
		typeof name === 'string' ? name : undefined,
	);
	return { kind: 'noAnswer', code: connectionCodeOf(error), syscall };
};

/**
 * The only place where the package sends HTTP requests. Redirects aren't followed: a redirected POST would arrive as a GET, and
 * the credential would be sent to a URL that the user didn't choose.
 */
export const exchange = async (
	httpRequest: HttpRequest,
	options: IHttpRequestOptions & { timeout: number },
	cancelled?: AbortSignal,
): Promise<Exchange> => {
	const connection = new AbortController();
	const close = () => connection.abort();
	let isRead = false;
	cancelled?.addEventListener('abort', close, { once: true });
	try {
		// n8n types the result of `returnFullResponse` as unknown; this is its actual shape.
		const answer = (await httpRequest({
			...options,
			returnFullResponse: true,
			disableFollowRedirect: true,
			// A stream, so that we decide how much of it is read.
			encoding: 'stream',
			abortSignal: connection.signal,
		})) as { statusCode: number; headers: Record<string, unknown>; body: unknown };
		const { statusCode: status, headers } = answer;
		const read = await readInTime(answer.body, options.timeout);
		isRead = read.body !== tooLarge;
		return { kind: 'answer', status, headers, ...read };
	} catch (error) {
		const failure = findInCauses(error, (cause) =>
			cause instanceof ServiceError ? cause : undefined,
		);
		if (failure !== undefined) {
			return { kind: 'noLogIn', outcome: failure.outcome, problem: failure.problem };
		}
		return await toExchange(error, options.timeout);
	} finally {
		cancelled?.removeEventListener('abort', close);
		// A response that isn't read completely would keep the connection open for as long as the service likes.
		if (!isRead) close();
	}
};

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

const describeBody = (body: unknown): Pick<Problem, 'code' | 'serviceText' | 'reply'> => {
	if (body === tooLarge) return { reply: 'tooLarge' };
	const known = ErrorBody.safeParse(body);
	if (known.success) {
		return { code: known.data.error.code, serviceText: known.data.error.msg };
	}
	if (looksLikeHtml(body)) return { reply: 'html' };
	if (isEmpty(body)) return { reply: 'empty' };
	if (isRecord(body) && Object.keys(body).length === 0) return {};
	if (typeof body === 'string') return { serviceText: body };
	// The error doesn't have the contract's shape, so it is shown as it is.
	return { serviceText: JSON.stringify(toSafeData(body)) };
};

type Asked = Pick<Endpoint, 'method' | 'replyType' | 'repeatable'>;

/**
 * After a response with a success status, a call that changes something counts as accepted, whatever the body is, and is never
 * sent again. Only a body that reports an error, or a web page from another server, leaves the outcome unknown.
 */
const judgeSuccess = ({ method, replyType, repeatable }: Asked, answer: HttpAnswer): Judgment => {
	const { status, body } = answer;
	const error = errorIn(body);
	if (error !== undefined) {
		const problem = { status, code: error.code, serviceText: error.words, reply: 'error' as const };
		return { verdict: repeatable ? 'refused' : 'unknown', problem };
	}
	const isReadable =
		replyType === 'text'
			? typeof body === 'string' && !isBlank(body) && !looksLikeHtml(body)
			: typeof body === 'object' && body !== null;
	// A repeatable change is sent again to get a readable response, unless the response is simply empty.
	const isAccepted =
		method !== 'GET' &&
		(isEmpty(body) ||
			((!repeatable || replyType === 'any') && body !== tooLarge && !looksLikeHtml(body)));
	if (isReadable || isAccepted) return { verdict: 'done', answer };
	const { reply } = describeBody(body);
	return { verdict: 'unknown', problem: { status, reply: reply ?? 'notJson' } };
};

/** Whether the path doesn't exist, so that nothing was done. */
export const isNotFound = (outcome: Exchange): boolean =>
	outcome.kind === 'answer' && outcome.status === 404;

const judgeAnswer = (endpoint: Asked, answer: HttpAnswer, now: number): Judgment => {
	const { status, headers, body } = answer;
	if (status >= 200 && status < 300) return judgeSuccess(endpoint, answer);
	const problem: Problem = {
		status,
		...describeBody(body),
		location: headerIn(headers, 'location'),
		retryAfterMs: retryAfterIn(headers, now),
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
