import { partner } from '../../../../core/contract/partner';
import { defineOperation } from '../../../../core/engine/operation';
import type { Param } from '../../../../core/engine/params';
import { checkRequest } from '../../../../core/transport/send';
import { companyForList, dispatchInPath } from '../../shared/locators';
import { forEachGroup, type HeadKind } from './plan/groups';
import { recipientOptionParams } from './params/recipientOptions';
import { deliverGroup } from './delivery/createDispatch';
import { Summary, toDispatchResult } from './results';
import { itemTextParams, whomParams } from './params/recipients';

const textOfDispatchParam = {
	displayName: 'Dispatch Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	displayOptions: { show: { recipients: ['items'] } },
	placeholder: 'e.g. Hello {name}, your discount is {discount}%',
	description:
		"The text the dispatch was created with. Enter it again, because the service doesn't return it: its placeholders determine which item fields are sent. If an expression gives each item a different text, each recipient gets their own.",
} as const satisfies Param;

const resumeParam = {
	displayName: 'Resume',
	name: 'resume',
	type: 'boolean',
	default: false,
	description:
		'Whether to skip recipients who are already in the dispatch. Use it with the same items to continue after an error or a canceled run.',
} as const satisfies Param;

/** Items with the same values for these are added together. */
const targetParams = [companyForList, dispatchInPath, resumeParam] as const;

const existingDispatch: HeadKind<typeof targetParams> = {
	params: targetParams,
	text: textOfDispatchParam,
	mayHaveOtherText: () => true,
	check: ({ id }) => checkRequest(partner.dispatchGet, { path: { id } }),
};

export const addMessages = defineOperation({
	value: 'addMessages',
	name: 'Add Messages',
	action: 'Add messages to dispatch',
	description:
		"Add recipients to a dispatch that isn't started yet, or continue an interrupted run",
	output: Summary,
	params: [
		companyForList,
		dispatchInPath,
		textOfDispatchParam,
		resumeParam,
		...whomParams,
		...itemTextParams,
		...recipientOptionParams,
	],
	execute: async (run) =>
		await forEachGroup(run, existingDispatch, {
			prepare: async () => undefined,
			work: async (group) => {
				const { id, resume } = group.head;
				const delivery = await deliverGroup(run, group, { dispatchId: id }, async (one, begun) =>
					resume || begun?.isTried === true
						? await one.resume(group.accepted, begun?.heldBefore)
						: await one.append(group.accepted),
				);
				const { progress, replies } = delivery;
				return toDispatchResult({ ...group, progress }, await delivery.summary(), { replies });
			},
		}),
});
