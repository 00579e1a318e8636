import type { Param } from '../../../core/engine/params';
import { optionsWith } from '../../shared/lists';
import { defaultCountry } from '../../shared/phone';
import { missingValues } from '../../shared/placeholders';

export const batchSizeParam = {
	displayName: 'Batch Size',
	name: 'batchSize',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 1000,
	description:
		'How many recipients are sent in one request. Lower it if the service rejects large requests.',
} as const satisfies Param;

export const outputParam = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Recipients',
			value: 'recipients',
			description: 'One item per recipient: what became of the message and, if it failed, why',
		},
		{
			name: 'Summary',
			value: 'summary',
			description: 'One item per dispatch, with counts and the first recipients not reached',
		},
	],
	default: 'summary',
} as const satisfies Param;

const recipientOptions = [
	batchSizeParam,
	defaultCountry,
	missingValues,
] as const satisfies readonly Param[];

/** What the result shows, and how to treat phone numbers and missing values. */
export const outputAndOptions = [
	outputParam,
	optionsWith(recipientOptions),
] as const satisfies readonly Param[];
