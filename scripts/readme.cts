// What the README takes from elsewhere: the tables of operations, the version. `npm run readme` writes it; a test compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resource } from '../core/engine/operation';
import { resources as messaging } from '../nodes/BulkMessaging/resources';
import { resources as partner } from '../nodes/BulkMessagingPartner/resources';

const root = join(__dirname, '..');
const path = join(root, 'README.md');

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

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	version: string;
};

/** What stands between which markers. */
const parts = {
	'partner operations': `<!-- prettier-ignore -->\n${tableOf(partner)}`,
	'messaging operations': `<!-- prettier-ignore -->\n${tableOf(messaging)}`,
	version: `Version ${version}.`,
};

/** The README with every generated part made anew. */
export const generated = (readme: string): string =>
	Object.entries(parts).reduce((text, [marker, content]) => {
		const [start, end] = [`<!-- ${marker} -->`, `<!-- end of ${marker} -->`];
		const [before, rest] = text.split(start);
		const after = rest?.split(end)[1];
		if (before === undefined || after === undefined)
			throw new Error(`README.md lacks ${start} … ${end}`);
		return `${before}${start}\n\n${content}\n\n${end}${after}`;
	}, readme);

if (require.main === module) {
	writeFileSync(path, generated(readFileSync(path, 'utf8')));
	console.log('README.md written');
}
