import { defineOperation } from '../../../../core/engine/operation';
import { forEachGroup } from './plan/groups';
import { dispatchParams, reportedDispatch } from './params/head';
import { createDispatch, prepareDispatch } from './delivery/createDispatch';
import { nobodyCanJoin } from './delivery/startWithin';
import { sendTest } from './delivery/testMessage';
import { testNumberOf } from './plan/testNumber';
import { Summary, toDispatchResult } from './results';

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create dispatch',
	description:
		'Prepare a dispatch from input items, a list or JSON. Nothing is sent until you start it; the result includes a price estimate.',
	output: Summary,
	params: dispatchParams,
	execute: async (run) => {
		const testNumber = testNumberOf(run);
		if (testNumber !== undefined) {
			return await sendTest(run, reportedDispatch, testNumber, () => ({ stopIfStartFails: true }));
		}
		return await forEachGroup(run, reportedDispatch, {
			makesDispatches: true,
			prepare: async (group) => await prepareDispatch(run, group),
			work: async (group, prepared) => {
				const delivery = await createDispatch(run, group, prepared);
				const { progress } = delivery;
				const { dispatchId = 0, isClosed } = progress;
				if (isClosed && delivery.acceptedCount === 0)
					throw nobodyCanJoin(run.context, dispatchId, 0);
				const placing = { ...group, progress };
				const { senderNames } = prepared;
				const { replies } = delivery;
				return toDispatchResult(placing, await delivery.summary(), { senderNames, replies });
			},
		});
	},
});
