import { defineOperation } from '../../../../core/engine/operation';
import { getDispatch, messagesIn } from '../../../dispatches/ask/partner';
import { momentNow, type Checked, type Made } from '../../../dispatches/job';
import { journalOf } from '../../../dispatches/journal';
import { createParams, reportedDispatch } from '../../../dispatches/params/head';
import { planDispatches, requireFew } from '../../../dispatches/plan/plan';
import { linkMessages } from '../../../dispatches/steps/compare';
import { makeDispatches } from '../../../dispatches/steps/inTurn';
import { makeOurs } from '../../../dispatches/steps/launch';
import { accountCurrency } from '../../../dispatches/steps/limits';
import {
	earlierWords,
	stateSummary,
	Summary,
	tellDispatch,
	tellNobodyNew,
} from '../../../dispatches/tell/result';

/** The dispatch that an earlier run has created for the same list, or an earlier try of this one. */
const findMade = async ({ job, kept }: Checked): Promise<Made | undefined> => {
	const before = journalOf(job.context)
		.of(job.itemIndexes)
		.find(({ isKept }) => isKept);
	if (before?.made !== undefined) return before.made.made;
	if (kept === undefined) return undefined;
	const { id, name = '' } = kept;
	const placed = linkMessages(job.recipients, [], await messagesIn(job, id));
	if (placed === undefined) return undefined;
	const currency = await accountCurrency(job.context);
	return { is: 'made', id, name, placed, state: kept, currency, createSentAt: momentNow() };
};

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create dispatch',
	description:
		'Prepare a dispatch from input items, a list or JSON. Nothing is sent until you start it; the result includes a price estimate.',
	output: Summary,
	params: createParams,
	execute: async (run) => {
		const { context } = run;
		const { plans, failures } = planDispatches(run, reportedDispatch);
		requireFew(plans);
		return await makeDispatches(run, plans, failures, 'keep', async (plan, checked) => {
			const { job, rejected, senderNames, hasIt, sentBefore } = checked;
			if (job.recipients.length === 0) return tellNobodyNew(context, plan, checked);
			const found = await findMade(checked);
			const made = found ?? (await makeOurs(checked)).made;
			const { id, placed, state, currency } = made;
			if (found === undefined) journalOf(context).note(made.name, { isKept: true });
			// A person may have started it meanwhile.
			const { status } =
				found === undefined ? state : await getDispatch(run, id).catch(() => state);
			const started = status === undefined || status === 'CREATED' ? undefined : true;
			const summary = stateSummary({ ...state, status }, currency);
			const earlier = earlierWords(context, sentBefore);
			const told = { dispatchId: id, placed, summary, started, senderNames, hasIt, earlier };
			return tellDispatch({ ...plan, accepted: job.recipients, rejected: [...rejected] }, told);
		});
	},
});
