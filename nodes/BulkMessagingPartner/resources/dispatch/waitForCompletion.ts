import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { ReplyOf } from '../../../../core/contract/endpoint';
import { Dispatch } from '../../../../core/contract/dispatch';
import { partner } from '../../../../core/contract/partner';
import { requireReadable } from '../../../../core/engine/answer';
import { toItem } from '../../../../core/engine/items';
import { defineOperation } from '../../../../core/engine/operation';
import { isRecord } from '../../../../core/json';
import { CancelledError } from '../../../../core/transport/errors';
import { pause } from '../../../../core/transport/retry';
import { checkRequest, send } from '../../../../core/transport/send';
import { z } from '../../../../vendor/zod';
import { companyForList, dispatchInPath } from '../../shared/locators';

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/** The contract promises more than a service may give. */
type Reply = Partial<ReplyOf<typeof partner.dispatchGet>>;

const countOf = ({ messages }: Reply): number | null => {
	const pending = isRecord(messages) ? messages.pending : undefined;
	return typeof pending === 'number' ? pending : null;
};

/** The time is over. A dispatch that is not known to be under way may be anything: that is no result. */
const leaveAt = (context: IExecuteFunctions, id: number, dispatch: Reply): Reply => {
	if (dispatch.status === 'STARTED') return dispatch;
	throw new NodeOperationError(
		context.getNode(),
		`The service doesn't report a known status for dispatch ${id}`,
		{
			description: `The time of 'Wait at Most (Minutes)' is over. The last status was ${JSON.stringify(dispatch.status) ?? 'missing'}. Check the dispatch in your account on the provider's website.`,
		},
	);
};

/** Asks again and again, with pauses that grow, until nothing is pending or the time is over. */
const watch = async (context: IExecuteFunctions, id: number, limitMs: number) => {
	const cancelled = context.getExecutionCancelSignal();
	// Not the time of day: somebody may set the clock meanwhile.
	const end = performance.now() + limitMs;
	for (let wait = firstPauseMs; ; wait = Math.min(wait * 1.5, longestPauseMs)) {
		const reply = await send(context, partner.dispatchGet, { path: { id } });
		const dispatch: Reply = await requireReadable(context, partner.dispatchGet, reply);
		if (dispatch.status === 'CREATED') {
			throw new NodeOperationError(
				context.getNode(),
				`Dispatch ${id} is not started, so it will never complete`,
				{ description: 'Start it first, for example with Start in a node before this one.' },
			);
		}
		if (dispatch.status === 'COMPLETED' || dispatch.status === 'STOPPED') return dispatch;
		const left = end - performance.now();
		// Also where it is no number: nothing asks without a pause.
		if (!(left >= firstPauseMs)) return leaveAt(context, id, dispatch);
		// The last pause ends with the time, and takes in a rest that would be too short for one of its own.
		await pause(left - wait < firstPauseMs ? left : wait, cancelled);
		if (cancelled?.aborted) throw new CancelledError();
	}
};

export const waitForCompletion = defineOperation({
	value: 'waitForCompletion',
	name: 'Wait for Completion',
	action: 'Wait for completion of dispatch',
	description:
		'Wait until nothing of a dispatch is pending any more, and return its final counters. The execution keeps running meanwhile.',
	output: Dispatch.extend({ completed: z.boolean(), stillPending: z.number() }),
	params: [
		companyForList,
		dispatchInPath,
		{
			displayName: 'Wait at Most (Minutes)',
			name: 'limitMinutes',
			type: 'number',
			typeOptions: { minValue: 0 },
			enforceRange: true,
			default: 60,
			description: 'After that the dispatch is returned as it is, with what is still pending',
		},
	],
	effect: 'reads',
	check: ({ id }) => checkRequest(partner.dispatchGet, { path: { id } }),
	each: async ({ id, limitMinutes }, { context }) => {
		const dispatch = await watch(context, id, limitMinutes * 60_000);
		return [
			{
				...toItem(dispatch),
				completed: dispatch.status === 'COMPLETED',
				stillPending: countOf(dispatch),
			},
		];
	},
});
