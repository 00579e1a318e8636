import { partner } from '../../../../core/contract/partner';
import { isConfirmed, toUnconfirmedItem } from '../../../../core/engine/items';
import { defineOperation, type Resource } from '../../../../core/engine/operation';
import type { Param } from '../../../../core/engine/params';
import { ServiceError } from '../../../../core/transport/outcome';
import { checkRequest, send } from '../../../../core/transport/send';
import { channelOptions } from '../../../shared/channels';
import { filterCollection, simplifyParam, splitList } from '../../../shared/lists';
import { companyForList, companyId } from '../../../shared/locators';
import { brandOptions, commonTypeOptions } from '../../../shared/senderNames';
import { senderStatusOptions } from '../../../shared/options';
import { create, update } from './register';
import { senderId, SimpleSender, toSenderItem, toSenderItems } from './fields';

const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many sender names',
	description:
		"List a company's sender names, all or filtered by status, operator, channel, message type or country",
	endpoint: partner.senderList,
	output: SimpleSender,
	params: [
		companyId,
		{
			...filterCollection([
				{
					displayName: 'Channels',
					name: 'channelType',
					type: 'multiOptions',
					options: channelOptions,
					allowArbitraryValues: true,
					default: [],
				},
				{
					displayName: 'Country Codes',
					name: 'countryCode',
					type: 'string',
					default: '',
					placeholder: 'e.g. RU, KZ',
					description: 'One or more, separated by commas',
				},
				{
					displayName: 'Message Types',
					name: 'commonType',
					type: 'multiOptions',
					options: commonTypeOptions,
					default: [],
					description: 'The types of messages sent under the name',
				},
				{
					displayName: 'Operators',
					name: 'brand',
					type: 'multiOptions',
					options: brandOptions,
					default: [],
				},
				{
					displayName: 'Statuses',
					name: 'status',
					type: 'multiOptions',
					options: senderStatusOptions,
					default: [],
				},
			]),
			description:
				'A sender name must match every filter you add. Within one filter, any of the values is enough.',
		},
		simplifyParam,
	],
	request: ({ companyId: company, filters: { countryCode, ...filters } }) => ({
		query: { companyId: company, ...filters, countryCode: splitList(countryCode) },
	}),
	toItems: (senders, values) => senders.map((sender) => toSenderItem(sender, values)),
});

const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get sender name',
	description: 'Get one sender name with its status',
	endpoint: partner.senderGet,
	output: SimpleSender,
	params: [companyId, senderId, simplifyParam],
	request: ({ companyId: company, id }) => ({ path: { id }, query: { companyId: company } }),
	toItems: toSenderItems,
});

const reasonParam = {
	displayName: 'Reason',
	name: 'reason',
	type: 'string',
	default: '',
	placeholder: 'e.g. Complaints from recipients',
	description: 'Stored with the sender name for later reference',
} as const satisfies Param;

const toSuspension = ({ id, reason }: { id: number; reason: string | undefined }) => ({
	path: { id },
	body: { reason: reason || undefined },
});

const suspend = defineOperation({
	value: 'suspend',
	name: 'Suspend',
	action: 'Suspend sender name',
	done: { one: 'sender name suspended', many: 'sender names suspended' },
	description:
		"Stop all messages under a sender name right away, until you unsuspend it. It stays registered: to end it permanently, use 'Close'.",
	endpoint: partner.senderSuspend,
	output: SimpleSender,
	params: [companyForList, senderId, reasonParam, simplifyParam],
	request: toSuspension,
	confirms: ({ suspended }) => suspended,
	toItems: toSenderItems,
});

const unsuspend = defineOperation({
	value: 'unsuspend',
	name: 'Unsuspend',
	action: 'Unsuspend sender name',
	done: { one: 'sender name unsuspended', many: 'sender names unsuspended' },
	description: 'Allow messages under a suspended sender name again',
	endpoint: partner.senderUnsuspend,
	output: SimpleSender,
	params: [companyForList, senderId, simplifyParam],
	request: ({ id }) => ({ path: { id } }),
	confirms: ({ suspended }) => !suspended,
	toItems: toSenderItems,
});

const close = defineOperation({
	value: 'close',
	name: 'Close',
	action: 'Close sender name',
	done: { one: 'sender name closed', many: 'sender names closed' },
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
			...reasonParam,
			placeholder: 'e.g. The brand is no longer used',
			displayOptions: { show: { suspend: [true] } },
		},
		simplifyParam,
	],
	effect: 'repeatable',
	check: ({ id, dateTo, reason }) => {
		checkRequest(partner.senderUpdate, { path: { id }, body: { dateTo } });
		checkRequest(partner.senderSuspend, toSuspension({ id, reason }));
	},
	each: async ({ id, dateTo, suspend, reason, simplify: simple }, { context }) => {
		const closed = await send(context, partner.senderUpdate, { path: { id }, body: { dateTo } });
		const isClosed = isConfirmed(partner.senderUpdate, closed, (sender) => sender.dateTo !== null);
		const toEntry = (sender: typeof closed, isDone: boolean) =>
			isDone ? toSenderItem(sender, { simplify: simple }) : toUnconfirmedItem(sender);
		if (!suspend) return [toEntry(closed, isClosed)];
		const outcome = await send(context, partner.senderSuspend, toSuspension({ id, reason })).then(
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

export const sender: Resource = {
	value: 'sender',
	name: 'Sender Name',
	description: 'The name recipients see as the sender, registered with each operator',
	// The first operation is the default. It only reads, so that an accidental run changes nothing.
	operations: [getAll, get, create, update, suspend, unsuspend, close],
};
