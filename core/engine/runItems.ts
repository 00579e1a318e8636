import type {
	IDataObject,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import type { Endpoint, Listing, RequestOf } from '../contract/endpoint';
import { ServiceError } from '../transport/outcome';
import { list } from '../transport/list';
import { checkRequest, send } from '../transport/send';
import { limitOf } from './coerce';
import { isProgramFault, nameItem, type FailureOptions } from './failure';
import { alignColumns, isConfirmed, requireReadable, toItems as toItemsByDefault } from './items';
import { ledgerOf } from './ledger';
import type { Effect, ItemValues, Operation, Run, DoneWords } from './operation';
import {
	describeOutcomes,
	failTogether,
	toContext,
	type ItemOutcome,
	type ItemOutcomes,
	type WrongItem,
} from './progress';

type SimpleOperation = Extract<Operation, { endpoint: Endpoint }>;
type ItemOperation = SimpleOperation | Extract<Operation, { each: unknown }>;

export type ToError = (
	error: unknown,
	itemIndex?: number,
	options?: Partial<FailureOptions>,
) => NodeApiError | NodeOperationError;

/** An item that was read and checked, ready to be carried out. */
interface Prepared {
	values: ItemValues;
	/** Only for an operation that is a single call. */
	request?: RequestOf<Endpoint>;
	/** How many entries of a list to return; all if missing. */
	limit?: number;
}

/** What repeating the operation would do; the worst case if unknown. */
export const effectOf = ({ effect, endpoint }: Operation): Effect => {
	if (effect !== undefined) return effect;
	if (endpoint?.method === 'GET') return 'reads';
	return endpoint?.repeatable === true ? 'repeatable' : 'once';
};

/** Reads one item and checks it against the contract, without sending anything. */
const prepare = async (
	operation: ItemOperation,
	run: Run<ItemValues>,
	itemIndex: number,
): Promise<Prepared> => {
	const values = run.values(itemIndex);
	if (operation.endpoint === undefined) {
		await operation.check?.(values, run, itemIndex);
		return { values };
	}
	const { endpoint } = operation;
	const isLimited = typeof endpoint.paging === 'object' && values.returnAll !== true;
	const limit = isLimited ? limitOf(values) : undefined;
	const request = await operation.request(values, run, itemIndex);
	checkRequest(endpoint, request);
	// A file is read again when its item is carried out, because all files at once may not fit into memory.
	return { values, limit, ...(endpoint.encoding !== 'multipart' && { request }) };
};

const isPaged = (endpoint: Endpoint): endpoint is Endpoint & { paging: Listing } =>
	endpoint.paging !== undefined;

/** Carries out an operation that is a single call, and returns the items for its response. */
const call = async (
	operation: SimpleOperation,
	run: Run<ItemValues>,
	{ values, limit, ...prepared }: Prepared,
	itemIndex: number,
): Promise<IDataObject[]> => {
	const { context } = run;
	const { endpoint, toItems = toItemsByDefault } = operation;
	const request = prepared.request ?? (await operation.request(values, run, itemIndex));
	if (isPaged(endpoint)) return toItems(await list(context, endpoint, request, { limit }), values);
	const reply: unknown = await send(context, endpoint, request);
	if (effectOf(operation) === 'reads') {
		return toItems(await requireReadable(context, endpoint, reply), values);
	}
	return isConfirmed(endpoint, reply, operation.confirms)
		? toItems(reply, values)
		: [run.unconfirmed(itemIndex, reply)];
};

const linkTo = (itemIndexes: readonly number[]): INodeExecutionData['pairedItem'] => {
	const linked = itemIndexes.map((item) => ({ item }));
	return linked.length === 1 ? linked[0] : linked;
};

/**
 * The error as one text, beside the fields of the item it is about. n8n would remove these fields if the item had an `error` of
 * its own. For the error output it recognizes an item whose only field is `error`, and adds the input's fields itself.
 */
export const toErrorItem = (
	{ context, items }: Pick<Run<ItemValues>, 'context' | 'items'>,
	{ message, description }: NodeApiError | NodeOperationError,
	itemIndexes: readonly number[],
): INodeExecutionData => {
	const [first = 0, ...more] = itemIndexes;
	const isAlone = more.length > 0 || context.getNode().onError === 'continueErrorOutput';
	const error = description ? `${message.replace(/\.$/, '')}. ${description}` : message;
	return {
		json: { ...(isAlone ? {} : items[first]?.json), error },
		pairedItem: linkTo(itemIndexes),
	};
};

/** The items to carry out, each with the items that share its result. */
const shareResults = (
	{ onceFor }: ItemOperation,
	prepared: ReadonlyMap<number, Prepared>,
): Map<number, number[]> => {
	const groups = new Map<unknown, [number, ...number[]]>();
	for (const [itemIndex, { values }] of prepared) {
		// Without a key, the item shares its result with no other: a new object is equal only to itself.
		const key = onceFor?.(values) ?? {};
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [itemIndex]);
		else group.push(itemIndex);
	}
	return new Map([...groups.values()].map((group) => [group[0], group]));
};

const mayBeCarriedOut = (error: unknown) =>
	isProgramFault(error) || (error instanceof ServiceError && error.outcome === 'unknown');

/** Whether the service rejected this item alone, so that the others may be accepted. */
const isAboutItem = (error: unknown): error is ServiceError =>
	error instanceof ServiceError &&
	error.outcome === 'refused' &&
	[400, 404, 409, 422].includes(error.problem.status ?? 0);

