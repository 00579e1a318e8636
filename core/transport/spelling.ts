/**
 * Finds a secret in text from the service, in every spelling: unchanged, or escaped for a URL, a form, JSON or HTML, or for several
 * of them in turn, such as JSON inside JSON. A sign is one character, however it is spelled.
 */

/** A sign and the index in the text after it. */
type Read = readonly [sign: string, end: number];

const entityNames: ReadonlyArray<readonly [name: string, sign: string]> = [
	['amp', '&'],
	['lt', '<'],
	['gt', '>'],
	['quot', '"'],
	['apos', "'"],
];
const letterEscapes: Readonly<Record<string, string>> = {
	'"': '"',
	"'": "'",
	'\\': '\\',
	'/': '/',
	b: '\b',
	f: '\f',
	n: '\n',
	r: '\r',
	t: '\t',
	v: '\v',
};

/** How many escapes may be nested. */
const deepest = 3;
const mostZeros = 12;
const control = /^[\p{Cc}\u2028\u2029]$/u;

const fromCode = (code: number): string | undefined =>
	code <= 0x10ffff ? String.fromCodePoint(code) : undefined;

/** Removes duplicates. */
const distinct = (reads: readonly Read[]): Read[] =>
	reads.length < 2
		? [...reads]
		: [...new Map(reads.map((one) => [`${one[1]} ${one[0]}`, one])).values()];

const isHex = (sign: string) => /^[0-9a-f]$/i.test(sign);
const isDigit = (sign: string) => /^\d$/.test(sign);

/** The length of the UTF-8 sequence that begins with this byte. */
const bytesFrom = (first: number) =>
	first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;

/** A text whose signs can be read in every spelling. Results are cached. */
export class Spelled {
	private readonly known: Array<Map<number, readonly Read[]>> = Array.from(
		{ length: deepest + 1 },
		() => new Map<number, readonly Read[]>(),
	);

	constructor(private readonly text: string) {}

	/** The farthest end of a secret that begins at `start`; 0 if it doesn't begin there. */
	endOf(secret: string, start: number): number {
		let ends = new Set([start]);
		let isAfterControl = false;
		for (const sign of secret) {
			const isControl = control.test(sign);
			const next = new Set<number>();
			for (const from of ends) {
				for (const [read, end] of this.read(from, deepest)) {
					// A form encodes a space as a plus; several control characters in a row were replaced with one space.
					const isSpace = (sign === ' ' && read === '+') || (isControl && read === ' ');
					if (read === sign || isSpace) next.add(end);
				}
				if (isControl && isAfterControl) next.add(from);
			}
			if (next.size === 0) return 0;
			ends = next;
			isAfterControl = isControl;
		}
		return Math.max(...ends);
	}

	/** Every sign that the text at `start` may stand for. */
	private read(start: number, level: number): readonly Read[] {
		const ready = this.known[level]?.get(start);
		if (ready !== undefined) return ready;
		const reads = level === 0 ? this.literal(start) : this.escaped(start, level - 1);
		this.known[level]?.set(start, reads);
		return reads;
	}

	private literal(start: number): readonly Read[] {
		const code = this.text.codePointAt(start);
		if (code === undefined) return [];
		const sign = String.fromCodePoint(code);
		return [[sign, start + sign.length]];
	}

	private escaped(start: number, level: number): readonly Read[] {
		const plain = this.read(start, level);
		const reads = [...plain];
		for (const [sign, end] of plain) {
			if (sign === '%') reads.push(...this.percent(end, level));
			if (sign === '\\') reads.push(...this.backslash(end, level));
			if (sign === '&') reads.push(...this.reference(end, level));
		}
		return distinct(reads);
	}

