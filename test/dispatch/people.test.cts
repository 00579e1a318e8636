import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { sumUp, type Counted } from '../../nodes/dispatches/tell/people';
import { hintsOf } from '../support/n8n.cts';
import { byId, jsonOf } from '../support/sandbox.cts';
import { block, fromItems, itemOf, itemsUpTo, numberOf } from './recipients.cts';
import { useDispatches, usePausesOfService } from './useDispatches.cts';

// Pauses take no time for us, and their time for the service.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

/** Everybody is counted once: the summary adds up, and it says the same as the rows. */

const dispatches = useDispatches();
usePausesOfService(dispatches);
const { bench } = dispatches;

/** What a person's item is, and what a dispatch that is started makes of it. */
const kinds = {
	valid: (index: number) => itemOf(index),
	unreadable: (index: number) => ({ ...itemOf(index), phone: 'call me' }),
	duplicate: (index: number) => ({ ...itemOf(index), phone: numberOf(0) }),
	noValue: (index: number) => ({ ...itemOf(index), name: null }),
	blocked: (index: number) => itemOf(index),
	foreign: (index: number) => ({ ...itemOf(index), phone: `+49 151 ${23_450_000 + index}` }),
	/** Sent before, with the same text. */
	had: (index: number) => itemOf(index),
	// The numbers that are never sent to; one for each operator.
	unsent: (index: number) => ({ ...itemOf(index), phone: `${numberOf(index).slice(0, 4)}9990002` }),
};
type Kind = keyof typeof kinds;
const names = Object.keys(kinds) as Kind[];

/** In which of the summary's groups a row is. */
const groupOf: Readonly<Record<string, string>> = {
	delivered: 'reached',
	accepted: 'onTheWay',
	pending: 'onTheWay',
	wouldBeSent: 'wouldReach',
	failed: 'failed',
	skipped: 'leftOut',
	notStarted: 'notStarted',
	unknown: 'unknown',
};
const groups = new Set([...Object.values(groupOf), 'hasItAlready']);

const countBy = (entries: readonly string[]) => {
	const counts: Record<string, number> = {};
	for (const one of entries) counts[one] = (counts[one] ?? 0) + 1;
	return counts;
};

/** How the hint about lost recipients begins, before and after their number. */
const lossWords = (json: IDataObject) => {
	if ('wouldSend' in json)
		return [json.notStarted === undefined ? '' : 'If it were sent, ', "wouldn't"];
	if ('completed' in json && json.onTheWay === 0) return ['', "didn't"];
	return json.notStarted === undefined ? ['', "won't"] : ['If you start the dispatch, ', "won't"];
};

const ways: ReadonlyArray<[string, INodeParameters]> = [
	['create', {}],
	['send', {}],
	['send', { waitUntilDelivered: true }],
	['send', { waitUntilDelivered: true, limitMinutes: 0 }],
	['send', { priceLimit: 0.01, whenPassed: 'leave' }],
	['send', { mode: 'dryRun' }],
	['preview', {}],
	['preview', { priceLimit: 0.01 }],
	['addMessages', {}],
];

