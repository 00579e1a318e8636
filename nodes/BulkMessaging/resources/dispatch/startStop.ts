import { messaging } from '../../../../core/contract/messaging';
import { defineOperation } from '../../../../core/engine/operation';
import { z } from '../../../../vendor/zod';
import { moveOrFail } from '../../../BulkMessagingPartner/resources/dispatch/steps/start';
import { messagingApi } from './messagingApi';
import { dispatchIdParam, toDispatchId } from './params';

export const start = defineOperation({
	value: 'start',
	name: 'Start',
	action: 'Start dispatch',
	done: { one: 'dispatch started', many: 'dispatches started' },
	description:
		'Start sending a dispatch. This costs money. No messages can be added to it afterwards.',
	output: z.object({ dispatchId: z.number(), started: z.boolean() }),
	restsOn: messaging.dispatchStart,
	effect: 'once',
	onceFor: ({ dispatchId }) => toDispatchId(dispatchId),
	params: [dispatchIdParam],
	check: ({ dispatchId }) => void toDispatchId(dispatchId),
	each: async ({ dispatchId }, { context }) => {
		const id = toDispatchId(dispatchId);
		await moveOrFail(context, messagingApi, id, 'start');
		return [{ dispatchId: id, started: true }];
	},
});

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
	check: ({ dispatchId }) => void toDispatchId(dispatchId),
	each: async ({ dispatchId }, { context }) => {
		const id = toDispatchId(dispatchId);
		// The call itself is repeated if its response is lost: a stop must not wait for a minute of looking.
		const stopped = await messagingApi.move(context, id, 'stop');
		if (stopped.is !== 'done') throw stopped.error;
		return [{ dispatchId: id, stopped: true }];
	},
});
