import { createHash } from 'crypto';
import { events } from '../../../core/contract/events';
import { isEvent, type CallbackElement } from './parse';
import { isEmpty } from '../../../core/value';

/**
 * Whether the value is a real time: a year after 1999 or a Unix time. A placeholder such as "N/A", "0001-01-01T00:00:00Z" or 0 is
 * the same in every event and would make different events look equal.
 */
const isTime = (value: unknown): boolean =>
	typeof value === 'number'
		? value > 0
		: typeof value === 'string' && /(?:^|\D)2\d{3}|^[1-9]\d{9,}$/.test(value);

/**
 * The fields that identify an event. Other fields are left out, because a duplicate may differ in them, such as in a counter of
 * attempts. If an identifying field is missing, all fields are compared: if unsure, deliver again rather than drop.
 */
const identityOf = (element: CallbackElement): unknown[] => {
	if (!isEvent(element)) return [element.event, element.raw];
	const { event, source, id, status, time, raw } = element;
	const details = events[event].identity.map((field) => element[field]);
	if (!isTime(time) || details.some(isEmpty)) return [source, event, raw];
	return [source, event, id, status, time, ...details];
};

/** Keeps keys short, however long the service's fields are. */
const hash = (text: string) => createHash('sha256').update(text).digest('base64').slice(0, 24);

/**
 * One key for each element of a call: equal for a callback and its duplicate in a later call, different for everything else.
 * Equal elements of one call are different events, so their keys include their position: the first, the second and so on.
 */
export const keysOf = (elements: readonly CallbackElement[]): string[] => {
	const counts = new Map<string, number>();
	return elements.map((element) => {
		const key = hash(JSON.stringify(identityOf(element)));
		const before = counts.get(key) ?? 0;
		counts.set(key, before + 1);
		return before === 0 ? key : hash(`${key} ${before}`);
	});
};
