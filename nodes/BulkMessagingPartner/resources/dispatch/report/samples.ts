/** A number for each of very many messages, in eight bytes each. */
export class Samples {
	private values = new Float64Array(1_024);

	private length = 0;

	add(value: number): void {
		if (this.length === this.values.length) {
			const larger = new Float64Array(2 * this.length);
			larger.set(this.values);
			this.values = larger;
		}
		this.values[this.length++] = value;
	}

	/** In ascending order. */
	sorted(): Float64Array {
		return this.values.slice(0, this.length).sort();
	}
}

/** The value that `share` of the sorted ones don't exceed, between two of them where it falls between. `null` without any. */
export const percentile = (sorted: Float64Array, share: number): number | null => {
	const place = (sorted.length - 1) * share;
	const below = sorted[Math.floor(place)];
	const above = sorted[Math.ceil(place)];
	if (below === undefined || above === undefined) return null;
	return below + (above - below) * (place % 1);
};
