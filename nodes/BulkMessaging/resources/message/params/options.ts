import { MessageEvent } from '../../../../../core/contract/events';
import type { Param, ValuesOf } from '../../../../../core/engine/params';
import { additionalFields } from '../../../../shared/additionalFields';
import { callbackAuthentication, callbackEventsOf, callbackUrl } from '../../../../shared/callback';
import { optionsWith } from '../../../../shared/lists';
import { modeWith } from '../../../../shared/mode';
import { defaultCountry } from '../../../../shared/phone';
import { missingValues } from '../../../../shared/placeholders';
import { daysParam, hoursParam } from '../../../../shared/times';
import { trafficTypeOptions } from '../../../../shared/trafficTypes';

const whoseTime =
	"in the recipient's time zone, or in Moscow time if 'Use Recipient's Time' is off";

/** What 'Do Not Send Again' does, and what the choice means, differ by operation. */
const usedBeforeOption = <const Help extends { skip: string; whole: string }>({
	skip,
	whole,
}: Help) =>
	({
		displayName: 'If the Custom Message ID Was Used Before',
		name: 'usedBefore',
		type: 'options',
		options: [
			{ name: 'Do Not Send Again', value: 'skip', description: skip },
			{ name: 'Send Anyway', value: 'sendAnyway' },
		],
		default: 'skip',
		description: whole,
	}) as const satisfies Param;

const weekdays = {
	...daysParam,
	whenEmpty: 'refuse',
	description: `Weekdays on which the message may be sent, ${whoseTime}`,
} as const satisfies Param;

const hours = {
	...hoursParam,
	whenEmpty: 'refuse',
	description: `Hours in which the message may be sent, ${whoseTime}`,
} as const satisfies Param;

const sendNoLaterThan = {
	displayName: 'Send No Later Than',
	name: 'localCompletionTime',
	type: 'dateTime',
	validateType: 'string',
	default: '',
	whenEmpty: 'refuse',
	description: `The latest time to send the message, at most 70 days ahead, ${whoseTime}. A time zone in the value is ignored.`,
} as const satisfies Param;

const sendAt = {
	displayName: 'Send At',
	name: 'localSendTime',
	type: 'dateTime',
	validateType: 'string',
	default: '',
	whenEmpty: 'refuse',
	description: `When to send the message, at most 7 days ahead, ${whoseTime}. A time zone in the value is ignored.`,
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
		"Whether to read times, hours and weekdays in the recipient's time zone instead of Moscow time",
} as const satisfies Param;

export const sendingMode = modeWith([]);

export const allowOneNumber = {
	displayName: 'Allow One Number for All Items',
	name: 'allowOneNumber',
	type: 'boolean',
	default: true,
	description:
		"Whether several items may send to the same phone number. Without this option, a run in which all items have one number stops before anything is sent: usually 'Phone Number' was meant to be an expression.",
} as const satisfies Param;

export const mostMessages = {
	displayName: 'Most Messages per Run',
	name: 'mostMessages',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	enforceRange: true,
	default: 1000,
	description:
		'A run with more messages stops before anything is sent. Without this option, the limit is 1,000.',
} as const satisfies Param;

/** The options that apply to a single message, from 'Send At' on. */
const messageOptions = [
	sendAt,
	sendNoLaterThan,
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
		type: 'string',
		default: '',
		placeholder: 'e.g. 512',
		description:
			"Sent with the message. It doesn't choose a template: the service compares the text with yours.",
	},
	{
		displayName: 'Time to Live (Seconds)',
		name: 'ttl',
		type: 'number',
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
		description:
			'What the message is for. Operators price and filter messages by it. Without this option, the service decides.',
	},
	useLocalTime,
	weekdays,
] as const satisfies readonly Param[];

/** The first options of messages and cascades, in the order of their labels. */
const firstOptions = [
	additionalFields,
	allowOneNumber,
	callbackAuthentication,
	callbackEventsOf(MessageEvent.options),
	callbackUrl,
	defaultCountry,
	hours,
	missingValues,
] as const satisfies readonly Param[];

export const sendOptions = optionsWith([
	...firstOptions,
	usedBeforeOption({
		skip: 'Returns the existing message with alreadySent: true',
		whole:
			"Applies to the same phone number and channel. 'Do Not Send Again' makes it safe to run the workflow again.",
	}),
	mostMessages,
	...messageOptions,
]);

const [leaveEmpty, , stopBefore] = missingValues.options;

/** One message only: there are no other recipients, and no other items. */
export const waitOptions = optionsWith([
	additionalFields,
	defaultCountry,
	hours,
	{
		displayName: "If the Message Isn't Delivered",
		name: 'whenUndelivered',
		type: 'options',
		options: [
			{
				name: 'Continue the Workflow',
				value: 'continue',
				description: "With outcome: failed. For 'Approval', also with data.approved: false.",
			},
			{ name: 'Keep Waiting', value: 'wait' },
		],
		default: 'continue',
		description: "Applies if 'Wait For' is 'Approval' or 'Free Text'",
	},
	{
		...missingValues,
		options: [
			leaveEmpty,
			{
				name: 'Skip the Message',
				value: 'skip',
				description: "Don't send. The workflow continues with outcome: skipped.",
			},
			stopBefore,
		],
	},
	usedBeforeOption({
		skip: "Doesn't wait: returns the earlier message's outcome, or stops if it isn't known yet",
		whole: 'Applies to the same phone number and channel',
	}),
	...messageOptions,
]);

/** The options that apply to a whole cascade. */
export const cascadeOptions = optionsWith([
	...firstOptions,
	usedBeforeOption({
		skip: 'Returns the existing message with alreadySent: true',
		whole:
			'The service may not keep custom message IDs of cascades, so a second run may send again',
	}),
	mostMessages,
	sendAt,
	sendNoLaterThan,
	shortUrl,
	useLocalTime,
	weekdays,
]);

export type OptionValues = Partial<ValuesOf<typeof sendOptions.options>> &
	Partial<Pick<ValuesOf<typeof waitOptions.options>, 'whenUndelivered'>>;
