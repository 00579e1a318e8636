import { type IDataObject, type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { ApiMessage } from '../../../../core/contract/message';
import { messageLimits, messaging } from '../../../../core/contract/messaging';
import { outcomeByStatus, reasonByStatus, textOfItem } from '../../../../core/contract/readEvent';
import { addHint } from '../../../../core/engine/hints';
import { toItem } from '../../../../core/engine/items';
import { ledgerOf } from '../../../../core/engine/ledger';
import { defineOperation } from '../../../../core/engine/operation';
import type { ValuesOf } from '../../../../core/engine/params';
import { isRecord } from '../../../../core/json';
import { list } from '../../../../core/transport/list';
import { defaultRetryPolicy, ServiceError } from '../../../../core/transport/outcome';
import type { ReplyEntry } from '../../../../core/transport/replyShape';
import { send } from '../../../../core/transport/send';
import { z } from '../../../../vendor/zod';
import { limit, listingOf, returnAll, simplifyParam } from '../../../shared/lists';
import { isSameUuid } from './delivery/reply';
import { bothDirections, filtersParam, toMessageRequests } from './params/filters';

/** The fields people usually need; the raw object has more than thirty. Who and what became of the message first, IDs last. */
const SimpleMessage = z
	.object({ destination: z.string(), outcome: z.string(), reason: z.string(), text: z.string() })
	.extend(
		ApiMessage.pick({
			channelType: true,
			senderName: true,
			price: true,
			statusTime: true,
			externalMessageId: true,
			messageUuid: true,
		}).shape,
	);

const toMessageItem = (entry: unknown, { simplify }: { simplify: boolean }): IDataObject => {
	if (!simplify || !isRecord(entry)) return toItem(entry);
	const text = textOfItem(entry);
	const own = {
		outcome: outcomeByStatus(entry.status),
		reason: reasonByStatus(entry.status, entry.errorCode),
		text: typeof text === 'string' ? text : undefined,
	};
	return toItem({ ...entry, ...own }, SimpleMessage);
};

/** One attempt: if it fails, the list is asked, with its own attempts. */
const oneAttempt = { ...defaultRetryPolicy, attempts: 1 };

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A message by its UUID: one small response, in either direction. `undefined` if the service doesn't show it this way. */
const findByUuid = async (
	context: IExecuteFunctions,
	id: string,
): Promise<ReplyEntry | undefined> => {
	// Anything else could lead to another address.
	if (!uuidPattern.test(id)) return undefined;
	const reply: unknown = await send(
		context,
		messaging.messageGet,
		{ path: { id } },
		{ retry: oneAttempt },
	).catch((error: unknown) => {
		if (error instanceof ServiceError) return undefined;
		throw error;
	});
	return isRecord(reply) && isSameUuid(reply.messageUuid, id) ? reply : undefined;
};

/** Whether the service has no path for a single message, as far as this run knows: then every item would ask twice. */
const pathOf = (context: IExecuteFunctions) =>
	ledgerOf(context).record('messagePath', () => ({ isMissing: false }));

/** Messages with this UUID. A UUID is the same in capitals, but the service may find it in one spelling only. */
const findAllByUuid = async (context: IExecuteFunctions, id: string): Promise<ReplyEntry[]> => {
	const path = pathOf(context);
	const found = path.isMissing ? undefined : await findByUuid(context, id);
	if (found !== undefined) return [found];
	const query = { direction: bothDirections, message_uuid: [...new Set([id, id.toLowerCase()])] };
	const messages = await list(context, messaging.messageList, { query });
	path.isMissing ||= messages.some(({ messageUuid }) => messageUuid === id);
	// The filter by UUID also finds custom message IDs.
	return messages.filter(({ messageUuid }) => isSameUuid(messageUuid, id));
};

const findAllByOwnId = async (context: IExecuteFunctions, id: string): Promise<ReplyEntry[]> => {
	const query = { direction: bothDirections, external_message_id: id };
	const messages = await list(context, messaging.messageList, { query });
	return messages.filter(({ externalMessageId }) => externalMessageId === id);
};

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get message',
	description:
		"Get a message and its status by its UUID or your custom message ID. If several messages share that ID, such as a cascade's steps, you get one item for each.",
	output: SimpleMessage,
	restsOn: messaging.messageList,
	effect: 'reads',
	params: [
		{
			displayName: 'Find By',
			name: 'findBy',
			type: 'options',
			options: [
				{ name: 'Message UUID', value: 'message_uuid', description: 'The ID the service assigned' },
				{
					name: 'Custom Message ID',
					value: 'external_message_id',
					description: 'The ID you assigned',
				},
			],
			default: 'message_uuid',
			description: 'Which ID you have',
		},
		{
			displayName: 'Message UUID',
			name: 'message_uuid',
			type: 'string',
			default: '',
			required: true,
			displayOptions: { show: { findBy: ['message_uuid'] } },
			placeholder: 'e.g. 9b2d0c4e-6a1f-4a53-9d3e-2f6f6a0f7c11',
			description: "The messageUuid that 'Send' returned",
		},
		{
			displayName: 'Custom Message ID',
			name: 'external_message_id',
			type: 'string',
			default: '',
			required: true,
			displayOptions: { show: { findBy: ['external_message_id'] } },
			placeholder: 'e.g. order-1042-shipped',
			description: 'The ID you entered when you sent the message',
		},
		simplifyParam,
	],
	each: async ({ findBy, simplify: isSimple, ...ids }, { context }) => {
		const id = ids[findBy].trim();
		const isUuid = findBy === 'message_uuid';
		const own = await (isUuid ? findAllByUuid : findAllByOwnId)(context, id);
		if (own.length > 0) return own.map((message) => toMessageItem(message, { simplify: isSimple }));
		throw new NodeOperationError(
			context.getNode(),
			`There is no message with the ${isUuid ? 'UUID' : 'custom message ID'} ${id}`,
			{
				description:
					"Check the ID, and that the credential belongs to the account that sent the message. 'Get Many' shows which messages exist.",
			},
		);
	},
});

const most = messageLimits.lookUpWindow.toLocaleString('en');
const narrow =
	"Filter by 'Sent After' and 'Sent Before', and get the messages in several steps. Messages that still wait to be sent are in none of these steps: get them by the status 'Sending'.";

type ListedValues = ValuesOf<readonly [typeof filtersParam]> & { whenMore: 'hint' | 'error' };

/** Reports that the service lists fewer messages than the user asked for. */
const reportMore = (
	context: IExecuteFunctions,
	{ whenMore }: ListedValues,
	listable: number,
	total: number,
): void => {
	const message = `The service lists at most ${listable.toLocaleString('en')} messages, but there are ${total.toLocaleString('en')}`;
	if (whenMore === 'error') {
		throw new NodeOperationError(context.getNode(), message, { description: narrow });
	}
	addHint(context, `${message}. ${narrow}`);
};

export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many messages',
	description: `List outbound and inbound messages with their statuses and prices, up to ${most}`,
	output: SimpleMessage,
	params: [
		returnAll,
		limit,
		filtersParam,
		simplifyParam,
		{
			displayName: 'If There Are More Than 10,000',
			name: 'whenMore',
			type: 'options',
			options: [
				{ name: 'Return 10,000 With a Warning', value: 'hint' },
				{ name: 'Stop With an Error', value: 'error' },
			],
			default: 'hint',
			displayOptions: { show: { returnAll: [true] } },
			description: 'The service lists at most 10,000 messages for the same filters',
		},
	],
	...listingOf(
		messaging.messageList,
		({ filters }: ListedValues) => toMessageRequests(filters),
		toMessageItem,
		reportMore,
	),
});
