// `npm run readme` writes the generated parts of the README: the tables of operations, the results of the bench, and the version.
// A test compares them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readResults } from '../bench/support/results.cts';
import { renderRatios } from '../bench/support/table.cts';
import type { Resource } from '../core/engine/operation';
import { messagingResources as messaging } from '../nodes/BulkMessaging/resources';
import { partnerResources as partner } from '../nodes/BulkMessagingPartner/resources';

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

const measured = () => {
	const { n8n, cores, rows } = readResults();
	const dates = [...new Set(rows.map(({ date }) => date))].sort();
	const required = rows.filter(({ met }) => met !== undefined);
	const met = required.filter((row) => row.met).length;
	return `Measured on ${dates.join(' and ')} with n8n ${n8n} on ${cores} cores; ${met} of ${required.length} limits met.\n\n<!-- prettier-ignore -->\n${renderRatios(rows)}`;
};

/** The generated parts, by the marker around them. */
const parts = {
	'partner operations': `<!-- prettier-ignore -->\n${tableOf(partner)}`,
	'messaging operations': `<!-- prettier-ignore -->\n${tableOf(messaging)}`,
	measured: measured(),
	version: `Version ${version}.`,
};

/** The README with all its generated parts up to date. */
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
