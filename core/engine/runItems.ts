import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { ServiceError } from '../transport/outcome';
import { list } from '../transport/list';
import { requireReadable } from '../transport/readable';
import { checkRequest, send } from '../transport/send';
import { limitOf } from './coerce';
import { isProgramFault } from './failure';
import { addHint } from './hints';
import {
	alignColumns,
	isConfirmed,
	isUnconfirmed,
	linkTo,
	toItems as toItemsByDefault,
	toUnconfirmedItem,
} from './items';
import { ledgerOf } from './ledger';
import type { ItemValues, Operation, Run } from './operation';
import { failTogether, type Failure, type ItemOutcome } from './progress';

type ItemOperation = Exclude<Operation, { execute: unknown }>;

/** An item that was read and checked. */
interface Prepared {
	values: ItemValues;
	carryOut: () => Promise<IDataObject[]>;
}

/**
 * An item that an earlier try has carried out, or may have. It isn't read again, because an expression may give a different value in
 * each try.
 */
interface TriedItem extends ItemOutcome {
	prepared: Prepared;
}

/** By item: why it has no result. */
type Failures = Map<number, Pick<Failure, 'is'> & { error: unknown }>;

/** Reads one item and checks it against the contract, without sending anything. */
const prepare = async (
	operation: ItemOperation,
	run: Run<ItemValues>,
	itemIndex: number,
): Promise<Prepared> => {
	const { context, effect } = run;
	const values = run.values(itemIndex);
	if (operation.endpoint === undefined) {
		await operation.check?.(values, run, itemIndex);
		return { values, carryOut: async () => await operation.each(values, run, itemIndex) };
	}
	const { endpoint, toItems = toItemsByDefault } = operation;
	const { paging } = endpoint;
	const limit = typeof paging === 'object' ? limitOf(values) : undefined;
	const checked = await operation.request(values, run, itemIndex);
	checkRequest(endpoint, checked);
	// A file is read again when its item is carried out, because all files at once may not fit into memory.
	const kept = endpoint.encoding === 'multipart' ? undefined : checked;
	const carryOut = async () => {
		const request = kept ?? (await operation.request(values, run, itemIndex));
		if (paging !== undefined) {
			return toItems(await list(context, { ...endpoint, paging }, request, { limit }), values);
		}
		const reply: unknown = await send(context, endpoint, request);
		if (effect === 'reads') {
			return toItems(await requireReadable(context, endpoint, reply), values);
		}
		return isConfirmed(endpoint, reply, operation.confirms)
			? toItems(reply, values)
			: [toUnconfirmedItem(reply)];
	};
	return { values, carryOut };
};

/** Items that are carried out once and share the result. */
interface Group {
	items: [first: number, ...others: number[]];
	prepared: Prepared;
}

const groupsOf = (
	{ onceFor }: ItemOperation,
	all: ReadonlyMap<number, Prepared>,
): Iterable<Group> => {
	const groups = new Map<unknown, Group>();
	for (const [itemIndex, prepared] of all) {
		// Without a key, the item is a group of its own: a new object is equal only to itself.
		const key = onceFor?.(prepared.values) ?? {};
		const group = groups.get(key);
		if (group === undefined) groups.set(key, { items: [itemIndex], prepared });
		else group.items.push(itemIndex);
	}
	return groups.values();
};

const mayBeCarriedOut = (error: unknown) =>
	isProgramFault(error) || (error instanceof ServiceError && error.outcome === 'unknown');

/** Whether the service rejected this item alone, so that the others may be accepted. */
const isAboutItem = (error: unknown) =>
	error instanceof ServiceError &&
	error.outcome === 'refused' &&
	[400, 404, 409, 422].includes(error.problem.status ?? 0);

/** If the service accepts nothing and rejects so many, it isn't about the items. */
const mostRejected = 10;

/**
 * Carries out the items, and stops at the first failure unless the node continues on fail. Returns the output by the first item of
 * each group. Items that come after a failure have neither output nor a failure of their own.
 */
