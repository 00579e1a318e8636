// Writes docs/outputs.md: every field that an operation or an event returns, from the schemas that the editor shows and from one
// table of meanings. A test compares the page with this script, and the table with what the nodes really return.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messagingResources as messaging } from '../nodes/BulkMessaging/resources';
import { partnerResources as partner } from '../nodes/BulkMessagingPartner/resources';
import { recipientColumns } from '../nodes/dispatches/tell/rows';
import { Report } from '../nodes/dispatches/report/schema';
import { CostEstimate } from '../nodes/BulkMessagingPartner/resources/price';
import { meanings, outcomes, questions, reasonCodes } from './outputMeanings.cts';
import { contentOf, schemaFiles } from './schemas.cts';

interface Schema {
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** A field of an output item: `notReached[].reason`. */
type FieldPath = string;

const pathsIn = ({ properties = {}, items }: Schema, above = ''): FieldPath[] => [
	...(items === undefined ? [] : pathsIn(items, above.replace(/\.$/, '[].'))),
	...Object.entries(properties).flatMap(([name, inner]) => [
		`${above}${name}`,
		...pathsIn(inner, `${above}${name}.`),
	]),
];

/** Which operation a file of the editor's schemas is for: `partner dispatch.send`. */
const operationOf = (path: string): string => {
	const [, node = '', , , ...rest] = path.split('/');
	const operation = rest.join('.').replace(/\.json$/, '');
	if (node === 'BulkMessagingTrigger') return 'trigger';
	return `${node === 'BulkMessaging' ? 'messaging' : 'partner'} ${operation}`;
};

const pathsOfContent = (content: string) => pathsIn(JSON.parse(content) as Schema);

const ofSchemas = new Map(
	[...schemaFiles()].map(([path, content]) => [operationOf(path), pathsOfContent(content)]),
);

/** A dry run of messages has its own fields in the middle. */
const rehearsedFields = (...own: FieldPath[]): FieldPath[] => [
	...['destination', 'outcome', 'reason', 'reasonCode'],
	...own,
	...['externalMessageId', 'messageUuid'],
];

const awaited = 'messaging message.sendAndWait';
const previewed = 'partner dispatch.preview';
const rehearsed = 'partner dispatch.send dryRun';

/** The fields of every operation and of the trigger's events. */
export const outputFields: ReadonlyMap<string, readonly FieldPath[]> = new Map([
	...ofSchemas,
	// Only some events and options add the last three, so the editor doesn't show them before a run.
	['trigger', [...(ofSchemas.get('trigger') ?? []), 'raw', 'headers', 'query']],
	// Only there if nobody replied in time, so the editor doesn't show it either.
	[awaited, [...(ofSchemas.get(awaited) ?? []), 'waitId']],
	['partner dispatch.getReport full', pathsOfContent(contentOf(Report))],
	['partner price.estimateCost full', pathsOfContent(contentOf(CostEstimate))],
	['messaging message.send dryRun', rehearsedFields('channelType', 'text', 'parts')],
	['messaging message.sendCascade dryRun', rehearsedFields('steps', 'texts')],
	[rehearsed, ofSchemas.get(previewed) ?? []],
	[
		'partner dispatch.send test',
		[
			...['destination', 'outcome', 'text', 'name', 'status'],
			...['priceEstimate', 'priceEstimate.total', 'priceEstimate.currency', 'priceEstimate.parts'],
			...['started', 'isTest', 'wouldReach', 'dispatchId'],
		],
	],
	['recipients', [...recipientColumns]],
	['unconfirmed', ['answer', 'accepted', 'confirmed']],
]);

/** What a field means: by operation and path, by path, or by its last name. */
export const meaningKeys = (operation: string, path: FieldPath): string[] => [
	`${operation === rehearsed ? previewed : operation.replace(/ full$/, '')} ${path}`,
	path,
	path.split('.').at(-1) ?? path,
];

export const meaningOf = (operation: string, path: FieldPath): string | undefined =>
	meaningKeys(operation, path)
		.map((key) => meanings[key])
		.find((text) => text !== undefined);

/** What sets a table apart from the operation's own. */
const modes: Readonly<Record<string, string>> = {
	dryRun: 'Dry Run',
	full: "'Simplify' off",
	test: 'Send a Test',
};

const titleOf = (operation: string): string => {
	if (operation === 'trigger') return 'Trigger events (Simplified)';
	if (operation === 'recipients') return "Dispatches with 'Output' set to 'Recipients'";
	if (operation === 'unconfirmed') return 'Unconfirmed items';
	const [node = '', path = '', mode] = operation.split(' ');
	const [resourceValue, value] = path.split('.');
	const isPartner = node === 'partner';
	const resource = (isPartner ? partner : messaging).find((one) => one.value === resourceValue);
	const { name } = resource?.operations.find((one) => one.value === value) ?? {};
	const title = `${isPartner ? 'Bulk Messaging Partner' : 'Bulk Messaging'}, ${resource?.name}: ${name}`;
	return mode === undefined ? title : `${title} (${modes[mode]})`;
};

const cell = (text: string) => text.replaceAll('|', '\\|');

/** Operations with the same fields and meanings share a table. */
const tables = (): string => {
	const titles = new Map<string, string[]>();
	for (const [operation, paths] of outputFields) {
		const rows = paths.map(
			(path) => `| \`${path}\` | ${cell(meaningOf(operation, path) ?? '(not described)')} |`,
		);
		const table = ['| Field | Meaning |', '| --- | --- |', ...rows].join('\n');
		titles.set(table, [...(titles.get(table) ?? []), titleOf(operation)]);
	}
	return [...titles]
		.map(([table, names]) => `### ${names.join('; ')}\n\n<!-- prettier-ignore -->\n${table}`)
		.join('\n\n');
};

const rowsOf = (table: Readonly<Record<string, string>>) =>
	Object.entries(table)
		.map(([name, text]) => `| \`${name}\` | ${cell(text)} |`)
		.join('\n');

export const outputsDocument = (): string => `# Outputs

What the nodes return. This page is generated by \`npm run outputs\`; a test compares it with what the nodes really return.

A field that doesn't apply is missing. If other items of the same run have it, it is empty: a text, a list or a count. Prices and other numbers from the service stay missing.

## Questions people ask

Use these conditions in an IF node:

<!-- prettier-ignore -->
| Question | Condition |
| --- | --- |
${questions.map(([question, condition]) => `| ${question} | \`${condition}\` |`).join('\n')}

