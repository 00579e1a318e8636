import { NodeOperationError } from 'n8n-workflow';
import { partner } from '../../../../core/contract/partner';
import { addHint, howMany } from '../../../../core/engine/hints';
import { defineOperation, type Run } from '../../../../core/engine/operation';
import type { Param } from '../../../../core/engine/params';
import { checkRequest } from '../../../../core/transport/send';
import { companyForList, dispatchInPath } from '../../shared/locators';
import { recipientOptionParams } from './params/recipientOptions';
import { itemTextParams, whomParams } from './params/recipients';
import { planDispatches, type DispatchPlan, type HeadKind, type HeadOf } from './plan/plan';
import { addToDispatch } from './steps/add';
import { prepareAll, workInTurn } from './steps/inTurn';
import { partnerApi } from './steps/partnerApi';
import { stateSummary, Summary, tellDispatch, type DispatchResult } from './steps/tell';

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

/** Items with the same dispatch are added together. */
const targetParams = [companyForList, dispatchInPath] as const;

const existingDispatch: HeadKind<typeof targetParams> = {
	identity: [dispatchInPath],
	params: targetParams,
	text: textOfDispatchParam,
	hasOtherText: true,
	check: ({ id }) => checkRequest(partner.dispatchGet, { path: { id } }),
};

const addOne = async (
	{ context }: Run<unknown>,
	plan: DispatchPlan<HeadOf<typeof targetParams>>,
): Promise<DispatchResult> => {
	const { accepted, batchSize, choices } = plan;
	const { id } = plan.head;
	const replies: unknown[] = [];
	const onReply = (reply: unknown) => {
		if (choices.output === 'raw') replies.push(reply);
	};
	const added = await addToDispatch(
		{ context, api: partnerApi, secrets: [], onReply, recipients: accepted, batchSize },
		id,
	);
	if (added.is === 'stop') {
		const { title, description, firstIndex, ...facts } = added;
		const itemIndex = accepted.at(firstIndex)?.itemIndex;
		const failure = new NodeOperationError(context.getNode(), title, { description, itemIndex });
		Object.assign(failure.context, { dispatchId: id, ...facts, firstItemNotAccepted: itemIndex });
		throw failure;
	}
	const { placed, state, currency, before } = added;
	if (before > 0) {
		addHint(
			context,
			`${howMany(before, 'recipient')} ${before === 1 ? 'was' : 'were'} already in dispatch ${id} and ${before === 1 ? "wasn't" : "weren't"} added again.`,
		);
	}
	const summary = { ...stateSummary(state, currency), alreadyInDispatch: before };
	return tellDispatch(plan, { dispatchId: id, placed, summary, replies });
};

export const addMessages = defineOperation({
	value: 'addMessages',
	name: 'Add Messages',
	action: 'Add messages to dispatch',
	description:
		"Add recipients to a dispatch that isn't started yet. Recipients who are already in it are skipped.",
	output: Summary,
	params: [
		companyForList,
		dispatchInPath,
		textOfDispatchParam,
		...whomParams,
		...itemTextParams,
		...recipientOptionParams,
	],
	execute: async (run) => {
		const { plans, failures } = planDispatches(run, existingDispatch);
		const ready = await prepareAll(run, plans, failures, async () => undefined);
		const add = async (plan: (typeof plans)[number]) => await addOne(run, plan);
		return await workInTurn(run, ready, failures, add, { makesDispatches: false });
	},
});
