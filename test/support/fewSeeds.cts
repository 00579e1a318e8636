/** The runs with which `npm run test:faults` tries everything. */
const all = 8;

/** How many of some random runs are tried: all in `npm run test:faults`, every tenth in `npm test`, which has minutes only. */
const share = process.env.RUNS === undefined ? 0.1 : Number(process.env.RUNS) / all;

/** Seeds that follow each other; fewer of them where there is little time. */
export const seeds = (from: number, count: number): number[] =>
	Array.from({ length: Math.ceil(count * Math.min(share, 1)) }, (_, index) => from + index);
