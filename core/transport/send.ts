import type { IHttpRequestOptions } from 'n8n-workflow';
import {
	WrittenBody,
	type Endpoint,
	type ReplyOf,
	type RequestOf,
	type WrittenRequestOf,
} from '../contract/endpoint';
import { isRecord, toSafeData } from '../json';
import { connect, secretsOf, type Caller } from './connection';
import {
	CancelledError,
	defaultRetryPolicy,
	InvalidRequestError,
	orCancelled,
	pause,
	pauseBefore,
	type RetryPolicy,
	ServiceError,
	toServiceError,
} from './outcome';
import { exchange, type HttpRequest, isNotFound, isPassing, judge } from './exchange';
import { toShowable } from './redact';
import {
	encodeBody,
	endpointUrl,
	hasVersion,
	toQueryString,
	type QueryValue,
	type VersionRoute,
} from './request';
import { noteServiceTime } from './serviceTime';
import type { Exchange, HttpAnswer } from './types';

export interface SendOptions {
	retry?: RetryPolicy;
	/** Secrets in the request that no message may show. */
	secrets?: readonly string[];
	/** Called with the size of the response, for callers that limit the total of many calls. */
	onBytes?: (bytes: number) => void;
}

/** The same as in the service's own clients. */
const timeoutMs = 70_000;

type AnyRequest = { path?: unknown; query?: unknown; body?: unknown };

/** Checks a request against the contract before anything is sent. */
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

/** Whether the response is about another ID than the request. A missing ID isn't a contradiction, and a UUID may be in capitals. */
const answersAnother = (
	{ idField }: Endpoint,
	{ path, body }: AnyRequest,
	reply: unknown,
): boolean => {
	if (idField === undefined || !isRecord(reply)) return false;
	const [wanted = isRecord(body) ? body[idField] : undefined] = Object.values(path ?? {});
	const given = reply[idField] ?? wanted;
	return String(given).toLowerCase() !== String(wanted).toLowerCase();
};

/** Only the first entries of a list, because checking thousands of entries would be too slow for a log entry. */
const sampleOf = (body: unknown): unknown => {
	const cut = (value: unknown): unknown => (Array.isArray(value) ? value.slice(0, 3) : value);
	if (!isRecord(body)) return cut(body);
	return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, cut(value)]));
};

/** Logs a response that differs from the contract. It isn't an error, because a successful send must not look like a failure. */
const noteMismatch = (
	{ logger }: Caller,
	{ reply, method, path }: Endpoint,
	body: unknown,
	secrets: readonly string[],
): void => {
	const issue = reply.safeParse(sampleOf(body)).error?.issues[0];
	if (issue === undefined) return;
	// The text contains the service's own names and values, and a line break in them would look like another log entry.
	const difference = toShowable(`"${issue.path.join('.')}": ${issue.message}`, secrets);
	logger.warn(`The response to ${method} ${path} differs from the documented API at ${difference}`);
};

/**
 * n8n renews the partner token when a 401 is thrown. We handle every other status ourselves. Before 2.9, n8n's type has no
 * such object, hence the cast, and n8n takes it for `true`.
 */
const everyStatusBut401 = {
	ignore: true,
	except: [401],
} as unknown as IHttpRequestOptions['ignoreHttpStatusErrors'];

const cancelledExchange: Exchange = { kind: 'noAnswer', code: 'ERR_CANCELED' };

/**
 * Sends one call and returns its response, or throws a ServiceError whose outcome says what is known about the call. A repeatable
 * call is retried with growing pauses; any other call is retried only if it certainly wasn't carried out.
 */
