import { defineOperation } from '../../../../core/engine/operation';
import { dispatchParams, reportedDispatch } from './params/head';
import { planDispatches, requireFew } from './plan/plan';
import { makeDispatches } from './steps/inTurn';
import { buildDispatch, requireOurs } from './steps/launch';
import { stateSummary, Summary, tellDispatch } from './steps/tell';
import { sendTest, testNumberOf } from './steps/testMessage';

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create dispatch',
	description:
		'Prepare a dispatch from input items, a list or JSON. Nothing is sent until you start it; the result includes a price estimate.',
	output: Summary,
	params: dispatchParams,
	execute: async (run) => {
		const testNumber = testNumberOf(run);
		const { plans, failures } = planDispatches(run, reportedDispatch);
		requireFew(plans);
		if (testNumber !== undefined) return await sendTest(run, plans, failures, testNumber, {});
		return await makeDispatches(run, plans, failures, async (plan, { job, senderNames }) => {
			const { itemIndexes } = plan;
			const built = await buildDispatch(job, itemIndexes);
			const { id, placed, state, currency } = await requireOurs(job, built, itemIndexes);
			job.kept = id;
			const summary = stateSummary(state, currency);
			return tellDispatch(plan, { dispatchId: id, placed, summary, senderNames });
		});
	},
});
