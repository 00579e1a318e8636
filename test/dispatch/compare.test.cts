import type {
	CreatedReply,
	DispatchMessage,
	DispatchState,
} from '../../nodes/dispatches/ask/partner';
import {
	acceptedIn,
	book,
	byNumber,
	momentNow,
	msSince,
	type Placed,
} from '../../nodes/dispatches/job';
import { decideCompare, linkMessages } from '../../nodes/dispatches/steps/compare';
import { decideFound, isNamed } from '../../nodes/dispatches/steps/create';
import { tempo } from '../support/tempo.cts';
import { entry, named, people } from './listing.cts';

// Both clocks move only as far as a test says.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

/** Whether a dispatch is ours, and holds exactly what it should. */

const all = (letters: string) => people(...letters);

/** `a1` is a message to `a`; `a1!` is one that the service rejected. */
const messages = (...written: string[]): DispatchMessage[] =>
	written.map((one) => ({
		destination: one.charAt(0),
		messageUuid: one.slice(0, 2),
		parts: 1,
		...(one.endsWith('!') && { status: 'FAILED' }),
	}));

/** `a1 b- c?`: accepted, rejected, not known. */
const shown = (placed: Placed | undefined): string | undefined =>
	placed
		?.map((one, position) => {
			const letter = String.fromCharCode(97 + position);
			return one?.messageUuid ?? `${letter}${one === null ? '-' : '?'}`;
		})
		.join(' ');

const known = (...written: string[]): Placed =>
	written.map((one) =>
		one.endsWith('?') ? undefined : one.endsWith('-') ? null : messages(one)[0],
	);

const reply = (count: number, given: string[], more: Partial<CreatedReply> = {}): CreatedReply => ({
	total: count,
	success: given.filter((one) => !one.endsWith('!')).length,
	messages: messages(...given),
	...more,
});

describe('what the responses say', () => {
	test.each<[string, string, string[], Partial<CreatedReply>, string | undefined]>([
		['same order', 'ab', ['a1', 'b1'], {}, 'a1 b1'],
		['other order', 'abc', ['c1', 'a1', 'b1'], {}, 'a1 b1 c1'],
		['the first left out', 'ab', ['b1'], {}, 'a- b1'],
		['the last left out', 'ab', ['a1'], {}, 'a1 b-'],
		['one listed as rejected', 'ab', ['a1!', 'b1'], {}, 'a- b1'],
		['nobody accepted', 'ab', [], {}, 'a- b-'],
		['somebody else', 'ab', ['a1', 'x1'], {}, undefined],
		['a number twice', 'ab', ['a1', 'a2'], {}, undefined],
		['a number twice, counted once', 'ab', ['a1', 'b1', 'b2'], { success: 2 }, undefined],
		['more accepted than listed', 'ab', ['a1'], { success: 2 }, undefined],
		['fewer accepted than listed', 'ab', ['a1', 'b1'], { success: 1 }, undefined],
		['other total', 'ab', ['a1', 'b1'], { total: 3 }, undefined],
		['no total', 'a', ['a1'], { total: undefined }, undefined],
		['no count', 'a', ['a1'], { success: undefined }, undefined],
		['no messages', 'a', ['a1'], { messages: undefined }, undefined],
	])('%s', (_, letters, given, more, expected) => {
		const recipients = all(letters);
		const booked = book(recipients, [
			{ batch: recipients, reply: reply(letters.length, given, more) },
		]);
		expect(booked.isClear ? shown(booked.placed) : undefined).toBe(expected);
	});

	test('of several requests, one unclear and one lost', () => {
		const answers = [
			{ batch: all('d') },
			{ batch: all('ab'), reply: reply(2, ['a1', 'b1'], { estimate: 2, currency: 'RUB' }) },
			{ batch: all('c'), reply: reply(2, ['c1'], { estimate: 5, currency: 'EUR' }) },
			{ batch: all('e'), reply: reply(1, ['e1'], { estimate: 1 }) },
		];
		const { placed, ...booked } = book(all('abcde'), answers);
		expect(shown(placed)).toBe('a1 b1 c? d? e1');
		expect(booked).toEqual({ isClear: false, highestEstimate: 5, currency: 'RUB' });
		expect(acceptedIn(placed)).toBe(3);
	});

	test('all of them clear', () => {
		const answers = [
			{ batch: all('b'), reply: reply(1, ['b1']) },
			{ batch: all('a'), reply: reply(1, ['a1']) },
		];
		expect(book(all('ab'), answers)).toMatchObject({ isClear: true, highestEstimate: 0 });
		expect(book(all('ab'), answers).placed).toHaveLength(2);
		expect(book([], [])).toEqual({ placed: [], isClear: true, highestEstimate: 0 });
	});

	test('a message is kept with what rows show', () => {
		const told = [{ destination: 'a', messageUuid: 'a1', parts: 2, senderId: 5, text: 'Hi' }];
		const { placed } = book(all('a'), [
			{ batch: all('a'), reply: { total: 1, success: 1, messages: told } },
		]);
		expect(placed).toEqual([{ messageUuid: 'a1', parts: 2, senderId: 5, text: 'Hi' }]);
	});

	test.each([[['a1!', 'a2']], [['a2', 'a1!']]])(
		'of two messages to one number, %j: the accepted one',
		(given) => {
			expect(byNumber(messages(...given)).get('a')?.messageUuid).toBe('a2');
		},
	);
});

