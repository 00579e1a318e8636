import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { messageLimits, messaging } from '../../../../core/contract/messaging';
import { defineOperation } from '../../../../core/engine/operation';
import { limitOf } from '../../../../core/engine/coerce';
import { list } from '../../../../core/transport/list';
import { checkRequest } from '../../../../core/transport/send';
import { limit, returnAll, simplifyParam } from '../../../shared/lists';
import { filtersParam, toMessageQuery } from './params/filters';
import { SimpleMessage, toMessageItem } from './simpleMessage';
import { addHint } from '../../../../core/engine/hints';

const most = messageLimits.lookUpWindow.toLocaleString('en');
const narrow =
	"Filter by 'Created After' and 'Created Before', and get the messages in several steps.";

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
		checkRequest(messaging.messageList, { query: toMessageQuery(filters) });
	},
	each: async ({ filters, simplify: isSimple, whenMore, ...size }, { context }) => {
		const wanted = size.returnAll ? Infinity : limitOf(size);
		let total: number | undefined;
		const messages = await list(
			context,
			messaging.messageList,
			{ query: toMessageQuery(filters) },
			{
				limit: wanted === Infinity ? undefined : wanted,
				onTotal: (count) => (total = count),
			},
		);
		const isCut =
			messages.length >= messageLimits.lookUpWindow &&
			messages.length < Math.min(wanted, total ?? Infinity);
		if (isCut) reportMore(context, total, whenMore);
		return messages.map((message) => toMessageItem(message, { simplify: isSimple }));
	},
});
