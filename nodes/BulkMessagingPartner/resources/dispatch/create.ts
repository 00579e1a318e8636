import { defineOperation } from '../../../../core/engine/operation';
import { createParams, reportedDispatch } from './params/head';
import { planDispatches, requireFew } from './plan/plan';
import { makeDispatches } from './steps/inTurn';
import { buildDispatch, requireOurs } from './steps/launch';
import { stateSummary, Summary, tellDispatch } from './steps/tell';

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create dispatch',
	description:
		'Prepare a dispatch from input items, a list or JSON. Nothing is sent until you start it; the result includes a price estimate.',
	output: Summary,
	params: createParams,
	execute: async (run) => {
		const { plans, failures } = planDispatches(run, reportedDispatch);
		requireFew(plans);
		return await makeDispatches(run, plans, failures, async (plan, { job, senderNames }) => {
			const { itemIndexes } = plan;
			const built = await buildDispatch(job);
			const { id, placed, state, currency } = await requireOurs(job, built, itemIndexes);
			job.kept = id;
			const summary = stateSummary(state, currency);
			return tellDispatch(plan, { dispatchId: id, placed, summary, senderNames });
		});
	},
});
