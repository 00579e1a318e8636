import { type IDataObject, NodeOperationError } from 'n8n-workflow';
import type { NodeError } from './errors';
import { nameItem } from './failure';
import { howMany } from './hints';
import { isUnconfirmed } from './items';
import type { DoneWords, Effect, Run } from './operation';

/** How many ranges an error lists at most. */
const mostRanges = 10;

/** `items 1 to 4, 6, 7 and 9 to 11`, counted from 1; a long list of ranges is cut off. */
export const rangesOf = (indexes: readonly number[]): string => {
	const ranges: Array<[first: number, last: number]> = [];
	for (const index of indexes) {
		const range = ranges.at(-1);
		if (range !== undefined && range[1] === index - 1) range[1] = index;
		else ranges.push([index, index]);
	}
	const named = ranges.slice(0, mostRanges);
	const words = named.flatMap(([first, last]) =>
		last - first > 1
			? `${first + 1} to ${last + 1}`
			: [...new Set([first + 1, last + 1])].map(String),
	);
	const counted = named.reduce((sum, [first, last]) => sum + last - first + 1, 0);
	if (counted < indexes.length) words.push(`${indexes.length - counted} more`);
	const end = words.pop() ?? '';
	const list = words.length === 0 ? end : `${words.join(', ')} and ${end}`;
	return `${indexes.length === 1 ? 'item' : 'items'} ${list}`;
};

/** What became of an item that was carried out, or may have been. */
export interface ItemOutcome {
	/** The items it returned; `undefined` if it isn't known whether it was carried out. */
	entries?: IDataObject[];
	error?: unknown;
}

/**
 * By item; those that were rejected or not tried have none. Shared by all tries of 'Retry On Fail': the report must include what
 * earlier tries already did.
 */
export type ItemOutcomes = Map<number, ItemOutcome>;

/** Why items weren't carried out: their values are wrong, the service rejected them alone, or they stopped the run. */
export interface Failure {
	/** At least one; several if they have one outcome. */
	items: readonly number[];
	is: 'wrong' | 'rejected' | 'failed';
	error: NodeError;
	/** The service's own words, if it rejected the item. */
	said?: string;
}

interface Progress {
	effect: Effect;
	outcomes: ItemOutcomes;
	count: number;
	/** In the order of the items. */
	failures: readonly Failure[];
	words: DoneWords;
}

const isDone = (outcome?: ItemOutcome) =>
	outcome?.entries !== undefined && !outcome.entries.some(isUnconfirmed);

const indexesOf = (failures: readonly Failure[]) =>
	failures.flatMap(({ items }) => items).sort((a, b) => a - b);

const firstOf = ({ items: [first = 0] }: Failure) => first;

const isStop = ({ is }: Failure) => is === 'failed';

/** Which items were carried out, for n8n to store with the error: it drops the output of a failed node. */
const toContext = ({ outcomes, count, failures, words: { id = '' } }: Progress) => {
	const all = Array.from({ length: count }, (_, index) => index);
	const failedItems = indexesOf(failures);
	const failed = new Set(failedItems);
	const done = all.filter((index) => isDone(outcomes.get(index)));
	// The IDs of what the items created. Without them, it could be created again.
	const ids = done.flatMap((index) => {
		const value = outcomes.get(index)?.entries?.[0]?.[id];
		return value === undefined ? [] : [String(value)];
	});
	return {
		done,
		...(ids.length > 0 && { ids }),
		unknown: all.filter((index) => outcomes.has(index) && !isDone(outcomes.get(index))),
		failed: (failures.find(isStop) ?? failures[0])?.items[0],
		failedItems,
		notStarted: all.filter((index) => !outcomes.has(index) && !failed.has(index)),
	};
};

/** How many IDs an error lists. */
const mostIds = 10;

/** How many wrong items an error explains one by one. */
const mostExplained = 5;

/** Joins the sentences that apply: the others are `false`. */
const joined = (sentences: ReadonlyArray<string | false>, separator = ' ') =>
	sentences.filter((one) => one !== false).join(separator);

const named = (title: string, indexes: readonly number[], end = '.'): string | false =>
	indexes.length > 0 && `${title} ${rangesOf(indexes)}${end}`;

const describeFailure = ({ items, error, said }: Failure): string =>
	`${rangesOf(items).replace(/^i/, 'I')}: ${[error.message, ...(said ? [said] : [])].map((text) => text.replace(/\.$/, '')).join(': ')}.`;

