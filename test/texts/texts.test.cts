import {
	commentsIn,
	notesIn,
	pages,
	paragraphsIn,
	samples,
	sourcesIn,
	textsIn,
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

const surfaces: Array<[what: string, collect: () => Text[], rules: Rule[]]> = [
	[
		'nodes and credentials',
		() => sourcesIn('nodes', 'credentials', 'core').flatMap(textsIn),
		[...everywhere, ...forUsers],
	],
	['demo and sandbox', () => sourcesIn('sandbox', 'host').flatMap(textsIn), everywhere],
	['documentation', () => pages().flatMap(paragraphsIn), everywhere],
	['sample workflows', () => samples().flatMap(notesIn), [...everywhere, ...forUsers]],
	[
		'comments',
		() => sourcesIn('nodes', 'credentials', 'core', 'sandbox', 'host').flatMap(commentsIn),
		everywhere,
	],
];

test.each(surfaces)('%s: no wording that readers stumble over', (what, collect, rules) => {
	const texts = collect();
	console.log(`${what}: ${texts.length.toLocaleString('en')} texts read`);
	expect(texts.length).toBeGreaterThan(100);
	expect(broken(texts, rules)).toEqual([]);
});
