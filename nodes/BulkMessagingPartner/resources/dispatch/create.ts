import { defineOperation } from '../../../../core/engine/operation';
import { forEachGroup } from './plan/groups';
import { dispatchParams, reportedDispatch } from './params/head';
import { createDispatch } from './delivery/createDispatch';
import { Summary, toDispatchResult } from './results';

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create dispatch',
	description:
		'Prepare a bulk send from input items, a list or JSON. Nothing is sent before it is started; the result holds an estimate of its price.',
	output: Summary,
	params: dispatchParams,
	execute: async (run) =>
		await forEachGroup(run, reportedDispatch, async (group) => {
			const delivery = await createDispatch(run, group);
			return toDispatchResult(
				group.choices.output,
				{ ...group, progress: delivery.progress },
				await delivery.summary(),
			);
		}),
});