test.each(ways)(
	'any list, %s %j: the summary adds up, and agrees with the rows',
	async (...way) => {
		const [operation, more] = way;
		await fc.assert(
			fc.asyncProperty(fc.array(fc.constantFrom(...names), { maxLength: 25 }), async (rest) => {
				const drawn: Kind[] = ['valid', ...rest];
				const items: IDataObject[] = drawn.map((kind, index) => kinds[kind](index));
				const are = (kind: Kind) => items.filter((_, index) => drawn[index] === kind);
				const had = operation === 'addMessages' ? [] : are('had');
				const run = async (output: string) => {
					bench.sandbox.reset('demo');
					const blocked = are('blocked').map(({ phone }) => String(phone).slice(1));
					block(bench.sandbox, blocked);
					if (had.length > 0) await bench.run('dispatch.send', fromItems, { items: had });
					const parameters = {
						...fromItems,
						ifSent: 'new',
						missingValues: 'skip',
						...more,
						output,
					};
					if (operation === 'addMessages') {
						const made = await bench.run('dispatch.create', fromItems, { items: [itemOf(99)] });
						Object.assign(parameters, { id: byId(Number(made.items[0]?.json.dispatchId)) });
					}
					return await bench.run(`dispatch.${operation}`, parameters, { items });
				};
				const summary = await run('summary');
				const rows = await run('recipients');
				expect([summary.error, rows.error]).toEqual([undefined, undefined]);

				const [json = {}] = jsonOf(summary.items);
				const shown = Object.entries(json).filter(([name]) => groups.has(name));
				const sum = shown.reduce((total, [, count]) => total + Number(count), 0);
				const repeated = Number(json.duplicates ?? 0);
				expect([json.recipients, sum]).toEqual([drawn.length - repeated, drawn.length - repeated]);

				expect(rows.items).toHaveLength(drawn.length);
				const numbered = jsonOf(rows.items).map(
					(row, index): IDataObject => ({ ...row, item: index + 1 }),
				);
				const people = numbered.filter(({ reasonCode }) => reasonCode !== 'duplicate');
				expect(people).toHaveLength(drawn.length - repeated);
				const hasIt = ({ reasonCode }: IDataObject) => reasonCode === 'hasItAlready';
				const outcomes = people.map((one) =>
					hasIt(one) ? 'hasItAlready' : (groupOf[String(one.outcome)] ?? ''),
				);
				expect(outcomes.filter((one) => one === 'hasItAlready')).toHaveLength(had.length);
				expect(countBy(outcomes)).toEqual(
					Object.fromEntries(shown.filter(([, count]) => Number(count) > 0)),
				);

				const lost = people.filter(
					(one) => !hasIt(one) && ['failed', 'skipped'].includes(String(one.outcome)),
				);
				const codes = lost.map(({ reasonCode }) => String(reasonCode));
				expect(json.reasons ?? {}).toEqual(countBy(codes));
				expect('reasons' in json).toBe(lost.length > 0);
				const notReached = (json.notReached ?? []) as IDataObject[];
				const byItem = [...notReached].sort((a, b) => Number(a.item) - Number(b.item));
				expect(byItem).toEqual(
					lost.map(({ destination, name, outcome, reason, reasonCode, item }) => ({
						destination,
						...(name && { name }),
						outcome,
						reason,
						reasonCode,
						item,
					})),
				);
				const told = hintsOf(summary).filter((hint) => hint.includes(' get the message'));
				const who = `${lost.length} of ${people.length} ${people.length === 1 ? 'recipient' : 'recipients'} `;
				const [before = '', verb = ''] = lossWords(json);
				expect(told.map((hint) => hint.startsWith(`${before}${who}${verb} get`))).toEqual(
					lost.length > 0 ? [true] : [],
				);
			}),
			{ numRuns: 8 },
		);
	},
);

test('the first hundred who are not reached are named, everybody is counted', async () => {
	const items = itemsUpTo(130).map((one, index) => (index < 5 ? one : { ...one, phone: 'x' }));
	const result = await bench.run('dispatch.send', fromItems, { items });
	expect(jsonOf(result.items)).toMatchObject([
		{ recipients: 130, onTheWay: 5, leftOut: 125, reasons: { unreadableNumber: 125 } },
	]);
	expect(result.items[0]?.json.notReached).toHaveLength(100);
	expect(hintsOf(result)).toEqual([
		"125 of 130 recipients won't get the message: 125 unreadable phone numbers. The field \"notReached\" in the result names the first 100 and says why. To see everyone who was left out without sending anything, use 'Preview' with 'Output' set to 'Recipients'.",
	]);
});

