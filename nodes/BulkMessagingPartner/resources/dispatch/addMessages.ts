import { partner } from '../../../../core/contract/partner';
import { defineOperation } from '../../../../core/engine/operation';
import type { Param } from '../../../../core/engine/params';
import { checkRequest } from '../../../../core/transport/send';
import { z } from '../../../../vendor/zod';
import { companyForList, dispatchInPath } from '../../../shared/locators';
import { outputAndOptions } from '../../../dispatches/params/recipientOptions';
import { whomParams } from '../../../dispatches/params/recipients';
import { planDispatches, type HeadKind } from '../../../dispatches/plan/plan';
import { addPlanned } from '../../../dispatches/steps/add';
import { prepareAll, workInTurn } from '../../../dispatches/steps/inTurn';
import { partnerApi } from '../../../dispatches/ask/partner';
import { stateSummary, Summary } from '../../../dispatches/tell/result';

const textOfDispatchParam = {
	displayName: 'Dispatch Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	displayOptions: { show: { recipients: ['items'] } },
	placeholder: 'e.g. Hello {name}, your discount is {discount}%',
	description:
		"Enter the dispatch's original text again. The service doesn't return it, and the node needs it to fill the placeholders. An expression can give every item its own text.",
} as const satisfies Param;

/** Items with the same dispatch are added together. */
const targetParams = [companyForList, dispatchInPath] as const;

const existingDispatch: HeadKind<typeof targetParams> = {
	identity: [dispatchInPath],
	params: targetParams,
	text: textOfDispatchParam,
	hasOtherText: true,
	check: ({ id }) => checkRequest(partner.dispatchGet, { path: { id } }),
};

export const addMessages = defineOperation({
	value: 'addMessages',
	name: 'Add Messages',
	action: 'Add messages to dispatch',
	description:
		"Add recipients to a dispatch that isn't started yet. Recipients who are already in it are skipped.",
	output: Summary.extend({ alreadyInDispatch: z.number() }),
	params: [companyForList, dispatchInPath, textOfDispatchParam, ...whomParams, ...outputAndOptions],
	execute: async (run) => {
		const { plans, failures } = planDispatches(run, existingDispatch);
		const ready = await prepareAll(run, plans, failures, async () => undefined);
		const add = async (plan: (typeof plans)[number]) =>
			await addPlanned(run.context, partnerApi, plan, plan.head.id, stateSummary);
		return await workInTurn(run, ready, failures, add, 'adds');
	},
});
