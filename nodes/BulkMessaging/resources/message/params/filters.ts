import type { RequestOf } from '../../../../../core/contract/endpoint';
import { callbackStatuses } from '../../../../../core/contract/events';
import type { messaging } from '../../../../../core/contract/messaging';
import type { Param, ValuesOf } from '../../../../../core/engine/params';
import { readNumber } from '../../../../../core/engine/coerce';
import { channelOptions } from '../../../../shared/channels';
import { splitList } from '../../../../shared/lists';
import { defaultCountry, requireDigits } from '../../../../shared/phone';
import { trafficTypeOptions } from '../../../../shared/trafficTypes';

const oneOrMore = 'One or more, separated by commas';

/** All filters that the service offers for messages. */
export const filtersParam = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	description:
		'A message must match every filter you add, and at least one of the values in each filter. The service lists at most 10,000 messages. If there are more, filter by time.',
	options: [
		{
			displayName: 'Cascade UUIDs',
			name: 'cascade_message_uuid',
			type: 'string',
			default: '',
			description: `The UUIDs of the cascades' first messages. ${oneOrMore}.`,
		},
		{
			displayName: 'Channels',
			name: 'channel_type',
			type: 'multiOptions',
			options: channelOptions,
			allowArbitraryValues: true,
			default: [],
		},
		{
			displayName: 'Country Codes',
			name: 'country_code',
			type: 'string',
			default: '',
			placeholder: 'e.g. RU, KZ',
			description: `The recipients' countries. ${oneOrMore}.`,
		},
		{
			displayName: 'Created After',
			name: 'time_from',
			type: 'dateTime',
			default: '',
			description: "Uses the workflow's time zone unless the value contains one",
		},
		{
			displayName: 'Created Before',
			name: 'time_to',
			type: 'dateTime',
			default: '',
			description: "Uses the workflow's time zone unless the value contains one",
		},
		{
			displayName: 'Custom Message IDs',
			name: 'external_message_id',
			type: 'string',
			default: '',
			description: oneOrMore,
		},
		defaultCountry,
		{
			displayName: 'Directions',
			name: 'direction',
			type: 'multiOptions',
			options: [
				{ name: 'Inbound', value: 'inbound', description: 'From recipients to you' },
				{ name: 'Outbound', value: 'outbound', description: 'From you to recipients' },
			],
			default: ['outbound'],
			description: 'Choose both to get messages in both directions',
		},
		{
			displayName: 'Dispatch IDs',
			name: 'dispatch_id',
			type: 'string',
			default: '',
			placeholder: 'e.g. 90210',
			description: `A dispatch is a campaign: one text sent to a list of phone numbers. ${oneOrMore}.`,
		},
		{
			displayName: 'Exclude by Content',
			name: 'content_nor',
			type: 'string',
			default: '',
			description: `Leaves out messages that contain this text. ${oneOrMore}. To write a comma, use \\,.`,
		},
		{
			displayName: 'First in a Cascade',
			name: 'root',
			type: 'boolean',
			default: true,
			description: "Whether to list the cascades' first messages (on) or the other messages (off)",
		},
		{
			displayName: 'Message UUIDs',
			name: 'message_uuid',
			type: 'string',
			default: '',
			description: `Custom message IDs work here too. ${oneOrMore}.`,
		},
		{
			displayName: 'Part of a Dispatch',
			name: 'dispatch',
			type: 'boolean',
			default: true,
			description:
				'Whether to list messages that are part of a dispatch (on) or single messages (off)',
		},
		{
			displayName: 'Phone Numbers',
			name: 'destination',
			type: 'string',
			default: '',
			placeholder: 'e.g. +7 912 345-67-89',
			description: `In any common format. ${oneOrMore}.`,
		},
		{
			displayName: 'Ready to Stop',
			name: 'ready_to_stop',
			type: 'boolean',
			default: true,
			description: 'Whether to list only messages that can still be stopped',
		},
		{
			displayName: 'Sender Names',
			name: 'sender_name',
			type: 'string',
			default: '',
			placeholder: 'e.g. FLOWERS',
			description: oneOrMore,
		},
		{
			displayName: 'Sort',
			name: 'sort',
			type: 'string',
			default: '',
			placeholder: 'e.g. -createdTime',
			description: 'The field to sort by. Put a minus sign before it to sort in descending order.',
		},
		{
			displayName: 'Statuses',
			name: 'status',
			type: 'multiOptions',
			options: [
				{ name: callbackStatuses.delivered.label, value: 'delivered' },
				{ name: callbackStatuses.inbound_sent.label, value: 'inbound_sent' },
				{ name: callbackStatuses.unread.label, value: 'unread' },
				{ name: callbackStatuses.read.label, value: 'read' },
				{ name: callbackStatuses.sent.label, value: 'sent' },
				{ name: callbackStatuses.undelivered.label, value: 'undelivered' },
				{ name: callbackStatuses.unsent.label, value: 'unsent' },
			],
			default: [],
		},
		{
			displayName: 'Tags',
			name: 'tags',
			type: 'string',
			default: '',
			placeholder: 'e.g. spring, vip',
			description: oneOrMore,
		},
		{
			displayName: 'Template IDs',
			name: 'template_id',
			type: 'string',
			default: '',
			placeholder: 'e.g. 512',
			description: `The templates that the messages were created from. ${oneOrMore}.`,
		},
		{
			displayName: 'Traffic Types',
			name: 'traffic_type',
			type: 'multiOptions',
			options: trafficTypeOptions,
			allowArbitraryValues: true,
			default: [],
			description: 'The traffic types that the messages were sent as',
		},
	],
} as const satisfies Param;

type Filters = ValuesOf<readonly [typeof filtersParam]>['filters'];
type Query = RequestOf<typeof messaging.messageList>['query'];

/** The contract rejects NaN and names its place in the list. */
const splitNumbers = (text: string | undefined) =>
	splitList(text)?.map((id) => readNumber(id) ?? NaN);

/** Turns the filters into the query that the service expects. */
export const toMessageQuery = ({ defaultCountry: country = 'RU', ...filters }: Filters): Query => ({
	...filters,
	cascade_message_uuid: splitList(filters.cascade_message_uuid),
	content_nor: splitList(filters.content_nor),
	country_code: splitList(filters.country_code),
	destination: splitList(filters.destination)?.map((number) =>
		requireDigits(number, country, 'Phone Numbers'),
	),
	dispatch_id: splitNumbers(filters.dispatch_id),
	external_message_id: splitList(filters.external_message_id),
	message_uuid: splitList(filters.message_uuid),
	sender_name: splitList(filters.sender_name),
	tags: splitList(filters.tags),
	template_id: splitNumbers(filters.template_id),
});
