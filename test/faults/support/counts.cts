import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { noCounts, type Counts } from '../../support/storm.cts';

/** Counts for one test file; the command that started the tests sums them up. */
export const useCounts = (name: string): Counts => {
	const counts = noCounts();
	afterAll(() => {
		const folder = process.env.FAULTS_RESULTS;
		if (folder === undefined) return;
		mkdirSync(folder, { recursive: true });
		writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(counts));
	});
	return counts;
};