export const send = async <E extends Endpoint>(
	caller: Caller,
	endpoint: E,
	request: RequestOf<E> | WrittenRequestOf<E>,
	{ retry = defaultRetryPolicy, secrets = [], onBytes }: SendOptions = {},
): Promise<ReplyOf<E>> => {
	checkRequest(endpoint, request);
	const connection = await connect(caller, endpoint.api);
	const place = { api: endpoint.api, path: connection.pathOf(endpoint) };
	const { path, query, body }: AnyRequest = request;
	const options: Omit<IHttpRequestOptions, 'url'> & { timeout: number } = {
		method: endpoint.method,
		...(await encodeBody(endpoint, body)),
		timeout: timeoutMs,
		ignoreHttpStatusErrors: endpoint.api === 'partner' ? everyStatusBut401 : true,
	};
	const httpRequest: HttpRequest =
		endpoint.auth === 'credential'
			? connection.request
			: async (given) => await caller.helpers.httpRequest(given);
	const cancelled =
		'getExecutionCancelSignal' in caller ? caller.getExecutionCancelSignal() : undefined;
	const exchangeAt = async (route: VersionRoute): Promise<Exchange> => {
		// checkRequest has checked these values.
		const pathValues = path as Record<string, string | number> | undefined;
		const queryValues = query as Record<string, QueryValue> | undefined;
		const url =
			endpointUrl(connection.baseUrl, place, pathValues, route) + toQueryString(queryValues);
		const exchanged = exchange(httpRequest, { ...options, url }, cancelled);
		return await orCancelled(exchanged, cancelled, cancelledExchange);
	};

	const allSecrets = () => [...secretsOf(caller), ...secrets];
	let answer: HttpAnswer;
	let wasRepeated = false;
	let hadResponse = false;
	for (let count = 1; ; count++) {
		if (cancelled?.aborted) throw new CancelledError(hadResponse);
		const isRouteOpen = hasVersion(place) && connection.route === undefined;
		let route = connection.route ?? 'merged';
		let outcome = await exchangeAt(route);
		if (isRouteOpen && isNotFound(outcome)) {
			// A 404 for a path without an ID means that the path doesn't exist and nothing was done: trying the other one is safe. The
			// only such path with an ID is read.
			const other = await exchangeAt('literal');
			if (!isNotFound(other)) [outcome, route] = [other, 'literal'];
		}
		const judgment = judge(endpoint, outcome, Date.now());
		// Only a success proves the path: a proxy, or the rejection of a key, may come from any path.
		const isProven = outcome.kind === 'answer' && outcome.status < 300;
		if (isRouteOpen && isProven) connection.route = route;
		if (judgment.verdict === 'done') {
			answer = judgment.answer;
			noteServiceTime(caller, endpoint.api, answer);
			break;
		}
		const { verdict, problem } = judgment;
		const mayRepeat = verdict === 'notCarriedOut' || (verdict === 'unknown' && endpoint.repeatable);
		const wait =
			mayRepeat && isPassing(problem) && !cancelled?.aborted
				? pauseBefore(count, retry, problem.retryAfterMs)
				: undefined;
		if (wait !== undefined) await pause(wait, cancelled);
		if (wait === undefined || retry.isOver?.() === true) {
			const { usesToken } = connection;
			const { key = endpoint.api === 'messaging' ? 'messages' : 'any' } = endpoint;
			const known = {
				...problem,
				...(key !== 'any' && { key }),
				...(wasRepeated && { wasRepeated }),
				...(hadResponse && { hadResponse: true as const }),
				...(usesToken && { usesToken }),
				...(endpoint.path.includes('{') && { hasId: true as const }),
				...(endpoint.pathSetting !== undefined && { hasAssumedPath: true as const }),
			};
			throw toServiceError(endpoint, { verdict, problem: known }, allSecrets());
		}
		wasRepeated ||= verdict === 'unknown';
		hadResponse ||= problem.status !== undefined;
	}
	onBytes?.(answer.bytes);
	noteMismatch(caller, endpoint, answer.body, allSecrets());
	if (answersAnother(endpoint, request, answer.body)) {
		// The same read would get the same answer. A change may have been made.
		const outcome = endpoint.method === 'GET' ? 'refused' : 'unknown';
		throw new ServiceError({ status: answer.status, reply: 'other' }, outcome, endpoint);
	}
	// The response to a bulk send is long and only a few fields of it are used, so the caller makes those fields safe.
	const reply = body instanceof WrittenBody ? answer.body : toSafeData(answer.body);
	// A mismatch is only logged (above), so the type is what the contract says, not what was checked.
	return reply as ReplyOf<E>;
};
