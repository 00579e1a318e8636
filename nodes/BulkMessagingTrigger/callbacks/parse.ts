import {
	eventSources,
	readEvent,
	wireNames,
	type ReportedEvent,
} from '../../../core/contract/readEvent';
import { isRecord, toSafeData } from '../../../core/json';

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
