import fc from 'fast-check';
import { inBatches } from '../../core/transport/batches';
import type { Row } from '../../nodes/dispatches/plan/rows';
import type { SortingRules } from '../../nodes/dispatches/plan/sorter';
import { sortRecipients } from './sorting.cts';

const rules: SortingRules = { text: 'Dear {name}', missingValues: 'stop', hasOtherText: false };
type Given = Partial<Row & Row['own']> & { areGiven?: boolean };
const row = (itemIndex: number, more: Given = {}): Row => {
	const { values = { name: 'Anna' }, areGiven = false, country = 'RU', text, customText } = more;
	const phone = 'phone' in more ? more.phone : `7916123${String(4000 + itemIndex)}`;
	const given = areGiven ? Object.keys(values) : undefined;
	return { itemIndex, phone, country, values, own: { text, customText, given } };
};
const one = (more: Given, other: Partial<SortingRules> = {}) =>
	sortRecipients([row(0, more)], { ...rules, ...other });
const recipientOf = (...given: Parameters<typeof one>) => one(...given).accepted[0]?.recipient;
const reasonOf = (...given: Parameters<typeof one>) => one(...given).rejected[0]?.reason;

describe('numbers', () => {
	test.each(['', undefined, null, 'call me', '+7 912', {}, [], true])('%j is rejected', (phone) => {
		const { accepted, rejected } = one({ phone });
		expect(accepted).toEqual([]);
		expect(rejected).toMatchObject([{ itemIndex: 0, reason: 'unreadableNumber' }]);
		expect(rejected[0]?.detail).not.toMatch(/undefined|\[object/);
	});

	test.each(['8 (916) 123-45-67', 79161234567, '+79161234567'])('%j is read', (phone) => {
		expect(recipientOf({ phone })?.destination).toBe('79161234567');
	});
});

describe('duplicates', () => {
	const twice = [row(0), row(1, { phone: '8 916 123-40-00', values: { name: 'Olga' } }), row(2)];

	test('the first one wins, and the other is told where it is', () => {
		const { accepted, rejected } = sortRecipients(twice, rules);
		expect(accepted.map(({ itemIndex }) => itemIndex)).toEqual([0, 2]);
		expect(rejected).toMatchObject([
			{ itemIndex: 1, reason: 'duplicate', detail: expect.stringContaining('(item 1)') as string },
		]);
	});

	test('one that was rejected for another reason does not stand in the way', () => {
		const rows = [row(0, { values: {} }), row(1, { phone: row(0).phone })];
		const { accepted } = sortRecipients(rows, { ...rules, missingValues: 'skip' });
		expect(accepted.map(({ itemIndex }) => itemIndex)).toEqual([1]);
	});

	const { phone } = row(0);
	const nameless = (itemIndex: number) => row(itemIndex, { phone, values: {} });
	const sorted = (rows: Row[], missingValues: SortingRules['missingValues'] = 'skip') =>
		sortRecipients(rows, { ...rules, missingValues }).rejected.map(
			({ itemIndex, reason, detail, missing }) => ({ itemIndex, reason, detail, missing }),
		);
	const leftOut = { reason: 'missingValue', detail: 'There is no value for {name}' };

	test('one person is left out or a recipient, and counted once', () => {
		const detail = `${String(phone)} is also in item 3`;
		expect(sorted([nameless(0), nameless(1), row(2, { phone }), row(3)])).toEqual([
			{ itemIndex: 0, reason: 'duplicate', detail },
			{ itemIndex: 1, reason: 'duplicate', detail: `${String(phone)} is also in item 1` },
		]);
		expect(sorted([nameless(0), nameless(1), row(3)])).toMatchObject([
			{ itemIndex: 0, ...leftOut },
			{ itemIndex: 1, reason: 'duplicate', detail: `${String(phone)} is also in item 1` },
		]);
	});

	test.each(['stop', 'skip', 'empty'] as const)(
		'%s: one person with an empty text and a filled one is counted once',
		(missingValues) => {
			const rows = ['', 'Hi'].map((text, index) => row(index, { phone, text }));
			expect(sorted(rows, missingValues)).toMatchObject([{ itemIndex: 0, reason: 'duplicate' }]);
		},
	);

	test('if a missing value stops the run, each one is told', () => {
		expect(sorted([nameless(0), nameless(1), row(2, { phone })], 'stop')).toMatchObject([
			{ itemIndex: 0, ...leftOut },
			{ itemIndex: 1, ...leftOut },
		]);
	});
});

describe('values', () => {
	test.each([
		['a number', 5, '5'],
		['zero', 0, '0'],
		['false', false, 'false'],
		['an object', { a: 1 }, '{"a":1}'],
		['a list', [1, 'b'], '[1,"b"]'],
		['braces', '{name}', '{name}'],
		['a dollar pattern', '$&$1', '$&$1'],
	])('%s', (_, name, sent) => {
		expect(recipientOf({ values: { name } })?.substitutions).toEqual({ name: sent });
		expect(one({ values: { name } }).accepted[0]?.text).toBe(`Dear ${sent}`);
	});

	test.each([undefined, null, ''])('%j is missing', (name) => {
		expect(reasonOf({ values: { name } })).toBe('missingValue');
		expect(reasonOf({ values: { name } }, { missingValues: 'skip' })).toBe('missingValue');
		const empty = one({ values: { name } }, { missingValues: 'empty' });
		expect(empty.accepted).toMatchObject([
			{ text: 'Dear ', recipient: { substitutions: { name: '' } } },
		]);
	});

	test('all missing names are told', () => {
		expect(one({ values: {} }, { text: '{a} {b} {a}' }).rejected[0]?.detail).toBe(
			'There is no value for {a}, {b}',
		);
	});

	test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
		'the name %s is a placeholder like any other',
		(name) => {
			const text = `Dear {${name}}`;
			expect(reasonOf({ values: {} }, { text })).toBe('missingValue');
			const values = JSON.parse(`{"${name}": "Anna"}`) as object;
			const { accepted } = one({ values }, { text });
			expect(accepted[0]?.text).toBe('Dear Anna');
			expect(JSON.stringify(accepted[0]?.recipient.substitutions)).toBe(`{"${name}":"Anna"}`);
		},
	);

	test.each(['{}', '{ }', '{{', '{"json": 1}'])('%s is left alone, and sent whole', (text) => {
		expect(one({ values: {} }, { text }).accepted).toMatchObject([{ text }]);
		expect(recipientOf({ values: {} }, { text })).toEqual({
			destination: '79161234000',
			customText: text,
		});
	});

	test('of an item only what the text asks for is sent, of a list everything', () => {
		const values = { name: 'Anna', secret: 'x', nothing: null };
		expect(recipientOf({ values })?.substitutions).toEqual({ name: 'Anna' });
		expect(recipientOf({ values, areGiven: true })?.substitutions).toEqual({
			name: 'Anna',
			secret: 'x',
			nothing: '',
		});
	});
});

