import { isRecord } from '../json';
import { messageErrorText } from './errors';
import {
	eventFields,
	eventRow,
	statusRow,
	type EventField,
	type EventName,
	type EventSource,
} from './events';
import { idIn, isBlank } from '../value';

/** The fields of a callback from either API, with unchanged values. */
type ReportedFields = { readonly [Field in EventField]: unknown } & {
	/** The service's message ID; `undefined` if there is none. */
	readonly id: string | undefined;
	/** The message object that inbound callbacks contain. */
	readonly item: Readonly<Record<string, unknown>>;
	/** What the recipient wrote. */
	readonly text: unknown;
	readonly raw: Readonly<Record<string, unknown>>;
};

/** One event of one message, in the same form for both APIs. */
export interface ReportedEvent extends ReportedFields {
	readonly event: EventName;
	readonly source: EventSource;
	readonly id: string;
	/** When it happened, as the service writes it. */
	readonly time: unknown;
}

/** The messaging API writes `channelType` as `channel_type`. */
const inSnakeCase = (name: string) => name.replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`);

const spellings = eventFields.map((name) => [name, inSnakeCase(name)] as const);

/** The names that only callbacks have, by API. */
export const wireNames = {
	message: { event: 'callback_event', id: 'message_uuid' },
	dispatch: { event: 'event', id: 'messageUuid' },
} as const satisfies Record<EventSource, { event: string; id: string }>;

export const eventSources = ['message', 'dispatch'] as const satisfies readonly EventSource[];

/** The text of a message, in the form in which the messaging API returns messages. */
export const textOfItem = (item: unknown): unknown => {
	if (!isRecord(item)) return typeof item === 'string' ? item : undefined;
	const { content, specialContent } = item;
	if (typeof content === 'string' && content !== '') return content;
	return [specialContent, content].find(isRecord)?.text ?? (content === '' ? content : undefined);
};

/** Fields that an inbound callback has only in its `item`. */
const namesInItem: Partial<Record<EventField, string>> = {
	externalMessageId: 'externalMessageId',
	destination: 'destination',
	channelType: 'channelType',
	parts: 'totalParts',
};

/** Reads a callback from either API, in either spelling, even if its event isn't known. */
export const readFields = (raw: Readonly<Record<string, unknown>>): ReportedFields => {
	const item = isRecord(raw.item) ? raw.item : {};
	const fields = Object.fromEntries(
		spellings.map(([name, snake]) => {
			const inItem = namesInItem[name];
			return [name, raw[snake] ?? raw[name] ?? (inItem === undefined ? undefined : item[inItem])];
		}),
	) as { [Field in EventField]: unknown };
	const id = idIn(raw[wireNames.message.id]) ?? idIn(raw[wireNames.dispatch.id]);
	return { ...fields, id, item, text: textOfItem(raw.item), raw };
};

/**
 * Recognizes a callback by a known event name and a message ID alone. The service may send the other fields differently from the
 * contract, and a result without its time is still a result.
 */
export const readEvent = (raw: unknown): ReportedEvent | undefined => {
	if (!isRecord(raw)) return undefined;
	for (const source of eventSources) {
		const names = wireNames[source];
		const event = raw[names.event];
		const wire = typeof event === 'string' ? eventRow(event)?.[source] : undefined;
		const id = idIn(raw[names.id]);
		if (wire === undefined || id === undefined) continue;
		// The name has a row in the table, so the cast is safe.
		return { ...readFields(raw), event: event as EventName, source, id, time: raw[wire.time] };
	}
	return undefined;
};

/** In lower case, because only the partner API writes statuses in capitals. `undefined` if there is no text. */
export const comparable = (value: unknown): string | undefined =>
	typeof value === 'string' && !isBlank(value) ? value.trim().toLowerCase() : undefined;

/** What happened to a message, in one word, by its status in either API. */
export const outcomeByStatus = (status: unknown): string =>
	statusRow(comparable(status) ?? '')?.outcome ?? 'unknown';

/** What happened, in one word; `undefined` if neither the event nor its status is known. */
export const outcomeOf = ({ event, status }: ReportedEvent): string | undefined =>
	eventRow(event)?.outcome ?? statusRow(comparable(status) ?? '')?.outcome;

/** Why a message failed or wasn't read, as a sentence; `undefined` if it didn't or nothing is known about it. */
export const reasonByStatus = (status: unknown, errorCode: unknown): string | undefined => {
	const row = statusRow(comparable(status) ?? '');
	const isMissed = row?.outcome === 'failed' || row?.outcome === 'notRead';
	// With another status, a code isn't a reason: nothing is to be done about a message that was delivered.
	if (row !== undefined && !isMissed) return undefined;
	return messageErrorText(errorCode) ?? (row && `${row.description}.`);
};
