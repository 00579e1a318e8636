import type { Param } from '../../../../../core/engine/params';

/** When a dispatch is not started. */
export const limitParams = [
	{
		displayName: 'Limits',
		name: 'limits',
		type: 'collection',
		placeholder: 'Add Limit',
		default: {},
		description:
			"When not to start. Without a limit, one recipient that the service accepts is enough, and the price doesn't matter.",
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
				displayName: 'Price Limit',
				name: 'priceLimit',
				type: 'number',
				typeOptions: { minValue: 0, numberPrecision: 2 },
				enforceRange: true,
				default: 0,
				description:
					"Don't start when the price estimate exceeds this amount, in the estimate's currency. An empty limit is an error.",
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
