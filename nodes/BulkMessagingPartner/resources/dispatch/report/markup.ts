/** Text that is HTML already, so it must not hold anything from outside that isn't escaped. */
export class Markup {
	constructor(readonly text: string) {}
}

type Piece = string | number | Markup | readonly Markup[];

const toHtml = (piece: Piece): string => {
	if (piece instanceof Markup) return piece.text;
	if (typeof piece === 'object') return piece.map(toHtml).join('');
	return String(piece).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
};

/** HTML as a template. Every value in it is escaped unless it is made by this function too. */
export const markup = (strings: TemplateStringsArray, ...pieces: Piece[]): Markup =>
	new Markup(strings.map((text, index) => text + toHtml(pieces[index] ?? '')).join(''));
