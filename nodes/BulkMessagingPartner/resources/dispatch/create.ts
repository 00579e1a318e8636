import { defineOperation } from '../../../../core/engine/operation';
import { forEachGroup } from './plan/groups';
import { dispatchParams, reportedDispatch } from './params/head';
import { createDispatch, prepareDispatch } from './delivery/createDispatch';
import { sendTest } from './delivery/testMessage';
import { Summary, toDispatchResult } from './results';

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create dispatch',
	description:
		'Prepare a bulk send from input items, a list or JSON. Nothing is sent before it is started; the result holds an estimate of its price.',
	output: Summary,
	params: dispatchParams,
	execute: async (run) =>
		await forEachGroup(run, reportedDispatch, {
			makesDispatches: true,
			prepare: async (group) => await prepareDispatch(run, group),
			work: async (group, prepared) => {
				if (prepared.isTest) {
					const { companyId } = group.head;
					return await sendTest(run, group, prepared, { companyId, stopIfStartFails: true });
				}
				const delivery = await createDispatch(run, group, prepared);
				const placing = { ...group, progress: delivery.progress };
				const { senderNames } = prepared;
				return toDispatchResult(placing, await delivery.summary(), { senderNames });
			},
		}),
});
