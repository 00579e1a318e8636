import type { Effect } from './operation';
import { perRun } from './perRun';

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

/** What happened to the items of one run. n8n drops the output of a failed node, so the error has to report it. */
class RunProgress {
	private readonly done = new Map<number, Effect>();

	private readonly notKnown = new Map<number, Effect>();

	/** An item whose call was carried out, or accepted with a response that doesn't confirm it. */
	add(itemIndex: number, effect: Effect, isConfirmed: boolean): void {
		if (effect === 'reads') return;
		this.notKnown.delete(itemIndex);
		(isConfirmed ? this.done : this.notKnown).set(itemIndex, effect);
	}

	addUnknown(itemIndex: number, effect: Effect): void {
		if (effect === 'reads' || this.done.has(itemIndex)) return;
		this.notKnown.set(itemIndex, effect);
	}

	/** Whether anything in this run was carried out, or may have been. */
	get hasEffect(): boolean {
		return this.done.size + this.notKnown.size > 0;
	}

	/** The machine-readable report, which n8n stores with the error. */
	toContext(count: number, failedItems: readonly number[]) {
		const tried = new Set([...this.done.keys(), ...this.notKnown.keys(), ...failedItems]);
		const all = Array.from({ length: count }, (_, index) => index);
		return {
			carriedOut: all.filter((index) => this.done.has(index)),
			notKnown: all.filter((index) => this.notKnown.has(index)),
			failed: failedItems[0],
			failedItems: [...failedItems],
			notTried: all.filter((index) => !tried.has(index)),
		};
	}

	/** The readable report: which items were carried out, which weren't, and what running again would do. */
	describe(count: number, failedItems: readonly number[]): string {
		const { carriedOut, notKnown, notTried } = this.toContext(count, failedItems);
		const failed = failedItems.filter((index) => !this.notKnown.has(index));
		const named = (title: string, indexes: readonly number[]) =>
			indexes.length === 0 ? [] : [`${title}: ${rangesOf(indexes)}.`];
		return [
			...named('Carried out', carriedOut),
			...named('Failed', failed),
			...named('Not known', notKnown),
			...named('Not tried', notTried),
			...this.adviceOf(),
		].join(' ');
	}

	private adviceOf(): string[] {
		const isHarmful = (some: ReadonlyMap<number, Effect>) => [...some.values()].includes('once');
		const advice = [];
		if (isHarmful(this.done))
			advice.push(
				'If you run this again, items already carried out are carried out a second time.',
			);
		if (isHarmful(this.notKnown))
			advice.push('Check the items whose result is not known before you run this again.');
		return advice.length > 0
			? advice
			: ["You can safely run this again: it doesn't change what was already carried out."];
	}
}

/** One report for all tries of 'Retry On Fail', because what an earlier try carried out stays carried out. */
export const progressOf = perRun(() => new RunProgress());
