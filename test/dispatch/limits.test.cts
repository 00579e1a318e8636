import type { DispatchState } from '../../nodes/dispatches/ask/partner';
import type { Checked, Made, Placed } from '../../nodes/dispatches/job';
import type { DispatchRecord } from '../../nodes/dispatches/journal';
import {
	acceptedShare,
	limitObjection,
	peopleIn,
	priceObjection,
	startObjection,
	type StartLimits,
} from '../../nodes/dispatches/steps/limits';
import { entry, people } from './listing.cts';

/** Why a dispatch must not start. */

type Ready = Parameters<typeof limitObjection>[1];
const rub: StartLimits = { priceCurrency: 'RUB' };
const ready: Ready = {
	accepted: 2,
	share: 1,
	estimate: 10,
	givenEstimate: 10,
	currency: 'RUB',
	spent: 0,
};
const tooMuch = (price: string, limit = '9 RUB') =>
	`The price estimate is ${price}, but 'Price Limit' is ${limit}`;
const unread = (found: string) => `The price estimate can't be read: the service sent ${found}`;
const noCurrency = "The service doesn't report the currency of its price estimate";

test.each<[Partial<StartLimits>, Partial<Ready>, string | undefined]>([
	[{}, { estimate: undefined, currency: undefined }, undefined],
	[{ priceLimit: 10 }, {}, undefined],
	[{ priceLimit: 9.999 }, {}, tooMuch('10 RUB', '9.999 RUB')],
	[{ priceLimit: 9 }, {}, tooMuch('10 RUB')],
	[{ priceLimit: 0.3 }, { estimate: 0.1, spent: 0.2 }, undefined],
	[{ priceLimit: 0 }, { estimate: 0 }, undefined],
	[
		{ priceLimit: 9 },
		{ estimate: 5, spent: 5 },
		tooMuch("5 RUB (plus 5 RUB for this run's other dispatches)"),
	],
	[{ priceLimit: 10 }, { estimate: 5, spent: 5 }, undefined],
	[{ priceLimit: 9 }, { estimate: undefined, givenEstimate: undefined }, unread('nothing')],
	[{ priceLimit: 9 }, { estimate: undefined, givenEstimate: '10' }, unread('"10"')],
	[{ priceLimit: 9 }, { estimate: undefined, givenEstimate: null }, unread('null')],
	[{ priceLimit: 9 }, { currency: undefined }, noCurrency],
	[
		{ priceLimit: 99 },
		{ currency: 'EUR' },
		"The price estimate is in EUR, but 'Price Limit' is in RUB",
	],
	[{ priceLimit: 99, priceCurrency: ' rub ' }, {}, undefined],
	[{ priceLimit: 99 }, { currency: 'rub' }, undefined],
])('%j, %j: %s', (limits, more, objection) => {
	const all = { ...rub, ...limits };
	expect(priceObjection(all, { ...ready, ...more })).toBe(objection);
	expect(limitObjection(all, { ...ready, ...more })).toBe(objection);
});

const few = (count: string, minimum: number) =>
	`Only ${count} accepted, but 'Minimum Accepted (Recipients)' is ${minimum}`;
const share = (percent: string, minimum: number) =>
	`Only ${percent} of the recipients are accepted, but 'Minimum Accepted (%)' is ${minimum}`;
const nobody = 'The service rejected every recipient';

test.each<[Partial<StartLimits>, Partial<Ready>, string | undefined]>([
	[{}, { accepted: 0 }, nobody],
	[{ minimumPeople: 0 }, { accepted: 0 }, nobody],
	[{}, { accepted: 1 }, undefined],
	[{ minimumPeople: 2 }, {}, undefined],
	[{ minimumPeople: 3 }, {}, few('2 recipients are', 3)],
	[{ minimumPeople: 2 }, { accepted: 1 }, few('1 recipient is', 2)],
	[{ minimumPeople: 3, priceLimit: 9 }, {}, few('2 recipients are', 3)],
	[{ minimumAccepted: 100 }, {}, undefined],
	[{ minimumAccepted: 50 }, { share: 0.5 }, undefined],
	[{ minimumAccepted: 50 }, { share: 0.4999 }, share('49.9%', 50)],
	[{ minimumAccepted: 100 }, { share: 0.9999 }, share('99.9%', 100)],
	[{ minimumAccepted: 0 }, { share: 0 }, undefined],
	[{ minimumAccepted: 50, priceLimit: 9 }, { share: 0.1 }, tooMuch('10 RUB')],
	[{ minimumAccepted: 50, priceLimit: 10 }, { share: 0.1 }, share('10%', 50)],
])('%j, %j: %s', (limits, more, objection) => {
	expect(limitObjection({ ...rub, ...limits }, { ...ready, ...more })).toBe(objection);
});

/** A dispatch for two, with this price. */
const made = (id: number, estimate?: number, more: Partial<DispatchState> = {}): Made => {
	const message = { messageUuid: 'm', parts: 1 };
	const placed: Placed = [message, message, null];
	const state = entry({ id, estimate, givenEstimate: estimate, ...more });
	const createSentAt = { date: 0, steady: 0 };
	return { is: 'made', id, name: 'n', placed, state, currency: 'RUB', createSentAt };
};
const record = (one?: Made): DispatchRecord => ({
	name: 'n',
	itemIndexes: [0],
	id: one?.id,
	...(one && { made: { checked: {} as Checked, made: one } }),
});

test.each<[string, DispatchRecord[], string | undefined]>([
	['nothing else', [], undefined],
	[
		'another one',
		[record(made(2, 5))],
		tooMuch("5 RUB (plus 5 RUB for this run's other dispatches)"),
	],
	[
		'two others',
		[record(made(2, 3)), record(made(3, 2))],
		tooMuch("5 RUB (plus 5 RUB for this run's other dispatches)"),
	],
	['the same one, tried before', [record({ ...made(1, 5) })], undefined],
	['one whose price nobody knows', [record(made(2))], undefined],
	['one that was never made', [record()], undefined],
])("with what the run has started, %s: 'Price Limit' is for all", (_, others, objection) => {
	expect(startObjection({ ...rub, priceLimit: 9 }, made(1, 5), others, 1)).toBe(objection);
});

test('the others of the run are told by their own records', () => {
	const limits = { ...rub, minimumPeople: 3, minimumAccepted: 50 };
	expect(startObjection(limits, made(1, 5), [], 1)).toBe(few('2 recipients are', 3));
	expect(startObjection({ ...limits, minimumPeople: 2 }, made(1, 5), [], 0.4)).toBe(
		share('40%', 50),
	);
	const given = made(1, undefined, { givenEstimate: 'much' });
	expect(startObjection({ ...rub, priceLimit: 9 }, given, [], 1)).toBe(unread('"much"'));
});

test.each([
	[0, [], 0, 0],
	[2, [], 2, 1],
	[2, ['duplicate', 'duplicate'], 2, 1],
	[2, ['unreadableNumber', 'duplicate', 'emptyText'], 4, 0.5],
] as const)('%d accepted, %j rejected: %d people', (count, reasons, all, part) => {
	const rejected = reasons.map((reason) => ({
		itemIndex: 0,
		position: 0,
		phone: '',
		reason,
		detail: '',
	}));
	const plan = { accepted: people('a', 'b').slice(0, count), rejected };
	expect([peopleIn(plan), acceptedShare(plan, count)]).toEqual([all, part]);
});
