import type { ICredentialsDecrypted, IHttpRequestOptions } from 'n8n-workflow';
import {
	WrittenBody,
	type Endpoint,
	type ReplyOf,
	type RequestOf,
	type WrittenRequestOf,
} from '../contract/endpoint';
import { isRecord, toSafeData } from '../json';
import { connect, type Caller, type Connection } from './connection';
import { encodeBody } from './encode';
import { InvalidRequestError, ServiceError } from './errors';
import { exchange, type HttpRequest } from './exchange';
import { logInFailure } from './logIn';
import { noteMismatch } from './mismatch';
import type { RetryPolicy } from './retry';
import { attemptByRoute } from './route';
import { settle } from './settle';
import { endpointUrl, toQueryString, type QueryValue } from './url';

export interface SendOptions {
	retry?: RetryPolicy;
	timeoutMs?: number;
	/** Secrets in the request that no message may show. */
	secrets?: readonly string[];
}

/** The same as in the service's own clients. */
const defaultTimeoutMs = 70_000;

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

const echoed = (value: unknown) => String(value).replace(/^\+/, '');

/** Whether the response is about another ID, number or company than the request. A missing field isn't a contradiction. */
const answersAnother = ({ echoes = {} }: Endpoint, request: AnyRequest, reply: unknown): boolean =>
	isRecord(reply) &&
	Object.entries(echoes).some(([field, place]) => {
		const wanted = place
			.split('.')
			.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), request);
		const given = reply[field] ?? undefined;
		return given !== undefined && wanted !== undefined && echoed(given) !== echoed(wanted);
	});

/** A response as `exchange` asks for it. */
interface FullResponse {
	statusCode: number;
	/** A stream. If it isn't read, it must be closed. */
	body?: { destroy?: () => void };
}

/** The function that sends a request for this endpoint through n8n, with the credential if it needs one. */
const requestFor =
	(caller: Caller, connection: Connection, { auth }: Endpoint): HttpRequest =>
	async (options) => {
		if (auth === 'none') {
			return await caller.helpers.httpRequest({ ...options, headers: { ...options.headers } });
		}
		// For calls with a credential, n8n uses the caller's cancel signal and ignores the request's own.
		const asking = Object.create(caller, {
			getExecutionCancelSignal: { value: () => options.abortSignal },
		}) as Caller;
		const sendWith = async (credentialsDecrypted: ICredentialsDecrypted) => {
			try {
				return (await caller.helpers.httpRequestWithAuthentication.call(
					asking,
					connection.credentialType,
					// A copy for every call, because n8n changes the object it gets.
					{ ...options, headers: { ...options.headers } },
					{ credentialsDecrypted },
					// n8n doesn't type what `returnFullResponse` returns; this is its shape.
				)) as FullResponse;
			} catch (error) {
				throw logInFailure(credentialsDecrypted) ?? error;
			}
		};
		const credential = connection.credentialForCall();
		const response = await sendWith(credential);
		// From 2.9 on, n8n throws for this status and renews the token itself. Earlier versions return the response as it is.
		if (response.statusCode !== 401 || !connection.dropToken(credential)) return response;
		response.body?.destroy?.();
		return await sendWith(connection.credentialForCall());
	};

/**
 * n8n renews the partner token when a 401 is thrown. We handle every other status ourselves. Before 2.9, n8n's type has no
 * such object, hence the cast, and n8n takes it for `true`.
 */
const everyStatusBut401 = {
	ignore: true,
	except: [401],
} as unknown as IHttpRequestOptions['ignoreHttpStatusErrors'];

/** Like `send`, but also returns the size of the response in bytes, for callers that limit the total of many calls. */
export const sendMeasured = async <E extends Endpoint>(
	caller: Caller,
	endpoint: E,
	request: RequestOf<E> | WrittenRequestOf<E>,
	{ retry, timeoutMs = defaultTimeoutMs, secrets = [] }: SendOptions = {},
): Promise<{ reply: ReplyOf<E>; bytes: number }> => {
	checkRequest(endpoint, request);
	const connection = await connect(caller, endpoint.api);
	const { baseUrl } = connection;
	const place = { api: endpoint.api, path: connection.pathOf(endpoint) };
	const { path, query, body }: AnyRequest = request;
	const options: Omit<IHttpRequestOptions, 'url'> & { timeout: number } = {
		method: endpoint.method,
		...(await encodeBody(endpoint, body)),
		timeout: timeoutMs,
		ignoreHttpStatusErrors: endpoint.api === 'partner' ? everyStatusBut401 : true,
	};
	const httpRequest = requestFor(caller, connection, endpoint);
	const cancelled =
		'getExecutionCancelSignal' in caller ? caller.getExecutionCancelSignal() : undefined;
	const allSecrets = () => [...connection.secrets(), ...secrets];
	const answer = await settle(
		endpoint,
		async () =>
			await attemptByRoute(connection, place, async (route) => {
				// checkRequest has checked these values.
				const pathValues = path as Record<string, string | number> | undefined;
				const queryValues = query as Record<string, QueryValue> | undefined;
				const url = endpointUrl(baseUrl, place, pathValues, route) + toQueryString(queryValues);
				return await exchange(httpRequest, { ...options, url }, cancelled);
			}),
		{ retry, cancelled, secrets: allSecrets },
	).catch((error: unknown) => {
		if (!(error instanceof ServiceError)) throw error;
		const { usesToken } = connection;
		throw error.knowing({
			...(usesToken && { usesToken }),
			...(endpoint.pathSetting !== undefined && { hasAssumedPath: true }),
		});
	});
	noteMismatch(caller, endpoint, answer.body, allSecrets());
	if (answersAnother(endpoint, request, answer.body)) {
		// The same read would get the same answer. A change may have been made.
		const outcome = endpoint.method === 'GET' ? 'refused' : 'unknown';
		throw new ServiceError({ status: answer.status, reply: 'other' }, outcome, endpoint);
	}
	// The response to a bulk send is long and only a few fields of it are used, so the caller makes those fields safe.
	const reply = body instanceof WrittenBody ? answer.body : toSafeData(answer.body);
	// A mismatch is only logged (above), so the type is what the contract says, not what was checked.
	return { reply: reply as ReplyOf<E>, bytes: answer.bytes };
};

/** Sends one call and returns its response, or throws a ServiceError whose outcome says what is known about the call. */
export const send = async <E extends Endpoint>(
	caller: Caller,
	endpoint: E,
	request: RequestOf<E> | WrittenRequestOf<E>,
	options?: SendOptions,
): Promise<ReplyOf<E>> => (await sendMeasured(caller, endpoint, request, options)).reply;
