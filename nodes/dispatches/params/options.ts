import { DispatchEvent } from '../../../core/contract/events';
import type { Param } from '../../../core/engine/params';
import { callbackAuthentication, callbackEventsOf, callbackUrl } from '../../shared/callback';
import { additionalFields } from '../../shared/additionalFields';
import { optionsWith } from '../../shared/lists';
import { defaultCountry } from '../../shared/phone';
import { missingValues } from '../../shared/placeholders';
import { daysParam, hoursParam } from '../../shared/times';
import { minimumParams, priceCurrency, waitAtMost, whenPassed } from './limits';
import { batchSizeParam } from './recipientOptions';

const additional = {
	...additionalFields,
	description: `${additionalFields.description} For example, {"rateTerm": 10}: the highest sending speed depends on this value.`,
} as const satisfies Param;

const ifSent = {
	displayName: 'If It Was Sent Before',
	name: 'ifSent',
	type: 'options',
	options: [
		{
			name: 'New Recipients Only',
			value: 'new',
			description: 'People who already have this text under this name are left out and counted',
		},
		{
			name: 'Send Anyway',
			value: 'anyway',
			description: 'Nothing is checked: the same people may get the same message again',
		},
		{
			name: 'Stop With an Error',
			value: 'stop',
			description: 'Nothing is sent if a dispatch with this name was started',
		},
	],
	default: 'new',
	description: 'What to do if a dispatch with this name was sent, also by an earlier run',
} as const satisfies Param;

const mostDispatches = {
	displayName: 'Most Dispatches per Run',
	name: 'mostDispatches',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	enforceRange: true,
	default: 10,
	description: 'If a run would create more dispatches than this, it stops before anything is sent',
} as const satisfies Param;

const schedule = {
	displayName: 'Schedule',
	name: 'schedule',
	type: 'fixedCollection',
	default: {},
	placeholder: 'Add Schedule',
	description: 'When messages may be sent. All three fields are required.',
	options: [
		{
			displayName: 'Schedule',
			name: 'when',
			values: [
				{
					displayName: 'Start At',
					name: 'startAt',
					type: 'dateTime',
					default: '',
					description: "Uses the workflow's time zone unless the value contains one",
				},
				{
					...hoursParam,
					description:
						"Hours of the day when messages may be sent. The provider doesn't document the time zone: ask before you rely on it.",
				},
				{
					...daysParam,
					description:
						"Weekdays on which messages may be sent. The provider doesn't document the time zone.",
				},
			],
		},
	],
} as const satisfies Param;

const senderIds = {
	displayName: 'Sender Names or IDs',
	name: 'senderIds',
	type: 'multiOptions',
	typeOptions: {
		loadOptionsMethod: 'getSenders',
		loadOptionsDependsOn: ['companyId.value', 'channelType'],
	},
	validateType: 'number',
	default: [],
	whenEmpty: 'refuse',
	description:
		'Send only under these names, one for each operator. The service may reject recipients whose operator has none. Without this option, all approved names of the company are used. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
} as const satisfies Param;

const newDispatchOptions = [
	additional,
	batchSizeParam,
	callbackAuthentication,
	callbackEventsOf(DispatchEvent.options),
	callbackUrl,
	defaultCountry,
	missingValues,
	ifSent,
	mostDispatches,
	schedule,
	senderIds,
] as const satisfies readonly Param[];

export const createOptions = optionsWith(newDispatchOptions);

export const dispatchSendOptions = optionsWith([
	...newDispatchOptions,
	...minimumParams,
	priceCurrency,
	waitAtMost,
	whenPassed,
]);