/** If the service accepts nothing and rejects so many, it isn't about the items. */
const mostRejected = 10;

const itemsDone: DoneWords = { one: 'item done', many: 'items done' };

/**
 * Reads and checks every item before the first is carried out. Items with wrong values are left out and reported at the end, and
 * so are those that the service rejects, if the others can be repeated safely. If all values are wrong, or the operation only
 * reads, the run stops before anything is done: then the output would be lost anyway.
 */
export const runItems = async (
	operation: ItemOperation,
	run: Run<ItemValues>,
	{ toError, unconfirmed }: { toError: ToError; unconfirmed: Set<number> },
): Promise<INodeExecutionData[]> => {
	const { context } = run;
	const effect = effectOf(operation);
	const count = run.items.length;
	const continues = context.continueOnFail();
	const outcomes = ledgerOf(context).record('items', (): ItemOutcomes => new Map());
	const results = new Array<INodeExecutionData[]>(count);
	const wrongItems: WrongItem[] = [];
	const { done: words = itemsDone } = operation;

	/** Returns the error item for an item that failed, or stops the run with an error that says which items are done. */
	const fail = (
		error: unknown,
		failedItems: readonly number[],
		options: Partial<FailureOptions>,
	): INodeExecutionData[] => {
		const isAmongOthers = count > 1 && (continues || outcomes.size > 0);
		const failure = toError(error, failedItems[0], { ...options, isAmongOthers });
		if (continues) return [toErrorItem(run, failure, failedItems)];
		const hasReport = count > 1 && (outcomes.size > 0 || wrongItems.length > 0);
		nameItem(failure, { count, isAboutAll: hasReport || failedItems.length === count });
		if (hasReport) {
			const progress = { outcomes, count, failedItems, wrongItems, words };
			failure.description = `${describeOutcomes(progress)} ${failure.description ?? ''}`.trim();
			Object.assign(failure.context, toContext(progress));
		}
		throw failure;
	};

	const failWrong = () => failTogether(run, wrongItems, words, outcomes);

	const prepared = new Map<number, Prepared>();
	for (let itemIndex = 0; itemIndex < count; itemIndex++) {
		try {
			prepared.set(itemIndex, await prepare(operation, run, itemIndex));
		} catch (error) {
			if (continues) results[itemIndex] = fail(error, [itemIndex], { isReading: true });
			else wrongItems.push({ itemIndex, error: toError(error, itemIndex, { isReading: true }) });
		}
	}
	if (effect === 'reads' || prepared.size === 0) failWrong();

	/** The entries of one item. What an earlier try has carried out, or may have, isn't done again. */
	const entriesOf = async (itemIndex: number, ready: Prepared): Promise<IDataObject[]> => {
		const before = effect === 'once' ? outcomes.get(itemIndex)?.came : undefined;
		if (before === undefined) {
			return operation.endpoint === undefined
				? await operation.each(ready.values, run, itemIndex)
				: await call(operation, run, ready, itemIndex);
		}
		if ('error' in before) throw before.error;
		if (!before.isConfirmed) unconfirmed.add(itemIndex);
		return before.entries;
	};

	/** Shared by all workers: each takes the next item. */
	const waiting = shareResults(operation, prepared).entries();
	const failures: Array<{ error: unknown; items: readonly number[] }> = [];
	const answered = new Set<number>();
	let rejections = 0;
	/** Carries out one item after another until one fails. */
	const work = async (): Promise<void> => {
		for (const [itemIndex, items] of waiting) {
			// Only prepared items are carried out, so this one is in the map.
			const ready = prepared.get(itemIndex) as Prepared;
			const keep = (came: ItemOutcome['came']) => {
				if (effect === 'reads') return;
				for (const item of items) outcomes.set(item, { effect, came });
			};
			try {
				const entries = await entriesOf(itemIndex, ready);
				keep({ entries, isConfirmed: !unconfirmed.has(itemIndex) });
				const pairedItem = linkTo(items);
				results[itemIndex] = entries.map((json) => ({ json, pairedItem }));
				answered.add(itemIndex);
			} catch (error) {
				if (mayBeCarriedOut(error)) keep({ error });
				const isHopeless = outcomes.size === 0 && ++rejections >= mostRejected;
				const isRejected =
					count > 1 && effect === 'repeatable' && isAboutItem(error) && !isHopeless;
				for (const item of items) {
					if (continues) results[item] = fail(error, [item], { effect });
					else if (isRejected) {
						const { serviceText: said } = error.problem;
						const shown = toError(error, item, { effect });
						wrongItems.push({ itemIndex: item, error: shown, isRejected, said });
					}
				}
				if (!continues && !isRejected) failures.push({ error, items });
			}
			if (failures.length > 0) return;
		}
	};
	const atATime = 'concurrency' in operation ? (operation.concurrency ?? 1) : 1;
	await Promise.all(Array.from({ length: atATime }, work));

	const [first] = failures.sort((a, b) => Number(a.items[0]) - Number(b.items[0]));
	if (first !== undefined) {
		const failedItems = failures.flatMap(({ items }) => items).sort((a, b) => a - b);
		fail(first.error, failedItems, { effect });
	}
	failWrong();
	const isSimple = (itemIndex: number) => prepared.get(itemIndex)?.values.simplify !== false;
	const isShown = (itemIndex: number) => answered.has(itemIndex) && !unconfirmed.has(itemIndex);
	alignColumns(results.filter((_, index) => isShown(index) && isSimple(index)).flat());
	return results.flat();
};
