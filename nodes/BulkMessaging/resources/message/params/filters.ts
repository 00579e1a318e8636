import type { RequestOf } from '../../../../../core/contract/endpoint';
import { messageStatuses } from '../../../../../core/contract/events';
import type { messaging } from '../../../../../core/contract/messaging';
import type { ValuesOf } from '../../../../../core/engine/params';
import { channelOptions } from '../../../../shared/channels';
import {
	filterCollection,
	oneByOne,
	oneOrMore,
	requestsOf,
	splitList,
} from '../../../../shared/lists';
import { defaultCountry, requireDigits } from '../../../../shared/phone';
import { inUtc } from '../../../../shared/times';
import { trafficTypeOptions } from '../../../../shared/trafficTypes';

const timeOfSending =
	"The time when the message was sent, or became unsent. Messages that still wait aren't listed. Uses the workflow's time zone unless the value contains one.";

/** All filters that the service offers for messages. */
export const filtersParam = {
	...filterCollection([
		{
			displayName: 'Cascade UUIDs',
			name: 'cascade_message_uuid',
			type: 'string',
			default: '',
			description: `The UUIDs of the cascades' first messages. ${oneByOne}.`,
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
			displayName: 'Content Contains',
			name: 'content',
			type: 'string',
			default: '',
			description: 'Lists only messages that contain this text',
		},
		{
			displayName: 'Content Does Not Contain',
			name: 'content_nor',
			type: 'string',
			default: '',
			description: 'Leaves out messages that contain this text',
		},
		{
			displayName: 'Country Codes',
			name: 'country_code',
			type: 'string',
			default: '',
			placeholder: 'e.g. RU, KZ',
			description: `The recipients' countries. ${oneByOne}.`,
		},
		{
			displayName: 'Custom Message IDs',
			name: 'external_message_id',
			type: 'string',
			default: '',
			description: oneByOne,
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
			description:
				"Without this filter, messages in both directions are listed, or only outbound ones with 'Part of a Dispatch'",
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
			displayName: 'First or Only Step',
			name: 'root',
			type: 'boolean',
			default: true,
			description:
				"Whether to list messages outside cascades and the cascades' first messages (on) or only later steps (off)",
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
			displayName: 'Sending Methods',
			name: 'sending_method',
			type: 'multiOptions',
			options: [
				{ name: 'API', value: 'API' },
				{ name: "Provider's Website", value: 'UI' },
				{ name: 'Verification API', value: 'VERIFIER_API' },
				{ name: 'Verification Widget', value: 'VERIFIER_WIDGET' },
			],
			allowArbitraryValues: true,
			default: [],
			description: 'How the messages were sent',
		},
		{
			displayName: 'Sent After',
			name: 'time_from',
			type: 'dateTime',
			default: '',
			description: timeOfSending,
		},
		{
			displayName: 'Sent Before',
			name: 'time_to',
			type: 'dateTime',
			default: '',
			description: timeOfSending,
		},
		{
			displayName: 'Sort',
			name: 'sort',
			type: 'string',
			default: '',
			description: "Passed on as it is. The provider doesn't publish the possible values.",
		},
		{
			displayName: 'Statuses',
			name: 'status',
			type: 'multiOptions',
			options: [
				{ name: messageStatuses.delivered.label, value: 'delivered' },
				{ name: messageStatuses.inbound_sent.label, value: 'inbound_sent' },
				{ name: messageStatuses.sending.label, value: 'sending' },
				{ name: messageStatuses.sent.label, value: 'sent' },
				{ name: messageStatuses.undelivered.label, value: 'undelivered' },
				{ name: messageStatuses.unsent.label, value: 'unsent' },
			],
			allowArbitraryValues: true,
			default: [],
			description: 'Whether a message was read is a field of its own, readStatus',
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
			displayName: 'Traffic Center IDs',
			name: 'traffic_center_id',
			type: 'string',
			default: '',
			placeholder: 'e.g. 1',
			description: oneOrMore,
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
	]),
	description:
		'A message must match every filter you add, and at least one of the values in each filter. The service lists at most 10,000 messages. If there are more, filter by time or status.',
} as const;

type Filters = ValuesOf<readonly [typeof filtersParam]>['filters'];
type Query = NonNullable<RequestOf<typeof messaging.messageList>['query']>;

export const bothDirections: Query['direction'] = ['inbound', 'outbound'];

/** Turns the filters into the requests that the service expects. A message must match one of them. */
export const toMessageRequests = ({
	defaultCountry: country = 'RU',
	cascade_message_uuid,
	country_code,
	external_message_id,
	...filters
}: Filters): Array<{ query: Query }> => {
	const { direction = [], dispatch } = filters;
	// The service applies `dispatch` to outbound messages only, so it would list every inbound one.
	const usualDirection = dispatch === undefined ? bothDirections : ['outbound' as const];
	const shared: Query = {
		...filters,
		destination: splitList(filters.destination)?.map((number) =>
			requireDigits(number, country, 'Phone Numbers'),
		),
		direction: direction.length > 0 ? direction : usualDirection,
		dispatch_id: splitList(filters.dispatch_id),
		message_uuid: splitList(filters.message_uuid),
		sender_name: splitList(filters.sender_name),
		tags: splitList(filters.tags),
		template_id: splitList(filters.template_id),
		time_from: inUtc(filters.time_from, Math.floor),
		time_to: inUtc(filters.time_to, Math.ceil),
		traffic_center_id: splitList(filters.traffic_center_id),
	};
	return requestsOf(shared, { cascade_message_uuid, country_code, external_message_id });
};
