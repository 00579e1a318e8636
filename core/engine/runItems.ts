import type {
	IDataObject,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { ServiceError } from '../transport/errors';
import { call } from './call';
import { isProgramFault, nameItem, type FailureOptions } from './failure';
import type { Run } from './operation';
import { prepare, type ItemOperation, type ItemValues, type Prepared } from './prepare';
import { describeOutcomes, outcomesOf, toContext, type ItemOutcome } from './progress';

export type ToError = (
	error: unknown,
	itemIndex?: number,
	options?: Partial<FailureOptions>,
) => NodeApiError | NodeOperationError;

const linkTo = (itemIndexes: readonly number[]): INodeExecutionData['pairedItem'] => {
	const linked = itemIndexes.map((item) => ({ item }));
	return linked.length === 1 ? linked[0] : linked;
};

export const toErrorItem = (
	failure: NodeApiError | NodeOperationError,
	itemIndexes: readonly number[],
): INodeExecutionData => ({
	json: { error: failure.message },
	error: failure,
	pairedItem: linkTo(itemIndexes),
});

/** The items to carry out, each with the items that share its result. */
const shareResults = (
	{ onceFor }: ItemOperation,
	prepared: ReadonlyMap<number, Prepared>,
): Map<number, number[]> => {
	const firstOf = new Map<string | number, number>();
	const shares = new Map<number, number[]>();
	for (const [itemIndex, { values }] of prepared) {
		const key = onceFor?.(values);
		const first = key === undefined ? undefined : firstOf.get(key);
		if (first !== undefined) {
			shares.get(first)?.push(itemIndex);
			continue;
		}
		if (key !== undefined) firstOf.set(key, itemIndex);
		shares.set(itemIndex, [itemIndex]);
	}
	return shares;
};

interface ItemFailure {
	itemIndex: number;
	error: unknown;
}

/** Carries out the items one after another, or several at a time, until one fails. */
const forEachItem = async (
	itemIndexes: readonly number[],
	concurrency: number,
	work: (itemIndex: number) => Promise<ItemFailure | undefined>,
): Promise<ItemFailure[]> => {
	let next = 0;
	const failures: ItemFailure[] = [];
	const worker = async () => {
		while (next < itemIndexes.length && failures.length === 0) {
			const failure = await work(itemIndexes[next++] as number);
			if (failure !== undefined) failures.push(failure);
		}
	};
	await Promise.all(Array.from({ length: Math.min(concurrency, itemIndexes.length) }, worker));
	return failures.sort((a, b) => a.itemIndex - b.itemIndex);
};

const mayBeCarriedOut = (error: unknown) =>
	isProgramFault(error) || (error instanceof ServiceError && error.outcome === 'unknown');

/** Returns an error item for items that failed, or stops the run with an error that says which items were carried out. */
const failIn = ({ context, items }: Run<ItemValues>, toError: ToError) => {
	const count = items.length;
	const continues = context.continueOnFail();
	const outcomes = outcomesOf(context);
	return (
		error: unknown,
		failedItems: readonly number[],
		options: Partial<FailureOptions>,
	): INodeExecutionData[] => {
		const [itemIndex = 0] = failedItems;
		const isAmongOthers = count > 1 && (continues || outcomes.size > 0);
		const failure = toError(error, itemIndex, { ...options, isAmongOthers });
		if (continues) return [toErrorItem(failure, failedItems)];
		const hasReport = count > 1 && outcomes.size > 0;
		nameItem(failure, { count, isAboutAll: hasReport || failedItems.length === count });
		if (hasReport) {
			const report = describeOutcomes(outcomes, count, failedItems);
			failure.description = `${report} ${failure.description ?? ''}`.trim();
			Object.assign(failure.context, toContext(outcomes, count, failedItems));
		}
		throw failure;
	};
};

/**
 * Reads and checks every item before the first is carried out, so that a mistake in a later item doesn't stop a run that is half
 * done.
 */
export const runItems = async (
	operation: ItemOperation,
	run: Run<ItemValues>,
	{ toError, unconfirmed }: { toError: ToError; unconfirmed: Set<number> },
): Promise<INodeExecutionData[]> => {
	const continues = run.context.continueOnFail();
	const outcomes = outcomesOf(run.context);
	const fail = failIn(run, toError);
	const results = new Array<INodeExecutionData[]>(run.items.length);
	const prepared = new Map<number, Prepared>();

	for (let itemIndex = 0; itemIndex < results.length; itemIndex++) {
		try {
			prepared.set(itemIndex, await prepare(operation, run, itemIndex));
		} catch (error) {
			results[itemIndex] = fail(error, [itemIndex], { isReading: true });
		}
	}

	const shares = shareResults(operation, prepared);
	/** The item itself and the items that share its result. */
	const sharing = (itemIndex: number): readonly number[] => shares.get(itemIndex) ?? [itemIndex];
	/** The entries of one item. What an earlier try has carried out, or may have, isn't done again. */
	const entriesOf = async (itemIndex: number, ready: Prepared): Promise<IDataObject[]> => {
		const before = ready.effect === 'once' ? outcomes.get(itemIndex)?.came : undefined;
		if (before !== undefined && 'error' in before) throw before.error;
		if (before !== undefined) {
			if (!before.isConfirmed) unconfirmed.add(itemIndex);
			return before.entries;
		}
		return operation.endpoint === undefined
			? await operation.each(ready.values, run, itemIndex)
			: await call(operation, run, ready, itemIndex);
	};
	const carryOut = async (itemIndex: number): Promise<ItemFailure | undefined> => {
		// Only prepared items are carried out, so this one is in the map.
		const ready = prepared.get(itemIndex) as Prepared;
		const { effect } = ready;
		const keep = (came: ItemOutcome['came']) => {
			if (effect === 'reads') return;
			for (const item of sharing(itemIndex)) outcomes.set(item, { effect, came });
		};
		try {
			const entries = await entriesOf(itemIndex, ready);
			keep({ entries, isConfirmed: !unconfirmed.has(itemIndex) });
			const pairedItem = linkTo(sharing(itemIndex));
			results[itemIndex] = entries.map((json) => ({ json, pairedItem }));
		} catch (error) {
			if (mayBeCarriedOut(error)) keep({ error });
			if (!continues) return { itemIndex, error };
			results[itemIndex] = fail(error, sharing(itemIndex), { effect });
		}
		return undefined;
	};
	const failures = await forEachItem(
		[...shares.keys()],
		'concurrency' in operation ? (operation.concurrency ?? 1) : 1,
		carryOut,
	);
	const [first] = failures;
	if (first !== undefined) {
		const failedItems = failures
			.flatMap(({ itemIndex }) => sharing(itemIndex))
			.sort((a, b) => a - b);
		fail(first.error, failedItems, { effect: prepared.get(first.itemIndex)?.effect });
	}
	return results.flat();
};