const carryOut = async (
	operation: ItemOperation,
	{ context, items, effect }: Run<ItemValues>,
	prepared: ReadonlyMap<number, Prepared>,
	outcomes: Map<number, TriedItem>,
	failures: Failures,
): Promise<Map<number, INodeExecutionData[]>> => {
	const rows = new Map<number, INodeExecutionData[]>();
	/** Shared by all workers: each takes the next group. */
	const waiting = groupsOf(operation, prepared);
	let rejections = 0;
	let isStopped = false;
	const work = async (): Promise<void> => {
		for (const group of waiting) {
			const [first] = group.items;
			const keep = (outcome: ItemOutcome) => {
				if (effect === 'reads') return;
				const tried = { ...outcome, prepared: group.prepared };
				for (const item of group.items) outcomes.set(item, tried);
			};
			try {
				// What an earlier try has carried out, or may have, isn't done again.
				const before = effect === 'once' ? outcomes.get(first) : undefined;
				if (before !== undefined && before.entries === undefined) throw before.error;
				const entries = before?.entries ?? (await group.prepared.carryOut());
				keep({ entries });
				const pairedItem = linkTo(group.items);
				rows.set(
					first,
					entries.map((json) => ({ json, pairedItem })),
				);
			} catch (error) {
				if (mayBeCarriedOut(error)) keep({ error });
				const isHopeless = outcomes.size === 0 && ++rejections >= mostRejected;
				const isRejected =
					items.length > 1 && effect === 'repeatable' && isAboutItem(error) && !isHopeless;
				const is = isRejected ? 'rejected' : 'failed';
				for (const item of group.items) failures.set(item, { is, error });
				isStopped ||= !isRejected && !context.continueOnFail();
			}
			if (isStopped) return;
		}
	};
	await Promise.all(Array.from({ length: operation.concurrency ?? 1 }, work));
	return rows;
};

/**
 * Reads and checks every item before the first is carried out. Items with wrong values are left out and reported at the end, and
 * so are those that the service rejects, if the others can be repeated safely. If all values are wrong, or the operation only
 * reads, the run stops before anything is done: then the output would be lost anyway.
 */
export const runItems = async (
	operation: ItemOperation,
	run: Run<ItemValues>,
): Promise<INodeExecutionData[]> => {
	const { context, effect } = run;
	const count = run.items.length;
	const continues = context.continueOnFail();
	const outcomes = ledgerOf(context).record('items', () => new Map<number, TriedItem>());

	const prepared = new Map<number, Prepared>();
	const failures: Failures = new Map();
	for (let itemIndex = 0; itemIndex < count; itemIndex++) {
		try {
			const tried = effect === 'once' ? outcomes.get(itemIndex) : undefined;
			prepared.set(itemIndex, tried?.prepared ?? (await prepare(operation, run, itemIndex)));
		} catch (error) {
			failures.set(itemIndex, { is: 'wrong', error });
		}
	}

	const isInVain = failures.size > 0 && (effect === 'reads' || prepared.size === 0);
	const rows =
		continues || !isInVain
			? await carryOut(operation, run, prepared, outcomes, failures)
			: new Map<number, INodeExecutionData[]>();

	const isAmongOthers = count > 1 && (continues || outcomes.size > 0);
	const shown = [...failures].map(([itemIndex, { is, error }]): Failure => {
		const isSaid = is === 'rejected' && error instanceof ServiceError;
		const said = isSaid ? error.problem.serviceText : undefined;
		const about = { isReading: is === 'wrong', isAmongOthers };
		return { itemIndex, is, error: run.errorOf(error, itemIndex, about), said };
	});
	if (!continues) failTogether(run, shown, operation.done, outcomes);

	const unconfirmed = [...rows.values()].filter((some) =>
		some.some(({ json }) => isUnconfirmed(json)),
	).length;
	if (unconfirmed > 0) {
		// One hint for all items, because one per item would hide other hints.
		addHint(
			context,
			`The service accepted the request for ${unconfirmed === 1 ? '1 item' : `${unconfirmed} items`}, but its response doesn't confirm the result. Check the result in your account on the provider's website before you run this again.`,
		);
	}
	const inOrder = () => [...rows].sort(([one], [other]) => one - other);
	const simple = inOrder().filter(([item]) => prepared.get(item)?.values.simplify !== false);
	alignColumns(simple.flatMap(([, some]) => some).filter(({ json }) => !isUnconfirmed(json)));
	for (const { itemIndex, error } of shown) rows.set(itemIndex, [run.failed(itemIndex, error)]);
	return inOrder().flatMap(([, some]) => some);
};
