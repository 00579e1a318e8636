import type { ListedDispatch } from '../../nodes/dispatches/ask/partner';
import type { Held } from '../../nodes/dispatches/memory';
import {
	busyUntil,
	decideLeft,
	decideYield,
	isKept,
	isLeft,
	rivalsOf,
	toHeld,
	toRead,
	type Rival,
} from '../../nodes/dispatches/steps/rivals';
import { ago, code, entry, hour, minute, named, now, ourRun, people } from './listing.cts';

/** Which dispatches stand for people who have it already, and which may still be started. */

const base = 'spring sale';
const wanted = { base, content: code.content, countsMs: Infinity, channelType: 'SMS', run: ourRun };
const idsOf = (rivals: ReadonlyArray<{ id: number }>) => rivals.map(({ id }) => id);
const isDead = (id: number) => id === 99;

const rivalOf = (more: Partial<ListedDispatch> = {}): Rival => {
	const [rival] = rivalsOf(wanted, [entry(more)], now);
	if (rival === undefined) throw new Error('not a rival');
	return rival;
};

describe('whether a dispatch counts', () => {
	const other = { content: 'an0therl' };
	test.each<[string, Partial<ListedDispatch>, boolean]>([
		['same name', {}, true],
		['same name, without a code', { name: 'Spring sale' }, true],
		['same name in other letters', { name: named(other, ' SPRING  sale') }, true],
		['same name, other list', { name: named(other) }, true],
		['name with two codes', { name: named({}, named(other)) }, true],
		['other name, without a code', { name: 'Winter sale' }, false],
		['other name, other list', { name: named(other, 'Winter sale') }, false],
		['other name, same list', { name: named({}, 'Winter sale') }, true],
		['the same, 12 hours ago', { name: named({}, 'W'), createdAt: ago(12 * hour) }, false],
		['the same, a bit less', { name: named({}, 'W'), createdAt: ago(12 * hour - 1) }, true],
		['same name, a year ago', { createdAt: ago(9_000 * hour) }, true],
		['a test', { name: named({ purpose: 'test' }) }, false],
		['a test that was started', { name: named({ purpose: 'test' }), status: 'STARTED' }, false],
		['one that Create has made', { name: named({ purpose: 'keep' }) }, true],
		['our own', { name: named({ run: ourRun }) }, false],
		['our own, started', { name: named({ run: ourRun }), status: 'STARTED' }, true],
		['our own, started once', { name: named({ run: ourRun }), startedAt: ago(0) }, true],
		['other channel', { channelType: 'VIBER' }, false],
		['channel in other letters', { channelType: 'sms' }, true],
		['channel not shown', { channelType: undefined }, true],
		['the channel of nobody', { name: named({}, 'W'), channelType: 'VIBER' }, false],
	])('%s', (_, more, isRival) => {
		expect(idsOf(rivalsOf(wanted, [entry(more)], now))).toEqual(isRival ? [17] : []);
	});

	test('our channel in other letters', () => {
		const lower = { ...wanted, channelType: 'sms' };
		expect(idsOf(rivalsOf(lower, [entry(), entry({ channelType: undefined })], now))).toEqual([
			17, 17,
		]);
	});

	test.each<[string, Partial<ListedDispatch>, boolean]>([
		['20 hours', { createdAt: ago(20 * hour) }, false],
		['a bit less', { createdAt: ago(20 * hour - 1) }, true],
		['21 hours, started later', { createdAt: ago(21 * hour), startedAt: ago(19 * hour) }, true],
		['21 hours, started then', { createdAt: ago(21 * hour), startedAt: ago(21 * hour) }, false],
		[
			'started before it was created',
			{ createdAt: ago(19 * hour), startedAt: ago(21 * hour) },
			true,
		],
		['start not to be read', { createdAt: ago(21 * hour), startedAt: 'now' }, false],
		['no time', { createdAt: undefined }, true],
		['no time zone', { createdAt: '2020-01-01T10:00:00' }, true],
		['only a date', { createdAt: '2020-01-01' }, true],
		['words around it', { createdAt: 'on 2020-01-01T10:00:00Z' }, true],
		['words behind it', { createdAt: '2020-01-01T10:00:00Z or so' }, true],
		['another time zone', { createdAt: '2026-03-01T19:00:00+03:00' }, false],
		['the same without a colon', { createdAt: '2026-03-01t19:00:00.000+0300' }, false],
	])('a name that counts for 20 hours, %s: %s', (_, more, isRival) => {
		const limited = { ...wanted, content: 'an0therl', countsMs: 20 * hour };
		const status = 'STARTED';
		expect(idsOf(rivalsOf(limited, [entry({ status, ...more })], now))).toEqual(
			isRival ? [17] : [],
		);
	});

	test.each<[string, Partial<ListedDispatch>, number[]]>([
		['at once', {}, [1, 2]],
		['12 hours ago', { createdAt: ago(12 * hour) }, [1]],
	])('other rounds of a renamed workflow, %s', (_, more, ids) => {
		const round = entry({ id: 2, name: named({ content: '0therrnd' }, 'Winter'), ...more });
		expect(
			idsOf(rivalsOf(wanted, [entry({ id: 1, name: named({}, 'Winter') }), round], now)),
		).toEqual(ids);
	});

	test('a test under another name leads to nobody', () => {
		const test = entry({ id: 1, name: named({ purpose: 'test' }, 'Winter') });
		const round = entry({ id: 2, name: named({ content: '0therrnd' }, 'Winter') });
		expect(rivalsOf(wanted, [test, round], now)).toEqual([]);
	});

	test('what is compared', () => {
		const createdAt = ago(hour);
		expect(rivalOf({ createdAt, startedAt: ago(minute), status: 'STARTED' })).toMatchObject({
			base,
			code,
			createdMs: now - hour,
			usedMs: now - minute,
		});
	});
});