describe('who is in the dispatch', () => {
	test.each<[string, string, string[], string[], string | undefined]>([
		['nothing known', 'ab', [], ['b1', 'a1'], 'a1 b1'],
		['some known', 'ab', ['a?', 'b1'], ['a1', 'b1'], 'a1 b1'],
		['a rejected one is listed', 'ab', ['a1', 'b-'], ['a1', 'b1!'], 'a1 b-'],
		['a rejected one is left out', 'ab', ['a1', 'b-'], ['a1'], 'a1 b-'],
		['only the list shows the rejection', 'ab', ['a1'], ['a1', 'b1!'], 'a1 b-'],
		['an accepted one is listed as rejected', 'a', ['a1'], ['a1!'], 'a-'],
		['what the response said is kept', 'a', ['a1'], ['a2'], 'a1'],
		['nobody', '', [], [], ''],
		['anybody is missing', 'ab', [], ['a1'], undefined],
		['anybody is in it twice', 'ab', [], ['a1', 'a2', 'b1'], undefined],
		['a stranger', 'a', ['a1'], ['a1', 'x1'], undefined],
	])('%s', (_, letters, placed, given, expected) => {
		expect(shown(linkMessages(all(letters), known(...placed), messages(...given)))).toBe(expected);
	});
});

describe('whether it holds exactly what it should', () => {
	const name = named();
	const ours = (more: Partial<DispatchState> = {}): DispatchState =>
		entry({ total: 2, estimate: 3, ...more });
	const decide = (
		state: DispatchState,
		placed: Placed,
		read?: DispatchMessage[],
		highestEstimate = 3,
	) => {
		const booked = { placed, isClear: true, highestEstimate, currency: 'RUB' };
		return decideCompare({ name, recipients: all('ab'), booked }, state, read);
	};
	const both = known('a1', 'b1');
	const one = known('a1', 'b-');

	test.each<[string, Partial<DispatchState>, Placed, string[] | undefined, string]>([
		['counts are right', {}, both, undefined, 'exact'],
		['one rejected, and counted as failed', { failed: 1 }, one, undefined, 'exact'],
		['one rejected, and not counted', { total: 1 }, one, undefined, 'exact'],
		['one too many', { total: 3 }, both, undefined, 'notExact'],
		['one missing', { total: 1 }, both, undefined, 'notExact'],
		['one of them failed', { failed: 1 }, both, undefined, 'notExact'],
		['no total', { total: undefined }, both, undefined, 'notExact'],
		['nobody accepted', { total: 0 }, known('a-', 'b-'), undefined, 'exact'],
		['its messages are right', {}, [], ['a1', 'b1'], 'exact'],
		['its messages lack one', {}, [], ['a1'], 'notExact'],
		['right, but the total is old', { total: 1 }, [], ['a1', 'b1'], 'notExact'],
		['right, but no total', { total: undefined }, [], ['a1', 'b1'], 'notExact'],
		['one rejected is listed and counted', { failed: 1 }, [], ['a1', 'b1!'], 'exact'],
		['one rejected is listed, not counted', { total: 1 }, [], ['a1', 'b1!'], 'exact'],
		['one rejected is counted, not listed', {}, one, ['a1'], 'exact'],
		['one rejected is neither', { total: 1 }, one, ['a1'], 'exact'],
		['one rejected, one more counted', { total: 3, failed: 1 }, one, ['a1'], 'notExact'],
		['other name', { name: named({ attempt: 2 }) }, both, undefined, 'notExact'],
		[
			'other name, started',
			{ name: 'Winter sale', status: 'STARTED' },
			both,
			undefined,
			'notExact',
		],
		['no name', { name: undefined }, both, undefined, 'notExact'],
		['started', { status: 'STARTED' }, both, undefined, 'startedByOther'],
		['has a start time', { startedAt: '2026-03-02T07:00:00Z' }, both, undefined, 'startedByOther'],
		['no status', { status: undefined }, both, undefined, 'startedByOther'],
		['no price yet', { estimate: 0 }, both, undefined, 'unpriced'],
		['price not shown', { estimate: undefined }, both, undefined, 'unpriced'],
		['price of a part', { estimate: 2.9 }, both, undefined, 'unpriced'],
		['nobody accepted, no price', { total: 0, estimate: 0 }, known('a-', 'b-'), undefined, 'exact'],
	])('%s', (_, more, placed, read, expected) => {
		expect(decide(ours(more), placed, read && messages(...read)).is).toBe(expected);
	});

	test.each([
		[5, 3, 5],
		[2, 3, 3],
		[0, 3, 3],
		[undefined, 3, undefined],
		[4, 0, 4],
	])('it shows %s, a response has shown %s: %s counts', (estimate, highest, counts) => {
		expect(decide(ours({ estimate }), both, undefined, highest)).toMatchObject({
			state: { estimate: counts },
		});
	});

	test('free of charge by every response: its price may still come', () => {
		expect(decide(ours({ estimate: 0 }), both, undefined, 0).is).toBe('unpriced');
		expect(decide(ours({ estimate: 0.01 }), both, undefined, 0).is).toBe('exact');
	});

	test('each person has a message, from the response or from the list', () => {
		const decided = decide(ours(), known('a1', 'b?'), messages('b2', 'a2'));
		expect(shown('placed' in decided ? decided.placed : undefined)).toBe('a1 b2');
	});
});

