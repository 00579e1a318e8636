/** A list of very many numbers. A plain array would need twice the memory and leave its old copies behind as it grows. */
export class NumberList {
	private values = new Float64Array(32);

	length = 0;

	push(value: number): void {
		if (this.length === this.values.length) {
			const grown = new Float64Array(2 * this.length);
			grown.set(this.values);
			this.values = grown;
		}
		this.values[this.length++] = value;
	}

	at(index: number): number | undefined {
		return index < this.length ? this.values[index] : undefined;
	}
}
