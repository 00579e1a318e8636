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

/** How to treat phone numbers, duplicates and missing values, and how many recipients to send per request. */
const sortingParams = [
	defaultCountry,
	{
		displayName: 'Recipient Options',
		name: 'recipientOptions',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			batchSizeParam,
			{
				displayName: 'If a Number Appears Twice',
				name: 'duplicates',
				type: 'options',
				options: [
					{
						name: 'Send Only Once',
						value: 'first',
						description: 'Only the first item with this number is used',
					},
					{ name: 'Send Every Time', value: 'all' },
				],
				default: 'first',
			},
			missingValues,
		],
	},
] as const satisfies readonly Param[];

export const outputParam = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Raw',
			value: 'raw',
			description: 'The unchanged responses from the service, one item each',
		},
		{
			name: 'Recipients',
			value: 'recipients',
			description: 'One item per recipient: whether the recipient was accepted and, if not, why',
		},
		{ name: 'Summary', value: 'summary', description: 'One item per dispatch' },
	],
	default: 'summary',
} as const satisfies Param;

export const recipientOptionParams = [
	...sortingParams,
	outputParam,
] as const satisfies readonly Param[];

/** A preview sends nothing, so there are no responses to show. */
export const previewOptionParams = [
	...sortingParams,
	{ ...outputParam, options: [outputParam.options[1], outputParam.options[2]] },
] as const satisfies readonly Param[];