describe('the dispatch with our name', () => {
	test.each([
		[named(), true],
		[` ${named({}, 'SPRING sale')} `, true],
		[named({ attempt: 2 }), false],
		[named({ run: '0urownrn' }), false],
		['Spring sale', false],
		['', false],
	])('%s: %s', (name, is) => {
		expect(isNamed({ name }, named())).toBe(is);
	});

	test.each([
		['', 'absent'],
		['other', 'absent'],
		['other ours', '18'],
		['ours other', '17'],
	])('a list of %s: %s', (written, found) => {
		const listed = written
			.split(' ')
			.flatMap((one, index) =>
				one === ''
					? []
					: entry({ id: 17 + index, name: named({ attempt: one === 'ours' ? 1 : 2 }) }),
			);
		const decided = decideFound(listed, named());
		expect(String(decided.is === 'found' ? decided.id : decided.is)).toBe(found);
	});

	test('without a name it is nobody', () => {
		expect(decideFound([{ id: 17, givenEstimate: 0 }], named())).toEqual({ is: 'absent' });
	});
});

describe('how long ago it was', () => {
	afterEach(() => jest.restoreAllMocks());
	const since = (date: number, steady: number) => {
		const then = momentNow();
		jest.spyOn(Date, 'now').mockReturnValue(then.date + date);
		jest.spyOn(performance, 'now').mockReturnValue(then.steady + steady);
		return Math.round(msSince(then));
	};
	test.each([
		['both clocks', 5, 5, 5],
		['one stood still in sleep', 500, 5, 500],
		['one was set back', -500, 5, 5],
	])('%s', (_, date, steady, ms) => {
		expect(since(date, steady)).toBe(ms);
	});

	test('the clocks of the tests', () => {
		const then = momentNow();
		tempo.pausedMs += 7;
		expect(Math.round(msSince(then))).toBe(7);
	});
});
