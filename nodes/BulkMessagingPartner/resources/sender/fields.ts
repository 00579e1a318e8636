import { Sender, type SenderEntry } from '../../../../core/contract/sender';
import type { Param } from '../../../../core/engine/params';
import { simplifiedTo } from '../../../shared/lists';
import { listOrId } from '../../../shared/locators';

export const senderId = {
	displayName: 'Sender Name',
	name: 'id',
	required: true,
	validateType: 'number',
	...listOrId('Select a sender name…', 'searchSenders', 'e.g. 315'),
} as const satisfies Param;

/** The fields most people need: the raw object also repeats the company's data. */
export const SimpleSender = Sender.pick({
	senderName: true,
	brand: true,
	status: true,
	suspended: true,
	suspendReason: true,
	managerComment: true,
	channelType: true,
	dateFrom: true,
	dateTo: true,
	id: true,
});

export const toSenderItem = simplifiedTo(SimpleSender);

export const toSenderItems = (sender: SenderEntry, values: { simplify: boolean }) => [
	toSenderItem(sender, values),
];
