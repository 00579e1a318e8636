import type { INodeExecutionData } from 'n8n-workflow';
import { ServiceError } from '../transport/outcome';
import type { NodeError } from './errors';
import { linkTo } from './items';
import type { DoneWords, Run } from './operation';
import { failTogether, type Failure, type ItemOutcomes } from './progress';

/** Items with one outcome: a single item, all items that name the same entry, or the recipients of a dispatch. */
export interface Unit<Task> {
	readonly items: readonly number[];
	readonly task: Task;
}

/**
 * What became of a unit. `rejected`: the service rejected it alone. `failed`: it stopped the run. Without an outcome, it wasn't
 * started.
 */
export type UnitOutcome =
	| {
			readonly is: 'done';
			/** Linked to all items of the unit, unless a row has a link of its own. */
			readonly rows: readonly INodeExecutionData[];
	  }
	| { readonly is: 'rejected' | 'failed'; readonly error: unknown };

type UnitOutcomes<Task> = ReadonlyMap<Unit<Task>, UnitOutcome>;

/** How an operation reads all of its items, and carries them out. */
interface Procedure<Given, Task> {
	readonly units: ReadonlyArray<Unit<Given>>;
	/** Reads and checks one unit, before the first is carried out. Throws if its values are wrong. */
	readonly prepare: (given: Given) => Task | Promise<Task>;
	/** Units with the same key are carried out once. */
	readonly keyOf?: (task: Task) => unknown;
	/** Whether one unit with wrong values stops the run before anything is done. Otherwise the others are carried out. */
	readonly needsAll: boolean;
	/** Throws only an error that says what became of all units. */
	readonly carryOut: (units: ReadonlyArray<Unit<Task>>) => Promise<UnitOutcomes<Task>>;
	readonly words?: DoneWords;
	/** What was done, or may have been, by this try and by earlier ones. */
	readonly known?: () => ItemOutcomes;
	/** Whether carrying out again what is known has no further effect; by default, the operation's effect decides. */
	readonly isRepeatable?: () => boolean;
	readonly errorOf?: (error: unknown, itemIndex: number, is: Failure['is']) => NodeError;
}

/** Each item by itself. */
export const eachItem = ({ items }: Pick<Run<unknown>, 'items'>): Array<Unit<number>> =>
	items.map((_, index) => ({ items: [index], task: index }));

/** By the unit that is carried out: those that share its outcome. */
const groupsOf = <Task>(
	ready: ReadonlyArray<Unit<Task>>,
	keyOf?: (task: Task) => unknown,
): Map<Unit<Task>, Array<Unit<Task>>> => {
	const groups = new Map<unknown, Array<Unit<Task>>>();
	for (const unit of ready) {
		// Without a key, the unit is a group of its own.
		const key = keyOf?.(unit.task) ?? unit;
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [unit]);
		else group.push(unit);
	}
	const toGroup = (group: Array<Unit<Task>>): Unit<Task> => {
		const [first, ...others] = group as [Unit<Task>, ...Array<Unit<Task>>];
		return others.length === 0 ? first : { ...first, items: group.flatMap(({ items }) => items) };
	};
	return new Map([...groups.values()].map((group) => [toGroup(group), group]));
};

/** Carries out one unit after another. Stops at the first failure, unless the node continues on fail. */
export const inTurn =
	<Task>(
		{ context }: Pick<Run<unknown>, 'context'>,
		work: (unit: Unit<Task>) => Promise<readonly INodeExecutionData[]>,
	) =>
	async (units: ReadonlyArray<Unit<Task>>): Promise<UnitOutcomes<Task>> => {
		const outcomes = new Map<Unit<Task>, UnitOutcome>();
		for (const unit of units) {
			try {
				outcomes.set(unit, { is: 'done', rows: await work(unit) });
			} catch (error) {
				outcomes.set(unit, { is: 'failed', error });
				if (!context.continueOnFail()) break;
			}
		}
		return outcomes;
	};

/**
 * Reads and checks all units before the first is carried out, carries out all of them, and returns the output in the order of the
 * items. What failed becomes error items, or one error that says what became of all items.
 */
export const carryOutAll = async <Given, Task>(
	run: Run<unknown>,
	procedure: Procedure<Given, Task>,
): Promise<INodeExecutionData[]> => {
	const { context, effect } = run;
	const { errorOf = run.errorOf, known, isRepeatable } = procedure;
	const continues = context.continueOnFail();
	const ready: Array<Unit<Task>> = [];
	const failed: Array<{ items: readonly number[]; is: Failure['is']; error: unknown }> = [];
	for (const { items, task } of procedure.units) {
		try {
			ready.push({ items, task: await procedure.prepare(task) });
		} catch (error) {
			failed.push({ items, is: 'wrong', error });
		}
	}
	const isInVain = !continues && failed.length > 0 && procedure.needsAll;
	const groups = groupsOf(isInVain ? [] : ready, procedure.keyOf);
	const outcomes: UnitOutcomes<Task> =
		groups.size === 0 ? new Map() : await procedure.carryOut([...groups.keys()]);

	const rows: INodeExecutionData[][] = [];
	const done: ItemOutcomes = new Map();
	for (const [unit, members] of groups) {
		const outcome = outcomes.get(unit);
		if (outcome?.is === 'done') {
			const pairedItem = linkTo(unit.items);
			rows[unit.items[0] ?? 0] = outcome.rows.map((row) => ({ pairedItem, ...row }));
			const entries = outcome.rows.map(({ json }) => json);
			for (const item of unit.items) done.set(item, { entries });
		} else if (outcome !== undefined) {
			for (const { items } of members) failed.push({ items, ...outcome });
		}
	}
	const failures = failed.map(({ items, is, error }) => {
		const said = is === 'rejected' && error instanceof ServiceError && error.problem.serviceText;
		const [first = 0] = items;
		return { items, is, error: errorOf(error, first, is), said: said || undefined };
	});
	if (!continues) {
		failTogether(
			{ ...run, effect: isRepeatable?.() ? 'repeatable' : effect },
			failures,
			procedure.words,
			// An operation that reads has done nothing that a later run must not repeat.
			known?.() ?? (effect === 'reads' ? undefined : done),
		);
	}
	for (const { items, error } of failures) rows[items[0] ?? 0] = [run.failed(items, error)];
	// Places without rows belong to items that share another one's outcome.
	return Object.values(rows).flat();
};
