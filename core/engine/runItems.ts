import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { ServiceError } from '../transport/outcome';
import { list } from '../transport/list';
import { requireReadable } from '../transport/readable';
import { checkRequest, send } from '../transport/send';
import { limitOf } from './coerce';
import { isProgramFault } from './failure';
import { carryOutAll, eachItem, type Unit, type UnitOutcome } from './carryOutAll';
import { addHint, howMany } from './hints';
import {
	alignColumns,
	isConfirmed,
	isUnconfirmed,
	toItems as toItemsByDefault,
	toUnconfirmedItem,
} from './items';
import { ledgerOf } from './ledger';
import type { ItemValues, Operation, Run } from './operation';
import type { ItemOutcome } from './progress';

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

const mayBeCarriedOut = (error: unknown) =>
	isProgramFault(error) || (error instanceof ServiceError && error.outcome === 'unknown');

/** Whether the service rejected this item alone, so that the others may be accepted. */
const isAboutItem = (error: unknown) =>
	error instanceof ServiceError &&
	error.outcome === 'refused' &&
	[400, 404, 409, 422].includes(error.problem.status ?? 0);

/** If the service accepts nothing and rejects so many, it isn't about the items. */
const mostRejected = 10;

/** Carries out the items, and stops at the first failure unless the node continues on fail. */
const carryOut = async (
	operation: ItemOperation,
	{ context, items, effect }: Run<ItemValues>,
	outcomes: Map<number, TriedItem>,
	units: ReadonlyArray<Unit<Prepared>>,
): Promise<Map<Unit<Prepared>, UnitOutcome>> => {
	const settled = new Map<Unit<Prepared>, UnitOutcome>();
	/** Shared by all workers: each takes the next unit. */
	const waiting = units.values();
	let rejections = 0;
	let isStopped = false;
	const work = async (): Promise<void> => {
		for (const unit of waiting) {
			const { items: some, task } = unit;
			const keep = (outcome: ItemOutcome) => {
				if (effect === 'reads') return;
				for (const item of some) outcomes.set(item, { ...outcome, prepared: task });
			};
			try {
				// What an earlier try has carried out, or may have, isn't done again.
				const before = effect === 'once' ? outcomes.get(some[0] ?? 0) : undefined;
				if (before !== undefined && before.entries === undefined) throw before.error;
				const entries = before?.entries ?? (await task.carryOut());
				keep({ entries });
				settled.set(unit, { is: 'done', rows: entries.map((json) => ({ json })) });
			} catch (error) {
				if (mayBeCarriedOut(error)) keep({ error });
				const isHopeless = outcomes.size === 0 && ++rejections >= mostRejected;
				const isRejected =
					items.length > 1 && effect === 'repeatable' && isAboutItem(error) && !isHopeless;
				settled.set(unit, { is: isRejected ? 'rejected' : 'failed', error });
				isStopped ||= !isRejected && !context.continueOnFail();
			}
			if (isStopped) return;
		}
	};
	await Promise.all(Array.from({ length: operation.concurrency ?? 1 }, work));
	return settled;
};

/** Gives the rows the same columns, and hints at results that the service didn't confirm. */
const finish = (
	{ context }: Run<ItemValues>,
	settled: ReadonlyMap<Unit<Prepared>, UnitOutcome>,
): void => {
	const done = [...settled].flatMap(([unit, outcome]) =>
		outcome.is === 'done' ? [{ unit, rows: outcome.rows }] : [],
	);
	const unconfirmed = done.filter(({ rows }) => rows.some(({ json }) => isUnconfirmed(json)));
	// One hint for all items, because one per item would hide other hints.
	if (unconfirmed.length > 0) {
		addHint(
			context,
			`The service accepted the request for ${howMany(unconfirmed.length, 'item')}, but its response doesn't confirm the result. Check the result in your account on the provider's website before you run this again.`,
		);
	}
	const simple = done
		.filter(({ unit }) => unit.task.values.simplify !== false)
		.sort((one, other) => (one.unit.items[0] ?? 0) - (other.unit.items[0] ?? 0));
	alignColumns(simple.flatMap(({ rows }) => rows).filter(({ json }) => !isUnconfirmed(json)));
};

/**
 * Carries out an operation that handles each item by itself. Items with wrong values are left out and reported at the end, and so
 * are those that the service rejects, if the others can be repeated safely. If the operation only reads, wrong values stop the run
 * before anything is done: then the output would be lost anyway.
 */
export const runItems = async (
	operation: ItemOperation,
	run: Run<ItemValues>,
): Promise<INodeExecutionData[]> => {
	const { context, effect } = run;
	const continues = context.continueOnFail();
	const outcomes = ledgerOf(context).record('items', () => new Map<number, TriedItem>());
	return await carryOutAll(run, {
		units: eachItem(run),
		prepare: async (itemIndex) => {
			const tried = effect === 'once' ? outcomes.get(itemIndex) : undefined;
			return tried?.prepared ?? (await prepare(operation, run, itemIndex));
		},
		keyOf: ({ values }) => operation.onceFor?.(values),
		needsAll: effect === 'reads',
		carryOut: async (units) => {
			const settled = await carryOut(operation, run, outcomes, units);
			if (continues || settled.size === units.length) finish(run, settled);
			return settled;
		},
		words: operation.done,
		known: () => outcomes,
		errorOf: (error, itemIndex, is) =>
			run.errorOf(error, itemIndex, {
				isReading: is === 'wrong',
				isAmongOthers: run.items.length > 1 && (continues || outcomes.size > 0),
			}),
	});
};