describe('texts', () => {
	test.each(['', ' ', '\n\t'])('%j is empty', (text) => {
		expect(reasonOf({}, { text })).toBe('emptyText');
	});

	test('one that is empty only with its values: the value is what is missing', () => {
		expect(reasonOf({ values: { name: ' ' } }, { text: '{name}' })).toBe('missingValue');
	});

	test('a text of ones own is sent whole, and the text of the dispatch does not matter', () => {
		const { accepted } = one({ customText: 'Only for {name}', values: { name: 'Olga', x: 1 } });
		expect(accepted).toMatchObject([{ text: 'Only for Olga' }]);
		expect(accepted[0]?.recipient).toEqual({
			destination: '79161234000',
			customText: 'Only for Olga',
		});
		expect(reasonOf({ customText: 'For {x}' })).toBe('missingValue');
		expect(recipientOf({ customText: '' })).not.toHaveProperty('customText');
	});

	test('an unknown text asks for nothing', () => {
		const { accepted } = one({}, { text: undefined });
		const [{ itemIndex, position, text, recipient }] = accepted;
		expect({ itemIndex, position, text, recipient }).toEqual({
			itemIndex: 0,
			position: 0,
			text: undefined,
			recipient: { destination: '79161234000' },
		});
	});
});

describe('texts that rows bring', () => {
	const sort = (texts: Array<Given & { text: string }>, more: Partial<SortingRules> = {}) =>
		sortRecipients(
			texts.map((given, index) => row(index, given)),
			{ ...rules, text: undefined, missingValues: 'skip', ...more },
		);
	const sent = (...given: Parameters<typeof sort>) =>
		sort(...given).accepted.map(({ recipient }) => ({ ...recipient, destination: undefined }));
	const texts = [
		{ text: 'For nobody', phone: 'call me' },
		{ text: 'Dear {name}' },
		{ text: 'Bye {name}' },
		{ text: 'Dear {name}' },
	];

	test('the first accepted one is the text of the dispatch, the others are sent whole', () => {
		expect(sent(texts)).toEqual([
			{ substitutions: { name: 'Anna' } },
			{ customText: 'Bye Anna' },
			{ substitutions: { name: 'Anna' } },
		]);
	});

	test('for a dispatch that may have another text all are sent whole', () => {
		expect(sent(texts, { hasOtherText: true })).toEqual([
			{ customText: 'Dear Anna' },
			{ customText: 'Bye Anna' },
			{ customText: 'Dear Anna' },
		]);
	});

	test('each is checked by itself', () => {
		const { accepted, rejected } = sort([
			{ text: 'Dear {x}' },
			{ text: ' ' },
			{ text: '', customText: 'Own' },
			{ text: '{name}', values: { name: ' ' } },
			{ text: 'Dear {name}' },
		]);
		expect(accepted.map(({ text }) => text)).toEqual(['Own', 'Dear Anna']);
		expect(rejected.map(({ reason }) => reason)).toEqual([
			'missingValue',
			'emptyText',
			'missingValue',
		]);
	});
});

