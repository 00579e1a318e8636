import { addHint } from '../../../../core/engine/hints';
import { defineOperation } from '../../../../core/engine/operation';
import { z } from '../../../../vendor/zod';
import { modeWith } from '../../../shared/mode';
import {
	firstParams,
	sendParams,
	startedDispatch,
	type StartValues,
} from '../../../dispatches/params/head';
import { type DispatchPlan, planDispatches, requireFew } from '../../../dispatches/plan/plan';
import { previewDispatches } from './preview';
import { awaitDelivery } from '../../../dispatches/steps/await';
import type { Checked } from '../../../dispatches/job';
import { makeDispatches } from '../../../dispatches/steps/inTurn';
import { launchDispatch } from '../../../dispatches/steps/launch';
import { acceptedShare, limitsOf } from '../../../dispatches/steps/limits';
import {
	earlierWords,
	stateSummary,
	Summary,
	tellDispatch,
	tellNobodyNew,
	type DispatchResult,
} from '../../../dispatches/tell/result';
import { readTestNumber, sendTest, testParam } from '../../../dispatches/steps/testMessage';

const modeParam = modeWith([
	{
		name: 'Send a Test',
		value: 'test',
		description: "Send the first recipient's text to your own number only. This costs money.",
	},
]);

/** Create, fill, compare, yield, start, and wait if the user wants that. */
const sendOne = async (
	plan: DispatchPlan<StartValues>,
	checked: Checked,
): Promise<DispatchResult> => {
	const { rejected, job, hasIt, sentBefore, senderNames } = checked;
	const { context, recipients: accepted } = job;
	if (accepted.length === 0) return tellNobodyNew(context, plan, checked, { started: true });
	// An earlier try may have sent to others, if an expression gives different values in each try.
	const sent = { ...plan, accepted, rejected: [...rejected] };
	const { waitUntilDelivered, options } = plan.head;
	const launched = await launchDispatch(context, checked, limitsOf(plan.head), (count) =>
		acceptedShare(sent, count),
	);
	const { made, started } = launched;
	const { id, placed, state, currency } = made;
	const reason = launched.started ? undefined : launched.notStartedBecause;
	if (reason !== undefined) addHint(context, `Dispatch ${id} was not started. ${reason}.`);
	const waited =
		waitUntilDelivered && started
			? await awaitDelivery(context, made, options.limitMinutes, job.ifSent)
			: undefined;
	const start = { started, ...(launched.started ? { status: launched.status } : { reason }) };
	const summary = { ...stateSummary(state, currency), ...start, ...waited?.delivery };
	return tellDispatch(sent, {
		dispatchId: id,
		placed,
		summary,
		started,
		notStartedBecause: reason,
		finals: waited?.finals,
		senderNames,
		hasIt,
		earlier: earlierWords(context, sentBefore),
	});
};

export const send = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Send dispatch',
	description:
		'Create a dispatch from input items, a list or JSON, check its price and recipients, and start it, all in one step. This costs money.',
	output: Summary.extend({ started: z.boolean(), reason: z.string(), completed: z.boolean() }),
	params: [...firstParams, modeParam, testParam, ...sendParams],
	execute: async (run) => {
		const { mode } = run.reader([modeParam] as const).at(0);
		if (mode === 'dryRun') return await previewDispatches(run, "set 'Mode' to 'Send'");
		const testNumber = mode === 'test' ? readTestNumber(run) : undefined;
		const { plans, failures } = planDispatches(run, startedDispatch);
		requireFew(plans);
		return testNumber === undefined
			? await makeDispatches(run, plans, failures, 'send', sendOne)
			: await sendTest(run, plans, failures, testNumber);
	},
});
