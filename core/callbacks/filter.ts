import { isEvent, type CallbackElement, type Source } from './parse';
import { statusOf } from './simplify';

export interface CallbackFilter {
	events: readonly string[];
	/** Empty or left out: every one. */
	status?: readonly string[];
	channelType?: readonly string[];
	source?: readonly Source[];
	externalMessageId?: string;
}

/**
 * Whether a text matches a pattern in which `*` stands for anything. Pieces are looked for from left to right, each once,
 * so no pattern can be slow.
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

const isAmong = (value: unknown, wanted: readonly string[] = []) =>
	wanted.length === 0 || typeof value !== 'string' || wanted.includes(value);

const hasOwnId = (value: unknown, pattern: string) =>
	pattern === '' || (typeof value === 'string' && matchesPattern(pattern, value));

/**
 * Whether the workflow wants it. Status and channel decide only about events that have one. What cannot be understood cannot
 * be judged either: it always passes.
 */
export const passes = (element: CallbackElement, filter: CallbackFilter): boolean => {
	if (!isEvent(element)) return true;
	const { event, source, raw } = element;
	return (
		filter.events.includes(event) &&
		isAmong(source, filter.source) &&
		isAmong(statusOf(element), filter.status) &&
		isAmong(raw.channel_type ?? raw.channelType, filter.channelType) &&
		hasOwnId(raw.external_message_id ?? raw.externalMessageId, filter.externalMessageId ?? '')
	);
};