const anyValue = fc.oneof(
	fc.string(),
	fc.integer(),
	fc.boolean(),
	fc.constant(null),
	fc.constant(undefined),
	fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }),
);
const names = fc.constantFrom('name', 'code', '__proto__', 'constructor', 'имя', 'a.b');
const anyText = fc
	.array(
		fc.oneof(
			names.map((name) => `{${name}}`),
			fc.string({ maxLength: 8 }),
		),
		{ maxLength: 5 },
	)
	.map((parts) => parts.join(' '));
const anyRow = fc.record({
	phone: fc.oneof(
		fc.integer({ min: 0, max: 20 }).map((n) => `7916123${4000 + n}`),
		fc.constantFrom('call me', '', undefined, 89161234001),
	),
	values: fc
		.array(fc.tuple(names, anyValue), { maxLength: 4 })
		.map((pairs) => Object.fromEntries(pairs) as Record<string, unknown>),
	customText: fc.option(anyText, { nil: undefined }),
	areGiven: fc.boolean(),
});

test('any rows: everybody is accepted or rejected, once, in order', () => {
	fc.assert(
		fc.property(
			fc.array(anyRow, { maxLength: 30 }),
			fc.option(anyText, { nil: undefined }),
			fc.constantFrom('stop', 'skip', 'empty'),
			(rows, text, missingValues) => {
				const given = rows.map((entry, itemIndex) => row(itemIndex, entry));
				const { accepted, rejected } = sortRecipients(given, {
					text,
					missingValues,
					hasOtherText: false,
				});
				const indexes = (list: Array<{ itemIndex: number }>) => list.map((x) => x.itemIndex);
				const inOrder = (list: number[]) => [...list].sort((a, b) => a - b);
				expect(indexes(accepted)).toEqual(inOrder(indexes(accepted)));
				expect(inOrder([...indexes(accepted), ...indexes(rejected)])).toEqual(indexes(given));
				const numbers = accepted.map(({ recipient }) => recipient.destination);
				expect(new Set(numbers).size).toBe(numbers.length);
				if (missingValues === 'empty') {
					expect(rejected.map(({ reason }) => reason)).not.toContain('missingValue');
				}
				for (const { recipient, text: final } of accepted) {
					expect(recipient.destination).toMatch(/^\d{11}$/);
					for (const value of Object.values(recipient.substitutions ?? {})) {
						expect(typeof value).toBe('string');
					}
					if (recipient.customText !== undefined) expect(recipient.customText).toBe(final);
				}
			},
		),
	);
});

test('batches keep the order and leave nobody out', () => {
	fc.assert(
		fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 20 }), (entries, size) => {
			const batches = [...inBatches(entries, size)];
			expect(batches.flat()).toEqual(entries);
			expect(batches.slice(0, -1).every((batch) => batch.length === size)).toBe(true);
			expect(batches).toHaveLength(Math.ceil(entries.length / size));
		}),
	);
});
