/** A growing list of numbers that uses eight bytes each: a dispatch can have very many messages. */
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

/** The value that `share` of the sorted values don't exceed, interpolated between two values. `null` without values. */
export const percentile = (sorted: Float64Array, share: number): number | null => {
	const place = (sorted.length - 1) * share;
	const below = sorted[Math.floor(place)];
	const above = sorted[Math.ceil(place)];
	if (below === undefined || above === undefined) return null;
	return below + (above - below) * (place % 1);
};
