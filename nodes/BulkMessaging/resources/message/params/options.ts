import { eventOptions, MessageEvent } from '../../../../../core/contract/events';
import type { Param, ValuesOf } from '../../../../../core/engine/params';
import { toAdditional } from '../../../../shared/additionalFields';
import {
	callbackAuthentication,
	callbackUrl,
	defaultEvents,
	wantedCallbackUrl,
} from '../../../../shared/callbackParams';
import { splitList } from '../../../../shared/lists';
import { missingValues } from '../../../../shared/placeholders';
import { dayOptions, hoursParam } from '../../../../shared/times';
import { trafficTypeOptions } from '../../../../shared/trafficTypes';

/** Where the service reports what becomes of a message. */
export const callbackOptions = [
	callbackAuthentication,
	{
		displayName: 'Callback Events',
		name: 'callbackEvents',
		type: 'multiOptions',
		options: eventOptions(MessageEvent.options),
		default: ['delivered'],
		whenEmpty: 'refuse',
		description: 'Which changes of a message are reported to Callback URL',
	},
	callbackUrl,
] as const satisfies readonly Param[];

const writtenTime =
	"Sent as you write it, without a time zone: the service reads it in the recipient's time zone unless you turn 'Use Recipient's Time' off";

const whoseTime = "in the recipient's time zone unless you turn 'Use Recipient's Time' off";

export const usedBefore = {
	displayName: 'If the Custom Message ID Was Used Before',
	name: 'usedBefore',
	type: 'options',
	options: [
		{
			name: 'Do Not Send Again',
			value: 'skip',
			description: 'Return the message that is there, with alreadySent: true',
		},
		{ name: 'Send Anyway', value: 'sendAnyway' },
	],
	default: 'skip',
	description: 'For the same phone number and channel. It makes running a workflow again safe.',
} as const satisfies Param;

const days = {
	displayName: 'Days',
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
	description: `Hours of the day in which the message may be sent, ${whoseTime}`,
} as const satisfies Param;

const localCompletionTime = {
	displayName: 'Local Completion Time',
	name: 'localCompletionTime',
	type: 'dateTime',
	validateType: 'string',
	default: '',
	whenEmpty: 'refuse',
	description: `Until when the message may be sent. ${writtenTime}.`,
} as const satisfies Param;

const localSendTime = {
	displayName: 'Local Send Time',
	name: 'localSendTime',
	type: 'dateTime',
	validateType: 'string',
	default: '',
	whenEmpty: 'refuse',
	whenPast: 'hint',
	description: `When the message is to be sent. ${writtenTime}.`,
} as const satisfies Param;

const shortUrl = {
	displayName: 'Shorten Links',
	name: 'shortUrl',
	type: 'boolean',
	default: true,
	description: 'Whether to replace the links in the text by short ones that count clicks',
} as const satisfies Param;

const useLocalTime = {
	displayName: "Use Recipient's Time",
	name: 'useLocalTime',
	type: 'boolean',
	default: true,
	description:
		"Whether times, hours and days are those of the recipient's time zone (on) or of the service's (off)",
} as const satisfies Param;

/** When and how a message is sent. */
export const sendingOptions = [
	days,
	hours,
	missingValues,
	usedBefore,
	{
		displayName: 'Kind of Traffic',
		name: 'trafficType',
		type: 'options',
		options: trafficTypeOptions,
		allowArbitraryValues: true,
		default: 'SERVICE',
		description: 'Authorization is for messages built from an authorization template',
	},
	localCompletionTime,
	localSendTime,
	shortUrl,
	{
		displayName: 'Tags',
		name: 'tags',
		type: 'string',
		default: '',
		placeholder: 'e.g. spring, vip',
		description: 'One or several, separated by commas',
	},
	{
		displayName: 'Template ID',
		name: 'templateId',
		type: 'number',
		default: 0,
		description: 'The template the message is built from',
	},
	{
		displayName: 'Time to Live (Seconds)',
		name: 'ttl',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 86_400,
		description: 'How long the service tries to deliver. Without it 25 hours, which is 90000.',
	},
	useLocalTime,
] as const satisfies readonly Param[];

/** Those of them that a cascade has as a whole. */
export const cascadeOptions = [
	days,
	hours,
	localCompletionTime,
	localSendTime,
	shortUrl,
	useLocalTime,
] as const satisfies readonly Param[];

export type OptionValues = Partial<ValuesOf<typeof sendingOptions>> &
	Partial<ValuesOf<typeof callbackOptions>> & { additionalFields?: unknown };

/** From the screen to the wire. */
export const toMessageOptions = ({
	additionalFields: given,
	callbackAuthentication: authentication,
	callbackEvents,
	callbackUrl: address,
	tags,
	templateId,
	...options
}: Omit<OptionValues, 'usedBefore' | 'missingValues'>) => {
	const additional = toAdditional(given);
	const inField = { callbackUrl: address, callbackAuthentication: authentication };
	const url = wantedCallbackUrl(inField, additional);
	const wire = {
		...options,
		tags: splitList(tags),
		templateId: templateId || undefined,
		callbackUrl: url,
		callbackEvents: url === undefined ? undefined : (callbackEvents ?? defaultEvents),
	};
	return { wire, additional };
};
