import { addHint, howMany } from '../../../../core/engine/hints';
import { defineOperation } from '../../../../core/engine/operation';
import type { Param } from '../../../../core/engine/params';
import {
	firstParams,
	furtherParams,
	reportedDispatch,
	reservationNotice,
	testParam,
} from './params/head';
import { limitParams, priceParams } from './params/limits';
import { dispatchOptionParams } from './params/options';
import { type DispatchPlan, type HeadOf, planDispatches, requireFew } from './plan/plan';
import type { Sorted } from './plan/sorter';
import { previewDispatches } from './preview';
import { awaitDelivery } from './steps/await';
import type { Checked } from './steps/job';
import { makeDispatches } from './steps/inTurn';
import { launchDispatch } from './steps/launch';
import type { StartLimits } from './steps/start';
import { stateSummary, Summary, tellDispatch, type DispatchResult } from './steps/tell';
import { sendTest, testNumberOf } from './steps/testMessage';
import { waitAtMost } from './steps/watch';

const dryRunParam = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description:
		"Whether to only show who would get which text and at what approximate price. Nothing is created, sent or charged, except a test message if you enter a number in 'Send a Test To'.",
} as const satisfies Param;

const waitParam = {
	displayName: 'Wait Until Delivered',
	name: 'waitUntilDelivered',
	type: 'boolean',
	default: false,
	description:
		'Whether to wait until no message is pending, then return the result for each recipient. The execution keeps running until then.',
} as const satisfies Param;

const deliveryWaitParams = [
	waitParam,
	{ ...waitAtMost, displayOptions: { show: { waitUntilDelivered: [true] } } },
] as const;

/** Limits belong to the dispatch as a whole, so they are read from its first item. */
const limitedDispatch = {
	...reportedDispatch,
	params: [
		...reportedDispatch.params,
		...priceParams,
		...limitParams,
		...deliveryWaitParams,
	] as const,
};

type SendHead = HeadOf<typeof limitedDispatch.params>;

/** Which limit would stop the dispatch that a dry run shows. */
const dryRunObjection = (
	{ head, accepted }: DispatchPlan<SendHead>,
	{ from, currency }: { from: number | null; currency: string },
): string | undefined => {
	const { priceLimit, priceCurrency, limits } = head;
	const { minimumPeople = 1 } = limits;
	if (accepted.length === 0) return undefined;
	if (accepted.length < minimumPeople) {
		return `Only ${howMany(accepted.length, 'person', 'people')} would get the message, but 'Minimum Accepted (People)' is ${minimumPeople}`;
	}
	if (from === null) return undefined;
	if (currency.toUpperCase() !== priceCurrency.trim().toUpperCase()) {
		return `The price is in ${currency}, but 'Price Limit' is in ${priceCurrency}`;
	}
	return from > priceLimit
		? `The dispatch would cost at least ${from} ${currency}, but 'Price Limit' is ${priceLimit} ${currency}`
		: undefined;
};

/** The share of all intended recipients that was accepted. Duplicates of a number aren't included. */
const acceptedShare = ({ accepted, rejected }: Sorted, count: number) => {
	const meant = accepted.length + rejected.filter(({ reason }) => reason !== 'duplicate').length;
	return meant === 0 ? 0 : count / meant;
};

/** Claim, fill, compare, yield, start, and wait if the user wants that. */
const sendOne = async (plan: DispatchPlan<SendHead>, checked: Checked): Promise<DispatchResult> => {
	const { context } = checked.job;
	const { priceLimit, priceCurrency, limits, waitUntilDelivered, limitMinutes } = plan.head;
	const startLimits: StartLimits = { ...limits, priceLimit, priceCurrency };
	const launched = await launchDispatch(
		context,
		checked,
		plan.itemIndexes,
		startLimits,
		(accepted) => acceptedShare(plan, accepted),
	);
	const { whole, ...start } = launched;
	const { id, placed, state, currency } = whole;
	if (!launched.started) {
		addHint(context, `Dispatch ${id} was not started. ${launched.notStartedBecause}.`);
	}
	const waited =
		waitUntilDelivered && launched.started
			? await awaitDelivery(context, whole, limitMinutes)
			: undefined;
	const { senderNames } = checked;
	const summary = { ...stateSummary(state, currency), ...start, ...waited?.delivery };
	return tellDispatch(plan, {
		dispatchId: id,
		placed,
		summary,
		...start,
		finals: waited?.finals,
		senderNames,
	});
};

export const send = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Send dispatch',
	description:
		'Create a dispatch from input items, a list or JSON, check its price and recipients, and start it, all in one step. This costs money.',
	output: Summary,
	// The price limit comes early, so that it is visible without scrolling.
	params: [
		...firstParams,
		...priceParams,
		dryRunParam,
		testParam,
		...furtherParams,
		reservationNotice,
		...limitParams,
		...deliveryWaitParams,
		...dispatchOptionParams,
	],
	execute: async (run) => {
		const { dryRun } = run.reader([dryRunParam] as const)(0);
		const testNumber = testNumberOf(run);
		const shown = dryRun ? await previewDispatches(run, limitedDispatch, dryRunObjection) : [];
		if (dryRun && testNumber === undefined) return shown;
		const { plans, failures } = planDispatches(run, limitedDispatch);
		requireFew(plans);
		if (testNumber !== undefined) {
			const { priceLimit, priceCurrency } = plans[0]?.head ?? {};
			const limits = { priceLimit, priceCurrency };
			return [...shown, ...(await sendTest(run, plans, failures, testNumber, limits))];
		}
		return await makeDispatches(run, plans, failures, sendOne);
	},
});