## Outcome

\`outcome\` says in one word what became of a message. The same words everywhere:

<!-- prettier-ignore -->
| Outcome | Meaning |
| --- | --- |
${rowsOf(outcomes)}

## Reasons

\`reason\` is a sentence for people, and may change. In conditions, compare \`reasonCode\`:

<!-- prettier-ignore -->
| Reason code | Meaning |
| --- | --- |
${rowsOf(reasonCodes)}

## Your own fields

With 'Output' set to 'Recipients', each item keeps the fields of its input item. If one of them has the name of a field in [this table](#dispatches-with-output-set-to-recipients), the node's value replaces it, if the node has one: before a message is delivered, for example, your own \`status\` stays. \`outcome\`, \`reason\` and \`reasonCode\` are always the node's. In a preview or dry run, it is kept if 'Phone Number', 'Text' or another parameter reads it, because Send needs it if it follows.

## Failed items

With 'On Error' set to continue, a failed item keeps its own fields and has \`error\`: what happened and, if possible, how to fix it. A dispatch that fails is one item.

## Items whose outcome isn't known

If the service accepts a change but its response doesn't show the result, the item has the response's own fields, \`accepted: true\` and \`confirmed: false\` ([table](#unconfirmed-items)). If it isn't known whether a message was sent, the item failed and its \`error\` says so.

## Fields

${tables()}
`;

if (require.main === module) {
	writeFileSync(join(__dirname, '..', 'docs', 'outputs.md'), outputsDocument());
	console.log('docs/outputs.md written');
}
