import { isRecord } from '../../../core/json';

/** What is used of Express' request; n8n adds the raw body. */
export interface BodyRequest {
	headers: Record<string, string | string[] | undefined>;
	body?: unknown;
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
}

/**
 * JSON, whatever the content type says: the contract does not say which one callbacks of dispatches have. n8n reads JSON only
 * when it is declared as such; it reads JSON declared as a form as a form with one strange field.
 */
export const callbackBody = async (request: BodyRequest): Promise<unknown> => {
	const { body, headers } = request;
	const isText = body === undefined || typeof body === 'string';
	if (!isText && /^application\/json\b/i.test(String(headers['content-type']))) return body;
	try {
		// A body that n8n has read as something else cannot be read from the connection again.
		if (body === undefined) await request.readRawBody?.();
		return JSON.parse(String(typeof body === 'string' ? body : request.rawBody)) as unknown;
	} catch {
		return isText ? undefined : body;
	}
};

/** Why a body is not a callback. Without anything from it: a log is not the place for phone numbers and texts. */
export const reasonToReject = (body: unknown): string => {
	if (body === undefined) return 'the body is empty or is not JSON';
	if (Array.isArray(body)) return `none of its ${body.length} elements names an event or a message`;
	if (isRecord(body)) return 'the body names neither an event nor a message';
	return `the body is ${body === null ? 'null' : `a ${typeof body}`} instead of a list of events`;
};
