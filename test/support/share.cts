/** The runs with which `npm run test:faults` tries everything. */
const all = 8;

/** `npm test` has minutes only: it tries a thirtieth of what is drawn at random. */
const share = Math.min(process.env.RUNS === undefined ? 1 / 30 : Number(process.env.RUNS) / all, 1);

/** How many of some random cases are tried here: all in `npm run test:faults`, a thirtieth in `npm test`, one at least. */
export const someOf = (count: number): number => Math.ceil(count * share);

/** Seeds that follow each other, as many as there is time for. */
export const seeds = (from: number, count: number): number[] =>
	Array.from({ length: someOf(count) }, (_, index) => from + index);