describe('what an unstarted one is', () => {
	const keep = { name: named({ purpose: 'keep' }) };
	// Waits to be started by hand; nobody starts it any more; its people are read; another run may start it.
	test.each<[string, Partial<ListedDispatch>, string]>([
		['a young one of Send', {}, 'busy'],
		['one minute before its half hour', { createdAt: ago(29 * minute) }, 'busy'],
		['half an hour old', { createdAt: ago(30 * minute) }, 'left'],
		['its run has returned', { id: 99 }, 'left'],
		['no time', { createdAt: undefined }, 'busy'],
		['no code', { name: 'Spring sale' }, 'busy'],
		['of Create, complete', keep, 'kept read'],
		['of Create, complete, old', { ...keep, createdAt: ago(hour) }, 'kept read'],
		['of Create, one is missing', { ...keep, total: 2 }, 'busy'],
		['of Create, one is missing, old', { ...keep, total: 2, createdAt: ago(hour) }, 'left'],
		['of Create, one too many', { ...keep, total: 4 }, 'kept read'],
		['of Create, not counted', { ...keep, total: undefined }, 'busy'],
		['of Create, for nobody', { name: named({ purpose: 'keep', planned: 0 }), total: 0 }, 'busy'],
		['started', { status: 'STARTED' }, 'read'],
		['started, old', { status: 'STARTED', createdAt: ago(hour) }, 'read'],
		['of Create, started', { ...keep, status: 'STARTED' }, 'read'],
		['unknown status', { status: 'PAUSED', createdAt: ago(hour) }, 'read'],
		['no status', { status: undefined, id: 99 }, 'read'],
		['with a start time', { startedAt: ago(0), createdAt: ago(hour) }, 'read'],
	])('%s', (_, more, is) => {
		const one = rivalOf(more);
		const found = [
			...(isKept(one) ? ['kept'] : []),
			...(isLeft(one, isDead, now) ? ['left'] : []),
			...(toRead([one]).length > 0 ? ['read'] : []),
			...(busyUntil([one], isDead, now) === undefined ? [] : ['busy']),
		];
		expect(found.join(' ')).toBe(is);
	});

	test.each<[Array<Partial<ListedDispatch>>, number | undefined]>([
		[[], undefined],
		[[{}], 29],
		[[{}, { createdAt: ago(10 * minute) }], 29],
		[[{ createdAt: ago(10 * minute) }, {}], 29],
		[[{ id: 99 }, { createdAt: ago(10 * minute) }], 20],
		[[{ createdAt: undefined }, {}], 30],
		[[{ createdAt: ago(30 * minute) }], undefined],
	])('%j: to be ignored in %s minutes', (several, minutes) => {
		const until = busyUntil(several.map(rivalOf), isDead, now);
		expect(until).toBe(minutes === undefined ? undefined : now + minutes * minute);
	});
});

