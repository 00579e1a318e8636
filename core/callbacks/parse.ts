import { DispatchCallback, MessageCallback } from '../contract/callbacks';
import { isRecord, toSafeData } from '../json';

/** Which of the two interfaces the callback belongs to: dispatches of the partner API, or single messages. */
export type Source = 'dispatch' | 'message';

/** An element of a callback that reports a known event of a message. */
export interface CallbackEvent {
	event: string;
	source: Source;
	/** The service's ID of the message. */
	id: string;
	raw: Record<string, unknown>;
}
/** An element of a callback that is not such an event. It is handed on as it came. */
export interface Unrecognised {
	event: 'unknown';
	raw: unknown;
}
export type CallbackElement = CallbackEvent | Unrecognised;

export const isEvent = (element: CallbackElement): element is CallbackEvent => 'source' in element;

interface Names {
	eventName: string;
	idName: string;
	events: ReadonlySet<unknown>;
}
const known: Record<Source, Names> = {
	message: {
		eventName: 'callback_event',
		idName: 'message_uuid',
		events: new Set(MessageCallback.optionsMap.keys()),
	},
	dispatch: {
		eventName: 'event',
		idName: 'messageUuid',
		events: new Set(DispatchCallback.optionsMap.keys()),
	},
};
const sources = ['message', 'dispatch'] as const;

/** JSON rounds very large numbers, so two messages could share one. Such a number identifies no message. */
const readId = (value: unknown): string | undefined => {
	if (typeof value === 'string') return value.trim() === '' ? undefined : value;
	return Number.isSafeInteger(value) ? String(value) : undefined;
};

/**
 * A known event name and a message ID are enough. The service is not bound to send the other fields as the contract shows
 * them, and a result without its time is still a result.
 */
export const recognise = (raw: unknown): CallbackElement => {
	if (!isRecord(raw)) return { event: 'unknown', raw };
	for (const source of sources) {
		const { eventName, idName, events } = known[source];
		const event = raw[eventName];
		const id = readId(raw[idName]);
		if (events.has(event) && id !== undefined) return { event: String(event), source, id, raw };
	}
	return { event: 'unknown', raw };
};

const callbackNames = sources.flatMap((source) => [known[source].eventName, known[source].idName]);

/** It names an event or a message the way the service does, or holds a list of something that does. */
const resemblesCallback = (value: unknown): boolean => {
	if (Array.isArray(value)) return value.some(resemblesCallback);
	if (!isRecord(value)) return false;
	return (
		callbackNames.some((name) => Object.hasOwn(value, name)) ||
		Object.values(value).some((inner) => Array.isArray(inner) && resemblesCallback(inner))
	);
};

/**
 * The elements of a callback in the order they came; `undefined` when the body is not a callback at all. The contract has one
 * camelCase object per dispatch callback and an array of snake_case objects for messages; either form is accepted for both.
 */
export const parseCallbacks = (body: unknown): CallbackElement[] | undefined => {
	const elements: unknown[] = (Array.isArray(body) ? body : [body]).map(toSafeData);
	if (elements.length > 0 && !elements.some(resemblesCallback)) return undefined;
	return elements.map(recognise);
};
