// Writes sandbox/reference.md: the control routes, magic numbers, faults and response variants, from the sandbox itself. A test
// compares the page with this script.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageErrors } from '../core/contract/errors';
import { dialectOptions } from '../sandbox/api/dialect.cts';
import { FaultKind } from '../sandbox/api/faults.cts';
import { demo } from '../sandbox/demo.cts';
import { faultNames, magicNumbers } from '../sandbox/face/controls.cts';
import { otherVariants, variantLabels } from '../sandbox/face/variants.cts';
import { createSandbox } from '../sandbox/sandbox.cts';

type Cells = readonly string[];

const tableOf = (names: Cells, rows: readonly Cells[]): string =>
	[names, names.map(() => '---'), ...rows]
		.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
		.join('\n');

const code = (text: string) => `\`${text}\``;

const routeRows = async (): Promise<Cells[]> => {
	const sandbox = createSandbox();
	const response = await sandbox.fetch(sandbox.urls.controlUrl);
	const { routes } = (await response.json()) as {
		routes: Array<Record<'method' | 'path' | 'does', string>>;
	};
	return routes.map(({ method, path, does }) => [code(`${method} ${path}`), does]);
};

const variantRows = (): Cells[] =>
	Object.entries(variantLabels).map(([name, { label, options }]) => [
		code(name),
		label,
		Object.entries(options)
			.map(([value, words]) => `${code(value)}: ${words}`)
			.join('<br>'),
	]);

export const referenceDocument = async (): Promise<string> => `# Sandbox reference

This page is written by \`npm run reference\`. How to use the sandbox is in its [README](README.md).

## Control routes

Bodies are JSON with \`Content-Type: application/json\`. \`GET ${demo.controlPath}\` returns this list.

<!-- prettier-ignore -->
${tableOf(['Route', 'What it does'], await routeRows())}

## Magic numbers

For numbers with 99900, the last seven digits decide, with any operator's code.

<!-- prettier-ignore -->
${tableOf(
	['Number', 'Outcome'],
	Object.entries(magicNumbers).map(([number, outcome]) => [number, outcome]),
)}

A number that ends with 9990 and one of these codes fails with it, such as 79169990453:

<!-- prettier-ignore -->
${tableOf(
	['Code', 'Meaning'],
	Object.entries(messageErrors).map(([number, { text }]) => [number.padStart(3, '0'), text]),
)}

## Faults

\`POST ${demo.controlPath}/faults\` makes matching requests fail:

    {"kind": "commit-then-reset", "match": {"method": "POST", "path": "/dispatches/{id}/messages"}, "times": 1, "after": 2}

In \`path\`, \`*\` matches anything and \`{id}\` one segment. \`after\` is the number of matching requests that pass first. Kinds with a status
have \`status\` (503), \`headers\` and \`body\`. Without a \`body\`, the response has an error body with \`code\`:
\`{"kind": "status", "status": 400, "code": 110}\` is the widget's error 110. \`delay\` has \`ms\`.

<!-- prettier-ignore -->
${tableOf(
	['Kind', 'What happens', 'Processed'],
	FaultKind.options.map((kind) => [
		code(kind),
		faultNames[kind],
		kind === 'delay' || kind.startsWith('commit-') ? 'yes' : 'no',
	]),
)}

## Response variants

\`PUT ${demo.controlPath}/variants\` changes the given settings and keeps the others: \`{"sendReply": "${dialectOptions.sendReply[1]}", "indexLagMs": 60000}\`. The
sandbox still processes every request exactly once. Only \`charges\` changes more than the response.

<!-- prettier-ignore -->
${tableOf(['Setting', 'On the page', 'Values, the default first'], variantRows())}

<!-- prettier-ignore -->
${tableOf(
	['Setting', 'What it changes'],
	Object.entries(otherVariants).map(([name, words]) => [code(name), words]),
)}
`;

if (require.main === module) {
	void referenceDocument().then((text) => {
		writeFileSync(join(__dirname, '..', 'sandbox', 'reference.md'), text);
		console.log('sandbox/reference.md written');
	});
}
