import type { IHttpRequestOptions } from 'n8n-workflow';
import { isRecord } from '../json';
import { ServiceError } from './errors';
import { orCancelled } from './retry';
import type { Exchange, HttpAnswer } from './types';

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
