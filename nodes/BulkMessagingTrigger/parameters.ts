import {
	callbackStatuses,
	eventNames,
	eventOptions,
	type CallbackStatusName,
	type StatusRow,
} from '../../core/contract/events';
import type { Param, ValuesOf } from '../../core/engine/params';
import { channelOptions } from '../shared/channels';

// The keys of the table.
const statusNames = Object.keys(callbackStatuses) as CallbackStatusName[];
const statusOptions = statusNames.map((value) => {
	const { label: name, description }: StatusRow = callbackStatuses[value];
	return { name, value, ...(description !== undefined && { description }) };
});

export const parameters = [
	{
		displayName:
			"Give one of the two Webhook URLs above to the service: as Callback URL in the Bulk Messaging nodes, with the same Callback credential; for inbound messages in your account on the provider's website, in the rule for incoming traffic, written as https://login:password@…",
		name: 'addressesNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName:
			'…/fast answers at once: for long workflows and many callbacks. …/confirmed answers when the workflow has finished well, and what fails is resent for one day: for what must not be missed, in short workflows that bear a repetition.',
		name: 'choiceNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		options: eventOptions(eventNames),
		default: [...eventNames],
		required: true,
		description:
			'What starts the workflow. Everything else is answered and dropped. Which of them the service reports at all is chosen where the message is sent.',
	},
	{
		displayName: 'Authentication',
		name: 'authentication',
		type: 'options',
		options: [
			{
				name: 'Basic (Login and Password)',
				value: 'basic',
				description: 'Only who presents the login and password of the Callback credential',
			},
			{ name: 'None', value: 'none', description: 'Anybody who knows the address' },
		],
		default: 'basic',
	},
	{
		displayName:
			'Anybody who learns one of the addresses can start this workflow and pretend that messages were delivered. Give Allowed Source Addresses at least.',
		name: 'noneNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { authentication: ['none'] } },
	},
	{
		displayName: 'Allowed Source Addresses',
		name: 'allowedAddresses',
		type: 'string',
		default: '',
		placeholder: 'e.g. 192.0.2.7, 198.51.100.0/24, 2001:db8::/32',
		description:
			'IP addresses and networks callbacks may come from, separated by commas. Empty: any. The service has a fixed one; ask for it. Behind a proxy n8n must be told how many there are (N8N_PROXY_HOPS), or every call seems to come from the proxy.',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			{
				displayName: 'Callbacks Of',
				name: 'source',
				type: 'multiOptions',
				options: [
					{ name: 'Dispatches', value: 'dispatch' },
					{ name: 'Single Messages', value: 'message' },
				],
				default: [],
				description: 'Empty: both',
			},
			{
				displayName: 'Channels',
				name: 'channelType',
				type: 'multiOptions',
				options: channelOptions,
				default: [],
				description:
					'Empty: all. Callbacks of dispatches do not name a channel: this filter lets them pass.',
			},
			{
				displayName: 'Own Message ID',
				name: 'externalMessageId',
				type: 'string',
				default: '',
				placeholder: 'e.g. crm-*',
				description:
					'The ID given when the message was sent; * stands for anything. Events without a Custom Message ID do not pass.',
			},
			{
				displayName: 'Statuses',
				name: 'status',
				type: 'multiOptions',
				options: statusOptions,
				default: [],
				description: 'Empty: all. Events without a status (price, click) pass this filter.',
			},
		],
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'Raw',
				value: 'raw',
				description: 'Every event exactly as the service sent it',
			},
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'The same names for all events, with a plain outcome',
			},
		],
		default: 'simplified',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Elements That Cannot Be Understood',
				name: 'unrecognised',
				type: 'options',
				options: [
					{
						name: 'Give Them as Items With Event "Unknown"',
						value: 'item',
					},
					{ name: 'Give Them to an Output of Their Own', value: 'branch' },
				],
				default: 'item',
				description:
					'They are never dropped. With One Output per Event they always have an output of their own.',
			},
			{
				displayName: 'Include Headers',
				name: 'includeHeaders',
				type: 'boolean',
				default: false,
				description: 'Whether to add the HTTP headers to every item, without login and cookies',
			},
			{
				displayName: 'Include Query',
				name: 'includeQuery',
				type: 'boolean',
				default: false,
				description: 'Whether to add the query of the called address to every item',
			},
			{
				displayName: 'One Output per Event',
				name: 'branchPerEvent',
				type: 'boolean',
				default: false,
				description: 'Whether every event chosen in Trigger On gets an output of its own',
			},
			{
				displayName: 'Remember Callbacks For (Hours)',
				name: 'rememberHours',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 720 },
				default: 25,
				description: 'How long a resend is recognised. The service resends for one day.',
			},
			{
				displayName: 'Remember Callbacks Up To',
				name: 'rememberKeys',
				type: 'number',
				typeOptions: { minValue: 100, maxValue: 1000000 },
				default: 50000,
				description: 'How many callbacks are remembered at most; the oldest are forgotten first',
			},
		],
	},
] as const satisfies readonly Param[];

export type TriggerValues = ValuesOf<typeof parameters>;
