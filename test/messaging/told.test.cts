import {
	matchReply,
	readSendReply,
	type EntryReport,
} from '../../nodes/BulkMessaging/resources/message/delivery/reply';
import { inUrlGroups } from '../../core/transport/batches';

const own = (id: string, more: object = {}) => ({ externalMessageId: id, ...more });

describe('which entry of a reply is whose', () => {
	const [a, b] = [own('a', { n: 1 }), own('b', { n: 2 })];
	const [first, second] = [{ n: 1 }, { n: 2 }];

	it.each<[string, Array<string | undefined>, unknown, unknown[]]>([
		['by ID, in another order', ['a', 'b'], { items: [b, a] }, [a, b]],
		['by ID, where one is missing', ['a', 'b'], { items: [b] }, [undefined, b]],
		['by ID, a number', ['17'], { items: [own('17'), own('18')] }, [own('17')]],
		['by place', ['a', 'b'], { items: [first, second] }, [first, second]],
		['by place, without IDs', [undefined, undefined], { items: [first, second] }, [first, second]],
		['by ID and by place', ['a', 'b'], { items: [first, b] }, [first, b]],
		['not by place if the counts differ', ['a', 'b'], { items: [first] }, [undefined, undefined]],
		['not by place if another ID is there', ['a', 'c'], { items: [a, b] }, [a, undefined]],
		['items that are no objects', ['a', 'b'], { items: [a, null] }, [undefined, undefined]],
		['items that are no list', ['a'], { items: a }, [undefined]],
		['a bare list', ['a'], [a], [undefined]],
		['nothing', ['a'], undefined, [undefined]],
	])('%s', (_, ids, reply, expected) => {
		expect(matchReply(ids, reply, 'externalMessageId')).toEqual(expected);
	});

	it('may be decided by the UUID', () => {
		const entries = [
			{ messageUuid: 'v', n: 1 },
			{ messageUuid: 'u', n: 2 },
		];
		expect(matchReply(['u', 'v'], { items: entries }, 'messageUuid')).toEqual([
			entries[1],
			entries[0],
		]);
	});
});

describe('what a reply says about one message', () => {
	const told = (entry: object, more: object = { errors: true }) =>
		readSendReply(['a'], { items: [own('a', entry)], ...more })[0];
	const failure = (is: string, code: number | undefined, words = '') => ({
		is,
		error: expect.objectContaining({ name: 'EntryError', code, words }) as Error,
	});

	it.each([200, 201, 299, '200'])('code %j: accepted, whatever the others are', (code) => {
		const accepted: EntryReport = { is: 'done', value: { messageUuid: 'u' } };
		for (const errors of [true, false, undefined])
			expect(told({ code, messageUuid: 'u' }, { errors })).toEqual(accepted);
		expect(told({ code })).toEqual({ is: 'done', value: { messageUuid: undefined } });
	});

	it.each([400, 407, 409, 499, 4_000, 4_999])('code %i without an ID: rejected', (code) => {
		expect(told({ code, msg: 'No' })).toEqual(failure('refused', code, 'No'));
		expect(told({ code }, {})).toEqual(failure('refused', code));
	});

	it.each([199, 300, 399, 408, 500, 599, 3_999, 5_000])('code %i: not known', (code) => {
		expect(told({ code, msg: 'No' })).toEqual(failure('unknown', code, 'No'));
		expect(told({ code }, {})).toEqual(failure('unknown', code));
	});

	it.each<[string, object, object, number | undefined, string]>([
		['an error without a code', { error: 'No' }, { errors: false }, undefined, 'No'],
		['a success that failed', { messageUuid: 'u', success: false, msg: 'No' }, {}, undefined, 'No'],
		['a failed status', { messageUuid: 'u', status: 'error', msg: 'No' }, {}, undefined, 'No'],
		['a code of 0 with an ID', { code: 0, messageUuid: 'u' }, {}, 0, ''],
		[
			'an ID without a code, and errors: true',
			{ messageUuid: 'u' },
			{ errors: true },
			undefined,
			'',
		],
	])('%s: not known', (_, entry, more, code, words) => {
		expect(told(entry, more)).toEqual(failure('unknown', code, words));
	});

	it('an ID without a code: accepted, unless there are errors', () => {
		const accepted = { is: 'done', value: { messageUuid: 'u' } };
		expect(told({ messageUuid: 'u' }, { errors: false })).toEqual(accepted);
		expect(told({ messageUuid: 'u' }, {})).toEqual(accepted);
	});

	it.each([
		[{ messageUuid: 'u', code: 'REJECTED' }, {}],
		[{ messageUuid: 'u', code: -5 }, {}],
		[{ messageUuid: 'u', code: 1e300 }, {}],
		[{ messageUuid: 'u' }, { errors: 'true' }],
		[{ messageUuid: 'u' }, { errors: 1 }],
	])('what cannot be read is not known: %j, %j', (entry, reply) => {
		expect(told(entry, reply)).toMatchObject({ is: 'unknown' });
	});

	it('neither code nor ID: not known', () => {
		for (const reply of [{}, { errors: true }]) {
			expect(told({}, reply)).toEqual(failure('unknown', undefined));
			expect(told({}, reply)).toMatchObject({ error: { isAbout: false } });
		}
	});

	it('the response is about the entry if it has a code or an error', () => {
		for (const entry of [{ code: 500 }, { error: 'No' }]) {
			expect(told(entry)).toMatchObject({ is: 'unknown', error: { isAbout: true } });
		}
	});

	it('no entry: not known', () => {
		const others = { items: [own('b', { code: 201 }), own('c', { code: 201 })] };
		const replies = [others, { ...others, errors: false }, undefined, {}, [], 'OK', null];
		for (const reply of [...replies, { ...others, errors: true }]) {
			expect(readSendReply(['a'], reply)).toMatchObject([
				{ is: 'unknown', error: { code: undefined, isAbout: false } },
			]);
		}
		expect(readSendReply(['a'], { ...others, errors: true, msg: 'No' })).toEqual([
			failure('unknown', undefined, 'No'),
		]);
	});

	it.each([{}, { externalMessageId: null }, { externalMessageId: ' ' }])(
		'entries with %j: each is of the message at its place',
		(id) => {
			const items = [
				{ ...id, code: 201 },
				{ ...id, code: 400 },
			];
			const [first, second] = readSendReply(['a', 'b'], { errors: true, items });
			expect([first?.is, second?.is]).toEqual(['done', 'refused']);
		},
	);

	it('only the rejected entry has no ID: it is of the message that no other names', () => {
		const items = [own('a', { code: 201, messageUuid: 'u' }), { code: 403, msg: 'No' }];
		const [first, second] = readSendReply(['a', 'b'], { errors: true, items });
		expect([first?.is, second?.is]).toEqual(['done', 'refused']);
	});
});

