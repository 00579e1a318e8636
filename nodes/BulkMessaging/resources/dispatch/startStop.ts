import type { IExecuteFunctions } from 'n8n-workflow';
import { messaging } from '../../../../core/contract/messaging';
import { withSecretsHidden } from '../../../../core/transport/connection';
import { defineOperation } from '../../../../core/engine/operation';
import { ServiceError } from '../../../../core/transport/outcome';
import { checkRequest } from '../../../../core/transport/send';
import { z } from '../../../../vendor/zod';
import { startByHand } from '../../../dispatches/steps/startByHand';
import type { DispatchId } from '../../../dispatches/plan/rows';
import { messagingApi } from '../../../dispatches/ask/messaging';
import { dispatchIdParam, toDispatchId } from './params';

export const start = defineOperation({
	value: 'start',
	name: 'Start',
	action: 'Start dispatch',
	done: {
		one: 'dispatch started',
		many: 'dispatches started',
		again: 'not sent again: a dispatch is sent only once',
	},
	description:
		'Start sending a dispatch. This costs money. No messages can be added to it afterwards.',
	output: z.object({ dispatchId: z.number(), started: z.boolean() }),
	restsOn: messaging.dispatchStart,
	effect: 'once',
	onceFor: ({ dispatchId }) => toDispatchId(dispatchId),
	params: [dispatchIdParam],
	check: ({ dispatchId }) =>
		checkRequest(messaging.dispatchStart, { path: { dispatchId: toDispatchId(dispatchId) } }),
	each: async ({ dispatchId }, { context }) => {
		const id = toDispatchId(dispatchId);
		await startByHand(context, messagingApi, id);
		return [{ dispatchId: id, started: true }];
	},
});

/** After a stop that failed: returns if the dispatch shows that it was carried out all the same, and throws what is known otherwise. */
const requireStopped = async (
	context: IExecuteFunctions,
	id: DispatchId,
	error: Error,
): Promise<void> => {
	const isOpen =
		error instanceof ServiceError && (error.outcome === 'unknown' || error.problem.wasRepeated);
	if (!isOpen) throw error;
	const state = await messagingApi.get({ context }, id).catch(() => undefined);
	if (state !== undefined && messagingApi.isMoved(state, 'stop')) return;
	const shown =
		state?.status === undefined
			? ''
			: withSecretsHidden(context, `The service shows it as ${state.status}.`);
	const check = "Check it in your account on the provider's website.";
	// After a response that can't be understood, the error says so itself.
	const advice = error.description.includes('in your account') ? '' : check;
	throw error
		.doubted()
		.after(`${shown} ${advice}`.trim())
		.titled(`It is not known whether dispatch ${id} was stopped`);
};

export const stop = defineOperation({
	value: 'stop',
	name: 'Stop',
	action: 'Stop dispatch',
	done: { one: 'dispatch stopped', many: 'dispatches stopped' },
	description:
		"Stop a dispatch that is being sent. Messages that were already sent can't be recalled.",
	output: z.object({ dispatchId: z.number(), stopped: z.boolean() }),
	restsOn: messaging.dispatchStop,
	effect: 'repeatable',
	onceFor: ({ dispatchId }) => toDispatchId(dispatchId),
	params: [dispatchIdParam],
	each: async ({ dispatchId }, { context }) => {
		const id = toDispatchId(dispatchId);
		// The call itself is repeated if its response is lost: a stop must not wait for a minute of looking.
		const sent = await messagingApi.move(context, id, 'stop');
		if (sent.is !== 'done') await requireStopped(context, id, sent.error);
		return [{ dispatchId: id, stopped: true }];
	},
});
