import type { Sorted } from './plan/sorter';
import { defineOperation } from '../../../../core/engine/operation';
import { limitParams } from './params/limits';
import { forEachGroup } from './plan/groups';
import { reportedDispatch, requiredParams } from './params/head';
import { dispatchOptionParams } from './params/options';
import { createDispatch } from './delivery/createDispatch';
import { Summary, toDispatchResult } from './results';
import { startWithin } from './delivery/startWithin';

/**
 * Limits belong to what a dispatch is made of: they are read for every item before anything is created, and items with
 * different limits share no dispatch.
 */
const limitedDispatch = {
	...reportedDispatch,
	params: [...reportedDispatch.params, ...limitParams] as const,
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
	params: [...requiredParams, ...limitParams, ...dispatchOptionParams],
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
			return toDispatchResult(group.choices.output, placing, {
				...(await delivery.summary()),
				...started,
			});
		}),
});
