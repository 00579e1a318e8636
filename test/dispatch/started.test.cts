import type { ListedDispatch, ShownDispatch } from '../../nodes/dispatches/ask/partner';
import { decideHeld, splitHeld } from '../../nodes/dispatches/steps/add';
import { isCurrent } from '../../nodes/dispatches/steps/sentBefore';
import { decideMoved } from '../../nodes/dispatches/steps/start';
import { handObjection } from '../../nodes/dispatches/steps/startByHand';
import { code, entry, named, people } from './listing.cts';

/** What shows whether a dispatch was started, may be started, or is complete. */

test.each<[boolean | undefined, boolean, number, string]>([
	[true, false, 0, 'moved'],
	[true, true, 9_000, 'moved'],
	[undefined, false, 0, 'strange'],
	[undefined, true, 9_000, 'strange'],
	[false, false, 0, 'unmoved'],
	[false, false, 9_000, 'unmoved'],
	[false, true, 4_999, 'unmoved'],
	[false, true, 5_000, 'rejected'],
])('moved %s, rejected %s, after %d ms: %s', (isMoved, isRejected, ms, is) => {
	const shown: ShownDispatch = { status: 'STARTED', givenEstimate: undefined };
	expect(decideMoved(isMoved, shown, isRejected, ms).is).toBe(is);
});

test('the status that it has then', () => {
	const seen = (status?: string) =>
		decideMoved(true, { status, givenEstimate: undefined }, false, 0);
	expect([seen('COMPLETED'), seen()]).toEqual([
		{ is: 'moved', status: 'COMPLETED' },
		{ is: 'moved', status: '' },
	]);
});

const bySend = [
	"Dispatch 17 was left by 'Send', which starts its dispatches itself",
	"Run 'Send' again: it sends to everybody who doesn't have it yet.",
];
const incomplete = (count: string) => [
	`Dispatch 17 contains ${count} people that it was made for`,
	"Run 'Create' again, and start the dispatch that it returns.",
];
const kept = named({ purpose: 'keep', planned: 1_200 });

test.each<[string, Partial<ShownDispatch>, string[] | undefined]>([
	['a person made it', { name: 'Spring sale' }, undefined],
	['no name', {}, undefined],
	['Send made it', { name: named(), total: 3 }, bySend],
	['a test', { name: named({ purpose: 'test' }), total: 3 }, bySend],
	['Create made it, complete', { name: kept, total: 1_200 }, undefined],
	['Create made it, and somebody added people', { name: kept, total: 1_201 }, undefined],
	['Create made it, incomplete', { name: kept, total: 1_199 }, incomplete('1,199 of the 1,200')],
	['Create made it, not counted', { name: kept }, incomplete('0 of the 1,200')],
])('Start by hand, %s', (_, state, objection) => {
	expect(handObjection(17, state)).toEqual(objection);
});

const here = {
	at: 0,
	account: 'a',
	companyId: 1,
	id: 17,
	base: 'spring sale',
	content: code.content,
};
const sent: Partial<ListedDispatch> = { status: 'STARTED' };

test.each<[string, Array<Partial<ListedDispatch>>, Array<Partial<typeof here>>, boolean]>([
	['nothing was started here', [], [], true],
	['started, and shown so', [sent], [{}], true],
	['started, and shown as unstarted', [{}], [{}], false],
	['started, and not shown', [], [{}], false],
	['another one is shown', [{ ...sent, id: 18 }], [{}], false],
	['one of two is shown', [sent, { id: 18 }], [{}, { id: 18 }], false],
	['both are shown', [{ ...sent, id: 18 }, sent], [{}, { id: 18 }], true],
	['other list, same name', [], [{ content: 'an0therl' }], false],
	['other name, same list', [], [{ base: 'winter sale' }], false],
	['other name and list', [], [{ base: 'winter sale', content: 'an0therl' }], true],
])('a list is current, %s: %#', (_, listed, startedHere, is) => {
	const job = { base: 'spring sale', content: code.content };
	const all = startedHere.map((one) => ({ ...here, ...one }));
	expect(isCurrent(listed.map(entry), job, all)).toBe(is);
});

/** `a!` is a message that the service rejected. */
const messages = (...written: string[]) =>
	written.map((one, index) => ({
		destination: one.charAt(0),
		messageUuid: `${index}`,
		parts: 1,
		...(one.endsWith('!') && { status: 'FAILED' }),
	}));

test.each<[boolean, number | undefined, string[], string]>([
	[false, 2, ['a', 'b'], 'found'],
	[false, 1, ['a', 'b!'], 'found'],
	[false, 2, ['a', 'b!'], 'found'],
	[false, 3, ['a', 'b'], 'absent'],
	[false, 1, ['a', 'b'], 'absent'],
	[false, undefined, [], 'absent'],
	[false, 0, [], 'found'],
	[true, 3, [], 'found'],
	[true, undefined, ['a'], 'found'],
])('started %s, it counts %s and lists %j: %s', (isStarted, total, written, is) => {
	expect(decideHeld(isStarted, { total }, messages(...written))).toBe(is);
});

test.each<[string[], Array<string | null | undefined>, string]>([
	[[], [undefined, undefined, undefined], 'abc'],
	[['b'], [undefined, '0', undefined], 'ac'],
	[['a!', 'c'], [null, undefined, '1'], 'b'],
	[['a!', 'a', 'x'], ['1', undefined, undefined], 'bc'],
	[['c', 'b', 'a'], ['2', '1', '0'], ''],
])('in it are %j', (written, uuids, missing) => {
	const split = splitHeld(people('a', 'b', 'c'), messages(...written));
	expect(split.placed.map((one) => one && one.messageUuid)).toEqual(uuids);
	expect(split.missing.map(({ destination }) => destination).join('')).toBe(missing);
});

test('of nobody, nobody is missing', () => {
	expect(splitHeld([], messages('a'))).toEqual({ placed: [], missing: [] });
});
