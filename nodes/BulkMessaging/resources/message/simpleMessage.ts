import type { IDataObject } from 'n8n-workflow';
import { ApiMessage } from '../../../../core/contract/message';
import { toItem } from '../../../../core/engine/items';

/** What people look at; the raw object has more than thirty fields. */
export const SimpleMessage = ApiMessage.pick({
	messageUuid: true,
	externalMessageId: true,
	direction: true,
	channelType: true,
	senderName: true,
	destination: true,
	content: true,
	status: true,
	statusTime: true,
	readStatus: true,
	errorCode: true,
	totalParts: true,
	price: true,
	createdTime: true,
	sentTime: true,
});

export const toMessageItem = (entry: unknown, { simplify }: { simplify: boolean }): IDataObject =>
	toItem(entry, simplify ? SimpleMessage : undefined);
