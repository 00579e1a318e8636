// The README's table of operations, generated from the registry. `npm run readme` writes it; a test compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resource } from '../core/engine/operation';
import { resources as messaging } from '../nodes/BulkMessaging/resources';
import { resources as partner } from '../nodes/BulkMessagingPartner/resources';

const path = join(__dirname, '..', 'README.md');
const tables: Array<{ marker: string; resources: readonly Resource[] }> = [
	{ marker: 'partner operations', resources: partner },
	{ marker: 'messaging operations', resources: messaging },
];

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

/** The README with every generated part made anew. */
export const generated = (readme: string): string =>
	tables.reduce((text, { marker, resources }) => {
		const [start, end] = [`<!-- ${marker} -->`, `<!-- end of ${marker} -->`];
		const [before, rest] = text.split(start);
		const after = rest?.split(end)[1];
		if (before === undefined || after === undefined)
			throw new Error(`README.md lacks ${start} … ${end}`);
		return `${before}${start}\n\n<!-- prettier-ignore -->\n${tableOf(resources)}\n\n${end}${after}`;
	}, readme);

if (require.main === module) {
	writeFileSync(path, generated(readFileSync(path, 'utf8')));
	console.log('README.md written');
}
