import { eventOptions, MessageEvent } from '../../../../../core/contract/events';
import type { Param, ValuesOf } from '../../../../../core/engine/params';
import { callbackAuthentication, callbackUrl } from '../../../../shared/callback';
import { missingValues } from '../../../../shared/placeholders';
import { dayOptions, hoursParam } from '../../../../shared/times';
import { trafficTypeOptions } from '../../../../shared/trafficTypes';

/** Each operation adds its own options. */
export const optionsCollection = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
} as const;

export const callbackOptions = [
	callbackAuthentication,
	{
		displayName: 'Callback Events',
		name: 'callbackEvents',
		type: 'multiOptions',
		options: eventOptions(MessageEvent.options),
		default: ['delivered'],
		whenEmpty: 'refuse',
		description: "Which events the service reports to 'Callback URL'",
	},
	callbackUrl,
] as const satisfies readonly Param[];

const writtenTime =
	"It is sent as you write it, without a time zone. The service reads it in the recipient's time zone unless you turn off 'Use Recipient's Time'";

const whoseTime = "in the recipient's time zone unless you turn off 'Use Recipient's Time'";

export const usedBefore = {
	displayName: 'If the Custom Message ID Was Used Before',
	name: 'usedBefore',
	type: 'options',
	options: [
		{
			name: 'Do Not Send Again',
			value: 'skip',
			description: 'Returns the existing message with alreadySent: true',
		},
		{ name: 'Send Anyway', value: 'sendAnyway' },
	],
	default: 'skip',
	description:
		"Applies to the same phone number and channel. 'Do Not Send Again' makes it safe to run the workflow again.",
} as const satisfies Param;

const weekdays = {
	displayName: 'Weekdays',
	name: 'days',
	type: 'multiOptions',
	validateType: 'number',
	options: dayOptions,
	default: [1, 2, 3, 4, 5],
	whenEmpty: 'refuse',
	description: `Weekdays on which the message may be sent, ${whoseTime}`,
} as const satisfies Param;

const hours = {
	...hoursParam,
	whenEmpty: 'refuse',
	description: `Hours in which the message may be sent, ${whoseTime}`,
} as const satisfies Param;

const localCompletionTime = {
	displayName: 'Local Completion Time',
	name: 'localCompletionTime',
	type: 'dateTime',
	validateType: 'string',
	default: '',
	whenEmpty: 'refuse',
	description: `The latest time at which the message may be sent, at most 70 days ahead. ${writtenTime}.`,
} as const satisfies Param;

const localSendTime = {
	displayName: 'Local Send Time',
	name: 'localSendTime',
	type: 'dateTime',
	validateType: 'string',
	default: '',
	whenEmpty: 'refuse',
	description: `The earliest time at which the message may be sent, at most 7 days ahead. ${writtenTime}.`,
} as const satisfies Param;

const shortUrl = {
	displayName: 'Shorten Links',
	name: 'shortUrl',
	type: 'boolean',
	default: true,
	description: 'Whether to replace links in the text with short links that count clicks',
} as const satisfies Param;

const useLocalTime = {
	displayName: "Use Recipient's Time",
	name: 'useLocalTime',
	type: 'boolean',
	default: true,
	description:
		"Whether times, hours and weekdays are in the recipient's time zone (on) or in Moscow time (off)",
} as const satisfies Param;

export const sendingOptions = [
	hours,
	missingValues,
	usedBefore,
	localCompletionTime,
	localSendTime,
	shortUrl,
	{
		displayName: 'Tags',
		name: 'tags',
		type: 'string',
		default: '',
		placeholder: 'e.g. spring, vip',
		description: 'One or more, separated by commas',
	},
	{
		displayName: 'Template ID',
		name: 'templateId',
		type: 'number',
		default: 0,
		description:
			"Sent with the message. It doesn't choose a template: the service compares the text with yours.",
	},
	{
		displayName: 'Time to Live (Seconds)',
		name: 'ttl',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 86_400,
		description:
			'How long the service tries to deliver the message, usually 60 to 86,400. Without this option: 90,000, which is 25 hours.',
	},
	{
		displayName: 'Traffic Type',
		name: 'trafficType',
		type: 'options',
		options: trafficTypeOptions,
		allowArbitraryValues: true,
		default: 'SERVICE',
		description: "'Authorization' is for messages created from an authorization template",
	},
	useLocalTime,
	weekdays,
] as const satisfies readonly Param[];

/** The options that apply to a whole cascade. */
export const cascadeOptions = [
	hours,
	localCompletionTime,
	localSendTime,
	shortUrl,
	useLocalTime,
	weekdays,
] as const satisfies readonly Param[];

export type OptionValues = Partial<ValuesOf<typeof sendingOptions>> &
	Partial<ValuesOf<typeof callbackOptions>> & { additionalFields?: unknown };
