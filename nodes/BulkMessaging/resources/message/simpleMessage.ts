import type { IDataObject } from 'n8n-workflow';
import { ApiMessage } from '../../../../core/contract/message';
import { outcomeByStatus } from '../../../../core/contract/readEvent';
import { toItem } from '../../../../core/engine/items';
import { isRecord } from '../../../../core/json';
import { z } from '../../../../vendor/zod';

/** The fields people usually need; the raw object has more than thirty. */
const ShownFields = ApiMessage.pick({
	messageUuid: true,
	externalMessageId: true,
	dispatchId: true,
	trafficCenterId: true,
	direction: true,
	channelType: true,
	senderName: true,
	destination: true,
	content: true,
	specialContent: true,
	status: true,
	statusTime: true,
	readStatus: true,
	errorCode: true,
	price: true,
	createdTime: true,
	sentTime: true,
});

/** A dispatch's messages have their text, parts and outcome under the same names. */
export const SimpleMessage = z
	.object({ outcome: z.string(), text: z.string(), parts: z.number() })
	.extend(ShownFields.omit({ content: true }).shape);

const textInContent = (content: unknown): unknown => (isRecord(content) ? content.text : content);

/** Content with nothing but a text is shown as `text` only; any other content is shown in full as well. */
const isOnlyText = (content: unknown): boolean =>
	!isRecord(content) ||
	Object.keys(content).every((name) => name === 'text' || name === 'contentType');

export const toMessageItem = (entry: unknown, { simplify }: { simplify: boolean }): IDataObject => {
	if (!simplify || !isRecord(entry)) return toItem(entry);
	const { content, ...shown } = toItem(entry, ShownFields);
	const text = textInContent(content) ?? textInContent(entry.specialContent);
	return {
		outcome: outcomeByStatus(entry.status),
		...shown,
		...(typeof text === 'string' && { text }),
		...(!isOnlyText(content) && { content }),
		...(typeof entry.totalParts === 'number' && { parts: entry.totalParts }),
	};
};
