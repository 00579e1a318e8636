import {
	eventSources,
	readEvent,
	wireNames,
	type ReportedEvent,
} from '../../../core/contract/readEvent';
import { isRecord, toSafeData } from '../../../core/json';

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

/** An element of a callback that doesn't report a known event. It is passed on unchanged. */
interface UnrecognizedElement {
	event: 'unknown';
	raw: unknown;
}
export type CallbackElement = ReportedEvent | UnrecognizedElement;

export const isEvent = (element: CallbackElement): element is ReportedEvent => 'source' in element;

export const recognize = (raw: unknown): CallbackElement =>
	readEvent(raw) ?? { event: 'unknown', raw };

const callbackNames = eventSources.flatMap((source) => Object.values(wireNames[source]));

/** Whether it names an event or a message as the service does, or contains a list of elements that do. */
const resemblesCallback = (value: unknown): boolean => {
	if (Array.isArray(value)) return value.some(resemblesCallback);
	if (!isRecord(value)) return false;
	return (
		callbackNames.some((name) => Object.hasOwn(value, name)) ||
		Object.values(value).some((inner) => Array.isArray(inner) && resemblesCallback(inner))
	);
};

/**
 * The elements of a callback in their original order; `undefined` when the body isn't a callback at all. The contract has one
 * camelCase object per dispatch callback and an array of snake_case objects for messages; either form is accepted for both.
 */
export const parseCallbacks = (body: unknown): CallbackElement[] | undefined => {
	const elements: unknown[] = (Array.isArray(body) ? body : [body]).map(toSafeData);
	if (elements.length > 0 && !elements.some(resemblesCallback)) return undefined;
	return elements.map(recognize);
};
