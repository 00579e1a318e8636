import { inUrlGroups } from '../../nodes/BulkMessaging/resources/message/delivery/urlGroups';
import {
	matchReply,
	ownIdIn,
	readSendReply,
	uuidIn,
} from '../../nodes/BulkMessaging/resources/message/delivery/reply';

const own = (id: string, more: object = {}) => ({ externalMessageId: id, ...more });

describe('the IDs of an entry', () => {
	it.each([
		[{ messageUuid: 'u' }, 'u'],
		[{ message_uuid: 'u' }, 'u'],
		[{ uuid: 'u' }, 'u'],
		[{ messageUuid: '', uuid: 'u' }, 'u'],
		[{ uuid: 'second', messageUuid: 'first' }, 'first'],
		[{ messageUuid: 17 }, '17'],
		[{ id: 'u' }, undefined],
		[{}, undefined],
	])('%j was given the ID %j', (entry, id) => {
		expect(uuidIn(entry)).toBe(id);
	});

	it.each([
		[{ externalMessageId: 'o' }, 'o'],
		[{ external_message_id: 17 }, '17'],
		[{ externalMessageId: ' ' }, undefined],
		[{ messageUuid: 'u' }, undefined],
	])('%j has the custom message ID %j', (entry, id) => {
		expect(ownIdIn(entry)).toBe(id);
	});
});

describe('which entry of a reply is whose', () => {
	const [a, b] = [own('a', { n: 1 }), own('b', { n: 2 })];
	const [first, second] = [{ n: 1 }, { n: 2 }];

	it.each<[string, Array<string | undefined>, unknown, unknown[]]>([
		['by ID, in another order', ['a', 'b'], [b, a], [a, b]],
		['by ID, where one is missing', ['a', 'b'], { items: [b] }, [undefined, b]],
		['by place', ['a', 'b'], [first, second], [first, second]],
		['by place, without IDs', [undefined, undefined], [first, second], [first, second]],
		['by ID and by place', ['a', 'b'], [first, b], [first, b]],
		['not by place if the counts differ', ['a', 'b'], [first], [undefined, undefined]],
		['not by place if another ID is there', ['a', 'c'], [a, b], [a, undefined]],
		['two entries of one ID: neither', ['a', 'b'], [a, a], [undefined, undefined]],
		['two of one ID and the other', ['a', 'b'], [a, a, b], [undefined, b]],
		['one object', ['a'], a, [a]],
		['one object with an ID of the service', [undefined], { uuid: 'u' }, [{ uuid: 'u' }]],
		['one object without any ID', ['a'], first, [undefined]],
		['nothing', ['a'], undefined, [undefined]],
	])('%s', (_, ids, reply, expected) => {
		expect(matchReply(ids, reply)).toEqual(expected);
	});

	it('may be decided by another ID', () => {
		const entries = [
			{ messageUuid: 'v', n: 1 },
			{ messageUuid: 'u', n: 2 },
		];
		expect(matchReply(['u', 'v'], entries, uuidIn)).toEqual([entries[1], entries[0]]);
	});
});

describe('what a reply says about one message', () => {
	const told = (entry: object, more: object = {}) =>
		readSendReply(['a'], { items: [own('a', entry)], ...more })[0];

	it.each([200, 201, 299, '200'])('code %j: accepted', (code) => {
		expect(told({ code, messageUuid: 'u' })).toEqual({
			kind: 'accepted',
			messageUuid: 'u',
			code: Number(code),
		});
		expect(told({ code }).kind).toBe('accepted');
	});

	it('an ID of the service without a code: accepted', () => {
		expect(told({ messageUuid: 'u' })).toEqual({ kind: 'accepted', messageUuid: 'u' });
	});

	it.each([400, 407, 409, 499, 4_000, 4_999])('code %i without an ID: refused', (code) => {
		expect(told({ code, msg: 'No' })).toEqual({ kind: 'refused', code, words: 'No' });
		expect(told({ code })).toEqual({ kind: 'refused', code, words: '' });
	});

	it.each([199, 300, 399, 408, 500, 599, 3_999, 5_000])('code %i: unclear', (code) => {
		expect(told({ code, msg: 'No' })).toEqual({ kind: 'unclear', code, words: 'No' });
		expect(told({ code })).toEqual({ kind: 'unclear', code, words: '' });
	});

	it.each<[string, object, object]>([
		['a refusal with an ID', { code: 400, messageUuid: 'u' }, { code: 400, words: '' }],
		['a success that names an error', { code: 200, error: 'No' }, { code: 200, words: 'No' }],
		['an error without a code', { messageUuid: 'u', error: 'No' }, { words: 'No' }],
	])('%s: unclear', (_, entry, expected) => {
		expect(told(entry)).toEqual({ kind: 'unclear', ...expected });
	});

	it('neither code nor ID: silent', () => {
		expect(told({})).toEqual({ kind: 'silent' });
		expect(readSendReply(['a'], undefined)).toEqual([{ kind: 'silent' }]);
	});

	it('the whole reply names an error: unclear unless the entry has a code', () => {
		const failed = { error: 'No' };
		expect(told({ messageUuid: 'u' }, failed)).toEqual({ kind: 'unclear', words: '' });
		expect(told({ code: 200 }, failed)).toMatchObject({ kind: 'accepted' });
		expect(readSendReply(['b'], { items: [own('a')], ...failed })).toEqual([
			{ kind: 'unclear', words: 'No' },
		]);
		expect(readSendReply(['b'], { success: false })).toEqual([{ kind: 'unclear', words: '' }]);
	});
});

describe('where only the place of an entry says whose it is', () => {
	const accepted = { code: 200, messageUuid: 'u' };
	const refused = { code: 400, msg: 'No' };

	it('and all are equal, each is believed', () => {
		expect(readSendReply(['a', 'b'], [accepted, accepted])).toMatchObject([
			{ kind: 'accepted' },
			{ kind: 'accepted' },
		]);
		expect(readSendReply(['a', 'b'], [refused, refused])).toMatchObject([
			{ kind: 'refused' },
			{ kind: 'refused' },
		]);
	});

	it('and they differ, none is', () => {
		expect(readSendReply(['a', 'b'], [accepted, refused])).toEqual([
			{ kind: 'silent' },
			{ kind: 'unclear', code: 400, words: 'No' },
		]);
	});

	it('and they differ, those that name their ID are', () => {
		expect(
			readSendReply(['a', 'b', 'c'], [own('a', accepted), own('b', refused), {}]),
		).toMatchObject([{ kind: 'accepted' }, { kind: 'refused' }, { kind: 'silent' }]);
		expect(readSendReply(['a', 'b'], [own('a', accepted), { code: 500 }])).toMatchObject([
			{ kind: 'accepted' },
			{ kind: 'unclear', code: 500 },
		]);
	});

	it('and one has no entry, that one is silent', () => {
		expect(readSendReply(['a', 'b'], [own('a', accepted)])).toMatchObject([
			{ kind: 'accepted' },
			{ kind: 'silent' },
		]);
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
