import type { RequestOf } from '../../../../../core/contract/endpoint';
import type { messaging } from '../../../../../core/contract/messaging';
import type { Param, ValuesOf } from '../../../../../core/engine/params';
import { readNumber } from '../../../../../core/engine/scalars';
import { channelOptions } from '../../../../shared/channels';
import { splitList } from '../../../../shared/lists';
import { defaultCountry, requireDigits } from '../../../../shared/phone';
import { trafficTypeOptions } from '../../../../shared/trafficTypes';

const oneOrSeveral = 'One or several, separated by commas';

/** Every filter the service has for messages. */
export const filtersParam = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	description:
		'A message must fit every filter you add, and any one of the values within a filter. The service lists at most 10,000 messages: narrow by time where there are more.',
	options: [
		{
			displayName: 'Cascade UUIDs',
			name: 'cascade_message_uuid',
			type: 'string',
			default: '',
			description: `UUIDs of the first messages of cascades. ${oneOrSeveral}.`,
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
			description: `Countries of the subscribers. ${oneOrSeveral}.`,
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
			description: oneOrSeveral,
		},
		defaultCountry,
		{
			displayName: 'Directions',
			name: 'direction',
			type: 'multiOptions',
			options: [
				{ name: 'Inbound', value: 'inbound', description: 'From subscribers to you' },
				{ name: 'Outbound', value: 'outbound', description: 'From you to subscribers' },
			],
			default: ['outbound'],
			description: 'Choose both to get both',
		},
		{
			displayName: 'Dispatch IDs',
			name: 'dispatch_id',
			type: 'string',
			default: '',
			placeholder: 'e.g. 90210',
			description: oneOrSeveral,
		},
		{
			displayName: 'Kinds of Traffic',
			name: 'traffic_type',
			type: 'multiOptions',
			options: trafficTypeOptions,
			allowArbitraryValues: true,
			default: [],
			description: 'What the messages were sent as',
		},
		{
			displayName: 'Message UUIDs',
			name: 'message_uuid',
			type: 'string',
			default: '',
			description: `Custom Message IDs fit too. ${oneOrSeveral}.`,
		},
		{
			displayName: 'Of a Dispatch',
			name: 'dispatch',
			type: 'boolean',
			default: true,
			description: 'Whether to list messages of dispatches (on) or single messages (off)',
		},
		{
			displayName: 'Only First of a Cascade',
			name: 'root',
			type: 'boolean',
			default: true,
			description: 'Whether to list the first messages of cascades (on) or the others (off)',
		},
		{
			displayName: 'Phone Numbers',
			name: 'destination',
			type: 'string',
			default: '',
			placeholder: 'e.g. +7 912 345-67-89',
			description: `In any form people write them. ${oneOrSeveral}.`,
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
			description: oneOrSeveral,
		},
		{
			displayName: 'Sort',
			name: 'sort',
			type: 'string',
			default: '',
			placeholder: 'e.g. -createdTime',
			description: 'The field to sort by, with a minus for the newest first',
		},
		{
			displayName: 'Statuses',
			name: 'status',
			type: 'multiOptions',
			options: [
				{ name: 'Delivered', value: 'delivered' },
				{ name: 'Inbound', value: 'inbound_sent' },
				{ name: 'Read', value: 'read' },
				{ name: 'Sent', value: 'sent' },
				{ name: 'Undelivered', value: 'undelivered' },
				{ name: 'Unread', value: 'unread' },
				{ name: 'Unsent', value: 'unsent' },
			],
			default: [],
		},
		{
			displayName: 'Tags',
			name: 'tags',
			type: 'string',
			default: '',
			placeholder: 'e.g. spring, vip',
			description: oneOrSeveral,
		},
		{
			displayName: 'Template IDs',
			name: 'template_id',
			type: 'string',
			default: '',
			placeholder: 'e.g. 512',
			description: `Templates the messages were built from. ${oneOrSeveral}.`,
		},
		{
			displayName: 'Without Content',
			name: 'content_nor',
			type: 'string',
			default: '',
			description: `Leaves out messages that contain this. ${oneOrSeveral}. To write a comma, use \\,.`,
		},
	],
} as const satisfies Param;

type Filters = ValuesOf<readonly [typeof filtersParam]>['filters'];
type Query = RequestOf<typeof messaging.messageList>['query'];

/** What is no number is refused by the contract, with its place in the list. */
const splitNumbers = (text: string | undefined) =>
	splitList(text)?.map((id) => readNumber(id) ?? NaN);

/** From the screen to the wire. */
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
