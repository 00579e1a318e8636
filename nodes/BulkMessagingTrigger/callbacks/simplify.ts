import type { IDataObject } from 'n8n-workflow';
import { z } from '../../../vendor/zod';
import { messageErrorText } from '../../../core/contract/errors';
import { outcomeOf, type ReportedEvent } from '../../../core/contract/readEvent';
import { isRecord } from '../../../core/json';
import { isEvent, type CallbackElement } from './parse';

/** The same field names for all events. An item has only the fields that its event has. */
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
	contentType: z.string(),
	specialContent: z.object({}).passthrough(),
	senderName: z.string(),
	trafficCenterId: z.number(),
	direction: z.string(),
	sendingMethod: z.string(),
	createdTime: z.string(),
	sentTime: z.string(),
	source: z.string(),
});

const contentOf = ({ specialContent }: ReportedEvent['item']) =>
	isRecord(specialContent) ? specialContent : undefined;

/** What an inbound message contains besides its text, such as a picture. */
const mediaOf = (item: ReportedEvent['item']) => {
	const content = contentOf(item) ?? {};
	const isMore = Object.keys(content).some((name) => name !== 'text' && name !== 'contentType');
	return isMore ? content : undefined;
};

/** Only fields that the event has; no defaults. */
const simplifyEvent = (reported: ReportedEvent): IDataObject => {
	const { errorCode, text, item } = reported;
	const { senderName, trafficCenterId, direction, sendingMethod, createdTime, sentTime } = item;
	const outcome = outcomeOf(reported);
	const fields: Record<keyof z.infer<typeof SimplifiedEvent>, unknown> & { raw: unknown } = {
		...reported,
		outcome,
		messageUuid: reported.id,
		errorMeaning: messageErrorText(errorCode),
		occurredAt: reported.time,
		contentType: contentOf(item)?.contentType,
		specialContent: mediaOf(item),
		senderName,
		trafficCenterId,
		direction,
		sendingMethod,
		createdTime,
		sentTime,
	};
	const names = SimplifiedEvent.keyof().options;
	// If the recipient's text isn't in the expected field, the raw event is added so that the text isn't lost.
	const isUnread = outcome === 'received' && typeof text !== 'string';
	const given = [...names, ...(isUnread ? (['raw'] as const) : [])]
		.map((name) => [name, fields[name]] as const)
		.filter(([, value]) => value !== undefined && value !== null);
	// The values were parsed from JSON, so they are valid item data.
	return Object.fromEntries(given) as IDataObject;
};

export const simplify = (element: CallbackElement): IDataObject =>
	isEvent(element) ? simplifyEvent(element) : ({ ...element } as IDataObject);
