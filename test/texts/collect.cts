import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '..', '..');

export interface Text {
	/** The file and the line. */
	where: string;
	text: string;
	/** The property whose value it is, such as `displayName`. */
	property?: string;
}

const filesIn = (...patterns: string[]): string[] =>
	globSync(patterns, { cwd: root })
		.map((file) => join(root, file))
		.sort();

export const sourcesIn = (...folders: string[]): string[] =>
	filesIn(
		...folders.flatMap((folder) => [
			`${folder}/**/*.ts`,
			`${folder}/**/*.cts`,
			`${folder}/**/*.ctsx`,
		]),
	);

const parse = (file: string) =>
	ts.createSourceFile(
		file,
		readFileSync(file, 'utf8'),
		ts.ScriptTarget.Latest,
		true,
		file.endsWith('x') ? ts.ScriptKind.TSX : undefined,
	);

/** Properties of n8n's descriptions that are shown even when they are a single word. */
const shownProperties = new Set([
	'displayName',
	'name',
	'description',
	'action',
	'hint',
	'label',
	'message',
	'placeholder',
]);

const textOf = (node: ts.Node): string | undefined => {
	if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
	if (ts.isTemplateExpression(node)) {
		return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
	}
	if (ts.isJsxText(node)) return node.text.trim();
	return undefined;
};

/** A person reads it: several words, or a single one that is a label. Codes, paths and markup are not read. */
const isRead = (text: string, node: ts.Node): boolean => {
	if (!/\p{L}/u.test(text) || /^[.#:@\n]|^<svg|^={{|^data:/.test(text)) return false;
	if (/\p{L}\s+\p{L}/u.test(text)) return true;
	const { parent } = node;
	return (
		ts.isPropertyAssignment(parent) &&
		shownProperties.has(parent.name.getText()) &&
		/^\p{Lu}\p{Ll}/u.test(text)
	);
};

/** Every text that the code in a file can show. */
export function textsIn(file: string): Text[] {
	const source = parse(file);
	const found: Text[] = [];
	const visit = (node: ts.Node) => {
		if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
		const text = textOf(node);
		if (text !== undefined && isRead(text, node)) {
			const { line } = source.getLineAndCharacterOfPosition(node.getStart());
			const { parent } = node;
			const property = ts.isPropertyAssignment(parent) ? parent.name.getText() : undefined;
			found.push({ where: `${relative(root, file)}:${line + 1}`, text, property });
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** Every comment in a file; the lines of one block are one text. */
export function commentsIn(file: string): Text[] {
	const source = parse(file);
	const content = source.getFullText();
	const found = new Map<number, Text>();
	const visit = (node: ts.Node) => {
		for (const range of [
			...(ts.getLeadingCommentRanges(content, node.getFullStart()) ?? []),
			...(ts.getTrailingCommentRanges(content, node.getEnd()) ?? []),
		]) {
			const { line } = source.getLineAndCharacterOfPosition(range.pos);
			const text = content
				.slice(range.pos, range.end)
				.replaceAll(/^\/[/*]+|\*\/$|^\s*\*/gm, '')
				.replaceAll(/`[^`]*`/g, '…')
				.replaceAll(/\s+/g, ' ')
				.trim();
			if (/^(?:eslint|@ts|prettier)/.test(text)) continue;
			found.set(range.pos, { where: `${relative(root, file)}:${line + 1}`, text });
		}
		for (const child of node.getChildren(source)) visit(child);
	};
	visit(source);
	return [...found.values()];
}

/** The prose of a page of documentation: no code, no links' targets, no generated tables of figures. */
export function paragraphsIn(file: string): Text[] {
	const content = readFileSync(join(root, file), 'utf8')
		.replaceAll(/^(```|~~~).*?^\1/gms, (code) => code.replaceAll(/[^\n]/g, ''))
		.replaceAll(/<!--.*?-->/gs, (comment) => comment.replaceAll(/[^\n]/g, ''));
	return content.split('\n').flatMap((line, index) => {
		const text = line
			.replace(/^ {4,}.*/, '')
			.replaceAll(/`[^`]*`/g, '…')
			.replaceAll(/\]\([^)]*\)/g, ']')
			.trim();
		return /\p{L}/u.test(text) ? [{ where: `${file}:${index + 1}`, text }] : [];
	});
}

interface Sample {
	name: string;
	nodes: Array<{ name: string; type: string; notes?: string; parameters: { content?: string } }>;
}

/** What the canvas of a sample workflow shows: its name, the names of its nodes, its notes. */
export function notesIn(file: string): Text[] {
	const { name, nodes } = JSON.parse(readFileSync(join(root, file), 'utf8')) as Sample;
	const shown = [
		name,
		...nodes.flatMap((node) => [node.name, node.notes, node.parameters.content]),
	];
	return shown.flatMap((text) =>
		text === undefined ? [] : [{ where: file, text: text.replaceAll(/`[^`]*`/g, '…') }],
	);
}

export const pages = () =>
	globSync(['*.md', 'docs/*.md', 'workflows/*.md', 'sandbox/*.md'], { cwd: root }).sort();
export const samples = () => globSync('workflows/*.json', { cwd: root }).sort();
