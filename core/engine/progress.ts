import type { Effect } from './operation';
import type { IDataObject } from 'n8n-workflow';

/** How many ranges an error lists at most. */
const mostRanges = 10;

/** `items 1 to 4, 6 and 8 to 10`, counted from 1; a long list of ranges is cut off. */
export const rangesOf = (indexes: readonly number[]): string => {
	const ranges: Array<[first: number, last: number]> = [];
	for (const index of indexes) {
		const range = ranges.at(-1);
		if (range !== undefined && range[1] === index - 1) range[1] = index;
		else ranges.push([index, index]);
	}
	const named = ranges.slice(0, mostRanges);
	const words = named.map(([first, last]) =>
		first === last ? `${first + 1}` : `${first + 1} to ${last + 1}`,
	);
	const counted = named.reduce((sum, [first, last]) => sum + last - first + 1, 0);
	if (counted < indexes.length) words.push(`${indexes.length - counted} more`);
	const end = words.pop() ?? '';
	const list = words.length === 0 ? end : `${words.join(', ')} and ${end}`;
	return `${indexes.length === 1 ? 'item' : 'items'} ${list}`;
};

/** What became of an item whose call changes something. Items that were rejected or not tried have no entry. */
export interface ItemOutcome {
	effect: Effect;
	/** The items it returned, or the error if it isn't known whether it was carried out. */
	came: { entries: IDataObject[]; isConfirmed: boolean } | { error: unknown };
}

/** By item. All tries of 'Retry On Fail' share it, because what an earlier try carried out stays carried out. */
export type ItemOutcomes = Map<number, ItemOutcome>;

const isDone = ({ came }: ItemOutcome) => 'entries' in came && came.isConfirmed;

/** Which items were carried out, for n8n to store with the error: it drops the output of a failed node. */
export const toContext = (
	outcomes: ItemOutcomes,
	count: number,
	failedItems: readonly number[],
) => {
	const failed = new Set(failedItems);
	const all = Array.from({ length: count }, (_, index) => index);
	const having = (fits: (outcome: ItemOutcome) => boolean) =>
		all.filter((index) => {
			const outcome = outcomes.get(index);
			return outcome !== undefined && fits(outcome);
		});
	return {
		carriedOut: having(isDone),
		notKnown: having((one) => !isDone(one)),
		failed: failedItems[0],
		failedItems: [...failedItems],
		notTried: all.filter((index) => !outcomes.has(index) && !failed.has(index)),
	};
};

const adviceOn = (outcomes: ItemOutcomes): string[] => {
	const harmful = [...outcomes.values()].filter(({ effect }) => effect === 'once');
	const advice = [];
	if (harmful.some(isDone))
		advice.push('If you run this again, items already carried out are carried out a second time.');
	if (harmful.some((one) => !isDone(one)))
		advice.push('Check the items whose result is not known before you run this again.');
	return advice.length > 0
		? advice
		: ["You can safely run this again: it doesn't change what was already carried out."];
};

/** The readable report: which items were carried out, which weren't, and what running again would do. */
export const describeOutcomes = (
	outcomes: ItemOutcomes,
	count: number,
	failedItems: readonly number[],
): string => {
	const { carriedOut, notKnown, notTried } = toContext(outcomes, count, failedItems);
	const failed = failedItems.filter((index) => !notKnown.includes(index));
	const named = (title: string, indexes: readonly number[]) =>
		indexes.length === 0 ? [] : [`${title}: ${rangesOf(indexes)}.`];
	return [
		...named('Carried out', carriedOut),
		...named('Failed', failed),
		...named('Not known', notKnown),
		...named('Not tried', notTried),
		...adviceOn(outcomes),
	].join(' ');
};
