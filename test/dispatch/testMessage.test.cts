import type { INodeParameters } from 'n8n-workflow';
import { withoutCode } from '../../core/contract/dispatchName';
import { hintsOf } from '../support/n8n.cts';
import { jsonOf, linksOf } from '../support/sandbox.cts';
import {
	block,
	firstNew,
	itemOf,
	itemsUpTo,
	messagesOf,
	numberOf,
	plain,
	textFor,
} from './recipients.cts';
import { useDispatches } from './useDispatches.cts';

// Pauses take no time.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

/** Mode 'Send a Test': one number, once, and nobody else. */

const { bench, run, created, statuses, statusOf } = useDispatches(plain);
const testNumber = '79161112233';
const to = (number: string) => ({ mode: 'test', testNumber: number });
const test1 = to('+7 916 111-22-33');
const send = async (
	more: INodeParameters,
	items = itemsUpTo(3),
	options?: Parameters<typeof run>[3],
) => await run('send', more, items, options);
/** Everybody who got anything, with the text. */
const sent = () =>
	created().flatMap((id) =>
		messagesOf(bench.sandbox, id).map(({ destination, text }) => [destination, text]),
	);
const toTestNumber = [[testNumber, textFor(itemOf(0))]];
/** What the hint says of the dispatch that was made last. */
const hint = () => {
	const name = withoutCode(bench.store.dispatches.get(created().at(-1) ?? 0)?.name ?? '');
	expect(name).toMatch(/^\[Test\] (?:Spring sale|Name 0), \d+ \w{3}, \d\d:\d\d$/);
	return `This was a test: only ${testNumber} gets the message. Its dispatch is called "${name}". To send to your recipients, set 'Mode' to 'Send'.`;
};

describe('Send a Test', () => {
	test('only this number gets it, in a dispatch of its own that is marked as a test', async () => {
		const result = await send(test1);
		expect(result.error).toBeUndefined();
		expect(sent()).toEqual(toTestNumber);
		expect(statusOf(firstNew)).toBe('STARTED');
		expect(jsonOf(result.items)).toMatchObject([
			{
				destination: testNumber,
				outcome: 'accepted',
				text: textFor(itemOf(0)),
				started: true,
				status: 'STARTED',
				isTest: true,
				wouldReach: 3,
				dispatchId: firstNew,
			},
		]);
		expect(linksOf(result.items)).toEqual([[{ item: 0 }, { item: 1 }, { item: 2 }]]);
		expect(hintsOf(result)).toEqual([hint()]);
	});

	test('a start that is rejected, and a retry: another dispatch, and nobody else gets it', async () => {
		bench.fault('status', 'POST', '*/start', { status: 400, code: 4000 });
		const result = await send(test1, itemsUpTo(3), { tries: 2 });
		expect(sent()).toEqual([...toTestNumber, ...toTestNumber]);
		expect(statuses()).toEqual(['CREATED', 'STARTED']);
		expect(hintsOf(result)).toEqual([hint()]);
	});

	test('a run that would make several dispatches sends one test', async () => {
		const result = await send({ ...test1, name: '={{ $json.name }}' }, itemsUpTo(4));
		expect(sent()).toEqual(toTestNumber);
		expect(hintsOf(result)).toEqual([hint()]);
	});

	test.each([
		['gives nothing', '={{ $json.nope }}'],
		['gives blanks', '={{ " " }}'],
		['is empty for some items', '={{ $itemIndex === 0 ? "+79161112233" : "" }}'],
		['is empty for the first', '={{ $itemIndex === 0 ? "" : "+79161112233" }}'],
	])('an expression that %s: nobody gets anything', async (_, number) => {
		for (const onError of [undefined, 'continueRegularOutput'] as const) {
			const { error, items } = await send(to(number), itemsUpTo(3), { onError });
			expect(`${error?.message} ${JSON.stringify(jsonOf(items))}`).toContain(
				"'Test Number' needs a phone number, not an expression",
			);
			expect(created()).toEqual([]);
		}
	});

	test('a number nobody can have: nobody gets anything', async () => {
		const { error } = await send(to('my phone'));
		expect(error?.message).toContain('\'Test Number\' "my phone"');
		expect(created()).toEqual([]);
	});

	test('the service rejects the number: the title names it', async () => {
		block(bench.sandbox, [testNumber]);
		const { error } = await send(test1);
		expect(error?.message).toBe(`The service rejected the test number ${testNumber}`);
		expect(error?.description).toMatch(
			/^Nobody got a message\. No sender name matches .*'Test Number'/,
		);
		expect(statusOf(firstNew)).toBe('CREATED');
	});
});

