import type { IDataObject } from 'n8n-workflow';
import { Sender, type SenderEntry } from '../../../../core/contract/sender';
import { toItem } from '../../../../core/engine/items';

/** The fields most people need: the raw object also repeats the company's data. */
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
	fee: true,
	managerComment: true,
	rejectedAt: true,
});

export const toSenderItem = (
	sender: SenderEntry,
	{ simplify }: { simplify: boolean },
): IDataObject => toItem(sender, simplify ? SimpleSender : undefined);
