import { type IDataObject, type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { ApiMessage, sendingMethodIn } from '../../../../core/contract/message';
import { messageLimits, messaging } from '../../../../core/contract/messaging';
import { outcomeByStatus, reasonByStatus } from '../../../../core/contract/readEvent';
import { addHint } from '../../../../core/engine/hints';
import { toItem } from '../../../../core/engine/items';
import { defineOperation } from '../../../../core/engine/operation';
import { limitOf } from '../../../../core/engine/coerce';
import { isRecord } from '../../../../core/json';
import { list, visit } from '../../../../core/transport/list';
import { defaultRetryPolicy, ServiceError } from '../../../../core/transport/outcome';
import type { ReplyEntry } from '../../../../core/transport/replyShape';
import { checkRequest, send } from '../../../../core/transport/send';
import { z } from '../../../../vendor/zod';
import { limit, returnAll, simplifyParam } from '../../../shared/lists';
import { bothDirections, filtersParam, toMessageQueries } from './params/filters';

/** The fields people usually need; the raw object has more than thirty. */
const ShownFields = ApiMessage.pick({
	channelType: true,
	senderName: true,
	destination: true,
	content: true,
	specialContent: true,
	price: true,
	status: true,
	statusTime: true,
	readStatus: true,
	errorCode: true,
	direction: true,
	sendingMethod: true,
	createdTime: true,
	sentTime: true,
	trafficCenterId: true,
	dispatchId: true,
	externalMessageId: true,
	messageUuid: true,
});

/** A dispatch's messages have their text, parts and outcome under the same names. */
const SimpleMessage = z
	.object({
		destination: z.string(),
		outcome: z.string(),
		reason: z.string(),
		text: z.string(),
		parts: z.number(),
	})
	.extend(ShownFields.omit({ content: true, destination: true }).shape);

const textInContent = (content: unknown): unknown => (isRecord(content) ? content.text : content);

/** Content with nothing but a text is shown as `text` only; any other content is shown in full as well. */
const isOnlyText = (content: unknown): boolean =>
	!isRecord(content) ||
	Object.keys(content).every((name) => name === 'text' || name === 'contentType');

const shownNames = Object.keys(ShownFields.shape);

/** Who and what became of the message first, IDs last. */
const toMessageItem = (entry: unknown, { simplify }: { simplify: boolean }): IDataObject => {
	if (!simplify || !isRecord(entry)) return toItem(entry);
	const { content } = entry;
	const text = textInContent(content) ?? textInContent(entry.specialContent);
	return {
		destination: entry.destination,
		outcome: outcomeByStatus(entry.status),
		reason: reasonByStatus(entry.status, entry.errorCode),
		text: typeof text === 'string' ? text : undefined,
		parts: typeof entry.totalParts === 'number' ? entry.totalParts : undefined,
		...Object.fromEntries(shownNames.map((name) => [name, entry[name]])),
		sendingMethod: sendingMethodIn(entry),
		content: isOnlyText(content) ? undefined : content,
	} as IDataObject;
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
	return isRecord(reply) && reply.messageUuid === id ? reply : undefined;
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
		const given = ids[findBy].trim();
		// A UUID is the same in capitals, and the service writes it in small letters.
		const id = uuidPattern.test(given) ? given.toLowerCase() : given;
		const field = findBy === 'message_uuid' ? 'messageUuid' : 'externalMessageId';
		const found = findBy === 'message_uuid' ? await findByUuid(context, id) : undefined;
		const query = {
			direction: bothDirections,
			...(findBy === 'message_uuid' ? { message_uuid: [id] } : { external_message_id: id }),
		};
		const messages =
			found === undefined ? await list(context, messaging.messageList, { query }) : [found];
		// The filter by UUID also finds custom message IDs.
		const own = messages.filter((message) => message[field] === id);
		if (own.length > 0) return own.map((message) => toMessageItem(message, { simplify: isSimple }));
		throw new NodeOperationError(
			context.getNode(),
			`There is no message with the ${findBy === 'message_uuid' ? 'UUID' : 'custom message ID'} ${id}`,
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

/** Reports that the service lists fewer messages than the user asked for. */
const reportMore = (
	context: IExecuteFunctions,
	total: number | undefined,
	whenMore: 'hint' | 'error',
): void => {
	const more = total === undefined ? 'may be more' : `are ${total.toLocaleString('en')}`;
	const message = `The service lists at most ${most} messages, but there ${more}`;
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
	restsOn: messaging.messageList,
	effect: 'reads',
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
	check: ({ filters, ...size }) => {
		if (!size.returnAll) limitOf(size);
		for (const query of toMessageQueries(filters)) checkRequest(messaging.messageList, { query });
	},
	each: async ({ filters, simplify: isSimple, whenMore, ...size }, { context }) => {
		const wanted = size.returnAll ? Infinity : limitOf(size);
		// Two queries may list the same message.
		const messages = new Map<unknown, unknown>();
		const isEnough = () => messages.size >= wanted;
		for (const query of toMessageQueries(filters)) {
			if (isEnough()) break;
			let total: number | undefined;
			let listed = 0;
			await visit(
				context,
				messaging.messageList,
				{ query },
				(message) => {
					listed++;
					messages.set(message.messageUuid ?? message, message);
				},
				{ limit: wanted, until: isEnough, onTotal: (count) => (total = count) },
			);
			const isCut =
				listed >= messageLimits.lookUpWindow && listed < Math.min(wanted, total ?? Infinity);
			if (isCut) reportMore(context, total, whenMore);
		}
		return [...messages.values()].map((message) => toMessageItem(message, { simplify: isSimple }));
	},
});