describe('who still has to get it', () => {
	/** `a` has the same text, `b:Hi` another one, `c:?` one that isn't shown. */
	const holding = (more: Partial<ListedDispatch>, ...written: string[]): [Rival, Held] => [
		rivalOf(more),
		toHeld(
			people(...written).map(({ destination, text }) => ({
				destination,
				text: text === '?' ? undefined : text,
				messageUuid: 'm',
				parts: 1,
			})),
		),
	];
	const sent = { status: 'STARTED' };
	const kept = { name: named({ purpose: 'keep' }) };
	const elsewhere = { ...sent, name: named({}, 'Winter sale') };
	const left = (written: string, hasIt: Record<string, number> = {}) => ({ left: written, hasIt });

	test.each<[string, Array<[Rival, Held]>, object]>([
		['nothing', [], left('abc')],
		['somebody else', [holding(sent, 'x')], left('abc')],
		['one of them', [holding(sent, 'b', 'x')], left('ac', { b: 17 })],
		['all of them', [holding(sent, 'a', 'b', 'c')], left('', { a: 17, b: 17, c: 17 })],
		['completed', [holding({ status: 'COMPLETED' }, 'c')], left('ab', { c: 17 })],
		[
			'two',
			[holding(sent, 'a'), holding({ ...sent, id: 18 }, 'a', 'b')],
			left('c', { a: 17, b: 18 }),
		],
		['text not shown', [holding(sent, 'a:?')], left('bc', { a: 17 })],
		['lines end in another way', [holding(sent, 'a:Hello\r\n')], left('bc', { a: 17 })],
		['spaces around it', [holding(sent, 'a: Hello ')], left('bc', { a: 17 })],
		['other text', [holding(sent, 'a:Hi', 'b:Hi', 'c')], { is: 'otherText', id: 17, count: 2 }],
		['other text under another name', [holding(elsewhere, 'a:Hi', 'b')], left('ac', { b: 17 })],
		['same text under another name', [holding(elsewhere, 'a')], left('bc', { a: 17 })],
		['stopped', [holding({ status: 'STOPPED' }, 'a', 'b')], { is: 'ended', id: 17, count: 2 }],
		['unknown status', [holding({ status: 'PAUSED' }, 'a')], { is: 'ended', id: 17, count: 1 }],
		['stopped, with somebody else', [holding({ status: 'STOPPED' }, 'x')], left('abc')],
		[
			'stopped, other text',
			[holding({ status: 'STOPPED' }, 'a:Hi')],
			{ is: 'otherText', id: 17, count: 1 },
		],
		[
			'stopped, one of them with another text',
			[holding({ status: 'STOPPED' }, 'a:Hi', 'b', 'c')],
			{ is: 'otherText', id: 17, count: 1 },
		],
		[
			'stopped, but they have it',
			[holding({ status: 'STOPPED' }, 'a'), holding({ ...sent, id: 18 }, 'a')],
			left('bc', { a: 18 }),
		],
		[
			'stopped, one has it',
			[holding({ status: 'STOPPED' }, 'a', 'b'), holding({ ...sent, id: 18 }, 'a')],
			{ is: 'ended', id: 17, count: 1 },
		],
		['kept', [holding(kept, 'a', 'b')], { is: 'kept', id: 17, count: 2 }],
		['kept for somebody else', [holding(kept, 'x')], left('abc')],
		[
			'kept, but they have it',
			[holding(kept, 'a'), holding({ ...sent, id: 18 }, 'a')],
			left('bc', { a: 18 }),
		],
		[
			'the first of two',
			[holding({ status: 'STOPPED' }, 'a'), holding({ ...kept, id: 18 }, 'b')],
			{ is: 'ended', id: 17, count: 1 },
		],
	])('%s', (_, held, expected) => {
		const found = decideLeft({ base, recipients: people('a', 'b', 'c') }, held);
		const lettersOf = (all: ReadonlyArray<{ destination: string }>) =>
			all.map(({ destination }) => destination).join('');
		expect(
			found.is === 'left'
				? {
						left: lettersOf(found.recipients),
						hasIt: Object.fromEntries(
							found.hasIt.map((one) => [one.recipient.destination, one.dispatchId]),
						),
					}
				: { is: found.is, id: found.dispatch.id, count: found.count },
		).toEqual(expected);
	});

	test('our text has lines that end in another way, and spaces around it', () => {
		const recipients = people('a:\tHel\r\nlo', 'b:Hel\rlo', 'c');
		const found = decideLeft({ base, recipients }, [holding(sent, 'a:Hel\nlo', 'b:Hel\nlo ')]);
		expect(found).toMatchObject({ is: 'left', recipients: [{ destination: 'c' }] });
	});

	test("a text that isn't known is nobody else's", () => {
		const recipients = people('a').map((one) => ({ ...one, text: undefined }));
		expect(decideLeft({ base, recipients }, [holding(sent, 'a')])).toMatchObject({
			hasIt: [{ dispatchId: 17 }],
		});
	});

	test('a number counts once, and every message is counted', () => {
		expect(holding(sent, 'a', 'a', 'b')[1]).toMatchObject({ count: 3, texts: { size: 2 } });
	});
});

