// Writes the generated parts of the documentation: the operations and the version in README.md, docs/operations.md and the
// benchmark results in docs/benchmarks.md. A test fails if a file differs from what this script writes.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readResults } from '../bench/support/results.cts';
import { renderForReaders } from '../bench/support/table.cts';
import type { Resource } from '../core/engine/operation';
import { messagingResources as messaging } from '../nodes/BulkMessaging/resources';
import { partnerResources as partner } from '../nodes/BulkMessagingPartner/resources';

const root = join(__dirname, '..');
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const tableOf = (resources: readonly Resource[]) =>
	[
		'| Resource | Operation | What it does |',
		'| --- | --- | --- |',
		...resources.flatMap(({ name, operations }) =>
			operations.map(
				(operation, index) =>
					`| ${index === 0 ? `**${cell(name)}**` : ''} | ${cell(operation.name)} | ${cell(operation.description)} |`,
			),
		),
	].join('\n');

/** One row per resource. */
const overviewOf = (node: string, resources: readonly Resource[]) =>
	resources.map(
		({ name, operations }, index) =>
			`| ${index === 0 ? `**${node}**` : ''} | ${cell(name)} | ${operations.map((operation) => cell(operation.name)).join(', ')} |`,
	);

const overview = [
	'| Node | Resource | Operations |',
	'| --- | --- | --- |',
	...overviewOf('Bulk Messaging Partner', partner),
	...overviewOf('Bulk Messaging', messaging),
].join('\n');

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	version: string;
};

const measured = () => {
	const { n8n, cores, rows } = readResults();
	const dates = [...new Set(rows.map(({ date }) => date))].sort();
	const figuresOf = (day: string) => [
		...new Set(rows.flatMap(({ date, figure }) => (date === day ? figure : []))),
	];
	const days = dates.map((day) => `- ${day}: ${figuresOf(day).join(', ')}`);
	const required = rows.filter(({ met }) => met !== undefined);
	const met = required.filter((row) => row.met).length;
	return [
		`The targets are our own, set before measuring: ${met} of ${required.length} are met. The others are explained below the table.`,
		`Measured with n8n ${n8n} on ${cores} cores:`,
		days.join('\n'),
		`<!-- prettier-ignore -->\n${renderForReaders(rows)}`,
	].join('\n\n');
};

/** For each file: the text that belongs between each pair of markers. */
const partsOfFile = {
	'README.md': {
		operations: `<!-- prettier-ignore -->\n${overview}`,
		version: `Version ${version}.`,
	},
	'docs/operations.md': {
		'partner operations': `<!-- prettier-ignore -->\n${tableOf(partner)}`,
		'messaging operations': `<!-- prettier-ignore -->\n${tableOf(messaging)}`,
	},
	'docs/benchmarks.md': { measured: measured() },
} as const;

type GeneratedFile = keyof typeof partsOfFile;

export const generatedFiles = Object.keys(partsOfFile) as GeneratedFile[];

/** The text of a file with its generated parts replaced by current ones. */
export const generated = (file: GeneratedFile, current: string): string =>
	Object.entries(partsOfFile[file]).reduce((text, [marker, content]) => {
		const [start, end] = [`<!-- ${marker} -->`, `<!-- end of ${marker} -->`];
		const [before, rest] = text.split(start);
		const after = rest?.split(end)[1];
		if (before === undefined || after === undefined)
			throw new Error(`${file} lacks ${start} … ${end}`);
		return `${before}${start}\n\n${content}\n\n${end}${after}`;
	}, current);

if (require.main === module) {
	for (const file of generatedFiles) {
		const path = join(root, file);
		writeFileSync(path, generated(file, readFileSync(path, 'utf8')));
		console.log(`${file} written`);
	}
}
