import { measure, type Measured } from './measured.cts';

/** What a program is told, as JSON in its only argument. */
export interface Task {
	/** Of the service. */
	url: string;
	credentials: { login: string; password: string };
	/** The installed package. */
	packageFolder: string;
	/** How many recipients, one dispatch after another. The first ones are for warming up, if whoever asks wants that. */
	sizes: number[];
}

/** What it prints, as JSON in its last line: one for each of the sizes. */
export type Outcome = Measured[];

export const readTask = () => JSON.parse(process.argv[2] ?? '') as Task;

export const printOutcome = (outcome: Outcome) => console.log(`\n${JSON.stringify(outcome)}`);

/** Measures the work for each of the sizes, its rows made before. */
export async function measureEach<Row>(
	sizes: readonly number[],
	rowsUpTo: (count: number) => Row[],
	work: (rows: Row[]) => Promise<void>,
): Promise<void> {
	const outcome: Outcome = [];
	for (const size of sizes) {
		const rows = rowsUpTo(size);
		outcome.push(await measure(async () => await work(rows)));
	}
	printOutcome(outcome);
}
