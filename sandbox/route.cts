import type { Context, Hono } from 'hono';
import type { z } from '../vendor/zod';
import type { Endpoint, ReplyOf } from '../core/contract/endpoint';
import { widgetErrors } from '../core/contract/errors';
import { ApiError, notFound } from './apiError.cts';
import { checkKey, checkToken } from './auth.cts';
import { demo } from './demo.cts';
import { speak } from './dialect.cts';
import type { Said } from './dialectShapes.cts';
import type { Strike } from './faults.cts';
import { parseBody, parsePath, parseQuery } from './input.cts';
import { maskedBody, maskedQuery } from './masked.cts';
import { isoOf } from './views.cts';
import type { World } from './world.cts';

/** What the server file knows about a request and the application cannot. */
export interface Connection {
	address: string;
}
export type App = Hono<{ Bindings: Connection }>;
type AppContext = Context<{ Bindings: Connection }>;

/** On a response: the connection is to be dropped, or never answered, or answered after so many milliseconds. */
export const faultHeader = 'x-sandbox-fault';
export const delayHeader = 'x-sandbox-delay-ms';

type Parsed<Schema> = Schema extends z.ZodTypeAny ? z.output<Schema> : undefined;
interface Input<E extends Endpoint> {
	path: Parsed<E['pathParams']>;
	query: Parsed<E['query']>;
	body: Parsed<E['body']>;
}
type Handler<E extends Endpoint> = (input: Input<E>) => ReplyOf<E>;

/** Registers a handler at the path, method, status and schemas of the contract. */
export type Route = <E extends Endpoint>(
	endpoint: E,
	handler: Handler<E>,
	/** Turns a refusal into the endpoint's own error, where the contract names one. */
	refuse?: (error: ApiError) => ApiError,
) => void;

const colons = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/** The addresses of an endpoint. `/v1/message` answers without a doubled version and at its literal path. */
const addressesOf = ({
	api,
	path,
}: Endpoint): Array<{ address: string; as: 'short' | 'literal' | 'only' }> => {
	if (api === 'partner') return [{ address: demo.partnerPath + colons(path), as: 'only' }];
	if (path.startsWith('/api/')) return [{ address: colons(path), as: 'only' }];
	const literal = demo.messagingPath + colons(path);
	if (!path.startsWith('/v1/')) return [{ address: literal, as: 'only' }];
	return [
		{ address: demo.messagingPath + colons(path.slice('/v1'.length)), as: 'short' },
		{ address: literal, as: 'literal' },
	];
};

export const errorResponse = (error: unknown): Response => {
	if (error instanceof ApiError) {
		return Response.json(
			{ error: { code: error.code, msg: error.message } },
			{ status: error.status },
		);
	}
	const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
	return Response.json(
		{ error: { code: 5000, msg: `A defect of the sandbox: ${detail}` } },
		{ status: 500 },
	);
};

const responseOf = ({ status, json, text }: Said): Response =>
	json === undefined ? new Response(text ?? null, { status }) : Response.json(json, { status });

const strikeResponse = ({ kind, status, code, headers, body }: Strike): Response => {
	if (kind.endsWith('reset')) return new Response(null, { headers: { [faultHeader]: 'reset' } });
	if (kind.endsWith('hang')) return new Response(null, { headers: { [faultHeader]: 'hang' } });
	if (body !== undefined) return new Response(body, { status, headers });
	const known = code === undefined ? undefined : widgetErrors[code]?.cause;
	const error = {
		code: code ?? status * 10,
		msg: known ?? `Fault of the sandbox: ${status}`,
	};
	return Response.json({ error }, { status, headers });
};

/** Lets a fault do its work: before the request is carried out, after it, or not at all. */
const withFault = async (strike: Strike | undefined, answer: () => Promise<Response>) => {
	if (strike === undefined) return await answer();
	if (strike.kind === 'delay') {
		const response = await answer();
		response.headers.set(delayHeader, String(strike.ms));
		return response;
	}
	if (strike.kind.startsWith('commit-then-')) await answer();
	return strikeResponse(strike);
};

export const routeOn = (app: App, world: World, checkReplies: boolean): Route => {
	const answer = async (
		endpoint: Endpoint,
		handler: (input: Input<Endpoint>) => unknown,
		context: AppContext,
		refuse?: (error: ApiError) => ApiError,
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
			const reply = handler({
				path: pathParams && parsePath(pathParams, context.req.param()),
				query: query && parseQuery(query, new URL(context.req.url).searchParams),
				body: await parseBody(endpoint, context.req.raw),
			});
			if (checkReplies) endpoint.reply.parse(reply);
			const { dispatches, settings } = world.store;
			const otherDispatch = (id: number) =>
				[...dispatches.keys()].findLast((other) => other !== id) ?? id + 1_000;
			return responseOf(speak(settings.dialect, endpoint, reply, otherDispatch));
		} catch (error) {
			return errorResponse(error instanceof ApiError ? (refuse?.(error) ?? error) : error);
		}
	};

	return (endpoint, handler, refuse) => {
		for (const { address, as } of addressesOf(endpoint)) {
			app.on(endpoint.method, address, async (context) => {
				const request = {
					method: endpoint.method,
					path: context.req.path,
					endpointPath: endpoint.path,
				};
				const begun = performance.now();
				const kept = await maskedBody(context.req.raw);
				const { messagePath } = world.store.settings;
				const isOff = as !== 'only' && messagePath !== 'both' && messagePath !== as;
				const strike = world.faults.strike(request);
				const response = await withFault(strike, async () =>
					isOff
						? errorResponse(notFound('no such address'))
						: // The handler of this endpoint takes what this endpoint's schemas parse.
							await answer(
								endpoint,
								handler as (input: Input<Endpoint>) => unknown,
								context,
								refuse,
							),
				);
				world.requests.add({
					at: isoOf(world.timeline.now),
					method: endpoint.method,
					path: request.path,
					endpoint: `${endpoint.method} ${endpoint.path}`,
					status: response.headers.has(faultHeader) ? 0 : response.status,
					...(strike && { fault: strike.kind }),
					query: maskedQuery(context.req.url),
					...kept,
					ms: Math.round(performance.now() - begun) + (strike?.kind === 'delay' ? strike.ms : 0),
				});
				return response;
			});
		}
	};
};
