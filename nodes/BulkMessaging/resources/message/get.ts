import { NodeOperationError } from 'n8n-workflow';
import { messaging } from '../../../../core/contract/messaging';
import { defineOperation } from '../../../../core/engine/operation';
import { list } from '../../../../core/transport/list';
import { simplifyParam } from '../../../shared/lists';
import { SimpleMessage, toMessageItem } from './simpleMessage';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get message',
	description:
		"Get a message and its status by its UUID or your custom message ID. If several messages share that ID, such as a cascade's steps, you get one item for each.",
	output: SimpleMessage,
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
		const field = findBy === 'message_uuid' ? 'messageUuid' : 'externalMessageId';
		const messages = await list(context, messaging.messageList, { query: { [findBy]: [id] } });
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