describe('several dispatches of one run', () => {
	const people = [itemOf(0), { ...itemOf(1), phone: 'x' }, itemOf(2)];
	const apart = { name: '={{ $itemIndex < 2 ? "First" : "Second" }}' };

	test.each([
		['rows, somebody is left out of one', 'send', { output: 'recipients' }],
		['rows of a preview', 'preview', { output: 'recipients' }],
		['summaries, somebody is left out of one', 'send', {}],
		['summaries of a preview', 'preview', {}],
		['one started, one not', 'send', { priceLimit: 4, whenPassed: 'leave' }],
		[
			'rows, one started, one not',
			'send',
			{ priceLimit: 4, whenPassed: 'leave', output: 'recipients' },
		],
	])('%s: all have the same columns', async (_, operation, more) => {
		const parameters = { ...fromItems, ...apart, ...more };
		const { items, error } = await bench.run(`dispatch.${operation}`, parameters, {
			items: people,
		});
		expect(error).toBeUndefined();
		const columns = jsonOf(items).map((json) => Object.keys(json));
		expect(columns.length).toBeGreaterThan(1);
		expect(columns).toEqual(columns.map(() => columns[0]));
		expect(columns[0]).toContain('output' in more ? 'reason' : 'notReached');
	});

	test('a count that is 0 and a list that is empty are so', async () => {
		const { items } = await bench.run(
			'dispatch.send',
			{ ...fromItems, ...apart, priceLimit: 4, whenPassed: 'leave' },
			{ items: people },
		);
		expect(jsonOf(items)).toMatchObject([
			{ started: true, notStarted: 0, leftOut: 1 },
			{ started: false, notStarted: 1, reasons: {}, notReached: [] },
		]);
	});
});

test('everybody is reached: nothing that is empty', async () => {
	const { items } = await bench.run('dispatch.send', fromItems, { items: itemsUpTo(2) });
	expect(Object.keys(items[0]?.json ?? {})).toEqual([
		'summary',
		'name',
		'status',
		'recipients',
		'reached',
		'onTheWay',
		'failed',
		'leftOut',
		'priceEstimate',
		'started',
		'dispatchId',
	]);
});

test.each<[Partial<Counted['people']>, Partial<Counted>, string]>([
	[{ onTheWay: 2 }, {}, 'The service accepted the message for 2 of 2 people.'],
	[{ onTheWay: 1 }, {}, 'The service accepted the message for 1 of 1 person.'],
	[
		{ onTheWay: 2, failed: 1, leftOut: 1 },
		{ duplicates: 1 },
		'5 rows, 1 duplicate: 4 people. The service accepted the message for 2 of 4 people. 1 failed, 1 was left out.',
	],
	[{ reached: 2 }, { hasWaited: true }, '2 of 2 people got the message.'],
	[
		{ onTheWay: 2, leftOut: 2, unknown: 1 },
		{ hasWaited: true, duplicates: 2 },
		'7 rows, 2 duplicates: 5 people. 0 of 5 people got the message. 2 are on the way, 2 were left out, 1 has an unknown result.',
	],
	[
		{ onTheWay: 1, unknown: 2 },
		{ hasWaited: true },
		'0 of 3 people got the message. 1 is on the way, 2 have an unknown result.',
	],
	[
		{ notStarted: 2, failed: 1_000 },
		{},
		"Nobody gets the message yet: the dispatch isn't started. 2 of 1,002 people are in it. 1,000 failed.",
	],
	[
		{ notStarted: 1 },
		{},
		"Nobody gets the message yet: the dispatch isn't started. 1 of 1 person is in it.",
	],
	[
		{ onTheWay: 1, hasItAlready: 1 },
		{},
		'The service accepted the message for 1 of 2 people. 1 has it already.',
	],
	[
		{ onTheWay: 1, hasItAlready: 4 },
		{},
		'The service accepted the message for 1 of 5 people. 4 have it already.',
	],
	[{ hasItAlready: 7 }, {}, 'Everybody has it already: dispatch 17.'],
	[
		{ hasItAlready: 6, leftOut: 1 },
		{},
		'Nobody new: 6 of 7 people have it already: dispatch 17. 1 was left out.',
	],
	[
		{ hasItAlready: 1, failed: 1 },
		{},
		'Nobody new: 1 of 2 people has it already: dispatch 17. 1 failed.',
	],
	[
		{ hasItAlready: 1, notStarted: 1 },
		{},
		"Nobody gets the message yet: the dispatch isn't started. 1 of 2 people is in it. 1 has it already.",
	],
])('%j %j in a sentence', (some, more, sentence) => {
	const people = { reached: 0, onTheWay: 0, failed: 0, leftOut: 0, ...some };
	const recipients = Object.values(people).reduce((sum, count) => sum + count, 0);
	const all = {
		people: { ...people, recipients },
		duplicates: 0,
		hasWaited: false,
		reasons: {},
		notReached: [],
	};
	expect(sumUp({ ...all, ...more }, 'dispatch 17')).toBe(sentence);
});
