import type { IDataObject } from 'n8n-workflow';
import { z } from '../../vendor/zod';
import { messageErrors } from '../contract/errors';
import { isRecord } from '../json';
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
const outcomesWithoutStatus = new Map([
	['price', 'priced'],
	['click', 'clicked'],
]);

/** The partner API writes statuses in capitals. */
export const statusOf = ({ raw: { status } }: CallbackEvent): string | undefined =>
	typeof status === 'string' ? status.toLowerCase() : undefined;

const outcomeOf = (event: CallbackEvent) =>
	outcomesWithoutStatus.get(event.event) ?? outcomes.get(statusOf(event) ?? '');

/** When it happened, in the service's own words. */
export const timeOf = ({ event, source, raw }: CallbackEvent): unknown => {
	if (source === 'dispatch') return event === 'sent' ? raw.sentAt : raw.deliveredAt;
	return raw.status_time ?? raw.price_time ?? raw.click_time;
};

const meaningOf = (code: unknown) =>
	typeof code === 'number' && Object.hasOwn(messageErrors, code) ? messageErrors[code] : undefined;

const textOf = ({ content, specialContent }: Record<string, unknown>): unknown => {
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

/** As far as the event has them. Nothing is made up, nothing is converted. */
const simplifyEvent = (callback: CallbackEvent): IDataObject => {
	const { event, source, raw } = callback;
	const item = isRecord(raw.item) ? raw.item : {};
	const errorCode = raw.error_code ?? raw.errorCode;
	const fields: Record<keyof z.infer<typeof SimplifiedEvent>, unknown> = {
		event,
		outcome: outcomeOf(callback),
		status: raw.status,
		messageUuid: raw.message_uuid ?? raw.messageUuid,
		externalMessageId: raw.external_message_id ?? raw.externalMessageId ?? item.externalMessageId,
		destination: raw.destination ?? item.destination,
		channelType: raw.channel_type ?? raw.channelType ?? item.channelType,
		cascadeMessageUuid: raw.cascade_message_uuid,
		cascadeStep: raw.cascade_step,
		errorCode,
		errorMeaning: meaningOf(errorCode),
		occurredAt: timeOf(callback),
		parts: raw.parts ?? item.totalParts,
		price: raw.price,
		currency: raw.currency,
		url: raw.url,
		shortUrl: raw.short_url,
		text: textOf(item),
		senderName: item.senderName,
		source,
	};
	// What came as JSON is data for n8n too.
	return Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
	) as IDataObject;
};

export const simplify = (element: CallbackElement): IDataObject =>
	isEvent(element) ? simplifyEvent(element) : ({ ...element } as IDataObject);
