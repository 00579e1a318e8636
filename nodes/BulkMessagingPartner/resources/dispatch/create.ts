import { defineOperation } from '../../../../core/engine/operation';
import { dispatchParams, reportedDispatch } from './params/head';
import { planDispatches, requireFew } from './plan/plan';
import { checkDispatch, companyLists } from './steps/check';
import { prepareAll, workInTurn } from './steps/inTurn';
import { createWhole, endClaim } from './steps/launch';
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
		const { context } = run;
		const testNumber = testNumberOf(run);
		const { plans, failures } = planDispatches(run, reportedDispatch);
		requireFew(plans);
		if (testNumber !== undefined) return await sendTest(run, plans, failures, testNumber, {});
		const lists = companyLists(context);
		const ready = await prepareAll(
			run,
			plans,
			failures,
			async (plan) => await checkDispatch(context, plan, lists),
		);
		const kept: number[] = [];
		try {
			return await workInTurn(
				run,
				ready,
				failures,
				async (plan, checked) => {
					const { id, placed, state, currency } = await createWhole(
						context,
						checked,
						plan.itemIndexes,
					);
					kept.push(id);
					const { senderNames, replies } = checked;
					const summary = stateSummary(state, currency);
					return tellDispatch(plan, { dispatchId: id, placed, summary, senderNames, replies });
				},
				{ makesDispatches: true },
			);
		} finally {
			for (const [, checked] of ready)
				endClaim(
					context,
					checked,
					kept.find((id) => checked.job.made.includes(id)),
				);
		}
	},
});
