import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { partner } from '../../../../core/contract/partner';
import { addHint, howMany } from '../../../../core/engine/hints';
import { defineOperation } from '../../../../core/engine/operation';
import type { Param } from '../../../../core/engine/params';
import { list } from '../../../../core/transport/list';
import { createDispatch, prepareDispatch } from './delivery/createDispatch';
import { readFinals } from './delivery/replies';
import { after, startWithin } from './delivery/startWithin';
import { sendTest } from './delivery/testMessage';
import { pendingIn, waitAtMost, watchDispatch } from './delivery/watch';
import { firstParams, furtherParams, reportedDispatch, testParam } from './params/head';
import { limitParams, priceParams } from './params/limits';
import { dispatchOptionParams } from './params/options';
import { forEachGroup } from './plan/groups';
import type { Sorted } from './plan/sorter';
import { previewDispatches } from './preview';
import { Summary, toDispatchResult } from './results';

const dryRunParam = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description:
		"Whether to only show who would get which text and for about how much. Nothing is created, sent or charged, except the message of 'Send a Test To' if you enter a number there.",
} as const satisfies Param;

const waitParam = {
	displayName: 'Wait Until Delivered',
	name: 'waitUntilDelivered',
	type: 'boolean',
	default: false,
	description:
		'Whether to wait until nothing is pending and return what became of each recipient. The execution keeps running meanwhile.',
} as const satisfies Param;

const deliveryWaitParams = [
	waitParam,
	{ ...waitAtMost, displayOptions: { show: { waitUntilDelivered: [true] } } },
] as const;

/**
 * Limits belong to what a dispatch is made of: they are read for every item before anything is created, and items with
 * different limits share no dispatch.
 */
const limitedDispatch = {
	...reportedDispatch,
	params: [
		...reportedDispatch.params,
		...priceParams,
		...limitParams,
		...deliveryWaitParams,
	] as const,
};

/** Of everybody who was meant to get it; a number that appears twice counts once. */
const acceptedShare = ({ accepted, rejected }: Sorted, count: number) => {
	const meant = accepted.length + rejected.filter(({ reason }) => reason !== 'duplicate').length;
	return meant === 0 ? 0 : count / meant;
};

/** What became of a started dispatch: its counters, and each of its messages. */
const waitFor = async (context: IExecuteFunctions, id: number, limitMinutes: number) => {
	const dispatch = await watchDispatch(context, id, limitMinutes);
	const pending = pendingIn(dispatch);
	if (pending !== 0) {
		const count = pending === null ? 'Some messages' : howMany(pending, 'message');
		addHint(
			context,
			`${count} of dispatch ${id} may still be on the way. Wait longer with '${waitAtMost.displayName}', or use Get Report later.`,
		);
	}
	const entries = await list(context, partner.messageList, { query: { dispatchId: id } });
	const { status, messages } = dispatch;
	const delivery: IDataObject = { status, completed: status === 'COMPLETED', messages };
	return { delivery, finals: readFinals(entries) };
};

export const send = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Send dispatch',
	description:
		'Create a dispatch from input items, a list or JSON, check price and recipients, and start it, in one step. This costs money.',
	output: Summary,
	// The price on the first screen: nobody should have to look for what keeps the bill small.
	params: [
		...firstParams,
		...priceParams,
		dryRunParam,
		...furtherParams,
		...limitParams,
		...deliveryWaitParams,
		...dispatchOptionParams,
	],
	execute: async (run) => {
		const { context } = run;
		const { dryRun, testTo } = run.reader([dryRunParam, testParam] as const)(0);
		const shown = dryRun ? await previewDispatches(run) : [];
		if (dryRun && (testTo ?? '').trim() === '') return shown;
		const sent = await forEachGroup(run, limitedDispatch, {
			makesDispatches: true,
			prepare: async (group) => await prepareDispatch(run, group),
			work: async (group, prepared) => {
				const { limits, waitUntilDelivered, limitMinutes, ...head } = group.head;
				if (prepared.isTest) return await sendTest(run, group, prepared, { ...head, ...limits });
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
								throw after(
									context,
									error,
									`Dispatch ${dispatchId} was started, and its messages are being sent. Only what became of them could not be read.`,
								);
							})
						: undefined;
				return toDispatchResult(
					{ ...group, progress },
					{ ...summary, ...waited?.delivery },
					{ ...start, finals: waited?.finals, senderNames: prepared.senderNames },
				);
			},
		});
		return [...shown, ...sent];
	},
});
