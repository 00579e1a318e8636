import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { hostManifest } from '../../scripts/host/places.cjs';
import type { Row } from './table.cts';

const file = path.join(__dirname, '..', 'results.json');

function n8nVersion(): string {
	const { dependencies } = JSON.parse(readFileSync(hostManifest, 'utf8')) as {
		dependencies: Record<string, string>;
	};
	return dependencies.n8n;
}

const rounded = (_: string, value: unknown) =>
	typeof value === 'number' ? Number(value.toFixed(3)) : value;

export interface Results {
	date: string;
	n8n: string;
	cores: number;
	rows: readonly Row[];
}

export const readResults = () => JSON.parse(readFileSync(file, 'utf8')) as Results;

/** What the README's table is made from. */
export async function writeResults(rows: readonly Row[]): Promise<void> {
	const results: Results = {
		date: new Date().toISOString().slice(0, 10),
		n8n: n8nVersion(),
		cores: cpus().length,
		rows,
	};
	const config = await resolveConfig(file);
	writeFileSync(
		file,
		await format(JSON.stringify(results, rounded), { ...config, parser: 'json' }),
	);
}
