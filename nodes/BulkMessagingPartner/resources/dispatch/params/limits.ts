import type { Param } from '../../../../../core/engine/params';

/** When a dispatch is not started. */
export const limitParams = [
	{
		displayName: 'Limits',
		name: 'limits',
		type: 'collection',
		placeholder: 'Add Limit',
		default: {},
		description: 'When not to start. The dispatch then stays there, created and not sent.',
		options: [
			{
				displayName: 'If a Limit Is Passed',
				name: 'whenPassed',
				type: 'options',
				options: [
					{
						name: 'Do Not Start and Say So',
						value: 'leave',
						description: 'The result has started: false',
					},
					{ name: 'Stop With an Error', value: 'error' },
				],
				default: 'leave',
			},
			{
				displayName: 'Minimum Accepted (%)',
				name: 'minimumAccepted',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 100 },
				enforceRange: true,
				default: 90,
				description:
					'Do not start when the service took a smaller share of the recipients than this',
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
