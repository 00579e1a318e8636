import { isRecord } from '../../../core/json';

/** The parts of Express' request that are used here; n8n adds the raw body. */
export interface BodyRequest {
	headers: Record<string, string | string[] | undefined>;
	body?: unknown;
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
}

/**
 * Reads JSON regardless of the content type, because the contract doesn't say which one callbacks of dispatches have. n8n parses
 * a body as JSON only if it is declared as JSON; it turns JSON declared as a form into a form with one strange field.
 */
export const callbackBody = async (request: BodyRequest): Promise<unknown> => {
	const { body, headers } = request;
	const isText = body === undefined || typeof body === 'string';
	if (!isText && /^application\/json\b/i.test(String(headers['content-type']))) return body;
	try {
		// If n8n has parsed the body already, the connection can't be read again.
		if (body === undefined) await request.readRawBody?.();
		return JSON.parse(String(typeof body === 'string' ? body : request.rawBody)) as unknown;
	} catch {
		return isText ? undefined : body;
	}
};

const nameOfBodyType = (body: unknown): string => {
	if (body === null) return 'null';
	return typeof body === 'string' ? 'text' : `a ${typeof body}`;
};

/** Why a body isn't a callback. Quotes nothing from it, because phone numbers and texts don't belong in a log. */
export const reasonToReject = (body: unknown): string => {
	if (body === undefined) return "the body is empty or isn't JSON";
	if (Array.isArray(body)) return `none of its ${body.length} elements names an event or a message`;
	if (isRecord(body)) return 'the body names neither an event nor a message';
	return `the body is ${nameOfBodyType(body)} instead of a list of events`;
};