describe('whether ours may be started', () => {
	const ours = entry({ id: 50, name: named({ run: ourRun }), createdAt: ago(2 * minute) });
	const started = { status: 'STARTED', total: 3 };
	const keep = { name: named({ purpose: 'keep' }) };
	const first = { is: 'first', createdMs: now - 2 * minute };
	const passed = { is: 'passed', id: 17 };
	/** In so many minutes, counted from ours. */
	const busy = (minutes: number) => ({ is: 'busy', until: now + (minutes - 2) * minute });
	const young = { createdAt: ago(0) };

	test.each<[string, Partial<ListedDispatch> | undefined, number | undefined, object]>([
		['nobody else', undefined, undefined, first],
		['started, not read', started, undefined, passed],
		['started, read', started, 3, first],
		['started, read, and there are more', started, 2, passed],
		[
			'started later, not read',
			{ ...started, id: 51, ...young },
			undefined,
			{ is: 'passed', id: 51 },
		],
		['unknown status', { ...started, status: 'PAUSED' }, undefined, passed],
		['started, not counted, and not read', { ...started, total: undefined }, undefined, passed],
		['other name and list', { ...started, name: 'Winter sale' }, undefined, first],
		['older by its ID', young, undefined, busy(32)],
		['older by its time', { id: 51, createdAt: ago(3 * minute) }, undefined, busy(29)],
		['older by both', { createdAt: ago(3 * minute) }, undefined, busy(29)],
		['younger by both', { id: 51, ...young }, undefined, first],
		['younger by its ID, same time', { id: 51, createdAt: ago(2 * minute) }, undefined, first],
		['half an hour older', { createdAt: ago(32 * minute) }, undefined, first],
		[
			'a bit less',
			{ createdAt: ago(32 * minute - 1) },
			undefined,
			{ is: 'busy', until: now - 2 * minute + 1 },
		],
		['its run has returned', { id: 99, createdAt: ago(3 * minute) }, undefined, first],
		['kept, read', keep, 3, first],
		['kept, not read, older', keep, undefined, passed],
		['kept, not read, younger', { ...keep, id: 51, ...young }, undefined, first],
		['kept, read, and there are more', keep, 2, passed],
		['no time, older by its ID', { createdAt: undefined }, undefined, busy(30)],
	])('%s', (_, other, read, expected) => {
		const listed = [...(other === undefined ? [] : [entry(other)]), ours];
		const counts = new Map(read === undefined || other === undefined ? [] : [[17, read]]);
		expect(decideYield(wanted, 50, listed, counts, isDead, now)).toEqual(expected);
	});

	test('ours is not listed', () => {
		const listed = [entry(started)];
		expect(decideYield(wanted, 50, listed, new Map(), isDead, now)).toEqual({ is: 'unlisted' });
	});

	test('ours has no time: only an ID makes another one older', () => {
		const yielded = (id: number) =>
			decideYield(
				wanted,
				50,
				[entry({ id }), { ...ours, createdAt: undefined }],
				new Map(),
				isDead,
				now,
			).is;
		expect([yielded(17), yielded(51)]).toEqual(['busy', 'first']);
	});
});

test.each<[string, Array<Partial<ListedDispatch>>, number[]]>([
	['its run has made another one', [{}, { id: 18, name: named({ attempt: 2 }) }], [18]],
	[
		'kept, too',
		[
			{ name: named({ purpose: 'keep' }) },
			{ id: 18, name: named({ purpose: 'keep', attempt: 2 }) },
		],
		[18],
	],
	['of another list', [{}, { id: 18, name: named({ attempt: 2, content: 'an0therl' }) }], [17, 18]],
	['of another run', [{}, { id: 18, name: named({ attempt: 2, run: 'th1rdrun' }) }], [17, 18]],
	[
		'but it was started',
		[{ status: 'STARTED' }, { id: 18, name: named({ attempt: 2 }) }],
		[17, 18],
	],
])('an earlier attempt is left, %s', (_, listed, ids) => {
	expect(rivalsOf(wanted, listed.map(entry), now).map(({ id }) => id)).toEqual(ids);
});
