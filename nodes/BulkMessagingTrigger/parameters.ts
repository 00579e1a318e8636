import {
	callbackStatuses,
	eventNames,
	eventOptions,
	type CallbackStatusName,
	type StatusRow,
} from '../../core/contract/events';
import type { Param, ValuesOf } from '../../core/engine/params';
import { channelOptions } from '../shared/channels';
import { filterCollection, optionsWith } from '../shared/lists';
import { anyFailure } from './callbacks/filter';

// Object.keys returns string[]; these are the keys of the table.
const statusNames = Object.keys(callbackStatuses) as CallbackStatusName[];
const statusOptions = [
	{
		name: 'Any Failure',
		value: anyFailure,
		description: 'Undelivered or Unsent',
	},
	...statusNames.map((value) => {
		const { label: name, description }: StatusRow = callbackStatuses[value];
		return { name, value, ...(description !== undefined && { description }) };
	}),
];

/** Read with `coerce`, so that a limit that isn't a number is an error. */
export const triggerOptions = optionsWith([
	{
		displayName: 'Add Message',
		name: 'addMessage',
		type: 'boolean',
		// The condition of the credential reads the value.
		noDataExpression: true,
		default: true,
		description:
			"Whether to look up each event's message and add its phone number, sender name and text. Choose the Bulk Messaging API credential above. If the phone number or text can't be added, messageError says why. Nothing is added to events from dispatches, which already have the phone number.",
	},
	{
		displayName: 'Allowed IP Addresses',
		name: 'allowedAddresses',
		type: 'string',
		// An expression without a result must not open the trigger to everyone.
		whenEmpty: 'refuse',
		default: '',
		placeholder: 'e.g. 192.0.2.7, 198.51.100.0/24, 2001:db8::/32',
		description:
			"The IP addresses and networks that callbacks may come from, separated by commas. The provider's documentation of callbacks shows its fixed IP address. If n8n runs behind a proxy, set N8N_PROXY_HOPS to the number of proxies. Otherwise every callback seems to come from the proxy.",
	},
	{
		displayName: 'Include Headers',
		name: 'includeHeaders',
		type: 'boolean',
		default: false,
		description: 'Whether to add the HTTP headers to every item, except login and cookies',
	},
	{
		displayName: 'Include Query',
		name: 'includeQuery',
		type: 'boolean',
		default: false,
		description: 'Whether to add the query parameters of the called URL to every item',
	},
	{
		displayName: 'One Output per Event',
		name: 'branchPerEvent',
		type: 'boolean',
		default: false,
		description: "Whether to give each event chosen in 'Trigger On' a separate output",
	},
	{
		displayName: 'Remember Callbacks For (Hours)',
		name: 'rememberHours',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 720 },
		enforceRange: true,
		default: 25,
		description:
			'How long duplicates of a callback are recognized. The service resends a callback for one day.',
	},
	{
		displayName: 'Remember Callbacks Up To',
		name: 'rememberKeys',
		type: 'number',
		typeOptions: { minValue: 100, maxValue: 1000000 },
		enforceRange: true,
		default: 50000,
		description:
			'The largest number of callbacks to remember, from 100 to 1,000,000. The oldest ones are forgotten first.',
	},
	{
		displayName: 'Unrecognized Events',
		name: 'unrecognised',
		type: 'options',
		options: [
			{
				name: 'Same Output as Other Events',
				value: 'item',
				description: 'The item has event: unknown',
			},
			{ name: 'Send to Separate Output', value: 'branch' },
		],
		default: 'item',
		description:
			"What to do with events that this node doesn't recognize. They are never dropped. With 'One Output per Event' they always go to a separate output.",
	},
]);

export const parameters = [
	{
		displayName:
			"Publish the workflow, then paste the Production URL that ends with /fast into the option 'Callback URL' of the node that sends, and choose the same Callback credential there. For inbound messages, enter it in your account on the provider's website as https://login:password@…",
		name: 'addressesNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName:
			'Use /confirmed only for short workflows that must not miss an event. If the workflow fails, the service resends the event for one day, so steps may run twice.',
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
			"The events that start the workflow. Events that this node doesn't recognize always start it. Choose what the service reports in 'Callback Events' of the node that sends.",
	},
	{
		displayName: 'Authentication',
		name: 'authentication',
		type: 'options',
		options: [
			{
				name: 'Basic (Login and Password)',
				value: 'basic',
				description:
					'Only callers with the login and password from the Callback credential can start the workflow',
			},
			{
				name: 'None',
				value: 'none',
				description: 'Anyone who knows the URL can start the workflow',
			},
		],
		default: 'basic',
	},
	{
		displayName:
			"Anyone who knows one of the URLs can start this workflow and report false deliveries. Add the option 'Allowed IP Addresses'.",
		name: 'noneNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { authentication: ['none'] } },
	},
	filterCollection([
		{
			displayName: 'Channels',
			name: 'channelType',
			type: 'multiOptions',
			options: channelOptions,
			default: [],
			description:
				"Leave empty for all. Events from dispatches don't name a channel, so they always pass this filter.",
		},
		{
			displayName: 'Custom Message ID',
			name: 'externalMessageId',
			type: 'string',
			default: '',
			placeholder: 'e.g. crm-*',
			description:
				"The custom message ID you set when you sent the message. Use * to match any text. Events without a custom message ID don't pass.",
		},
		{
			displayName: 'Message Source',
			name: 'source',
			type: 'multiOptions',
			options: [
				{
					name: 'Dispatches',
					value: 'dispatch',
					description: 'Campaigns: one text sent to a list of phone numbers',
				},
				{
					name: 'Single Messages',
					value: 'message',
					description: 'Messages sent with the Bulk Messaging node, and inbound messages',
				},
			],
			default: [],
			description: 'Leave empty for both',
		},
		{
			displayName: 'Statuses',
			name: 'status',
			type: 'multiOptions',
			options: statusOptions,
			default: [],
			description:
				'Leave empty for all. Events without a status (Price Changed, Link Clicked) always pass this filter.',
		},
	]),
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'Raw',
				value: 'raw',
				description: "The service's own field names and values",
			},
			{
				name: 'Simplified',
				value: 'simplified',
				description:
					'The same field names for all events, and an outcome such as delivered or failed',
			},
		],
		default: 'simplified',
	},
	triggerOptions,
] as const satisfies readonly Param[];

export type TriggerValues = ValuesOf<typeof parameters>;
