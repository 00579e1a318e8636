/** An element of a page, or a text in it. */
interface Element {
	tag: string;
	attributes: Record<string, string>;
	children: Array<Element | string>;
}

const voids = new Set(['!doctype', 'meta', 'br']);
const token =
	/<(\/?)(!?[a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"<>]*")?)*)\s*(\/?)>|([^<]+)|(<)/g;
const attribute = /([a-zA-Z-]+)(?:="([^"]*)")?/g;

const decode = (text: string) => {
	if (/&(?!#\d+;)/.test(text)) throw new Error(`an ampersand that is not escaped: ${text}`);
	return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
};

/** Reads a page more strictly than a browser does: every tag is closed, every attribute is quoted, every & escaped. */
export const parsePage = (html: string): Element => {
	const root: Element = { tag: '', attributes: {}, children: [] };
	const open = [root];
	for (const [whole, end, name = '', given = '', selfClosing, text, stray] of html.matchAll(
		token,
	)) {
		const inside = open.at(-1) as Element;
		if (stray !== undefined) throw new Error(`a stray < after ${inside.tag}`);
		if (text !== undefined) {
			// Styles are not escaped: nothing from outside is in them.
			inside.children.push(inside.tag === 'style' ? text : decode(text));
			continue;
		}
		const tag = name.toLowerCase();
		if (end === '/') {
			if (open.pop()?.tag !== tag) throw new Error(`${whole} closes ${inside.tag}`);
			continue;
		}
		const element: Element = {
			tag,
			attributes: Object.fromEntries(
				[...given.matchAll(attribute)].map(([, key = '', value = '']) => [key, decode(value)]),
			),
			children: [],
		};
		inside.children.push(element);
		if (!voids.has(tag) && selfClosing === '') open.push(element);
	}
	if (open.length !== 1) throw new Error(`${open.at(-1)?.tag} is never closed`);
	return root;
};

/** Every element, from the top down. */
export const elementsIn = (element: Element): Element[] =>
	element.children.flatMap((child) =>
		typeof child === 'string' ? [] : [child, ...elementsIn(child)],
	);

export const findAll = (page: Element, tag: string): Element[] =>
	elementsIn(page).filter((element) => element.tag === tag);

export const textOf = (element: Element | undefined): string =>
	(element?.children ?? [])
		.map((child) => (typeof child === 'string' ? child : textOf(child)))
		.join('');
