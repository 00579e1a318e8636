/** Random numbers that follow from a seed (mulberry32). */
export class Random {
	constructor(private state: number) {}

	/** From 0 up to, but not including, 1. */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	}

	/** A whole number from 0 to `count - 1`. */
	below(count: number): number {
		return Math.floor(this.next() * count);
	}

	/** A whole number, both ends included. */
	between(least: number, most: number): number {
		return least + this.below(most - least + 1);
	}

	chance(probability: number): boolean {
		return this.next() < probability;
	}

	pick<T>(choices: readonly [T, ...T[]]): T {
		return choices[this.below(choices.length)] as T;
	}

	uuid(): string {
		const digits = Array.from({ length: 32 }, () => this.below(16).toString(16)).join('');
		return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
	}

	/** Another series of numbers, so that a change in one part of a history doesn't change what is random in the others. */
	fork(): Random {
		return new Random(Math.floor(this.next() * 4294967296) | 0);
	}
}