describe.each([undefined, 'continueRegularOutput'] as const)('on error %s', (onError) => {
	test.each([{ testNumber: '' }, {}])(
		'Test Number is missing, %j: n8n does not run it',
		async (more) => {
			const sending = send({ mode: 'test', ...more }, itemsUpTo(3), { onError });
			await expect(sending).rejects.toThrow('Parameter "Test Number" is required.');
			expect(bench.recorded).toEqual([]);
		},
	);

	test('Test Number is blank: an error before anything is sent', async () => {
		const before = bench.contents();
		const { error, items } = await send(to('  '), itemsUpTo(3), { onError });
		expect(`${error?.message} ${JSON.stringify(jsonOf(items))}`).toContain(
			"'Test Number' is required",
		);
		expect(bench.contents()).toBe(before);
		expect(bench.sent('POST', '/dispatches')).toBe(0);
	});

	test('a mode that does not exist is an error before anything is sent', async () => {
		const more = { mode: 'rehearse', testNumber: `+${testNumber}` };
		const { error, items } = await send(more, itemsUpTo(3), { onError });
		expect(`${error?.message} ${JSON.stringify(jsonOf(items))}`).toContain("'Mode'");
		expect(bench.sent('POST', '/dispatches')).toBe(0);
	});
});

test.each(['send', 'dryRun'])('Mode %s: a number that is left there gets nothing', async (mode) => {
	const { error } = await send({ ...test1, mode });
	expect(error).toBeUndefined();
	expect(sent().map(([number]) => number)).toEqual(mode === 'send' ? [0, 1, 2].map(numberOf) : []);
});

describe('limits', () => {
	test('are about everybody: fewer people than the minimum do not stop a test', async () => {
		const limits = { minimumPeople: 3, minimumAccepted: 100 };
		const { error } = await send({ ...test1, options: limits });
		expect(error).toBeUndefined();
		expect(sent()).toEqual(toTestNumber);
		expect(statusOf(firstNew)).toBe('STARTED');
	});

	test('but the price counts, and a test that did not go out is an error', async () => {
		const limits = { whenPassed: 'leave' };
		const result = await send({ ...test1, priceLimit: 0.01, options: limits });
		expect(result.error?.message).toContain("but 'Price Limit' is 0.01 RUB");
		expect(hintsOf(result)).toEqual([]);
		expect(statusOf(firstNew)).toBe('CREATED');
	});
});

test.each([
	['preview', []],
	['create', ['CREATED']],
])('%s has no such mode: nobody gets anything', async (operation, expected) => {
	const { items } = await run(operation, test1, 3);
	expect(jsonOf(items)).toMatchObject([{ recipients: 3 }]);
	expect(items[0]?.json).not.toHaveProperty('isTest');
	expect(statuses()).toEqual(expected);
});

test('the test number may be among the recipients: afterwards everybody gets it once', async () => {
	const people = [{ ...itemOf(0), phone: testNumber }, itemOf(1)];
	await send(test1, people);
	const { error } = await send({}, people);
	expect(error).toBeUndefined();
	expect(messagesOf(bench.sandbox, firstNew + 1).map(({ destination }) => destination)).toEqual([
		testNumber,
		numberOf(1),
	]);
});
