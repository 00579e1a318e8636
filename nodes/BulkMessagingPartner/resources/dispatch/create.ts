import { defineOperation } from '../../../../core/engine/operation';
import { createParams, reportedDispatch } from '../../../dispatches/params/head';
import { planDispatches, requireFew } from '../../../dispatches/plan/plan';
import { makeDispatches } from '../../../dispatches/steps/inTurn';
import { createdBefore, triedOf } from '../../../dispatches/steps/job';
import { buildDispatch, requireOurs } from '../../../dispatches/steps/launch';
import { getDispatch, startedStatuses } from '../../../dispatches/ask/partner';
import { stateSummary, Summary, tellDispatch } from '../../../dispatches/tell/result';

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
		return await makeDispatches(run, plans, failures, async (plan, checked) => {
			const { itemIndexes } = plan;
			const { job, rejected, senderNames } = checked;
			// n8n may try again because of another dispatch. What an earlier try has created isn't created a second time.
			const earlier = createdBefore(run.context, itemIndexes);
			const whole =
				earlier?.whole ?? (await requireOurs(job, await buildDispatch(job), itemIndexes));
			if (earlier === undefined) triedOf(run.context).created.push({ itemIndexes, checked, whole });
			const { id, placed, state, currency } = whole;
			job.keptId = id;
			// A person may have started it meanwhile.
			const { status = state.status } =
				earlier === undefined ? state : await getDispatch(run, id).catch(() => state);
			const started = startedStatuses.includes(status ?? '') || undefined;
			const summary = stateSummary({ ...state, status }, currency);
			const told = { dispatchId: id, placed, summary, started, senderNames };
			return tellDispatch({ ...plan, accepted: job.recipients, rejected }, told);
		});
	},
});
