/** Text that is already HTML, so it must not contain unescaped data from outside. */
export class Markup {
	constructor(readonly text: string) {}
}

type Piece = string | number | Markup | readonly Markup[];

const toHtml = (piece: Piece): string => {
	if (piece instanceof Markup) return piece.text;
	if (typeof piece === 'object') return piece.map(toHtml).join('');
	return String(piece).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
};

/** A template for HTML. Every value is escaped, unless this function created it. */
export const markup = (strings: TemplateStringsArray, ...pieces: Piece[]): Markup =>
	new Markup(strings.map((text, index) => text + toHtml(pieces[index] ?? '')).join(''));
