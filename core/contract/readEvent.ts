import { isRecord } from '../json';
import {
	eventFields,
	eventRow,
	statusRow,
	type EventField,
	type EventName,
	type EventSource,
} from './events';

/** What a callback says about a message, whichever interface wrote it. The values are as they came. */
type ReportedFields = { readonly [Field in EventField]: unknown } & {
	/** The service's ID of the message; nothing where none can be told. */
	readonly id: string | undefined;
	/** The message as the service shows it; inbound callbacks have it. */
	readonly item: Readonly<Record<string, unknown>>;
	/** What the subscriber wrote. */
	readonly text: unknown;
	readonly raw: Readonly<Record<string, unknown>>;
};

/** One event of one message, in one form for both interfaces. */
export interface ReportedEvent extends ReportedFields {
	readonly event: EventName;
	readonly source: EventSource;
	readonly id: string;
	/** When it happened, in the service's own words. */
	readonly time: unknown;
}

/** `channelType` is `channel_type` for the messaging API. */
const inSnakeCase = (name: string) => name.replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`);

const spellings = eventFields.map((name) => [name, inSnakeCase(name)] as const);

/** The names that only a callback has, by interface. */
export const wireNames = {
	message: { event: 'callback_event', id: 'message_uuid' },
	dispatch: { event: 'event', id: 'messageUuid' },
} as const satisfies Record<EventSource, { event: string; id: string }>;

export const eventSources = ['message', 'dispatch'] as const satisfies readonly EventSource[];

/** JSON rounds very large numbers, so two messages could share one. Such a number identifies no message. */
const readId = (value: unknown): string | undefined => {
	if (typeof value === 'string') return value.trim() === '' ? undefined : value;
	return Number.isSafeInteger(value) ? String(value) : undefined;
};

const textOfItem = (item: unknown): unknown => {
	if (!isRecord(item)) return typeof item === 'string' ? item : undefined;
	const { content, specialContent } = item;
	if (typeof content === 'string') return content;
	return [specialContent, content].find(isRecord)?.text;
};

/** What an inbound callback says in its `item` only. */
const namesInItem: Partial<Record<EventField, string>> = {
	externalMessageId: 'externalMessageId',
	destination: 'destination',
	channelType: 'channelType',
	parts: 'totalParts',
};

/** Reads a callback of either interface, in either spelling, whether or not its event is known. */
export const readFields = (raw: Readonly<Record<string, unknown>>): ReportedFields => {
	const item = isRecord(raw.item) ? raw.item : {};
	const fields = Object.fromEntries(
		spellings.map(([name, snake]) => {
			const inItem = namesInItem[name];
			return [name, raw[snake] ?? raw[name] ?? (inItem === undefined ? undefined : item[inItem])];
		}),
	) as { [Field in EventField]: unknown };
	const id = readId(raw[wireNames.message.id]) ?? readId(raw[wireNames.dispatch.id]);
	return { ...fields, id, item, text: textOfItem(raw.item), raw };
};

/**
 * A known event name and a message ID are enough. The service is not bound to send the other fields as the contract shows
 * them, and a result without its time is still a result.
 */
export const readEvent = (raw: unknown): ReportedEvent | undefined => {
	if (!isRecord(raw)) return undefined;
	for (const source of eventSources) {
		const names = wireNames[source];
		const event = raw[names.event];
		const wire = typeof event === 'string' ? eventRow(event)?.[source] : undefined;
		const id = readId(raw[names.id]);
		if (wire === undefined || id === undefined) continue;
		// It has a row.
		return { ...readFields(raw), event: event as EventName, source, id, time: raw[wire.time] };
	}
	return undefined;
};

/** The partner API writes statuses in capitals, the messaging API doesn't. Nothing where there is no text. */
export const comparable = (value: unknown): string | undefined =>
	typeof value === 'string' && value.trim() !== '' ? value.trim().toLowerCase() : undefined;

/** What became of a message, in one word, by the status that either interface shows for it. */
export const outcomeByStatus = (status: unknown): string => {
	const known = comparable(status) ?? '';
	return known === 'created' ? 'pending' : (statusRow(known)?.outcome ?? 'unknown');
};

/** What happened, in one word; nothing where neither the event nor its status says so. */
export const outcomeOf = ({ event, status }: ReportedEvent): string | undefined =>
	eventRow(event)?.outcome ?? statusRow(comparable(status) ?? '')?.outcome;