	/** Every way to read `least` to `most` signs from `start` that all pass, as one text each, the shortest first. */
	private run(
		start: number,
		level: number,
		passes: (sign: string) => boolean,
		least: number,
		most: number,
	): Read[] {
		let rows: Read[] = [['', start]];
		const found: Read[] = [];
		for (let count = 1; count <= most && rows.length > 0; count++) {
			rows = distinct(
				rows.flatMap(([text, from]) =>
					this.read(from, level)
						.filter(([sign]) => passes(sign))
						.map(([sign, end]): Read => [text + sign, end]),
				),
			);
			if (count >= least) found.push(...rows);
		}
		return found;
	}

	private hex(start: number, level: number, width: number): Array<readonly [number, number]> {
		return this.run(start, level, isHex, width, width).map(([text, end]) => [
			parseInt(text, 16),
			end,
		]);
	}

	/** After `%`: all bytes of one UTF-8 sequence. */
	private percent(start: number, level: number): Read[] {
		return this.hex(start, level, 2).flatMap(([first, end]) => {
			let rows = [{ bytes: [first], end }];
			for (let count = 1; count < bytesFrom(first); count++) {
				rows = rows.flatMap((row) =>
					this.read(row.end, level)
						.filter(([sign]) => sign === '%')
						.flatMap(([, from]) => this.hex(from, level, 2))
						.map(([byte, to]) => ({ bytes: [...row.bytes, byte], end: to })),
				);
			}
			return rows.map(({ bytes, end: to }): Read => [Buffer.from(bytes).toString(), to]);
		});
	}

	/** After a backslash: a letter, or a character code, of which two may form a surrogate pair. */
	private backslash(start: number, level: number): Read[] {
		return this.read(start, level).flatMap(([letter, end]): Read[] => {
			const sign = letterEscapes[letter];
			if (sign !== undefined) return [[sign, end]];
			if (letter !== 'u' && letter !== 'x') return [];
			const units = this.hex(end, level, letter === 'u' ? 4 : 2);
			return units.flatMap(([unit, to]) => [
				[String.fromCharCode(unit), to],
				...(unit >= 0xd800 && unit < 0xdc00 ? this.second(unit, to, level) : []),
			]);
		});
	}

	private second(first: number, start: number, level: number): Read[] {
		return this.run(start, level, (sign) => sign === '\\' || sign === 'u', 2, 2)
			.filter(([text]) => text === '\\u')
			.flatMap(([, end]) => this.hex(end, level, 4))
			.map(([unit, end]): Read => [String.fromCharCode(first, unit), end]);
	}

	/** After `&`: a character code or an entity name. The semicolon may be missing. */
	private reference(start: number, level: number): Read[] {
		const reads = this.read(start, level).flatMap(([sign, end]): Read[] => {
			if (sign === '#') return this.numeric(end, level);
			return entityNames.flatMap(([name, meant]) => {
				if (sign.toLowerCase() !== name.charAt(0)) return [];
				const rest = name.length - 1;
				return this.run(end, level, (one) => /^[a-z]$/i.test(one), rest, rest)
					.filter(([text]) => text.toLowerCase() === name.slice(1))
					.map(([, to]): Read => [meant, to]);
			});
		});
		return reads.flatMap(([sign, end]): Read[] => {
			const semicolons = this.run(end, level, (one) => one === ';', 1, 1);
			return semicolons.length === 0 ? [[sign, end]] : semicolons.map(([, to]) => [sign, to]);
		});
	}

	private numeric(start: number, level: number): Read[] {
		const toReads = (rows: readonly Read[], radix: number) =>
			rows.flatMap(([text, end]): Read[] => {
				const sign = fromCode(parseInt(text, radix));
				return sign === undefined ? [] : [[sign, end]];
			});
		const hexadecimal = this.run(
			start,
			level,
			(sign) => sign === 'x' || sign === 'X',
			1,
			1,
		).flatMap(([, end]) => this.run(end, level, isHex, 1, mostZeros));
		return [
			...toReads(this.run(start, level, isDigit, 1, mostZeros), 10),
			...toReads(hexadecimal, 16),
		];
	}
}
