import type { Param } from '../../../core/engine/params';

/** A dispatch above this price isn't started. */
export const priceParam = {
	displayName: 'Price Limit',
	name: 'priceLimit',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 2 },
	enforceRange: true,
	default: 1000,
	required: true,
	description:
		"In RUB by default. A dispatch isn't started if the run's estimate is higher. The price may differ.",
} as const satisfies Param;

export const whenPassed = {
	displayName: 'If a Limit Is Exceeded',
	name: 'whenPassed',
	type: 'options',
	options: [
		{
			name: 'Continue Without Sending',
			value: 'leave',
			description: 'The node succeeds, and "started" is false in the result',
		},
		{
			name: 'Stop With an Error',
			value: 'error',
			description: 'Nothing is sent. To send, change the limit and run it again.',
		},
	],
	default: 'error',
	description: "What to do with a dispatch that your limits don't allow to start",
} as const satisfies Param;

/** Without them, a dispatch starts if at least one recipient is accepted and the price is within the limit. */
export const minimumParams = [
	{
		displayName: 'Minimum Accepted (%)',
		name: 'minimumAccepted',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 100 },
		enforceRange: true,
		default: 90,
		description: "Don't start if the service accepts a smaller share of the recipients than this",
	},
	{
		displayName: 'Minimum Accepted (Recipients)',
		name: 'minimumPeople',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		enforceRange: true,
		default: 1,
		description: "Don't start if the service accepts fewer recipients than this",
	},
] as const satisfies readonly Param[];

export const priceCurrency = {
	displayName: 'Price Limit Currency',
	name: 'priceCurrency',
	type: 'string',
	default: 'RUB',
	whenEmpty: 'refuse',
	placeholder: 'e.g. RUB',
	description: "If the estimate is in another currency, the dispatch isn't started",
} as const satisfies Param;

export const waitAtMost = {
	displayName: 'Wait at Most (Minutes)',
	name: 'limitMinutes',
	type: 'number',
	typeOptions: { minValue: 0 },
	enforceRange: true,
	default: 60,
	description:
		'After this time, the node returns the current counts, including what is still pending',
} as const satisfies Param;
