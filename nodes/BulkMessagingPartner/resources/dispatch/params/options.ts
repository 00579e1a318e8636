import { DispatchEvent, eventOptions } from '../../../../../core/contract/events';
import { UnfitValueError } from '../../../../../core/engine/errors';
import type { Param, ValuesOf } from '../../../../../core/engine/params';
import {
	callbackAuthentication,
	callbackUrl,
	defaultEvents,
	wantedCallbackUrl,
} from '../../../../shared/callback';
import { additionalFields, toAdditional } from '../../../../shared/additionalFields';
import { dayOptions, hoursParam } from '../../../../shared/times';

export const dispatchOptionParams = [
	{
		displayName: 'Dispatch Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		description: 'When messages may be sent, and where the service reports their results',
		options: [
			{
				...additionalFields,
				description: `${additionalFields.description} For example, {"rateTerm": 10}: the highest sending speed depends on this value.`,
			},
			callbackAuthentication,
			{
				displayName: 'Callback Events',
				name: 'callbackEvents',
				type: 'multiOptions',
				options: eventOptions(DispatchEvent.options),
				default: ['delivered'],
				whenEmpty: 'refuse',
				description: "Which events the service reports to 'Callback URL'",
			},
			callbackUrl,
			{
				displayName: 'Most Dispatches per Run',
				name: 'mostDispatches',
				type: 'number',
				typeOptions: { minValue: 1, numberPrecision: 0 },
				enforceRange: true,
				default: 10,
				description:
					'If a run would create more dispatches than this, it stops before anything is sent',
			},
			{
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
								whenPast: 'hint',
								description: "Uses the workflow's time zone unless the value contains one",
							},
							{
								...hoursParam,
								description:
									"Hours of the day when messages may be sent. The provider doesn't document the time zone: ask before you rely on it.",
							},
							{
								displayName: 'Weekdays',
								name: 'days',
								type: 'multiOptions',
								validateType: 'number',
								options: dayOptions,
								default: [1, 2, 3, 4, 5],
								description:
									"Weekdays on which messages may be sent. The provider doesn't document the time zone.",
							},
						],
					},
				],
			},
		],
	},
] as const satisfies readonly Param[];

type DispatchOptions = ValuesOf<typeof dispatchOptionParams>['options'];

/** An incomplete schedule is an error, because it would send at unintended times. */
const toSchedule = ({ when }: NonNullable<DispatchOptions['schedule']>) => {
	if (when === undefined) return undefined;
	const { startAt, hours, days } = when;
	if (startAt !== undefined) return { startAt, hours, days };
	throw new UnfitValueError('Start At', 'is empty. A schedule requires it');
};

/** Fields that decide what is sent to whom. They have one place on the screen, so that every check sees them. */
const ownFields = {
	companyId: 'Company',
	name: 'Dispatch Name',
	channelType: 'Channel',
	senderIds: 'Send As',
	text: 'Text',
	messages: 'Recipients',
};

/** Converts the parameters to request fields. */
export const toDispatchOptions = ({
	additionalFields: given,
	callbackEvents,
	schedule,
	callbackUrl: address,
	callbackAuthentication: authentication,
}: DispatchOptions) => {
	const callback = { callbackUrl: address, callbackAuthentication: authentication };
	const additional = toAdditional(given);
	for (const [name, field] of Object.entries(ownFields)) {
		if (!Object.hasOwn(additional, name)) continue;
		throw new UnfitValueError(
			additionalFields.displayName,
			`can't replace ${name}. Use '${field}' instead`,
		);
	}
	const url = wantedCallbackUrl(callback, additional);
	const wire = {
		schedule: schedule && toSchedule(schedule),
		callbackUrl: url,
		// The published interface doesn't say which events are reported without this field.
		callbackEvents: url === undefined ? undefined : (callbackEvents ?? defaultEvents),
	};
	return { wire, additional };
};
