import {
	commentsIn,
	pages,
	paragraphsIn,
	samples,
	sourcesIn,
	textsIn,
	textsOfPackage,
	textsOfSample,
	type Text,
} from './collect.cts';
import { everywhere, forUsers, type Rule } from './style.cts';

const broken = (texts: Text[], rules: Rule[]): string[] =>
	texts.flatMap(({ where, text }) =>
		rules.flatMap(({ pattern, instead, except }) => {
			const found = pattern.exec(except ? text.replaceAll(except, '') : text);
			return found ? [`${where}: "${found[0].trim()}" (${instead}) in: ${text}`] : [];
		}),
	);

const all = [...everywhere, ...forUsers];
const surfaces: Array<[what: string, collect: () => Text[], rules: Rule[]]> = [
	[
		'nodes and credentials',
		() => [...sourcesIn('nodes', 'credentials', 'core').flatMap(textsIn), ...textsOfPackage()],
		all,
	],
	['demo and sandbox', () => sourcesIn('sandbox', 'host').flatMap(textsIn), all],
	['documentation', () => pages().flatMap(paragraphsIn), all],
	['sample workflows', () => samples().flatMap(textsOfSample), all],
	[
		'comments',
		() => sourcesIn('nodes', 'credentials', 'core', 'sandbox', 'host').flatMap(commentsIn),
		everywhere,
	],
];

test.each(all)('"$example" is found', (rule) => {
	expect(broken([{ where: '', text: rule.example }], [rule])).toHaveLength(1);
});

test.each(surfaces)('%s: no wording that readers stumble over', (what, collect, rules) => {
	const texts = collect();
	console.log(`${what}: ${texts.length.toLocaleString('en')} texts read`);
	expect(texts.length).toBeGreaterThan(100);
	expect(broken(texts, rules)).toEqual([]);
});

test('a label that a text mentions is in single quotes', () => {
	const texts = sourcesIn('nodes', 'credentials', 'core').flatMap(textsIn);
	const labels = texts
		.filter(({ property, text }) => property === 'displayName' && /^[^.]{3,40}$/.test(text))
		.map(({ text }) => text)
		// The names of nodes and credentials are not in quotes, and a single word is also an ordinary one.
		.filter((text) => text.includes(' ') && !text.startsWith('Bulk Messaging'));
	expect(labels.length).toBeGreaterThan(80);
	const labelProperties = new Set(['displayName', 'name', 'action', 'label']);
	const unquoted = texts
		.filter(({ text, property = '' }) => !labelProperties.has(property) && !labels.includes(text))
		.flatMap(({ where, text }) => {
			// What is in quotes is right: a label, or the name of an option.
			const rest = ` ${text.replaceAll(/(?<!\w)'(?:[^']|(?<=\w)'(?=\w))*'(?!\w)/g, '')} `;
			return labels
				.filter((label) =>
					rest.split(label).some((before, index, parts) => {
						const after = parts[index + 1];
						return after !== undefined && !/\w$/.test(before) && !/^\w/.test(after);
					}),
				)
				.map((label) => `${where}: ${label} in: ${text}`);
		});
	expect(unquoted).toEqual([]);
});
