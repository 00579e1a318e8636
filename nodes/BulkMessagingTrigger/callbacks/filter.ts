import type { EventSource } from '../../../core/contract/events';
import { comparable } from '../../../core/contract/readEvent';
import { isEvent, type CallbackElement } from './parse';
import { matchesPattern } from './pattern';

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
		isAmong(element.status, filter.status) &&
		isAmong(element.channelType, filter.channelType) &&
		hasExternalId(element.externalMessageId, filter.externalMessageId ?? '')
	);
};
