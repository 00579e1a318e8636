import { ledgerOf } from '../../../../core/engine/ledger';
import { defineOperation } from '../../../../core/engine/operation';
import { createParams, reportedDispatch } from './params/head';
import { planDispatches, requireFew } from './plan/plan';
import type { Sorted } from './plan/sorter';
import { makeDispatches } from './steps/inTurn';
import type { Whole } from './steps/job';
import { buildDispatch, requireOurs } from './steps/launch';
import { stateSummary, Summary, tellDispatch } from './steps/tell';

/** A dispatch that this run has created, from which items, with whom and without whom. */
interface Created extends Sorted {
	itemIndexes: readonly number[];
	whole: Whole;
}

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
		// n8n may try again because of another dispatch. What an earlier try has created isn't created a second time.
		const created = ledgerOf(run.context).record('created', (): Created[] => []);
		return await makeDispatches(run, plans, failures, async (plan, { job, senderNames }) => {
			const { itemIndexes } = plan;
			const earlier = created.find((one) => one.itemIndexes.join() === itemIndexes.join());
			const { accepted, rejected } = earlier ?? plan;
			const whole =
				earlier?.whole ?? (await requireOurs(job, await buildDispatch(job), itemIndexes));
			if (earlier === undefined) created.push({ itemIndexes, whole, accepted, rejected });
			const { id, placed, state, currency } = whole;
			job.kept = id;
			const summary = stateSummary(state, currency);
			const told = { dispatchId: id, placed, summary, senderNames };
			return tellDispatch({ ...plan, accepted, rejected }, told);
		});
	},
});
