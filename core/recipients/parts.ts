/**
 * How a text is cut into SMS parts. GSM-7: 160 septets in one part, 153 in each of several. Anything outside its
 * tables makes the whole text UCS-2: 70 and 67 UTF-16 code units.
 */
interface Parts {
	encoding: 'GSM-7' | 'UCS-2';
	/** 0 for an empty text, because there is nothing to send. */
	parts: number;
	/** Septets for GSM-7 (an extension character costs two), UTF-16 code units for UCS-2. */
	length: number;
}

const basicTable =
	'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
	'¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const extensionTable = '\f^{}\\[~]|€';

const septets = new Map<string, 1 | 2>([
	...[...basicTable].map((character) => [character, 1] as const),
	...[...extensionTable].map((character) => [character, 2] as const),
]);

/** How many parts of this size the characters need. No character is split between parts. */
const pack = (text: string, room: number, costOf: (character: string) => number): number => {
	let parts = 1;
	let used = 0;
	for (const character of text) {
		const cost = costOf(character);
		if (used + cost > room) {
			parts++;
			used = 0;
		}
		used += cost;
	}
	return parts;
};

const septetsOf = (character: string): number => septets.get(character) ?? NaN;

export const countParts = (text: string): Parts => {
	let length = 0;
	for (const character of text) length += septetsOf(character);
	if (length === 0) return { encoding: 'GSM-7', parts: 0, length };
	if (length > 0) {
		return { encoding: 'GSM-7', parts: length <= 160 ? 1 : pack(text, 153, septetsOf), length };
	}
	// A character is in neither table. An emoji is one character of two UTF-16 code units.
	const units = text.length;
	const parts = units <= 70 ? 1 : pack(text, 67, (character) => character.length);
	return { encoding: 'UCS-2', parts, length: units };
};
