import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { z } from '../../../../vendor/zod';
import { NodeOperationError } from 'n8n-workflow';
import { messageLimits, messaging } from '../../../../core/contract/messaging';
import { UnfitValueError } from '../../../../core/engine/errors';
import { addHintOnce } from '../../../../core/engine/hints';
import { defineOperation, type Run } from '../../../../core/engine/operation';
import type { Param, ValuesOf } from '../../../../core/engine/params';
import { isBlank } from '../../../../core/value';
import { batchSizeParam, outputParam } from '../../../dispatches/params/recipientOptions';
import { nobodyLeft } from '../../../dispatches/tell/people';
import { toBatchSize, type DispatchPlan } from '../../../dispatches/plan/plan';
import type { DispatchId } from '../../../dispatches/plan/rows';
import { Sorter } from '../../../dispatches/plan/sorter';
import { addPlanned } from '../../../dispatches/steps/add';
import { prepareAll, workInTurn } from '../../../dispatches/steps/inTurn';
import type { ShownDispatch } from '../../../dispatches/ask/partner';
import { Summary } from '../../../dispatches/tell/result';
import { optionsWith } from '../../../shared/lists';
import { defaultCountry, phoneNumber } from '../../../shared/phone';
import { messagingApi } from '../../../dispatches/ask/messaging';
import { dispatchIdParam, toDispatchId } from './params';

const valuesLabel = 'Placeholder Values';

const addingParams = [
	dispatchIdParam,
	{ ...phoneNumber, description: 'Each input item is a recipient. In any common format.' },
	defaultCountry,
	{
		displayName: valuesLabel,
		name: 'substitutions',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Value',
		default: {},
		description: "A value for each placeholder in the dispatch's text",
		options: [
			{
				displayName: 'Value',
				name: 'placeholder',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						whenEmpty: 'refuse',
						placeholder: 'e.g. name',
						description: "The placeholder's name in the dispatch's text, without signs around it",
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						whenEmpty: 'keep',
						placeholder: 'e.g. {{ $json.name }}',
						description: 'The text that replaces the placeholder for this recipient',
					},
				],
			},
		],
	},
	outputParam,
	optionsWith([batchSizeParam]),
] as const satisfies readonly Param[];

type AddingValues = ValuesOf<typeof addingParams>;
interface Target {
	id: DispatchId;
}

const toRecipientRow = (values: AddingValues, itemIndex: number, context: IExecuteFunctions) => {
	const { destination: phone, defaultCountry: country, substitutions } = values;
	const given = (substitutions.placeholder ?? []).map(({ name, value }) => {
		if (!isBlank(value)) return [name.trim(), value] as const;
		throw new UnfitValueError(valuesLabel, `has no value for "${name.trim()}"`);
	});
	const names = given.map(([name]) => name);
	const own = Object.fromEntries(given);
	const twice = names.find((name, place) => names.indexOf(name) !== place);
	if (twice !== undefined) throw new UnfitValueError(valuesLabel, `contains "${twice}" twice`);
	const signed = names.find((name) => /^\{.*\}$/.test(name));
	if (signed !== undefined) {
		addHintOnce(
			context,
			`'${valuesLabel}' contains "${signed}". Write the name without the signs around it, or the text may be sent without the value.`,
		);
	}
	return { itemIndex, phone, country, values: own, own: { given: names } };
};

/** The items by their dispatch, with the recipients sorted. Items that can't be read become failures. */
const planAdding = ({ items, values, failed, context }: Run<AddingValues>) => {
	const drafts = new Map<DispatchId, { sorter: Sorter; plan: DispatchPlan<Target> }>();
	const failures: INodeExecutionData[] = [];
	for (let itemIndex = 0; itemIndex < items.length; itemIndex++) {
		try {
			const given = values(itemIndex);
			const { output, options } = given;
			const id = toDispatchId(given.dispatchId);
			const row = toRecipientRow(given, itemIndex, context);
			let draft = drafts.get(id);
			if (draft === undefined) {
				const sorter = new Sorter({
					text: undefined,
					hasOtherText: false,
					missingValues: 'empty',
				});
				const plan = {
					head: { id },
					choices: { output, options: {} },
					batchSize: toBatchSize(options.batchSize),
					itemIndexes: [],
					source: 'items' as const,
					ownFields: (index: number): IDataObject => items[index]?.json ?? {},
					accepted: sorter.accepted,
					rejected: sorter.rejected,
				};
				draft = { sorter, plan };
				drafts.set(id, draft);
			}
			draft.sorter.add(row);
			draft.plan.itemIndexes.push(itemIndex);
		} catch (error) {
			failures.push(failed(itemIndex, error));
		}
	}
	const plans = [...drafts.values()].flatMap(({ plan }) => {
		if (plan.accepted.length > 0) return [plan];
		failures.push(failed(plan.itemIndexes, nobodyLeft(context, plan, plan.itemIndexes)));
		return [];
	});
	return { plans, failures };
};

/** Who is in a dispatch can only be seen in the list of its messages, and that list is limited. */
const requireListable = async ({ context }: Run<unknown>, id: DispatchId): Promise<void> => {
	const { total = 0 } = await messagingApi.get({ context }, id);
	const most = messageLimits.lookUpWindow;
	if (total <= most) return;
	throw new NodeOperationError(
		context.getNode(),
		`Dispatch ${id} has ${total.toLocaleString('en')} messages, but the service lists at most ${most.toLocaleString('en')}`,
		{
			description:
				"Nothing was added, because the node can't see who is already in the dispatch. Add the recipients on the provider's website, or to another dispatch.",
		},
	);
};

const summaryOf = ({ name, status }: ShownDispatch): IDataObject => ({ name, status });

export const addMessages = defineOperation({
	value: 'addMessages',
	name: 'Add Messages',
	action: 'Add messages to dispatch',
	description:
		"Add recipients to a dispatch that isn't started yet. Recipients who are already in it are skipped.",
	output: Summary.omit({ priceEstimate: true }).extend({ alreadyInDispatch: z.number() }),
	restsOn: messaging.dispatchAppend,
	params: addingParams,
	execute: async (run) => {
		const { plans, failures } = planAdding(run);
		const ready = await prepareAll(
			run,
			plans,
			failures,
			async ({ head }) => await requireListable(run, head.id),
		);
		const add = async (plan: DispatchPlan<Target>) =>
			await addPlanned(run.context, messagingApi, plan, plan.head.id, summaryOf);
		return await workInTurn(run, ready, failures, add, 'adds');
	},
});
