import type { IHttpRequestOptions } from 'n8n-workflow';
import type { UploadFile } from '../contract/company';
import {
	WrittenBody,
	type Endpoint,
	type ReplyOf,
	type RequestOf,
	type WrittenRequestOf,
} from '../contract/endpoint';
import { toSafeData } from '../json';
import { connect, type Caller, type Connection } from './connection';
import { InvalidRequestError } from './errors';
import { exchange } from './exchange';
import { encodeMultipart } from './multipart';
import { toShowable } from './redact';
import type { RetryPolicy } from './retry';
import { settle } from './settle';
import type { Exchange } from './types';
import { endpointUrl, toQueryString, type QueryValue, type VersionRoute } from './url';

export interface SendOptions {
	retry?: RetryPolicy;
	timeoutMs?: number;
	/** What the request holds and no message may show. */
	secrets?: readonly string[];
}

/** The service's own clients wait this long. */
const defaultTimeoutMs = 70_000;

type CallOptions = Omit<IHttpRequestOptions, 'url'> & { timeout: number };
type AnyRequest = { path?: unknown; query?: unknown; body?: unknown };

/** Holds a request against the contract before anything is sent. */
export const checkRequest = (endpoint: Endpoint, request: AnyRequest): void => {
	const issues = (['pathParams', 'query', 'body'] as const).flatMap((part) => {
		const value = part === 'pathParams' ? request.path : request[part];
		const schema = endpoint[part];
		if (schema === undefined || (part === 'query' && value === undefined)) return [];
		if (value instanceof WrittenBody) return [];
		return schema.safeParse(value).error?.issues ?? [];
	});
	if (issues.length > 0) throw new InvalidRequestError(issues);
};

const encode = (
	endpoint: Endpoint,
	body: unknown,
): Pick<IHttpRequestOptions, 'body' | 'headers'> => {
	if (endpoint.encoding === 'none' || body === undefined) return {};
	if (endpoint.encoding === 'multipart') {
		// checkRequest has seen that every part is a file.
		const encoded = encodeMultipart(body as Record<string, UploadFile>);
		return { body: encoded.body, headers: { 'Content-Type': encoded.contentType } };
	}
	// Bytes: n8n and its HTTP library would parse a text again and drop an empty object.
	const { bytes } = body instanceof WrittenBody ? body : new WrittenBody(body);
	return {
		body: bytes,
		headers: { 'Content-Type': 'application/json' },
	};
};

const cancelSignal = (caller: Caller) =>
	'getExecutionCancelSignal' in caller ? caller.getExecutionCancelSignal() : undefined;

const attemptOnce = async (
	caller: Caller,
	connection: Connection,
	endpoint: Endpoint,
	options: CallOptions & { url: string },
): Promise<Exchange> =>
	await exchange(
		async (full) => {
			// Given to every call anew: n8n changes the object it gets.
			const request = { ...full, headers: { ...full.headers } };
			if (endpoint.auth === 'none') return await caller.helpers.httpRequest(request);
			// n8n asks its caller when to give up, whatever the request says.
			const asking = Object.create(caller, {
				getExecutionCancelSignal: { value: () => full.abortSignal },
			}) as Caller;
			return await caller.helpers.httpRequestWithAuthentication.call(
				asking,
				connection.credentialType,
				request,
				{ credentialsDecrypted: connection.credentialForCall() },
			);
		},
		options,
		cancelSignal(caller),
	);

/** Which of the two possible places of `/v1/…` a service has, found once per address. */
const routes = new Map<string, VersionRoute>();

const attempt = async (
	caller: Caller,
	connection: Connection,
	endpoint: Endpoint,
	request: AnyRequest,
	options: CallOptions,
): Promise<Exchange> => {
	const { baseUrl } = connection;
	const pathValues = request.path as Record<string, string | number> | undefined;
	const query = toQueryString(request.query as Record<string, QueryValue> | undefined);
	const via = async (route: VersionRoute) =>
		await attemptOnce(caller, connection, endpoint, {
			...options,
			url: endpointUrl(baseUrl, endpoint, pathValues, route) + query,
		});
	if (!endpoint.path.startsWith('/v1/')) return await via('merged');

	const isWrongRoute = (outcome: Exchange) => outcome.kind === 'answer' && outcome.status === 404;
	/** Only a success proves the place: a proxy or a refused key may answer anywhere. */
	const remember = (outcome: Exchange, route: VersionRoute) => {
		if (outcome.kind === 'answer' && outcome.status < 300) routes.set(baseUrl, route);
		return outcome;
	};
	const known = routes.get(baseUrl);
	const first = await via(known ?? 'merged');
	// These routes carry no id, so a 404 means "no such route" and nothing was done: trying the other one is safe.
	if (known !== undefined) return first;
	if (!isWrongRoute(first)) return remember(first, 'merged');
	const second = await via('literal');
	return isWrongRoute(second) ? first : remember(second, 'literal');
};

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
const noteMismatch = (
	caller: Caller,
	endpoint: Endpoint,
	body: unknown,
	secrets: readonly string[],
) => {
	const issue = endpoint.reply.safeParse(sampleOf(body)).error?.issues[0];
	if (issue === undefined) return;
	// Names and values in it are the service's own: a line break would look like another entry of the log.
	const difference = toShowable(`"${issue.path.join('.')}": ${issue.message}`, secrets);
	caller.logger.warn(
		`The reply to ${endpoint.method} ${endpoint.path} differs from the known interface at ${difference}`,
	);
};

/** Sends one call and returns its reply, or throws a ServiceError whose outcome says what is known about it. */
export const send = async <E extends Endpoint>(
	caller: Caller,
	endpoint: E,
	request: RequestOf<E> | WrittenRequestOf<E>,
	{ retry, timeoutMs = defaultTimeoutMs, secrets = [] }: SendOptions = {},
): Promise<ReplyOf<E>> => {
	checkRequest(endpoint, request);
	const connection = await connect(caller, endpoint.api);
	const options: CallOptions = {
		method: endpoint.method,
		...encode(endpoint, request.body),
		timeout: timeoutMs,
		// n8n renews the partner token when a 401 is thrown; every other status is ours to judge.
		ignoreHttpStatusErrors: endpoint.api === 'partner' ? { ignore: true, except: [401] } : true,
	};
	const allSecrets = () => [...connection.secrets(), ...secrets];
	const body = await settle(
		endpoint,
		async () => await attempt(caller, connection, endpoint, request, options),
		{
			retry,
			cancelled: cancelSignal(caller),
			secrets: allSecrets,
		},
	);
	noteMismatch(caller, endpoint, body, allSecrets());
	// Of a bulk send's long answers only single fields are taken: whoever lets them out cuts them.
	const reply = request.body instanceof WrittenBody ? body : toSafeData(body);
	// It is checked softly (above), so its type is what the contract promises, not a proof.
	return reply as ReplyOf<E>;
};