describe('what a reply says about each of three messages', () => {
	const ids = ['a', 'b', 'c'];
	const all = ids.map((id, place) => own(id, { messageUuid: `u${place}`, code: 201 }));
	const [, second] = all;
	const errors = false;
	const inInitials = (reply: unknown) =>
		readSendReply(ids, reply)
			.map(({ is }) => is[0])
			.join('');

	it.each<[string, object]>([
		['every message', { errors, items: all }],
		['every message, without errors', { items: all }],
		['one of them', { errors, items: [second] }],
		['no entries', { errors, items: [] }],
		['entries that say nothing', { errors, items: [{}, {}, {}] }],
		['no entries in the response', { errors }],
		['codes only', { items: ids.map(() => ({ code: 201 })) }],
	])('%s: accepted', (_, reply) => {
		expect(inInitials(reply)).toBe('ddd');
	});

	it.each<[string, unknown]>([
		['a bare array', all],
		['another name', { messages: all }],
		['other names of the fields', { items: ids.map((id) => ({ message_uuid: id, uuid: id })) }],
		['no errors, and another message', { errors, items: [own('x', { code: 201 })] }],
		['errors, and entries without codes', { errors: true, items: ids.map((uuid) => ({ uuid })) }],
		['more entries than messages', { items: [1, 2, 3, 4].map(() => ({ code: 201 })) }],
		['fewer entries than messages', { items: [{ code: 201, messageUuid: 'u' }] }],
	])('%s: not known', (_, reply) => {
		expect(inInitials(reply)).toBe('uuu');
	});

	it.each<[string, object, string]>([
		['errors, and one of them', { errors: true, items: [second] }, 'udu'],
		[
			'no errors, and an entry with a rejection',
			{ errors, items: [own('a', { code: 400 })] },
			'rdd',
		],
		['no errors, and an unreadable code', { errors, items: [own('a', { code: 'x' })] }, 'udd'],
		['rejections without IDs', { items: ids.map(() => ({ code: 400 })) }, 'rrr'],
	])('%s', (_, reply, expected) => {
		expect(inInitials(reply)).toBe(expected);
	});
});

describe('IDs in groups that fit into a URL', () => {
	const lengthOf = (ids: string[]) =>
		ids.map((id) => `&message_uuid=${encodeURIComponent(id)}`).join('').length;

	it('none: no group', () => {
		expect([...inUrlGroups([])]).toEqual([]);
	});

	it('as many as fit, in their order', () => {
		// 40 characters each: exactly 100 of them are 4,000.
		const ids = Array.from({ length: 201 }, (_, index) => String(index).padStart(26, '0'));
		expect(lengthOf(ids.slice(0, 100))).toBe(4_000);
		const groups = [...inUrlGroups(ids)];
		expect(groups.map((group) => group.length)).toEqual([100, 100, 1]);
		expect(groups.flat()).toEqual(ids);
	});

	it('what is escaped counts as it is sent', () => {
		const ids = Array.from({ length: 50 }, () => 'я'.repeat(20));
		const groups = [...inUrlGroups(ids)];
		expect(groups.length).toBeGreaterThan(1);
		for (const group of groups) expect(lengthOf(group)).toBeLessThanOrEqual(4_000);
	});

	it('one that is too long by itself has a group of its own', () => {
		const long = 'x'.repeat(5_000);
		expect([...inUrlGroups([long, 'a', long])]).toEqual([[long], ['a'], [long]]);
	});

	it('half a character counts as one, and is kept as it is', () => {
		const half = '\ud83d';
		expect([...inUrlGroups([half, 'a'])]).toEqual([[half, 'a']]);
		// It is sent as a question mark, which is escaped: 17 characters each.
		const groups = [...inUrlGroups(Array.from({ length: 236 }, () => half))];
		expect(groups.map((group) => group.length)).toEqual([235, 1]);
	});
});
