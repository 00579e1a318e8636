import { defineOperation } from '../../../../core/engine/operation';
import { forEachGroup } from './groups';
import { headParams, mainParams } from './head';
import { hygieneParams } from './hygiene';
import { optionParams } from './options';
import { deliver, toHead } from './place';
import { Summary, toResult } from './results';
import { itemParams, listParams, sourceParam } from './rows';

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create dispatch',
	description:
		'Prepare a bulk send from input items, a list or JSON. Nothing is sent before it is started; the result holds an estimate of its price.',
	output: Summary,
	params: [
		...mainParams,
		sourceParam,
		...itemParams,
		...listParams,
		...hygieneParams,
		...optionParams,
	],
	execute: async (run) => {
		return await forEachGroup(
			run,
			headParams,
			({ text }) => text,
			async (group) => {
				const { head, secrets } = await toHead(run.context, group.head);
				const delivery = await deliver(run, group, { secrets }, async (one) => {
					await one.create(head, group.accepted);
				});
				return toResult(
					group.hygiene.output,
					{ ...group, progress: delivery.progress },
					await delivery.summary(),
				);
			},
		);
	},
});
