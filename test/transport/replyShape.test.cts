import {
	describeShape,
	errorIn,
	idIn,
	readList,
	saysFailure,
	textIn,
	wholeNumberIn,
	wordsIn,
} from '../../core/transport/replyShape';

describe('a whole number', () => {
	it.each([
		[0, 0],
		[17, 17],
		['0', 0],
		['017', 17],
		['999999999999999', 999_999_999_999_999],
		[Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
	])('%j is %d', (value, expected) => {
		expect(wholeNumberIn(value)).toBe(expected);
	});

	it.each([
		-1,
		1.5,
		NaN,
		Infinity,
		Number.MAX_SAFE_INTEGER + 1,
		'',
		'-1',
		'1.5',
		' 17',
		'17 ',
		'x17',
		'17x',
		'1000000000000000',
		true,
		null,
		undefined,
		[17],
		{},
	])('%j is not one', (value) => {
		expect(wholeNumberIn(value)).toBeUndefined();
	});
});

describe('an ID', () => {
	it.each([
		['a-1', 'a-1'],
		[' a ', ' a '],
		[17, '17'],
		[0, '0'],
		[-1, '-1'],
	])('%j is %j', (value, expected) => {
		expect(idIn(value)).toBe(expected);
	});

	it.each(['', '  ', 1.5, NaN, Number.MAX_SAFE_INTEGER + 1, true, null, undefined, ['a'], {}])(
		'%j is not one',
		(value) => {
			expect(idIn(value)).toBeUndefined();
		},
	);
});

it.each([
	['a', 'a'],
	['', ''],
	[1.5, '1.5'],
	[true, undefined],
	[null, undefined],
	[['a'], undefined],
	[undefined, undefined],
])('the text in a field with %j is %j', (value, expected) => {
	expect(textIn({ status: value }, 'status')).toBe(expected);
});

describe('a list', () => {
	const entries = [{ id: 1 }, { id: 2 }];

	it.each(['items', 'tariffs', 'senderFees'])('is found under the name %s', (name) => {
		expect(readList({ [name]: entries, other: [] })).toEqual({ entries, total: undefined });
	});

	it('may be bare, and empty', () => {
		expect(readList(entries)).toEqual({ entries });
		expect(readList([])).toEqual({ entries: [] });
		expect(readList({ items: [] })).toEqual({ entries: [] });
	});

	it.each([
		[2, 2],
		[3, 3],
		['3', 3],
		[null, undefined],
		[undefined, undefined],
	])('with a total of %j has a total of %j', (total, expected) => {
		expect(readList({ items: entries, total })).toEqual({ entries, total: expected });
	});

	it.each([
		['nothing', undefined],
		['null', null],
		['a text', 'items'],
		['an empty object', {}],
		['a list under another name', { data: entries }],
		['a list under another spelling', { Items: entries }],
		['a name without a list', { items: null }],
		['an object instead of a list', { items: { id: 1 } }],
		['two lists', { items: entries, tariffs: [] }],
		['a bare list of texts', ['a']],
		['an empty list beside another one', { items: [], data: entries }],
		['a shorter list beside another one', { items: [{ id: 1 }], data: entries }],
		['a list with a text in it', { items: [{ id: 1 }, 'a'] }],
		['a list with a list in it', { items: [[]] }],
		['a total that is no number', { items: entries, total: 'many' }],
		['a total below 0', { items: entries, total: -1 }],
	])('cannot be read from %s', (_, reply) => {
		expect(readList(reply)).toBeUndefined();
	});
});

describe('the words of an error', () => {
	it.each([
		['No', 'No'],
		[['First', 'Second'], 'First'],
		[{ msg: 'No' }, 'No'],
		[{ message: 'No' }, 'No'],
		[{ description: 'No' }, 'No'],
		[{ detail: 'No' }, 'No'],
		[{ error: 'No' }, 'No'],
		[{ errors: ['No'] }, 'No'],
		[{ error: { msg: 'No' } }, 'No'],
		[{ errors: [{ message: 'No' }] }, 'No'],
		[{ msg: '', message: 'No' }, 'No'],
		[{ message: 'Second', msg: 'First' }, 'First'],
	])('in %j are %j', (value, words) => {
		expect(wordsIn(value)).toBe(words);
	});

	it.each(['', '  ', [], {}, { text: 'No' }, { msg: 17 }, 17, null, undefined])(
		'are not in %j',
		(value) => {
			expect(wordsIn(value)).toBeUndefined();
		},
	);
});

describe('a reply with a status of success', () => {
	const failures = [
		{ error: 'No' },
		{ error: { code: 1 } },
		{ error: ['No'] },
		{ error: true },
		{ errors: ['No'] },
		{ errors: 'No' },
		{ success: false },
		{ ok: false },
		{ status: 'error', msg: 'No' },
		{ status: 'fail', msg: 'No' },
		{ status: 'FAILED', msg: 'No' },
		{ status: 'failure', msg: 'No' },
		{ code: 400, msg: 'No' },
		{ code: '4000', msg: 'No' },
	];
	it.each(failures)('%j says that something failed', (reply) => {
		expect(saysFailure(reply)).toBe(true);
		expect(errorIn(reply)).toBeDefined();
	});

	it.each([
		{},
		{ error: null },
		{ error: '' },
		{ error: false },
		{ error: {} },
		{ error: [] },
		{ errors: [] },
		{ success: true },
		{ success: 0 },
		{ ok: true },
		{ msg: 'Fine' },
		{ status: 'error' },
		{ code: 400 },
		{ status: 'error in the past', msg: 'Fine' },
		{ status: 'no error', msg: 'Fine' },
		{ status: 500, msg: 'Fine' },
		{ status: ['error'], msg: 'Fine' },
		{ code: 399, msg: 'Fine' },
		{ code: -400, msg: 'Fine' },
	])('%j does not', (reply) => {
		expect(saysFailure(reply)).toBe(false);
		expect(errorIn(reply)).toBeUndefined();
	});

	it.each([
		[{ error: { code: 4000, msg: 'No' } }, { code: 4000, words: 'No' }],
		[
			{ error: 'No', code: 17 },
			{ code: 17, words: 'No' },
		],
		[{ error: { msg: 'No' }, code: 17 }, { words: 'No' }],
		[{ success: false }, {}],
	])('%j: its code and its words', (reply, expected) => {
		expect(errorIn(reply)).toEqual(expected);
	});

	it('is no error where its entries speak for themselves', () => {
		expect(errorIn({ success: false, items: [{ id: 1 }] })).toBeUndefined();
		expect(errorIn({ success: false, items: [] })).toBeDefined();
	});

	it.each([undefined, null, 'error', 17, [{ error: 'No' }]])('%j is no error', (reply) => {
		expect(errorIn(reply)).toBeUndefined();
	});
});

describe('what came instead of a list, for people', () => {
	const withFields = (count: number) =>
		Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 'secret']));

	it.each([
		[undefined, 'nothing'],
		[null, 'nothing'],
		['', 'nothing'],
		['Hello', 'text'],
		[17, 'a number'],
		[true, 'a boolean'],
		[['a'], "a list whose entries aren't objects"],
		[{}, 'an empty object'],
		[{ a: 1, b: 'secret' }, 'an object with the fields a, b'],
		[withFields(8), 'an object with the fields f0, f1, f2, f3, f4, f5, f6, f7'],
		[withFields(9), 'an object with the fields f0, f1, f2, f3, f4, f5, f6, f7 and others'],
	])('%j is %j', (reply, words) => {
		expect(describeShape(reply)).toBe(words);
	});
});
