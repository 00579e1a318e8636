import type { Param } from '../../../../../core/engine/params';
import { defaultCountry } from '../../../../shared/phone';
import { missingValues } from '../../../../shared/placeholders';

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
			description: 'One item per recipient: whether the recipient was accepted and, if not, why',
		},
		{ name: 'Summary', value: 'summary', description: 'One item per dispatch' },
	],
	default: 'summary',
} as const satisfies Param;

/** How to treat phone numbers and missing values, how many recipients to send per request, and what the result shows. */
export const recipientOptionParams = [
	defaultCountry,
	{
		displayName: 'Recipient Options',
		name: 'recipientOptions',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [batchSizeParam, missingValues],
	},
	outputParam,
] as const satisfies readonly Param[];
