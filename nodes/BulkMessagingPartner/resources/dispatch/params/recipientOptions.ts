import type { Param } from '../../../../../core/engine/params';
import { defaultCountry } from '../../../../shared/phone';
import { missingValues } from '../../../../shared/placeholders';

/** What to do with recipients that cannot or need not get the message, and how they travel. */
export const recipientOptionParams = [
	defaultCountry,
	{
		displayName: 'Recipient Options',
		name: 'recipientOptions',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Batch Size',
				name: 'batchSize',
				type: 'number',
				typeOptions: { minValue: 1, numberPrecision: 0 },
				default: 1000,
				description:
					'How many recipients travel in one request. Lower it if the service rejects large requests.',
			},
			{
				displayName: 'If a Number Appears Twice',
				name: 'duplicates',
				type: 'options',
				options: [
					{ name: 'Send Only Once', value: 'first', description: 'The first one wins' },
					{ name: 'Send Every Time', value: 'all' },
				],
				default: 'first',
			},
			missingValues,
		],
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'Recipients',
				value: 'recipients',
				description: 'One item per recipient: accepted or not, and why',
			},
			{ name: 'Summary', value: 'summary', description: 'One item per dispatch' },
		],
		default: 'summary',
	},
] as const satisfies readonly Param[];
