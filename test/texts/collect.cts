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
		...folders.flatMap((folder) =>
			['ts', 'cts', 'js', 'cjs'].map((end) => `${folder}/**/*.${end}`),
		),
	);

const parse = (file: string) =>
	ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);

const textOf = (node: ts.Node): string | undefined => {
	if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
	if (ts.isTemplateExpression(node)) {
		return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
	}
	if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
		const [left, right] = [textOf(node.left), textOf(node.right)];
		return left === undefined && right === undefined ? undefined : `${left ?? '…'}${right ?? '…'}`;
	}
	return undefined;
};

/** People read several words, or a single one with a capital. Codes and paths are for programs. */
const isRead = (text: string): boolean =>
	/\p{L}[.,:;!?)'"]*\s+['"(]*\p{L}/u.test(text) || /^\p{Lu}\p{Ll}+[.!]?$/u.test(text);

/** Every text that the code in a file can show. */
export function textsIn(file: string): Text[] {
	const source = parse(file);
	const found: Text[] = [];
	const visit = (node: ts.Node) => {
		if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
		const text = textOf(node);
		if (text !== undefined && isRead(text)) {
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

/** The prose of a page of documentation, a paragraph at a time: no code, no targets of links. */
export function paragraphsIn(file: string): Text[] {
	const content = readFileSync(join(root, file), 'utf8')
		.replaceAll(/^(```|~~~).*?^\1/gms, (code) => code.replaceAll(/[^\n]/g, ''))
		.replaceAll(/<!--.*?-->/gs, (comment) => comment.replaceAll(/[^\n]/g, ''));
	const found: Text[] = [];
	let isOpen = false;
	let isInList = false;
	content.split('\n').forEach((line, index) => {
		const isItem = /^\s*(?:[-*]|\d+\.)\s/.test(line);
		// Indented by four and not part of a list: code.
		const isCode = /^ {4}/.test(line) && !isInList;
		if (line.trim() === '' || isCode) {
			isOpen = false;
			return;
		}
		if (isItem) isInList = true;
		else if (/^\S/.test(line) && !isOpen) isInList = false;
		const text = line
			.replaceAll(/`[^`]*`/g, '…')
			.replaceAll(/\]\([^)]*\)/g, ']')
			.trim();
		const last = found.at(-1);
		if (isOpen && !isItem && !/^\s*[|#]/.test(line) && last !== undefined) last.text += ` ${text}`;
		else found.push({ where: `${file}:${index + 1}`, text });
		isOpen = !/^\s*[|#]/.test(line);
	});
	return found.filter(({ text }) => /\p{L}/u.test(text));
}

interface Sample {
	name: string;
	nodes: Array<{ name: string; type: string; notes?: string; parameters: unknown }>;
}

const stringsIn = (value: unknown): string[] => {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

/** What a sample workflow shows: its name, the names of its nodes, its notes, and the texts in its parameters. */
export function textsOfSample(file: string): Text[] {
	const { name, nodes } = JSON.parse(readFileSync(join(root, file), 'utf8')) as Sample;
	const shown = [
		name,
		...nodes.flatMap((node) => [node.name, node.notes ?? '', ...stringsIn(node.parameters)]),
	];
	return shown
		.filter((text) => isRead(text))
		.map((text) => ({ where: file, text: text.replaceAll(/`[^`]*`/g, '…') }));
}

/** What the package says about itself: its description, and the words by which n8n finds its nodes. */
export function textsOfPackage(): Text[] {
	const files = ['package.json', ...globSync('nodes/*/*.node.json', { cwd: root }).sort()];
	return files.flatMap((file) => {
		const { description, alias = [] } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
			description?: string;
			alias?: string[];
		};
		return [description ?? [], alias].flat().map((text) => ({ where: file, text }));
	});
}

export const pages = () =>
	globSync(['*.md', 'docs/*.md', 'workflows/*.md', 'sandbox/*.md'], { cwd: root }).sort();
export const samples = () => globSync('workflows/*.json', { cwd: root }).sort();
