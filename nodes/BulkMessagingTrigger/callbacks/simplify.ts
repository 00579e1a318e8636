import type { IDataObject } from 'n8n-workflow';
import { z } from '../../../vendor/zod';
import { messageErrors } from '../../../core/contract/errors';
import { isRecord } from '../../../core/json';
import { isEvent, type CallbackElement, type CallbackEvent } from './parse';

/** `delivered` can carry undelivered or unsent: what came of a message is told by its status, not by the event. */
const outcomes = new Map([
	['delivered', 'delivered'],
	['undelivered', 'failed'],
	['unsent', 'failed'],
	['failed', 'failed'],
	['sent', 'sent'],
	['read', 'read'],
	['unread', 'notRead'],
	['inbound_sent', 'received'],
]);
/** These events say by themselves what happened, whatever the status of their message is. */
const outcomesOfEvents = new Map([
	['price', 'priced'],
	['click', 'clicked'],
	['inbound_sent', 'received'],
]);

const itemOf = ({ raw: { item } }: CallbackEvent) => (isRecord(item) ? item : {});

export const statusOf = ({ raw }: CallbackEvent): unknown => raw.status;

export const channelOf = (callback: CallbackEvent): unknown =>
	callback.raw.channel_type ?? callback.raw.channelType ?? itemOf(callback).channelType;

export const externalIdOf = (callback: CallbackEvent): unknown =>
	callback.raw.external_message_id ??
	callback.raw.externalMessageId ??
	itemOf(callback).externalMessageId;

/** The partner API writes statuses in capitals, the messaging API does not. */
export const plain = (value: unknown): string | undefined =>
	typeof value === 'string' && value.trim() !== '' ? value.trim().toLowerCase() : undefined;

const outcomeOf = (callback: CallbackEvent) =>
	outcomesOfEvents.get(callback.event) ?? outcomes.get(plain(statusOf(callback)) ?? '');

/**
 * When it happened, in the service's own words. Only the time of this very event: a click may also carry the time of its
 * message's status, which is the same for every click.
 */
export const timeOf = ({ event, source, raw }: CallbackEvent): unknown => {
	if (source === 'dispatch') return event === 'sent' ? raw.sentAt : raw.deliveredAt;
	if (event === 'price') return raw.price_time;
	return event === 'click' ? raw.click_time : raw.status_time;
};

/** "1.50" is plainly a number. "1,50" is not: it may be one and a half or 150. Longer texts would lose digits. */
const numberOf = (value: unknown): unknown =>
	typeof value === 'string' && value.length <= 15 && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value)
		? Number(value)
		: value;

const meaningOf = (code: unknown) =>
	typeof code === 'number' && Object.hasOwn(messageErrors, code) ? messageErrors[code] : undefined;

const textOf = ({ raw: { item } }: CallbackEvent): unknown => {
	if (!isRecord(item)) return typeof item === 'string' ? item : undefined;
	const { content, specialContent } = item;
	if (typeof content === 'string') return content;
	const special = [specialContent, content].find(isRecord);
	return special?.text;
};

/** One name for the same thing in all events. An item has those that its event has. */
export const SimplifiedEvent = z.object({
	event: z.string(),
	outcome: z.string(),
	status: z.string(),
	messageUuid: z.string(),
	externalMessageId: z.string(),
	destination: z.string(),
	channelType: z.string(),
	cascadeMessageUuid: z.string(),
	cascadeStep: z.number(),
	errorCode: z.number(),
	errorMeaning: z.string(),
	occurredAt: z.string(),
	parts: z.number(),
	price: z.number(),
	currency: z.string(),
	url: z.string(),
	shortUrl: z.string(),
	text: z.string(),
	senderName: z.string(),
	source: z.string(),
});

/** As far as the event has them. Nothing is made up. */
const simplifyEvent = (callback: CallbackEvent): IDataObject => {
	const { event, source, id, raw } = callback;
	const item = itemOf(callback);
	const text = textOf(callback);
	const errorCode = raw.error_code ?? raw.errorCode;
	const fields: Record<keyof z.infer<typeof SimplifiedEvent>, unknown> = {
		event,
		outcome: outcomeOf(callback),
		status: statusOf(callback),
		messageUuid: id,
		externalMessageId: externalIdOf(callback),
		destination: raw.destination ?? item.destination,
		channelType: channelOf(callback),
		cascadeMessageUuid: raw.cascade_message_uuid,
		cascadeStep: raw.cascade_step,
		errorCode,
		errorMeaning: meaningOf(errorCode),
		occurredAt: timeOf(callback),
		parts: numberOf(raw.parts ?? item.totalParts),
		price: numberOf(raw.price),
		currency: raw.currency,
		url: raw.url,
		shortUrl: raw.short_url,
		text,
		senderName: item.senderName,
		source,
	};
	// What somebody has written must not get lost because it is not where it is expected.
	const isUnread = event === 'inbound_sent' && typeof text !== 'string';
	const given = Object.entries({ ...fields, ...(isUnread && { raw }) });
	// What came as JSON is data for n8n too.
	return Object.fromEntries(
		given.filter(([, value]) => value !== undefined && value !== null),
	) as IDataObject;
};

export const simplify = (element: CallbackElement): IDataObject =>
	isEvent(element) ? simplifyEvent(element) : ({ ...element } as IDataObject);
