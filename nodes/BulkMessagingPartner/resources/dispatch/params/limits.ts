import type { Param } from '../../../../../core/engine/params';

/** When a dispatch is not started. */
export const priceParams = [
	{
		displayName: 'Price Limit',
		name: 'priceLimit',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 2 },
		enforceRange: true,
		default: 1000,
		required: true,
		description:
			"The most this run may cost. If the estimate is higher, the dispatch isn't started.",
	},
	{
		displayName: 'Currency of the Price Limit',
		name: 'priceCurrency',
		type: 'string',
		default: 'RUB',
		required: true,
		placeholder: 'e.g. RUB',
		description: "If the estimate is in another currency, the dispatch isn't started",
	},
] as const satisfies readonly Param[];

/** Further reasons. */
export const limitParams = [
	{
		displayName: 'More Limits',
		name: 'limits',
		type: 'collection',
		placeholder: 'Add Limit',
		default: {},
		description: 'More reasons not to start. Without one, a single accepted recipient is enough.',
		options: [
			{
				displayName: 'When a Limit Is Exceeded',
				name: 'whenPassed',
				type: 'options',
				options: [
					{
						name: 'Create Without Starting',
						value: 'leave',
						description: 'The node succeeds, and the result says started: false',
					},
					{
						name: 'Stop With an Error',
						value: 'error',
						description: 'The dispatch exists, but it is not started',
					},
				],
				default: 'error',
			},
			{
				displayName: 'Minimum Accepted (People)',
				name: 'minimumPeople',
				type: 'number',
				typeOptions: { minValue: 0, numberPrecision: 0 },
				enforceRange: true,
				default: 1,
				description: "Don't start when the service accepted fewer recipients than this",
			},
			{
				displayName: 'Minimum Accepted (%)',
				name: 'minimumAccepted',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 100 },
				enforceRange: true,
				default: 90,
				description:
					"Don't start when the service accepted a smaller share of the recipients than this",
			},
			{
				displayName: 'Price Limit Applies To',
				name: 'priceLimitScope',
				type: 'options',
				options: [
					{
						name: 'Each Dispatch',
						value: 'dispatch',
						description: 'Several dispatches together can cost more than the limit',
					},
					{
						name: 'Whole Run',
						value: 'run',
						description: 'Everything this node starts in one run, added up',
					},
				],
				default: 'run',
				description: 'What counts toward the price limit when one run makes several dispatches',
			},
		],
	},
	{
		displayName: 'Stop if Starting Fails',
		name: 'stopIfStartFails',
		type: 'boolean',
		default: true,
		description:
			'Whether to stop the dispatch again when it is not known whether it started, so that nothing goes out that nobody watches',
	},
] as const satisfies readonly Param[];
