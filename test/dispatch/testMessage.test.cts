import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { hintsOf } from '../support/n8n.cts';
import { jsonOf, linksOf } from '../support/sandbox.cts';
import {
	block,
	firstNew,
	itemOf,
	itemsUpTo,
	messagesOf,
	numberOf,
	textFor,
} from './recipients.cts';
import { useDispatches } from './useDispatches.cts';

/** Send a Test To: one number, once, and nobody else. */

const { bench, created, statusOf } = useDispatches();
const testNumber = '79161112233';
const test1 = { testTo: '+7 916 111-22-33' };
const ofTests: INodeParameters = {
	companyId: { __rl: true, mode: 'id', value: String(demo.companies.flowers) },
	name: 'Spring sale',
	text: 'Dear {name}, code {code}.',
	destination: '={{ $json.phone }}',
};
const run = async (
	operation: string,
	more: INodeParameters,
	items: IDataObject[] = itemsUpTo(3),
	options: { tries?: number; onError?: 'continueRegularOutput' } = {},
) => await bench.run(`dispatch.${operation}`, { ...ofTests, ...more }, { items, ...options });
/** Everybody who got anything, with the text. */
const sent = () =>
	created().flatMap((id) =>
		messagesOf(bench.sandbox, id).map(({ destination, text }) => [destination, text]),
	);
const toTestNumber = [[testNumber, textFor(itemOf(0))]];

describe.each(['create', 'send'])('%s', (operation) => {
	test('only this number gets it, in a dispatch of its own that is marked as a test', async () => {
		const result = await run(operation, test1);
		expect(result.error).toBeUndefined();
		expect(sent()).toEqual(toTestNumber);
		expect(statusOf(firstNew)).toBe('STARTED');
		expect(bench.store.dispatches.get(firstNew)?.name).toMatch(/^\[Test\] Spring sale /);
		expect(jsonOf(result.items)).toMatchObject([
			{ isTest: true, dispatchId: firstNew, destination: testNumber, wouldReach: 3 },
		]);
		expect(linksOf(result.items)).toEqual([[{ item: 0 }, { item: 1 }, { item: 2 }]]);
		expect(hintsOf(result)).toEqual([
			`This was a test: only ${testNumber} gets the message. Clear 'Send a Test To' to send to 3 recipients.`,
		]);
	});

	test('a run that would make several dispatches sends one test', async () => {
		const result = await run(operation, { ...test1, name: '={{ $json.name }}' }, itemsUpTo(4));
		expect(sent()).toEqual(toTestNumber);
		expect(hintsOf(result)).toEqual([
			`This was a test: only ${testNumber} gets the message. Clear 'Send a Test To' to send to 4 recipients.`,
		]);
	});

	test.each([
		['gives nothing', '={{ $json.nope }}'],
		['gives blanks', '={{ " " }}'],
		['is empty for some items', '={{ $itemIndex === 0 ? "+79161112233" : "" }}'],
		['is empty for the first', '={{ $itemIndex === 0 ? "" : "+79161112233" }}'],
	])('an expression that %s: nobody gets anything', async (_, testTo) => {
		for (const onError of [undefined, 'continueRegularOutput'] as const) {
			const { error, items } = await run(operation, { testTo }, itemsUpTo(3), { onError });
			expect(`${error?.message} ${JSON.stringify(jsonOf(items))}`).toContain(
				"'Send a Test To' needs a phone number, not an expression",
			);
			expect(created()).toEqual([]);
		}
	});

	test('a number nobody can have: nobody gets anything', async () => {
		const { error } = await run(operation, { testTo: 'my phone' });
		expect(error?.message).toContain('\'Send a Test To\' "my phone"');
		expect(created()).toEqual([]);
	});

	test('the service rejects the number: the title names it', async () => {
		block(bench.sandbox, [testNumber]);
		const { error } = await run(operation, test1);
		expect(error?.message).toBe(`The service rejected the test number ${testNumber}`);
		expect(statusOf(firstNew)).toBe('CREATED');
	});

	test('Retry On Fail: one test', async () => {
		bench.sandbox.faults.add({
			kind: 'status',
			status: 400,
			match: { method: 'POST', path: '*/start' },
		});
		const { error } = await run(operation, test1, itemsUpTo(2), { tries: 2 });
		expect(error).toBeUndefined();
		expect(sent()).toEqual(toTestNumber);
	});
});

describe('with Dry Run', () => {
	test('the preview first, then the test; nobody else gets anything', async () => {
		const { items, error } = await run('send', { ...test1, mode: 'dryRun' });
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([
			{ summary: expect.stringMatching(/^3 of 3 people would get the message/) },
			{ isTest: true, destination: testNumber },
		]);
		expect(sent()).toEqual(toTestNumber);
	});

	test.each(['={{ $itemIndex === 0 ? "+79161112233" : "" }}', '={{ $json.nope }}'])(
		'%s: nobody gets anything',
		async (testTo) => {
			const { error } = await run('send', { testTo, mode: 'dryRun' });
			expect(error?.message).toContain("'Send a Test To'");
			expect(created()).toEqual([]);
		},
	);
});

describe('limits', () => {
	test('are about everybody: fewer people than the minimum do not stop a test', async () => {
		const limits = { minimumPeople: 3, minimumAccepted: 100 };
		const { error } = await run('send', { ...test1, options: limits });
		expect(error).toBeUndefined();
		expect(sent()).toEqual(toTestNumber);
		expect(statusOf(firstNew)).toBe('STARTED');
	});

	test('but the price counts, and a test that did not go out is an error', async () => {
		const limits = { whenPassed: 'leave' };
		const result = await run('send', { ...test1, priceLimit: 0.01, options: limits });
		expect(result.error?.message).toContain("but 'Price Limit' is 0.01 RUB");
		expect(hintsOf(result)).toEqual([]);
		expect(statusOf(firstNew)).toBe('CREATED');
	});
});

test('Preview has no such field', async () => {
	const { items } = await run('preview', test1);
	expect(jsonOf(items)).toMatchObject([{ recipients: 3 }]);
	expect(created()).toEqual([]);
});

test('the test number may be among the recipients: afterwards everybody gets it once', async () => {
	const people = [{ ...itemOf(0), phone: testNumber }, itemOf(1)];
	await run('send', test1, people);
	const { error } = await run('send', {}, people);
	expect(error).toBeUndefined();
	expect(messagesOf(bench.sandbox, firstNew + 1).map(({ destination }) => destination)).toEqual([
		testNumber,
		numberOf(1),
	]);
});
