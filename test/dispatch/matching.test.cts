import {
	matchAll,
	matchInOrder,
} from '../../nodes/BulkMessagingPartner/resources/dispatch/delivery/matching';
import type { AcceptedRecipient } from '../../nodes/BulkMessagingPartner/resources/dispatch/plan/recipient';

/** Of a recipient only what is compared. */
const to = (...destinations: string[]) =>
	destinations.map((destination) => ({ destination })) as unknown as AcceptedRecipient[];

/** `a1` is a message for the number `a`. */
const messages = (...names: string[]) => names.map((name) => ({ destination: name[0], name }));

const names = (matched?: ReadonlyArray<{ name: string } | undefined>) =>
	matched?.map((message) => message?.name);

describe.each([
	['the same order', ['a', 'b'], ['a1', 'b1'], ['a1', 'b1']],
	['another order', ['a', 'b', 'c'], ['c1', 'a1', 'b1'], ['a1', 'b1', 'c1']],
	['one left out in front', ['a', 'b'], ['b1'], [undefined, 'b1']],
	['one left out at the end', ['a', 'b'], ['a1'], ['a1', undefined]],
	['no message', ['a', 'b'], [], [undefined, undefined]],
	['no recipient', [], [], []],
	['a number twice', ['a', 'b', 'a'], ['a1', 'a2', 'b1'], ['a1', 'b1', 'a2']],
	['a number twice, one left out', ['a', 'a', 'b'], ['a1', 'b1'], ['a1', undefined, 'b1']],
])('%s', (_, recipients, given, expected) => {
	it('each recipient has its message', () => {
		expect(names(matchInOrder(to(...recipients), messages(...given)))).toEqual(expected);
		expect(names(matchAll(to(...recipients), messages(...given)))).toEqual(expected);
	});
});

describe.each([
	['an older message of the same number', ['a', 'b'], ['a1', 'a2', 'b1'], ['a2', 'b1']],
	['two older ones', ['a', 'a'], ['a1', 'a2', 'a3', 'a4'], ['a3', 'a4']],
	["somebody else's message", ['a', 'b'], ['x1', 'a1', 'b1'], ['a1', 'b1']],
	["somebody else's instead", ['a', 'b'], ['a1', 'x1'], ['a1', undefined]],
	['the last one is another', ['a', 'b'], ['a1', 'c1'], ['a1', undefined]],
])('%s', (_, recipients, given, expected) => {
	it('each recipient has its message, the newest ones', () => {
		expect(names(matchInOrder(to(...recipients), messages(...given)))).toEqual(expected);
	});

	it('not all belong to these recipients', () => {
		expect(matchAll(to(...recipients), messages(...given))).toBeUndefined();
	});
});
