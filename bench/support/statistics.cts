export interface Spread {
	median: number;
	least: number;
	most: number;
}

export function spreadOf(values: readonly number[]): Spread {
	if (values.length === 0) throw new Error('Nothing was measured.');
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	const median =
		sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	return { median, least: sorted[0], most: sorted[sorted.length - 1] };
}

/** Ratios within a repetition: a machine that was slow for a while was slow for both sides. */
export function ratios(ours: readonly number[], theirs: readonly number[]): number[] {
	if (ours.length !== theirs.length) throw new Error('Both sides need the same repetitions.');
	return ours.map((value, repetition) => value / theirs[repetition]);
}
