import type { IDataObject } from 'n8n-workflow';
import { Sender } from '../../../../core/contract/sender';
import { toItem } from '../../../../core/engine/items';
import type { z } from '../../../../vendor/zod';

/** What people look at; the raw object has sixteen fields. */
export const SimpleSender = Sender.pick({
	id: true,
	senderName: true,
	channelType: true,
	brand: true,
	commonType: true,
	status: true,
	suspended: true,
	suspendReason: true,
	dateFrom: true,
	dateTo: true,
});

export const toSenderItem = (
	sender: z.output<typeof Sender>,
	{ simplify }: { simplify: boolean },
): IDataObject => toItem(sender, simplify ? SimpleSender : undefined);
