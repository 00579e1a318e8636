import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { partner } from '../../../../core/contract/partner';
import { addHint, howMany } from '../../../../core/engine/hints';
import { defineOperation } from '../../../../core/engine/operation';
import type { Param } from '../../../../core/engine/params';
import { list } from '../../../../core/transport/list';
import { createDispatch, prepareDispatch } from './delivery/createDispatch';
import { readFinals, type FinalState } from './delivery/replies';
import { failureAfter, startWithin } from './delivery/startWithin';
import { sendTest } from './delivery/testMessage';
import { pendingIn, waitAtMost, watchDispatch } from './delivery/watch';
import {
	firstParams,
	furtherParams,
	reportedDispatch,
	reservationNotice,
	testParam,
} from './params/head';
import { limitParams, priceParams } from './params/limits';
import { dispatchOptionParams } from './params/options';
import { forEachGroup } from './plan/groups';
import type { HeadOf, RecipientGroup } from './plan/groups';
import type { Sorted } from './plan/sorter';
import { testNumberOf } from './plan/testNumber';
import { previewDispatches } from './preview';
import { Summary, toDispatchResult } from './results';

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

/** Limits are read for every item before anything is created, and items with different limits don't share a dispatch. */
const limitedDispatch = {
	...reportedDispatch,
	params: [
		...reportedDispatch.params,
		...priceParams,
		...limitParams,
		...deliveryWaitParams,
	] as const,
};

const knownStates = new Set(['CREATED', 'SENT', 'DELIVERED', 'FAILED']);

/** Which limit would stop the dispatch that a dry run shows. */
const limitObjection = (
	{ head, accepted }: RecipientGroup<HeadOf<typeof limitedDispatch.params>>,
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

/** Adds a hint about undelivered messages, because a node that succeeds looks as if everything was delivered. */
const hintAtUndelivered = (
	context: IExecuteFunctions,
	id: number,
	finals: ReadonlyMap<string, FinalState>,
): void => {
	const states = [...finals.values()].map(({ status }) => status);
	const failed = states.filter((status) => status === 'FAILED').length;
	if (failed > 0) {
		addHint(
			context,
			`${failed.toLocaleString('en')} of ${howMany(finals.size, 'message')} in dispatch ${id} ${failed === 1 ? 'was' : 'were'} not delivered.`,
		);
	}
	const unclear = states.filter((status) => !knownStates.has(status)).length;
	if (finals.size === 0 || unclear > 0) {
		const which = finals.size === 0 ? 'the messages' : howMany(unclear, 'message');
		addHint(context, `The service doesn't report a known status for ${which} in dispatch ${id}.`);
	}
};

/** Waits for a started dispatch and returns its counts and the state of each message. */
const waitFor = async (context: IExecuteFunctions, id: number, limitMinutes: number) => {
	const dispatch = await watchDispatch(context, id, limitMinutes);
	const pending = pendingIn(dispatch);
	if (pending !== 0 && dispatch.status !== 'STOPPED') {
		const count = pending === null ? 'Some messages' : howMany(pending, 'message');
		addHint(
			context,
			`${count} in dispatch ${id} may still be pending. Increase '${waitAtMost.displayName}', or use 'Get Report' later.`,
		);
	}
	const entries = await list(context, partner.messageList, { query: { dispatchId: id } });
	const { status, messages } = dispatch;
	const delivery: IDataObject = { status, completed: status === 'COMPLETED', messages };
	const finals = readFinals(entries);
	hintAtUndelivered(context, id, finals);
	return { delivery, finals };
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
		const { context } = run;
		const { dryRun } = run.reader([dryRunParam] as const)(0);
		const testNumber = testNumberOf(run);
		const shown = dryRun ? await previewDispatches(run, limitedDispatch, limitObjection) : [];
		if (testNumber !== undefined) {
			const tested = await sendTest(
				run,
				limitedDispatch,
				testNumber,
				({ priceLimit, priceCurrency, stopIfStartFails }) => ({
					priceLimit,
					priceCurrency,
					stopIfStartFails,
				}),
			);
			return [...shown, ...tested];
		}
		// A dry run ends here: everything below creates dispatches.
		if (dryRun) return shown;
		return await forEachGroup(run, limitedDispatch, {
			makesDispatches: true,
			prepare: async (group) => await prepareDispatch(run, group),
			work: async (group, prepared) => {
				const { limits, waitUntilDelivered, limitMinutes, ...head } = group.head;
				const delivery = await createDispatch(run, group, prepared);
				const accepted = delivery.acceptedCount;
				const start = await startWithin(context, delivery, {
					...head,
					...limits,
					accepted,
					share: acceptedShare(group, accepted),
				});
				const summary = { ...(await delivery.summary()), ...start };
				const { progress } = delivery;
				const { dispatchId } = progress;
				if (waitUntilDelivered && !start.started) {
					addHint(
						context,
						`Dispatch ${dispatchId} wasn't started, so there was nothing to wait for.`,
					);
				}
				const waited =
					waitUntilDelivered && start.started && dispatchId !== undefined
						? await waitFor(context, dispatchId, limitMinutes).catch((error: unknown) => {
								throw failureAfter(
									context,
									error,
									`Dispatch ${dispatchId} was started and its messages are being sent, but their results couldn't be read.`,
								);
							})
						: undefined;
				return toDispatchResult(
					{ ...group, progress },
					{ ...summary, ...waited?.delivery },
					{
						...start,
						finals: waited?.finals,
						senderNames: prepared.senderNames,
						replies: delivery.replies,
					},
				);
			},
		});
	},
});
