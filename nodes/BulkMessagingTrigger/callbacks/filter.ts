import type { EventSource } from '../../../core/contract/events';
import { comparable, outcomeByStatus } from '../../../core/contract/readEvent';
import { type CallbackElement, isEvent } from './parse';

/**
 * Whether a text matches a pattern in which `*` matches any text. Searches for each piece once, from left to right, so that no
 * pattern can be slow.
 */
export const matchesPattern = (pattern: string, text: string): boolean => {
	const [first = '', ...rest] = pattern.split('*');
	const last = rest.pop();
	if (last === undefined) return text === pattern;
	if (text.length < first.length + last.length) return false;
	if (!text.startsWith(first) || !text.endsWith(last)) return false;
	const end = text.length - last.length;
	let from = first.length;
	for (const piece of rest) {
		const found = text.indexOf(piece, from);
		if (found === -1 || found + piece.length > end) return false;
		from = found + piece.length;
	}
	return true;
};

/** Matches the statuses of both APIs that mean that a message failed. */
export const anyFailure = 'anyFailure';

interface CallbackFilter {
	events: readonly string[];
	/** Empty or missing: all. */
	status?: readonly string[];
	channelType?: readonly string[];
	source?: readonly EventSource[];
	externalMessageId?: string;
}

/**
 * Ignores case, because the two interfaces differ in it. An event whose value is missing or isn't text passes, because it can't
 * be compared: the workflow can still drop an unwanted event, but an event dropped here is lost.
 */
const isAmong = (value: unknown, wanted: readonly string[] = []) => {
	const text = comparable(value);
	return (
		wanted.length === 0 || text === undefined || wanted.some((one) => comparable(one) === text)
	);
};

const hasStatus = (status: unknown, wanted: readonly string[] = []) =>
	isAmong(status, wanted) || (wanted.includes(anyFailure) && outcomeByStatus(status) === 'failed');

/** An event without a custom message ID does not pass: it belongs to a message that was sent without one. */
const hasExternalId = (value: unknown, pattern: string) =>
	pattern === '' ||
	((typeof value === 'string' || typeof value === 'number') &&
		matchesPattern(pattern, String(value)));

/** Whether the element starts the workflow. Unrecognized elements always pass, because there is nothing to compare. */
export const passes = (element: CallbackElement, filter: CallbackFilter): boolean => {
	if (!isEvent(element)) return true;
	return (
		filter.events.includes(element.event) &&
		isAmong(element.source, filter.source) &&
		hasStatus(element.status, filter.status) &&
		isAmong(element.channelType, filter.channelType) &&
		hasExternalId(element.externalMessageId, filter.externalMessageId ?? '')
	);
};
