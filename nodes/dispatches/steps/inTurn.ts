import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { NameCode } from '../../../core/contract/dispatchName';
import { alignColumns, emptyLike } from '../../../core/engine/items';
import { howMany } from '../../../core/engine/hints';
import type { Run } from '../../../core/engine/operation';
import { rangesOf } from '../../../core/engine/progress';
import { hintAtLosses, type Counted, type Work } from '../tell/people';
import type { HeadValues } from '../params/head';
import type { DispatchPlan } from '../plan/plan';
import type { DispatchId } from '../plan/rows';
import type { Checked } from '../job';
import { journalOf } from '../journal';
import { doneWords, listed } from '../words';
import { checkDispatch, companyLists } from './check';
import { endRun } from './launch';
import type { DispatchResult } from '../tell/result';

/** Results, including failures, are sorted by their first item. */
const firstItemOf = ({ pairedItem }: INodeExecutionData): number => {
	const first = Array.isArray(pairedItem) ? pairedItem[0] : pairedItem;
	return typeof first === 'number' ? first : (first?.item ?? 0);
};

export const byFirstItem = (items: INodeExecutionData[]): INodeExecutionData[] =>
	items.sort((a, b) => firstItemOf(a) - firstItemOf(b));

/** Gives all dispatches of a run the same columns: rows among rows, summaries among summaries. */
export const alignDispatches = (
	told: ReadonlyArray<{
		plan: { choices: { output: string } };
		items: readonly INodeExecutionData[];
	}>,
): void => {
	// The rows of one dispatch have the same columns already, and may be very many.
	if (told.length < 2) return;
	const itemsOf = (isRows: boolean) =>
		told
			.filter(({ plan }) => (plan.choices.output === 'recipients') === isRows)
			.flatMap(({ items }) => items);
	alignColumns(itemsOf(true));
	alignColumns(itemsOf(false), emptyLike);
};

/** Begins an error's description with what became of the other dispatches, because n8n drops the output of a node that fails. */
const withOthers = (failure: unknown, others: readonly string[]): unknown => {
	if (failure instanceof NodeApiError || failure instanceof NodeOperationError) {
		const said = failure.description ?? '';
		const told = [...others.filter((text) => !said.includes(text)), said];
		failure.description = told.filter((text) => text !== '').join(' ');
	}
	return failure;
};

/** A dispatch that failed as an item. Throws if the failure stops the run. */
const failedItem = (
	run: Run<unknown>,
	{ itemIndexes }: Pick<DispatchPlan<unknown>, 'itemIndexes'>,
	error: unknown,
	others: readonly string[] = [],
): INodeExecutionData => {
	try {
		return run.failed(itemIndexes, error);
	} catch (failure) {
		const journal = journalOf(run.context);
		const own = new Set(journal.of(itemIndexes));
		const rest = journal.all.filter((one) => !own.has(one));
		throw withOthers(failure, [...others, doneWords(rest)]);
	}
};

const addedWords = (ids: readonly DispatchId[]): string =>
	ids.length === 0
		? ''
		: `${ids.length === 1 ? 'Dispatch' : 'Dispatches'} ${ids.join(', ')} ${ids.length === 1 ? 'was' : 'were'} processed before this error. Running this again adds nobody twice.`;

const createdWords = (context: IExecuteFunctions): string => {
	const ids = journalOf(context).all.flatMap(({ id, isKept }) => (isKept ? (id ?? []) : []));
	return ids.length === 0 ? '' : `This run has created ${listed(ids)}.`;
};

const restWords = (rest: ReadonlyArray<Pick<DispatchPlan<unknown>, 'itemIndexes'>>): string =>
	rest.length === 0
		? ''
		: `The run stopped before ${howMany(rest.length, 'more dispatch', 'more dispatches')} (${rangesOf(rest.flatMap(({ itemIndexes }) => itemIndexes).sort((a, b) => a - b))}).`;

/** Prepares every dispatch before the first one is worked on. One that fails becomes a failure of all its items. */
export const prepareAll = async <Plan extends DispatchPlan<unknown>, Prepared>(
	run: Run<unknown>,
	plans: readonly Plan[],
	output: INodeExecutionData[],
	prepare: (plan: Plan) => Promise<Prepared>,
): Promise<Array<[Plan, Prepared]>> => {
	const ready: Array<[Plan, Prepared]> = [];
	for (const plan of plans) {
		try {
			ready.push([plan, await prepare(plan)]);
		} catch (error) {
			output.push(failedItem(run, plan, error));
		}
	}
	return ready;
};

/** Works on one dispatch after another. One that fails becomes one output item that is linked to all of its input items. */
export const workInTurn = async <Plan extends DispatchPlan<unknown>, Prepared>(
	run: Run<unknown>,
	ready: ReadonlyArray<[Plan, Prepared]>,
	output: INodeExecutionData[],
	work: (plan: Plan, prepared: Prepared) => Promise<DispatchResult>,
	kind: Work,
): Promise<INodeExecutionData[]> => {
	const told: Array<{ plan: Plan; counted: Counted; items: INodeExecutionData[] }> = [];
	const done: DispatchId[] = [];
	for (const [index, [plan, prepared]] of ready.entries()) {
		try {
			const { items, counted, dispatchId } = await work(plan, prepared);
			for (const item of items) output.push(item);
			told.push({ plan, counted, items });
			if (dispatchId !== undefined) done.push(dispatchId);
		} catch (error) {
			const rest = ready.slice(index + 1).map(([one]) => one);
			const others = [
				kind === 'adds' ? addedWords(done) : createdWords(run.context),
				restWords(rest),
			];
			output.push(failedItem(run, plan, error, others));
		}
	}
	alignDispatches(told);
	hintAtLosses(run.context, told, kind);
	return byFirstItem(output);
};

/** Checks all dispatches, then makes one after another. */
export const makeDispatches = async <Plan extends DispatchPlan<HeadValues>>(
	run: Run<unknown>,
	plans: readonly Plan[],
	output: INodeExecutionData[],
	purpose: NameCode['purpose'],
	make: (plan: Plan, checked: Checked) => Promise<DispatchResult>,
): Promise<INodeExecutionData[]> => {
	const { context } = run;
	const lists = companyLists(context);
	const check = async (plan: Plan) => await checkDispatch(context, plan, lists, purpose);
	try {
		const ready = await prepareAll(run, plans, output, check);
		return await workInTurn(run, ready, output, make, 'makes');
	} finally {
		await endRun(context);
	}
};
