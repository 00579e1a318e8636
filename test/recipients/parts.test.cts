import { countParts } from '../../core/recipients/parts';

const rows: Array<
	[what: string, text: string, encoding: 'GSM-7' | 'UCS-2', parts: number, length: number]
> = [
	['nothing', '', 'GSM-7', 0, 0],
	['one letter', 'a', 'GSM-7', 1, 1],
	['a space', ' ', 'GSM-7', 1, 1],
	['160 letters', 'a'.repeat(160), 'GSM-7', 1, 160],
	['161 letters', 'a'.repeat(161), 'GSM-7', 2, 161],
	['two full parts', 'a'.repeat(306), 'GSM-7', 2, 306],
	['two full parts and one', 'a'.repeat(307), 'GSM-7', 3, 307],
	['three full parts', 'a'.repeat(459), 'GSM-7', 3, 459],
	['three full parts and one', 'a'.repeat(460), 'GSM-7', 4, 460],
	['LF', '\n', 'GSM-7', 1, 1],
	['CR LF costs two', '\r\n', 'GSM-7', 1, 2],
	['CR LF over the edge', `${'a'.repeat(159)}\r\n`, 'GSM-7', 2, 161],
	['every sign of the basic table', '@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ!"#¤%&', 'GSM-7', 1, 35],
	['the rest of the basic table', "'()*+,-./:;<=>?¡ÄÖÑÜ§¿äöñüà", 'GSM-7', 1, 27],
	['Greek capitals of the table', 'ΔΦΓΛΩΠΨΣΘΞ', 'GSM-7', 1, 10],
	['a Greek letter outside the table', 'α', 'UCS-2', 1, 1],
	['euro', '€', 'GSM-7', 1, 2],
	['every extension sign', '\f^{}\\[~]|€', 'GSM-7', 1, 20],
	['80 extension signs fill one part', '€'.repeat(80), 'GSM-7', 1, 160],
	['81 extension signs', '€'.repeat(81), 'GSM-7', 2, 162],
	['an extension sign at 159 and 160', `${'a'.repeat(158)}€`, 'GSM-7', 1, 160],
	['an extension sign over 160', `${'a'.repeat(159)}€`, 'GSM-7', 2, 161],
	[
		'an extension pair is not split at 153',
		`${'a'.repeat(152)}€${'a'.repeat(151)}`,
		'GSM-7',
		2,
		305,
	],
	['the moved pair makes a third part', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 'GSM-7', 3, 306],
	['a pair that ends exactly at 153', `${'a'.repeat(151)}€${'a'.repeat(153)}`, 'GSM-7', 2, 306],
	['braces cost two each', '{name}', 'GSM-7', 1, 8],
	['a backtick is no GSM sign', '`', 'UCS-2', 1, 1],
	['ç is no GSM sign, Ç is', 'ç', 'UCS-2', 1, 1],
	['Cyrillic', 'Привет', 'UCS-2', 1, 6],
	['70 Cyrillic letters', 'я'.repeat(70), 'UCS-2', 1, 70],
	['71 Cyrillic letters', 'я'.repeat(71), 'UCS-2', 2, 71],
	['134 Cyrillic letters', 'я'.repeat(134), 'UCS-2', 2, 134],
	['135 Cyrillic letters', 'я'.repeat(135), 'UCS-2', 3, 135],
	['201 Cyrillic letters', 'я'.repeat(201), 'UCS-2', 3, 201],
	['202 Cyrillic letters', 'я'.repeat(202), 'UCS-2', 4, 202],
	['one Cyrillic letter makes it all UCS-2', `${'a'.repeat(70)}я`, 'UCS-2', 2, 71],
	['the same with 69 Latin ones', `${'a'.repeat(69)}я`, 'UCS-2', 1, 70],
	['an extension sign costs one in UCS-2', `€${'я'.repeat(69)}`, 'UCS-2', 1, 70],
	['an emoji is two units', '😀', 'UCS-2', 1, 2],
	['35 emoji fill one part', '😀'.repeat(35), 'UCS-2', 1, 70],
	['36 emoji', '😀'.repeat(36), 'UCS-2', 2, 72],
	['an emoji that ends at 70', `${'я'.repeat(68)}😀`, 'UCS-2', 1, 70],
	['an emoji over 70', `${'я'.repeat(69)}😀`, 'UCS-2', 2, 71],
	['an emoji is not split at 67', `${'я'.repeat(66)}😀${'я'.repeat(65)}`, 'UCS-2', 2, 133],
	['the moved emoji makes a third part', `${'я'.repeat(66)}😀${'я'.repeat(66)}`, 'UCS-2', 3, 134],
	['an emoji that ends at 67', `${'я'.repeat(65)}😀${'я'.repeat(67)}`, 'UCS-2', 2, 134],
	['66 emoji: 33 in a part', '😀'.repeat(66), 'UCS-2', 2, 132],
	['67 emoji', '😀'.repeat(67), 'UCS-2', 3, 134],
	['a lone surrogate is one unit', '\ud83d', 'UCS-2', 1, 1],
	['a family joined by zero-width joiners', '👨‍👩‍👧', 'UCS-2', 1, 8],
	['a non-breaking space', 'a\u00a0b', 'UCS-2', 1, 3],
	['typographic quotes', '«да»', 'UCS-2', 1, 4],
	['a tab is no GSM sign', '\t', 'UCS-2', 1, 1],
	['the escape sign is no text', '\u001b', 'UCS-2', 1, 1],
];

test.each(rows)('%s', (_, text, encoding, parts, length) => {
	expect(countParts(text)).toEqual({ encoding, parts, length });
});

test('a megabyte is counted', () => {
	expect(countParts('я'.repeat(1_000_000)).parts).toBe(Math.ceil(1_000_000 / 67));
	expect(countParts('€'.repeat(500_000)).parts).toBe(Math.ceil(500_000 / 76));
});
