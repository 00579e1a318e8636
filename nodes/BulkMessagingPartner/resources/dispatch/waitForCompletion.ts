import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import { Dispatch } from '../../../../core/contract/dispatch';
import { partner } from '../../../../core/contract/partner';
import { requireReadable, UnreadableAnswerError } from '../../../../core/engine/answer';
import { UnfitValueError } from '../../../../core/engine/coerce';
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

/** Asks again and again, with pauses that grow, until nothing is pending or the time is over. */
const watch = async (context: IExecuteFunctions, id: number, limitMs: number) => {
	const cancelled = context.getExecutionCancelSignal();
	// Not the time of day: somebody may set the clock meanwhile.
	const end = performance.now() + limitMs;
	for (let wait = firstPauseMs; ; wait = Math.min(wait * 1.5, longestPauseMs)) {
		const reply = await send(context, partner.dispatchGet, { path: { id } });
		const dispatch = await requireReadable(context, partner.dispatchGet, reply);
		// Without a status it would be asked for until the time is up.
		if (typeof dispatch.status !== 'string') throw new UnreadableAnswerError('without a status');
		if (dispatch.status === 'CREATED') {
			throw new NodeOperationError(
				context.getNode(),
				`Dispatch ${id} is not started, so it will never complete`,
				{ description: 'Start it first, for example with Start in a node before this one.' },
			);
		}
		if (dispatch.status === 'COMPLETED' || dispatch.status === 'STOPPED') return dispatch;
		const left = end - performance.now();
		if (left <= 0) return dispatch;
		await pause(Math.min(wait, left), cancelled);
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
			default: 60,
			description: 'After that the dispatch is returned as it is, with what is still pending',
		},
	],
	effect: 'reads',
	check: ({ id, limitMinutes }) => {
		if (limitMinutes < 0)
			throw new UnfitValueError('Wait at Most (Minutes)', 'must not be below 0');
		checkRequest(partner.dispatchGet, { path: { id } });
	},
	each: async ({ id, limitMinutes }, { context }) => {
		const dispatch = await watch(context, id, limitMinutes * 60_000);
		return [
			{
				...toItem(dispatch),
				completed: dispatch.status === 'COMPLETED',
				stillPending: isRecord(dispatch.messages) ? dispatch.messages.pending : null,
			},
		];
	},
});
