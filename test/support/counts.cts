/**
 * What test files count, for the closing line of the command that runs them. They may run in processes of their own, so
 * each leaves a file in a folder that the command names.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

type Counts = Record<string, number>;

/** `name` is that of the test file. */
export function leaveCounts(name: string, counts: Counts): void {
	const folder = process.env.TEST_COUNTS;
	if (folder) writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(counts));
}

/** Of each test file, and all together. */
export function readCounts(folder: string): { table: Record<string, Counts>; sums: Counts } {
	const table: Record<string, Counts> = {};
	const sums: Counts = {};
	for (const file of readdirSync(folder).sort()) {
		// `leaveCounts` wrote it.
		const counts = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Counts;
		table[path.basename(file, '.json')] = counts;
		for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
	}
	return { table, sums };
}
