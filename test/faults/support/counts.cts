import { leaveCounts } from '../../support/counts.cts';
import { noCounts, type Counts } from '../../support/storm.cts';

/** Counts for one test file; the command that started the tests sums them up. */
export const useCounts = (name: string): Counts => {
	const counts = noCounts();
	afterAll(() => leaveCounts(name, { ...counts }));
	return counts;
};
