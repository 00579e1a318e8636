import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { n8nVersion } from '../../host/n8n/manifest.cts';
import type { Row } from './table.cts';

const file = path.join(__dirname, '..', 'results.json');

const rounded = (_: string, value: unknown) =>
	typeof value === 'number' ? Number(value.toFixed(3)) : value;

/** A figure is measured as a whole, both sides in one run; others may be of another day. */
type DatedRow = Row & { date: string };

export interface Results {
	n8n: string;
	cores: number;
	rows: readonly DatedRow[];
}

export const readResults = () => JSON.parse(readFileSync(file, 'utf8')) as Results;

/** Writes the figures that docs/benchmarks.md shows. Figures that were not measured this time keep their old values. */
export async function writeResults(
	rows: readonly Row[],
	figures: ReadonlyArray<{ name: string }>,
): Promise<void> {
	const date = new Date().toISOString().slice(0, 10);
	const results: Results = {
		n8n: n8nVersion(),
		cores: cpus().length,
		rows: figures.flatMap(({ name }) => {
			const isOfFigure = (row: Row) => row.figure === name;
			const measured = rows.filter(isOfFigure);
			return measured.length > 0
				? measured.map((row) => ({ ...row, date }))
				: readResults().rows.filter(isOfFigure);
		}),
	};
	// Imported here because jest can't load Prettier, and the test of the documentation only reads the results.
	const { format, resolveConfig } = await import('prettier');
	const config = await resolveConfig(file);
	writeFileSync(
		file,
		await format(JSON.stringify(results, rounded), { ...config, parser: 'json' }),
	);
}
