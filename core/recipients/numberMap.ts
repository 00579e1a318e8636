/**
 * Maps very many phone numbers to a value. Hundreds of thousands of them as text in a Map would need five times the memory, and
 * time for garbage collection. A phone number has at most 15 digits, so a JavaScript number stores it exactly.
 */
export class NumberMap {
	/** Slots of a hash table with linear probing. More than half are empty, marked with 0, which isn't a phone number. */
	private numbers = new Float64Array(32);

	private values = new Int32Array(32);

	private count = 0;

	get(number: number): number | undefined {
		const slot = this.slotOf(number);
		return this.numbers[slot] === number ? this.values[slot] : undefined;
	}

	set(number: number, value: number): void {
		if (2 * this.count >= this.numbers.length) this.grow();
		const slot = this.slotOf(number);
		if (this.numbers[slot] === 0) this.count++;
		this.numbers[slot] = number;
		this.values[slot] = value;
	}

	/** Where the number is, or the empty slot where it would be. */
	private slotOf(number: number): number {
		const { numbers } = this;
		const last = numbers.length - 1;
		// Spreads consecutive numbers, which are common, over the table.
		let slot = (Math.imul(number | 0, 0x9e3779b1) >>> 8) & last;
		while (numbers[slot] !== 0 && numbers[slot] !== number) slot = (slot + 1) & last;
		return slot;
	}

	private grow(): void {
		const { numbers, values } = this;
		this.numbers = new Float64Array(4 * numbers.length);
		this.values = new Int32Array(4 * numbers.length);
		for (let index = 0; index < numbers.length; index++) {
			const number = numbers[index];
			if (number === 0) continue;
			const slot = this.slotOf(number);
			this.numbers[slot] = number;
			this.values[slot] = values[index];
		}
	}
}
