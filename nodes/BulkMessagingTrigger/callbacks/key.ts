import { createHash } from 'crypto';
import { events } from '../../../core/contract/events';
import { isEvent, type CallbackElement } from './parse';

/**
 * Whether it says when something happened. It needs a year after 1999 or a Unix time: a placeholder such as "N/A",
 * "0001-01-01T00:00:00Z" or 0 is the same in every event and would make different events look equal.
 */
const isTime = (value: unknown): boolean =>
	typeof value === 'number'
		? value > 0
		: typeof value === 'string' && /(?:^|\D)2\d{3}|^[1-9]\d{9,}$/.test(value);

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== '';

/**
 * A duplicate may differ in fields that say nothing about the event, such as a counter of attempts. Only when a field that
 * identifies the event is missing, every field does: if unsure, deliver again rather than drop.
 */
const identityOf = (element: CallbackElement): unknown[] => {
	if (!isEvent(element)) return [element.event, element.raw];
	const { event, source, id, status, time, raw } = element;
	const details = events[event].identity.map((field) => element[field]);
	if (!isTime(time) || !details.every(isGiven)) return [source, event, raw];
	return [source, event, id, status, time, ...details];
};

/** Short, whatever the service puts into a field. */
const hash = (text: string) => createHash('sha256').update(text).digest('base64').slice(0, 24);

/**
 * One key for each element of a call: equal for a callback and its duplicate in a later call, different for everything else.
 * Equal elements of one call are different events, so their keys hold which of them it is: the first, the second and so on.
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
