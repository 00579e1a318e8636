import { isBlank, isEmpty } from '../value';

/** `{name}`, `{First Name}` or `{name|fallback}`. */
interface Placeholder {
	readonly name: string;
	/** The name with the spaces around it, because spreadsheet columns sometimes have such names. */
	readonly spaced: string;
	/** Replaces a value that is missing or blank. */
	readonly fallback: string | undefined;
}

/** A text, parsed once for all recipients. */
export interface Template {
	readonly text: string;
	readonly parts: ReadonlyArray<string | Placeholder>;
	/** Without duplicates. */
	readonly placeholders: readonly Placeholder[];
	/** In the order of their first appearance, without duplicates. */
	readonly names: readonly string[];
	/**
	 * Whether the service itself would fill the template in the same way. The contract shows `{name}` without a rule for names, so
	 * only Latin letters, digits and `_` are trusted. How the service reads any other brace isn't known either.
	 */
	readonly isPlain: boolean;
	/** Whether it has braces that are neither escaped nor part of a placeholder. */
	readonly hasBraces: boolean;
	/** An obvious mistake, because of which the text must not be sent, and its position. */
	readonly mistake?: { readonly kind: 'expression' | 'unclosed'; readonly at: number };
}

/** Reads only own fields, so that `{constructor}` never reaches a prototype. */
export const valueIn = (values: object, name: string): unknown =>
	Object.hasOwn(values, name) ? (values as Record<string, unknown>)[name] : undefined;

/** Expressions return dates as objects (Date, Luxon's DateTime). As JSON they are ISO text, or null if the date is invalid. */
export const toPlain = (value: unknown): unknown => {
	if (typeof value !== 'object' || value === null) return value;
	return 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value;
};

/** A value as it appears in a text. */
export const toSubstitution = (value: unknown): string => {
	const plain = toPlain(value);
	if (isEmpty(plain)) return '';
	return typeof plain === 'object' ? JSON.stringify(plain) : String(plain);
};

const braceToken = /\\?[{}]/g;
const latinName = /^\w+$/;
const lineBreak = /[\r\n\u2028\u2029]/;
const nameStart = /^[\p{L}\p{N}_]/u;

