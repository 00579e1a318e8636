import { measure, type Measured } from './measured.cts';

/** What a plain script is told that talks to the partner API, as JSON in its only argument. */
export interface Task {
	/** Of the service. */
	url: string;
	credentials: { login: string; password: string };
	/** How many recipients or messages, one run after another. The first ones are for warming up, if whoever asks wants that. */
	sizes: number[];
}

/** What it prints, as JSON in its last line: one for each of the sizes. */
export type Outcome = Measured[];

export const readTask = () => JSON.parse(process.argv[2] ?? '') as Task;

export const printOutcome = (outcome: Outcome) => console.log(`\n${JSON.stringify(outcome)}`);

/** Measures the work for each of the sizes, its input made before. */
export async function measureEach<Input>(
	sizes: readonly number[],
	inputOf: (count: number) => Input,
	work: (input: Input) => Promise<void>,
): Promise<void> {
	const outcome: Outcome = [];
	for (const size of sizes) {
		const input = inputOf(size);
		outcome.push(await measure(async () => await work(input)));
	}
	printOutcome(outcome);
}
