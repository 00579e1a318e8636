import type { Context, Hono } from 'hono';
import type { z } from '../../vendor/zod';
import type { Endpoint, ReplyOf } from '../../core/contract/endpoint';
import { widgetErrors } from '../../core/contract/errors';
import { ApiError, notFound } from './apiError.cts';
import { checkKey, checkToken } from './auth.cts';
import { demo } from '../demo.cts';
import { shapeReply } from './dialect.cts';
import type { Shaped } from './dialectShapes.cts';
import type { Strike } from './faults.cts';
import { parseBody, parsePath, parseQuery } from './input.cts';
import { maskedBody, maskedQuery, maskedReply } from './masked.cts';
import type { Trace } from './requestLog.cts';
import { isoOf } from '../stored/views.cts';
import type { World } from '../stored/world.cts';

/** What only the server knows about a request. */
export interface Connection {
	address: string;
}
export type App = Hono<{ Bindings: Connection }>;
type AppContext = Context<{ Bindings: Connection }>;

/** Headers that tell the server to drop the connection, never respond, or respond after this many milliseconds. */
export const faultHeader = 'x-sandbox-fault';
export const delayHeader = 'x-sandbox-delay-ms';

type Parsed<Schema> = Schema extends z.ZodTypeAny ? z.output<Schema> : undefined;
interface Input<E extends Endpoint> {
	path: Parsed<E['pathParams']>;
	query: Parsed<E['query']>;
	body: Parsed<E['body']>;
}
type Handler<E extends Endpoint> = (input: Input<E>) => ReplyOf<E>;

/** Registers a handler with the path, method, status and schemas of the contract. */
export type Route = <E extends Endpoint>(
	endpoint: E,
	handler: Handler<E>,
	/** Converts an error into the endpoint's own error code, where the contract has one. */
	toOwnError?: (error: ApiError) => ApiError,
) => void;

const colons = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/** The paths of an endpoint. `/v1/message` is available without the doubled version and at its literal path. */
const pathsOf = ({
	api,
	path,
}: Endpoint): Array<{ path: string; as: 'short' | 'literal' | 'only' }> => {
	if (api === 'partner') return [{ path: demo.partnerPath + colons(path), as: 'only' }];
	if (path.startsWith('/api/')) return [{ path: colons(path), as: 'only' }];
	const literal = demo.messagingPath + colons(path);
	if (!path.startsWith('/v1/')) return [{ path: literal, as: 'only' }];
	return [
		{ path: demo.messagingPath + colons(path.slice('/v1'.length)), as: 'short' },
		{ path: literal, as: 'literal' },
	];
};

/** The JSON of each response, for the log: a response can be read only once. */
const written = new WeakMap<Response, string>();

const jsonResponse = (
	value: unknown,
	{ status, headers }: { status?: number; headers?: Record<string, string> },
): Response => {
	const text = JSON.stringify(value);
	const response = new Response(text, {
		status,
		headers: { 'content-type': 'application/json', ...headers },
	});
	written.set(response, text);
	return response;
};

export const errorResponse = (error: unknown): Response => {
	if (error instanceof ApiError) {
		return jsonResponse(
			{ error: { code: error.code, msg: error.message } },
			{ status: error.status },
		);
	}
	const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
	return jsonResponse(
		{ error: { code: 5000, msg: `The sandbox has a defect: ${detail}` } },
		{ status: 500 },
	);
};

const responseOf = ({ status, json, text }: Shaped): Response =>
	json === undefined ? new Response(text ?? null, { status }) : jsonResponse(json, { status });

const strikeResponse = ({ kind, status, code, headers, body }: Strike): Response => {
	if (kind.endsWith('reset')) return new Response(null, { headers: { [faultHeader]: 'reset' } });
	if (kind.endsWith('hang')) return new Response(null, { headers: { [faultHeader]: 'hang' } });
	if (body !== undefined) return new Response(body, { status, headers });
	const known = code === undefined ? undefined : widgetErrors[code]?.cause;
	const error = {
		code: code ?? status * 10,
		msg: known ?? `Fault set in the sandbox: ${status}`,
	};
	return jsonResponse({ error }, { status, headers });
};

/** Applies a fault: instead of the request, after it was processed, or as a delay of its response. */
const withFault = async (strike: Strike | undefined, respond: () => Promise<Response>) => {
	if (strike === undefined) return await respond();
	if (strike.kind === 'delay') {
		const response = await respond();
		response.headers.set(delayHeader, String(strike.ms));
		return response;
	}
	if (strike.kind.startsWith('commit-then-')) await respond();
	return strikeResponse(strike);
};

export const routeOn = (app: App, world: World, checkReplies: boolean): Route => {
	const respond = async (
		endpoint: Endpoint,
		handler: (input: Input<Endpoint>) => unknown,
		context: AppContext,
		trace: Trace,
		toOwnError?: (error: ApiError) => ApiError,
	): Promise<Response> => {
		try {
			const caller = {
				authorization: context.req.header('authorization'),
				address: context.env.address,
			};
			if (endpoint.auth === 'credential') {
				if (endpoint.api === 'partner') checkToken(world, caller);
				else checkKey(world, caller, endpoint.path);
			}
			const { pathParams, query } = endpoint;
			const input = {
				path: pathParams && parsePath(pathParams, context.req.param()),
				query: query && parseQuery(query, new URL(context.req.url).searchParams),
				body: await parseBody(endpoint, context.req.raw),
			};
			const reply = world.requests.during(trace, () => handler(input));
			if (checkReplies) endpoint.reply.parse(reply);
			const { dispatches, settings } = world.store;
			const otherDispatch = (id: number) =>
				[...dispatches.keys()].findLast((other) => other !== id) ?? id + 1_000;
			return responseOf(shapeReply(settings.dialect, endpoint, reply, otherDispatch));
		} catch (error) {
			return errorResponse(error instanceof ApiError ? (toOwnError?.(error) ?? error) : error);
		}
	};

	return (endpoint, handler, toOwnError) => {
		for (const { path, as } of pathsOf(endpoint)) {
			app.on(endpoint.method, path, async (context) => {
				const request = {
					method: endpoint.method,
					path: context.req.path,
					endpointPath: endpoint.path,
				};
				const trace = world.requests.begin();
				const begun = performance.now();
				const kept = await maskedBody(context.req.raw);
				const { messagePath } = world.store.settings;
				const isOff = as !== 'only' && messagePath !== 'both' && messagePath !== as;
				const strike = world.faults.strike(request);
				const response = await withFault(strike, async () =>
					isOff
						? errorResponse(notFound('there is nothing at this path'))
						: // The endpoint's handler accepts what the endpoint's schemas parse.
							await respond(
								endpoint,
								handler as (input: Input<Endpoint>) => unknown,
								context,
								trace,
								toOwnError,
							),
				);
				const isLost = response.headers.has(faultHeader);
				world.requests.add({
					...trace,
					at: isoOf(world.timeline.now),
					method: endpoint.method,
					path: request.path,
					endpoint: `${endpoint.method} ${endpoint.path}`,
					status: isLost ? 0 : response.status,
					...(strike && { fault: strike.kind }),
					query: maskedQuery(context.req.url),
					...kept,
					...(!isLost && { reply: maskedReply(response, written.get(response)) }),
					ms: Math.round(performance.now() - begun) + (strike?.kind === 'delay' ? strike.ms : 0),
				});
				return response;
			});
		}
	};
};
