import type { IDataObject } from 'n8n-workflow';
import { z } from '../../../vendor/zod';
import { outputEventOf } from '../../../core/contract/events';
import { sendingMethodIn } from '../../../core/contract/message';
import { outcomeOf, reasonByStatus, type ReportedEvent } from '../../../core/contract/readEvent';
import { isRecord } from '../../../core/json';
import { isEvent, type CallbackElement } from './parse';

/** What 'Add Message' adds to an event: the message, or why it or a part of it is missing. */
export interface AddedMessage {
	destination?: string;
	senderName?: string;
	text?: string;
	messageError?: string;
}

/** The same field names for all events. An item has only the fields that its event has. */
export const SimplifiedEvent = z.object({
	event: z.string(),
	outcome: z.string(),
	reason: z.string(),
	destination: z.string(),
	senderName: z.string(),
	text: z.string(),
	messageError: z.string(),
	channelType: z.string(),
	status: z.string(),
	errorCode: z.number(),
	occurredAt: z.string(),
	parts: z.number(),
	price: z.number(),
	currency: z.string(),
	url: z.string(),
	shortUrl: z.string(),
	contentType: z.string(),
	specialContent: z.object({}).passthrough(),
	direction: z.string(),
	sendingMethod: z.string(),
	createdTime: z.string(),
	sentTime: z.string(),
	source: z.string(),
	externalMessageId: z.string(),
	messageUuid: z.string(),
	cascadeMessageUuid: z.string(),
	cascadeStep: z.number(),
	trafficCenterId: z.number(),
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
const simplifyEvent = (reported: ReportedEvent, added: AddedMessage): IDataObject => {
	const { text, item } = reported;
	const { senderName, trafficCenterId, direction, createdTime, sentTime } = item;
	const outcome = outcomeOf(reported);
	const fields: Record<keyof z.infer<typeof SimplifiedEvent>, unknown> & { raw: unknown } = {
		...reported,
		event: outputEventOf(reported.event),
		outcome,
		reason: reasonByStatus(reported.status, reported.errorCode),
		messageUuid: reported.id,
		occurredAt: reported.time,
		contentType: contentOf(item)?.contentType,
		specialContent: mediaOf(item),
		senderName,
		messageError: undefined,
		trafficCenterId,
		direction,
		sendingMethod: sendingMethodIn(item),
		createdTime,
		sentTime,
		...added,
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

export const simplify = (element: CallbackElement, added: AddedMessage): IDataObject =>
	isEvent(element) ? simplifyEvent(element, added) : ({ ...element } as IDataObject);
