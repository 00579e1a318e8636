import { readFileSync } from 'node:fs';
import { BulkMessagingTrigger } from '../../nodes/BulkMessagingTrigger/BulkMessagingTrigger.node';
import { nodes } from '../nodes/all.cts';
import { namesOfCredentials, panelOf, unknownNames } from '../support/mentions.cts';
import { sourcesIn, textsIn } from './collect.cts';

/** Another resource's operation is named with its resource: 'Dispatch: Get Report'. */
const panels = nodes.flatMap(({ name: nodeName, node: { description }, resources }) => {
	const others = resources.flatMap(({ name, operations }) =>
		operations.map((one) => `${name}: ${one.name}`),
	);
	return resources.flatMap(({ name, value: resource, operations }) =>
		operations.map(({ name: title, value: operation }) => {
			const { names, texts } = panelOf(description, { resource, operation });
			const folder = `/nodes/${nodeName.replaceAll(' ', '')}/resources/${resource}`;
			return {
				title: `${nodeName}, ${name}: ${title}`,
				folder,
				names: [...names, ...others],
				texts,
			};
		}),
	);
});
const trigger = panelOf(new BulkMessagingTrigger().description);
const allNames = [...panels.flatMap(({ names }) => names), ...trigger.names];

test.each(panels)('$title mentions only what its panel has', ({ names, texts }) => {
	expect(texts.length).toBeGreaterThan(0);
	expect(unknownNames(texts, names)).toEqual([]);
});

test('Bulk Messaging Trigger mentions only what its panel has, or says where it is', () => {
	const texts = trigger.texts.map((text) =>
		text.replaceAll(/'([^']+)' of the node that sends/g, (whole, name: string) =>
			panels.some(({ names }) => names.includes(name)) ? '' : whole,
		),
	);
	expect(unknownNames(texts, trigger.names)).toEqual([]);
});

test('every name in an error or a hint is in a panel of its resource', () => {
	const found = sourcesIn('nodes', 'core', 'credentials').flatMap((file) => {
		const own = panels.filter(
			({ folder }) => file.includes(`${folder}/`) || file.includes(`${folder}.`),
		);
		const names = [
			...(own.length > 0 ? own.flatMap((panel) => panel.names) : allNames),
			...namesOfCredentials,
		];
		const labels = readFileSync(file, 'utf8').matchAll(/new UnfitValueError\(\s*'([^']+)'/g);
		return [
			...textsIn(file)
				// Expressions and pages.
				.filter(({ text }) => !/^(?:=|<)/.test(text))
				.map(({ where, text }) => ({ where, text })),
			...[...labels].map(([, label]) => ({ where: file, text: `'${label}'` })),
		].flatMap(({ where, text }) => unknownNames([text], names).map((one) => `${where} ${one}`));
	});
	expect(found).toEqual([]);
});

test.each([
	["'Continue Existing Dispatch' sends on", 1],
	["Look at 'Text' and at \"'Nowhere'\". The service says: use 'Nothing'", 0],
	["'Text' isn't the recipient's 'Txet'", 1],
])('%s: %d unknown', (text, count) => {
	expect(unknownNames([text], ['Text'])).toHaveLength(count);
});
