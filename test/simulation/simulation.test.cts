import { playHistory } from './history.cts';

/** A share of what `npm run test:simulation` plays. Each test is short, so that a busy machine finishes it in time. */
const first = 1;
const perTest = 50;
const tests = 6;

const starts = Array.from({ length: tests }, (_, index) => first + index * perTest);

it.each(starts)('nothing is sent twice, lost or reported untruly: seeds from %i', async (start) => {
	const found: string[] = [];
	for (let seed = start; seed < start + perTest; seed++) {
		const { problems } = await playHistory(seed);
		// The same again: npm run test:simulation -- --seed N --verbose
		found.push(...problems.map(({ kind, text }) => `seed ${seed}: ${kind}: ${text}`));
	}
	expect(found).toEqual([]);
});
