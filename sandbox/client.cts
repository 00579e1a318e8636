import { isUploadFile, type UploadFile } from '../core/contract/company';
import { ErrorBody } from '../core/contract/errors';
import type { Endpoint, ReplyOf, RequestOf } from '../core/contract/endpoint';
import { partner } from '../core/contract/partner';
import { demo, urlsOf } from './demo.cts';

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

interface LooseRequest {
	path?: Record<string, unknown>;
	query?: Record<string, unknown>;
	body?: unknown;
}

/** The service responded with another status than the documented one. */
export class CallError extends Error {
	constructor(
		readonly status: number,
		readonly code: number | undefined,
		message: string,
	) {
		super(message);
	}
}

const urlOf = (origin: string, { api, path }: Endpoint, { path: params, query }: LooseRequest) => {
	const { partnerUrl, messagingUrl } = urlsOf(origin);
	const base = api === 'partner' ? partnerUrl : path.startsWith('/api/') ? origin : messagingUrl;
	const url = new URL(
		base + path.replace(/\{(\w+)\}/g, (_, name: string) => String(params?.[name])),
	);
	for (const [name, value] of Object.entries(query ?? {})) {
		for (const one of Array.isArray(value) ? value : [value]) {
			if (one !== undefined) url.searchParams.append(name, String(one));
		}
	}
	return url.href;
};

/** A form's parts are files, lists of files with numbered names, or JSON. */
const formOf = (parts: Record<string, unknown>): FormData => {
	const form = new FormData();
	for (const [name, part] of Object.entries(parts)) {
		if (Array.isArray(part)) {
			part.forEach((one: UploadFile, index) => setFile(form, `${name}${index + 1}`, one));
		} else if (isUploadFile(part)) setFile(form, name, part);
		else form.set(name, JSON.stringify(part));
	}
	return form;
};
const setFile = (form: FormData, name: string, { bytes, contentType, filename }: UploadFile) =>
	form.set(name, new Blob([Uint8Array.from(bytes)], { type: contentType }), filename);

/** A small typed client, for tests: `await call(partner.companyCreate, {body: {…}})`. It fetches its own token. */
export const clientOf = (fetch: Fetch, origin: string) => {
	let token: string | undefined;

	const send = async (endpoint: Endpoint, request: LooseRequest = {}): Promise<Response> => {
		const headers: Record<string, string> = {};
		if (endpoint.auth === 'credential') {
			headers.authorization = `Bearer ${endpoint.api === 'partner' ? await logIn() : demo.apiKey}`;
		}
		const isForm = endpoint.encoding === 'multipart';
		if (request.body !== undefined && !isForm) headers['content-type'] = 'application/json';
		return await fetch(urlOf(origin, endpoint, request), {
			method: endpoint.method,
			headers,
			...(request.body !== undefined && {
				body: isForm
					? formOf(request.body as Record<string, unknown>)
					: JSON.stringify(request.body),
			}),
		});
	};

	const logIn = async (): Promise<string> => {
		const { login, password } = demo;
		token ??= (await call(partner.token, { body: { login, password } })).token;
		return token;
	};

	const call = async <E extends Endpoint>(
		endpoint: E,
		...[request]: Record<string, never> extends RequestOf<E> ? [RequestOf<E>?] : [RequestOf<E>]
	): Promise<ReplyOf<E>> => {
		const response = await send(endpoint, request);
		const text = await response.text();
		if (response.status !== endpoint.status) {
			let error: { code?: number; msg: string } = { msg: text };
			try {
				error = ErrorBody.parse(JSON.parse(text)).error;
			} catch {
				// Not an error body: the text is the message.
			}
			throw new CallError(response.status, error.code, `${response.status}: ${error.msg}`);
		}
		// The contract has responses without a body.
		const isText = endpoint.replyType === 'text' || text === '';
		return endpoint.reply.parse(isText ? text : JSON.parse(text));
	};

	return { call, send, logIn, forgetToken: () => (token = undefined) };
};
