import type { Effect } from './operation';
import { perRun } from './perRun';

/** At most so many ranges are named. */
const mostRanges = 10;

/** `items 1 to 4, 6 and 8 to 10`, counted from 1 as people do; very many ranges are cut. */
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

/** What became of the items of one run. n8n drops the output of a node that failed: only its error can say it. */
class RunProgress {
	private readonly done = new Map<number, Effect>();

	private readonly notKnown = new Map<number, Effect>();

	/** An item whose call was carried out, or only accepted with an answer that does not confirm it. */
	add(itemIndex: number, effect: Effect, isConfirmed: boolean): void {
		if (effect === 'reads') return;
		this.notKnown.delete(itemIndex);
		(isConfirmed ? this.done : this.notKnown).set(itemIndex, effect);
	}

	addUnknown(itemIndex: number, effect: Effect): void {
		if (effect === 'reads' || this.done.has(itemIndex)) return;
		this.notKnown.set(itemIndex, effect);
	}

	/** Whether anything of this run was or may have been carried out. */
	get hasEffect(): boolean {
		return this.done.size + this.notKnown.size > 0;
	}

	/** For programs: n8n keeps it with the error. */
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

	/** For people: which items were carried out and which were not, and what running again would do. */
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
			advice.push('If you run this again, the items that were carried out are carried out again.');
		if (isHarmful(this.notKnown))
			advice.push('Check the items that are not known before you run this again.');
		return advice.length > 0
			? advice
			: ['Running this again is safe: it changes nothing that was carried out.'];
	}
}

/** The same over all tries of Retry On Fail: what an earlier try has carried out stays carried out. */
export const progressOf = perRun(() => new RunProgress());
