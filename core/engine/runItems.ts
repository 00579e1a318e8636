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
	/** How many entries of a list to return. */
	limit?: number;
}

/**
 * An item that an earlier try has carried out, or may have. It isn't read again, because an expression may give a different value in
 * each try.
 */
interface TriedItem extends ItemOutcome {
	ready: Prepared;
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
	const limit = typeof endpoint.paging === 'object' ? limitOf(values) : undefined;
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

const inOrder = <Value>(byItem: ReadonlyMap<number, Value>): Array<[number, Value]> =>
	[...byItem].sort(([one], [other]) => one - other);

/** Why an item has no result: its values are wrong, the service rejected it alone, or it stops the run. */
interface Failure {
	is: 'wrong' | 'rejected' | 'failed';
	error: unknown;
}

/** What became of the items that were carried out. Those that came after a failure have no entry. */
interface CarriedOut {
	/** By item. Several items may share the entries. */
	done: Map<number, { entries: IDataObject[]; items: readonly number[] }>;
	failures: Map<number, Failure>;
}

/** Carries out the items, and stops at the first failure unless the node continues on fail. */
const carryOut = async (
	operation: ItemOperation,
	run: Run<ItemValues>,
	prepared: ReadonlyMap<number, Prepared>,
	outcomes: Map<number, TriedItem>,
	unconfirmed: Set<number>,
): Promise<CarriedOut> => {
	const effect = effectOf(operation);
	const isOneOfMany = run.items.length > 1;
	const continues = run.context.continueOnFail();
	const done: CarriedOut['done'] = new Map();
	const failures: CarriedOut['failures'] = new Map();
	/** The entries of one item. What an earlier try has carried out, or may have, isn't done again. */
	const entriesOf = async (itemIndex: number): Promise<IDataObject[]> => {
		const before = effect === 'once' ? outcomes.get(itemIndex)?.came : undefined;
		if (before === undefined) {
			// Only prepared items are carried out, so this one is in the map.
			const ready = prepared.get(itemIndex) as Prepared;
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
	let rejections = 0;
	let isStopped = false;
	const work = async (): Promise<void> => {
		for (const [itemIndex, items] of waiting) {
			const keep = (came: ItemOutcome['came']) => {
				if (effect === 'reads') return;
				// Only prepared items are carried out.
				for (const item of items)
					outcomes.set(item, { effect, came, ready: prepared.get(item) as Prepared });
			};
			try {
				const entries = await entriesOf(itemIndex);
				keep({ entries, isConfirmed: !unconfirmed.has(itemIndex) });
				done.set(itemIndex, { entries, items });
			} catch (error) {
				if (mayBeCarriedOut(error)) keep({ error });
				const isHopeless = outcomes.size === 0 && ++rejections >= mostRejected;
				const isRejected =
					isOneOfMany && effect === 'repeatable' && isAboutItem(error) && !isHopeless;
				for (const item of items)
					failures.set(item, { is: isRejected ? 'rejected' : 'failed', error });
				isStopped ||= !isRejected && !continues;
			}
			if (isStopped) return;
		}
	};
	const atATime = 'concurrency' in operation ? (operation.concurrency ?? 1) : 1;
	await Promise.all(Array.from({ length: atATime }, work));
	return { done, failures };
};

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
	const outcomes = ledgerOf(context).record('items', () => new Map<number, TriedItem>());
	const { done: words = itemsDone } = operation;

	const prepared = new Map<number, Prepared>();
	const failures = new Map<number, Failure>();
	for (let itemIndex = 0; itemIndex < count; itemIndex++) {
		try {
			const tried = effect === 'once' ? outcomes.get(itemIndex) : undefined;
			prepared.set(itemIndex, tried?.ready ?? (await prepare(operation, run, itemIndex)));
		} catch (error) {
			failures.set(itemIndex, { is: 'wrong', error });
		}
	}
	const isInVain = failures.size > 0 && (effect === 'reads' || prepared.size === 0);
	const carried =
		continues || !isInVain
			? await carryOut(operation, run, prepared, outcomes, unconfirmed)
			: undefined;
	for (const one of carried?.failures ?? []) failures.set(...one);

	const shown = (itemIndex: number, { is, error }: Failure, isAmongOthers?: boolean) =>
		toError(error, itemIndex, {
			isAmongOthers,
			...(is === 'wrong' ? { isReading: true } : { effect }),
		});
	if (!continues) {
		const sorted = inOrder(failures);
		const wrongItems = sorted
			.filter(([, { is }]) => is !== 'failed')
			.map(([itemIndex, failure]): WrongItem => {
				const isRejected = failure.is === 'rejected';
				const said = isRejected && isAboutItem(failure.error) && failure.error.problem.serviceText;
				return { itemIndex, error: shown(itemIndex, failure), isRejected, ...(said && { said }) };
			});
		const failed = sorted.filter(([, { is }]) => is === 'failed');
		const [first] = failed;
		if (first === undefined) failTogether(run, wrongItems, words, outcomes);
		else {
			const failure = shown(...first, count > 1 && outcomes.size > 0);
			const failedItems = failed.map(([itemIndex]) => itemIndex);
			const hasReport = count > 1 && (outcomes.size > 0 || wrongItems.length > 0);
			nameItem(failure, { count, isAboutAll: hasReport || failedItems.length === count });
			if (hasReport) {
				const progress = { outcomes, count, failedItems, wrongItems, words };
				failure.description = `${describeOutcomes(progress)} ${failure.description ?? ''}`.trim();
				Object.assign(failure.context, toContext(progress));
			}
			throw failure;
		}
	}

	const rows = new Map<number, INodeExecutionData[]>();
	for (const [itemIndex, { entries, items }] of carried?.done ?? []) {
		const pairedItem = linkTo(items);
		rows.set(
			itemIndex,
			entries.map((json) => ({ json, pairedItem })),
		);
	}
	const isSimple = (itemIndex: number) => prepared.get(itemIndex)?.values.simplify !== false;
	const isAlike = (itemIndex: number) => isSimple(itemIndex) && !unconfirmed.has(itemIndex);
	alignColumns(inOrder(rows).flatMap(([itemIndex, some]) => (isAlike(itemIndex) ? some : [])));
	for (const [itemIndex, failure] of failures) {
		rows.set(itemIndex, [toErrorItem(run, shown(itemIndex, failure, count > 1), [itemIndex])]);
	}
	return inOrder(rows).flatMap(([, some]) => some);
};