/** The readable report: which items are done, which aren't and why, and what running again would do. */
export const describeOutcomes = (progress: Progress): string => {
	const { effect, outcomes, failures, words } = progress;
	const { done, ids = [], unknown, notStarted } = toContext(progress);
	const wrong = failures.filter((one) => !isStop(one));
	const stops = indexesOf(failures.filter(isStop)).filter((index) => !unknown.includes(index));
	const rest = ids.length > mostIds ? ` and ${ids.length - mostIds} more` : '';
	const created = ids.length > 0 ? ` (${words.id} ${ids.slice(0, mostIds).join(', ')}${rest})` : '';
	const hasTried = outcomes.size > 0;
	const isSafe = effect !== 'once' && hasTried;
	const isCorrectable = failures.length > 0 && !failures.some(isStop);
	return joined([
		!hasTried && (words.none ?? 'Nothing was done.'),
		named('Done:', done, `${created}.`),
		named('Failed:', stops),
		named('Unknown:', unknown),
		hasTried && named('Not started:', notStarted),
		...wrong.slice(0, mostExplained).map(describeFailure),
		wrong.length > mostExplained && `And ${wrong.length - mostExplained} more.`,
		isCorrectable &&
			(isSafe
				? 'Correct these items and run this again with all items: what is done stays as it is.'
				: `Correct these items and run this again${hasTried ? ' with only them' : ''}.`),
		!isSafe &&
			done.length > 0 &&
			`If you run this again with all items, ${rangesOf(done)} ${done.length === 1 ? 'is' : 'are'} ${words.again ?? 'done twice'}.`,
		!isSafe &&
			unknown.length > 0 &&
			'Check the items with an unknown outcome before you run this again.',
		isSafe &&
			!isCorrectable &&
			"Running this again with all items is safe: it doesn't change what is already done.",
		wrong.length > 0 &&
			hasTried &&
			"To get such items with all their fields, set 'On Error' in the node's settings to use an error output.",
	]);
};

/** `27 numbers blocked, 3 not: items 4, 9 and 17` */
const reportTitle = (progress: Progress): string => {
	const { outcomes, failures, words } = progress;
	if (outcomes.size > 0) {
		const { done, unknown } = toContext(progress);
		const open = unknown.length > 0 ? ` ${unknown.length} unknown,` : '';
		return `${howMany(done.length, words.one, words.many)},${open} ${indexesOf(failures).length} not: ${rangesOf(indexesOf(failures))}`;
	}
	const being = (wanted: Failure['is']) => indexesOf(failures.filter(({ is }) => is === wanted));
	return joined(
		[
			named('Wrong values in', being('wrong'), ''),
			named('The service rejected', being('rejected'), ''),
		],
		'. ',
	);
};

/**
 * Stops a run that doesn't continue on errors, with one error that says what became of all items. It is the first item's own if that
 * says everything.
 */
export const failTogether = (
	{
		context,
		items,
		effect,
		errorOf,
	}: Pick<Run<unknown>, 'context' | 'items' | 'effect' | 'errorOf'>,
	found: readonly Failure[],
	words: DoneWords = { one: 'item done', many: 'items done' },
	outcomes: ItemOutcomes = new Map(),
): void => {
	const failures = [...found].sort((a, b) => firstOf(a) - firstOf(b));
	const count = items.length;
	const stop = failures.find(isStop);
	const first = stop ?? failures[0];
	if (first === undefined) return;
	const isAboutAll = indexesOf(failures).length === count;
	const isSame = () => new Set(failures.map(({ error }) => error.message)).size === 1;
	const saysAll =
		stop === undefined ? failures.length === 1 || (isAboutAll && isSame()) : failures.every(isStop);
	if ((outcomes.size === 0 && saysAll) || (count === 1 && stop !== undefined)) {
		throw nameItem(first.error, { count, isAboutAll });
	}
	const progress = { effect, outcomes, count, failures, words };
	const failure =
		stop === undefined
			? errorOf(new NodeOperationError(context.getNode(), reportTitle(progress)))
			: nameItem(stop.error, { count, isAboutAll: true });
	failure.description = `${describeOutcomes(progress)} ${failure.description ?? ''}`.trim();
	Object.assign(failure.context, toContext(progress));
	throw failure;
};
