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

/** The length in septets; `undefined` if a character is in neither table. */
const gsmLength = (text: string): number | undefined => {
	let length = 0;
	for (let index = 0; index < text.length; index++) {
		const cost = septets.get(text[index]);
		if (cost === undefined) return undefined;
		length += cost;
	}
	return length;
};

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/** The cost of the character at `index`: a surrogate pair costs two and is never split between parts. */
const unitCost = (text: string, index: number): { cost: 1 | 2; step: 1 | 2 } =>
	isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1))
		? { cost: 2, step: 2 }
		: { cost: 1, step: 1 };

const septetCost = (text: string, index: number): { cost: 1 | 2; step: 1 | 2 } => ({
	cost: septets.get(text[index]) ?? 1,
	step: 1,
});

const pack = (text: string, room: number, costAt: typeof unitCost): number => {
	let parts = 1;
	let used = 0;
	for (let index = 0; index < text.length; ) {
		const { cost, step } = costAt(text, index);
		if (used + cost > room) {
			parts++;
			used = 0;
		}
		used += cost;
		index += step;
	}
	return parts;
};

export const countParts = (text: string): Parts => {
	const septetLength = gsmLength(text);
	if (septetLength !== undefined) {
		const encoding = 'GSM-7';
		if (septetLength === 0) return { encoding, parts: 0, length: 0 };
		if (septetLength <= 160) return { encoding, parts: 1, length: septetLength };
		return { encoding, parts: pack(text, 153, septetCost), length: septetLength };
	}
	const encoding = 'UCS-2';
	if (text.length <= 70) return { encoding, parts: 1, length: text.length };
	return { encoding, parts: pack(text, 67, unitCost), length: text.length };
};