/** `undefined` for braces that clearly contain no name: `{}`, `{ }`, JSON, or several lines. */
const toPlaceholder = (content: string): Placeholder | undefined => {
	if (lineBreak.test(content) || /^\s*["']/.test(content)) return undefined;
	const bar = content.search(/(?<!\\)\|/);
	const unescaped = (part: string) => part.replace(/\\([{}|])/g, '$1');
	const spaced = unescaped(bar < 0 ? content : content.slice(0, bar));
	const name = spaced.trim();
	if (name === '') return undefined;
	const fallback = bar < 0 ? undefined : unescaped(content.slice(bar + 1)).trim();
	return { name, spaced, fallback };
};

/**
 * Parses a text. `{any field name}` is a placeholder, `\{` and `\}` are literal braces. Parsing never fails: braces without a name
 * stay unchanged, and obvious mistakes are recorded. One pass, however many braces there are.
 */
export const parseTemplate = (text: string): Template => {
	const parts: Array<string | Placeholder> = [];
	const known = new Map<string, Placeholder>();
	/** The positions of open braces, the innermost last. */
	const open: number[] = [];
	/** The last brace, if it is an opening one. Only braces without other braces inside can be a placeholder. */
	let innermost: number | undefined;
	let doubled: number | undefined;
	let hasEscapes = false;
	let hasBraces = false;
	let rest = 0;
	const addText = (until: number) => {
		if (until === rest) return;
		parts.push(text.slice(rest, until).replace(/\\([{}])/g, '$1'));
	};
	for (const { 0: token, index } of text.matchAll(braceToken)) {
		if (token.length === 2) {
			hasEscapes = true;
		} else if (token === '{') {
			if (open.at(-1) === index - 1) doubled ??= index - 1;
			open.push(index);
			innermost = index;
		} else {
			const start = open.pop();
			const isInnermost = start !== undefined && start === innermost;
			const isDoubled = start !== undefined && open.at(-1) === start - 1;
			innermost = undefined;
			const content = isInnermost && !isDoubled ? text.slice(start + 1, index) : '';
			const found = known.get(content) ?? toPlaceholder(content);
			if (found === undefined || start === undefined) {
				hasBraces = true;
				continue;
			}
			known.set(content, found);
			addText(start);
			parts.push(found);
			rest = index + 1;
		}
	}
	addText(text.length);
	const unclosed = open.find((at) => nameStart.test(text.slice(at + 1, at + 3)));
	const placeholders = [...known.values()];
	return {
		text,
		parts,
		placeholders,
		names: [...new Set(placeholders.map(({ name }) => name))],
		isPlain:
			!hasEscapes &&
			!hasBraces &&
			open.length === 0 &&
			[...known.keys()].every((content) => latinName.test(content)),
		hasBraces: hasBraces || open.length > 0,
		...(unclosed !== undefined && { mistake: { kind: 'unclosed', at: unclosed } }),
		...(doubled !== undefined && { mistake: { kind: 'expression', at: doubled } }),
	};
};

/** Parses texts and reuses the last result, because most recipients share one text. */
export const cachedParser = (): ((text: string) => Template) => {
	let last: Template | undefined;
	return (text) => {
		if (last?.text !== text) last = parseTemplate(text);
		return last;
	};
};

const lookUp = ({ name, spaced }: Placeholder, values: object): unknown => {
	const value = toPlain(valueIn(values, spaced));
	return isEmpty(value) && spaced !== name ? toPlain(valueIn(values, name)) : value;
};

const hasBrace = (text: string) => text.includes('{') || text.includes('}');

/** A text as the recipient gets it. */
export interface FilledText {
	text: string;
	/** The names of the placeholders that have neither a value nor a fallback. The text leaves them out. */
	missing: readonly string[];
	/** Whether it contains braces that weren't escaped, from the template itself or from a value. */
	leavesBraces: boolean;
}

const noNames: readonly string[] = [];

/** Replaces every placeholder. Placeholders inside a value aren't replaced. One pass, because this runs for every recipient. */
export const fillTemplate = ({ parts, hasBraces }: Template, values: object): FilledText => {
	let text = '';
	let missing = noNames;
	let leavesBraces = hasBraces;
	for (const part of parts) {
		if (typeof part === 'string') {
			text += part;
			continue;
		}
		const value = lookUp(part, values);
		const isMissing = isBlank(value);
		if (isMissing && part.fallback !== undefined) {
			text += part.fallback;
			continue;
		}
		if (isMissing && !missing.includes(part.name)) missing = [...missing, part.name];
		const filled = toSubstitution(value);
		text += filled;
		leavesBraces ||= hasBrace(filled);
	}
	return { text, missing, leavesBraces };
};

/** For errors: `{name}, {First Name}`. */
export const toNameList = (names: readonly string[]): string =>
	names.map((name) => `{${name}}`).join(', ');

const mostShown = 40;
const shorten = (text: string) => (text.length > mostShown ? `${text.slice(0, mostShown)}…` : text);

/** The part of a text around its first brace. */
export const aroundBrace = (text: string): string => {
	const start = Math.max(0, text.search(/[{}]/) - mostShown / 2);
	return `${start > 0 ? '…' : ''}${shorten(text.slice(start))}`;
};

const fieldInExpression = /^(?:\$json\.)?([\p{L}_][\p{L}\p{N}_]{0,30})$/u;

/**
 * What is wrong with a text, as the end of the sentence `'<Display Name>' …`; `undefined` if nothing is. JSON has no placeholders,
 * so only an expression that wasn't evaluated is a mistake there.
 */
export const complaintAbout = (
	{ text, mistake }: Template,
	/** Whether the user typed the text, without an expression. */
	isFixed: boolean,
	isJson = false,
): string | undefined => {
	if (mistake === undefined) return undefined;
	const { kind, at } = mistake;
	if (isJson && (kind === 'unclosed' || !isFixed)) return undefined;
	if (kind === 'unclosed') {
		return `contains a brace that isn't closed: "${shorten(text.slice(at))}". Close it, or write \\{ for a literal brace`;
	}
	const end = text.indexOf('}}', at);
	const found = end < 0 ? text.slice(at) : text.slice(at, end + 2);
	const name = fieldInExpression.exec(found.replace(/[{}]/g, '').trim())?.[1] ?? 'name';
	const orPlaceholder = isJson ? '' : `, or write {${name}}.`;
	return isFixed
		? `contains ${shorten(found)}. This looks like an expression. Switch the field to 'Expression'${orPlaceholder}`
		: `still contains ${shorten(found)} after its expression was evaluated. Correct the expression or the data${orPlaceholder}`;
};
