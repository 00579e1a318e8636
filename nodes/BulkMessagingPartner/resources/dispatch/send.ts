import type { Sorted } from './plan/sorter';
import { defineOperation } from '../../../../core/engine/operation';
import type { Param } from '../../../../core/engine/params';
import { forEachGroup } from './plan/groups';
import { newDispatch, requiredParams } from './params/head';
import { optionParams } from './params/options';
import { createDispatch } from './delivery/createDispatch';
import { Summary, toResult } from './results';
import { startWithin } from './delivery/startWithin';

const limitParams = [
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

/**
 * Limits belong to what a dispatch is made of: they are read for every item before anything is created, and items with
 * different limits share no dispatch.
 */
const limitedDispatch = {
	...newDispatch,
	params: [...newDispatch.params, ...limitParams] as const,
};

/** Of everybody who was meant to get it; a number that appears twice counts once. */
const acceptedShare = ({ accepted, rejected }: Sorted, count: number) => {
	const meant = accepted.length + rejected.filter(({ reason }) => reason !== 'duplicate').length;
	return meant === 0 ? 0 : count / meant;
};

export const send = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Send dispatch',
	description:
		'Create a dispatch from input items, a list or JSON, check price and recipients, and start it, in one step. This costs money.',
	output: Summary,
	// Above the options: nobody should have to look for what keeps the bill small.
	params: [...requiredParams, ...limitParams, ...optionParams],
	execute: async (run) =>
		await forEachGroup(run, limitedDispatch, async (group) => {
			const { limits, stopIfStartFails } = group.head;
			const delivery = await createDispatch(run, group);
			const started = await startWithin(run.context, delivery, {
				...limits,
				stopIfStartFails,
				share: acceptedShare(group, delivery.acceptedCount),
			});
			const placing = { ...group, progress: delivery.progress };
			return toResult(group.hygiene.output, placing, {
				...(await delivery.summary()),
				...started,
			});
		}),
});
