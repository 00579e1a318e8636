import { partner } from '../../../../core/contract/partner';
import { isConfirmed } from '../../../../core/engine/items';
import { defineOperation } from '../../../../core/engine/operation';
import { ServiceError } from '../../../../core/transport/errors';
import { checkRequest, send } from '../../../../core/transport/send';
import { simplifyParam } from '../../../shared/lists';
import { companyForList, senderId } from '../../shared/locators';
import { SimpleSender, toSenderItem } from './simpleSender';

const toSuspension = (id: number, reason: string | undefined) => ({
	path: { id },
	body: { reason: reason || undefined },
});

export const close = defineOperation({
	value: 'close',
	name: 'Close',
	action: 'Close sender name',
	description:
		"Close a sender name permanently: sets its end date and, unless you turn off 'Suspend Too', suspends it right away",
	output: SimpleSender,
	params: [
		companyForList,
		senderId,
		{
			displayName: 'Valid Until',
			name: 'dateTo',
			type: 'dateTime',
			default: '',
			required: true,
			description:
				'The closing date. The service may restrict it, for example to the end of a month.',
		},
		{
			displayName: 'Suspend Too',
			name: 'suspend',
			type: 'boolean',
			default: true,
			description:
				'Whether to also stop messages under this name right away. The closing date ends the registration, and suspending stops the messages. To end the service completely, you need both.',
		},
		{
			displayName: 'Reason',
			name: 'reason',
			type: 'string',
			default: '',
			placeholder: 'e.g. The brand is no longer used',
			displayOptions: { show: { suspend: [true] } },
			description: 'Stored with the sender name for later reference',
		},
		simplifyParam,
	],
	effect: 'repeatable',
	check: ({ id, dateTo, reason }) => {
		checkRequest(partner.senderUpdate, { path: { id }, body: { dateTo } });
		checkRequest(partner.senderSuspend, toSuspension(id, reason));
	},
	each: async ({ id, dateTo, suspend, reason, simplify: simple }, run, itemIndex) => {
		const { context } = run;
		const closed = await send(context, partner.senderUpdate, { path: { id }, body: { dateTo } });
		const isClosed = isConfirmed(partner.senderUpdate, closed, (sender) => sender.dateTo !== null);
		const toEntry = (sender: typeof closed, isDone: boolean) =>
			isDone ? toSenderItem(sender, { simplify: simple }) : run.unconfirmed(itemIndex, sender);
		if (!suspend) return [toEntry(closed, isClosed)];
		const outcome = await send(context, partner.senderSuspend, toSuspension(id, reason)).then(
			(sender) => ({ sender }),
			(error: unknown) => ({ error }),
		);
		if ('sender' in outcome) {
			const { sender } = outcome;
			const isSuspended = isConfirmed(partner.senderSuspend, sender, ({ suspended }) => suspended);
			return [toEntry(sender, isClosed && isSuspended)];
		}
		const { error } = outcome;
		throw error instanceof ServiceError
			? error.after(
					"The closing date was set, but the sender name couldn't be suspended. To stop its messages now, use 'Suspend'.",
				)
			: error;
	},
});
