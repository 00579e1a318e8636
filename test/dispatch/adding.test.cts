import type { INodeParameters } from 'n8n-workflow';
import { hintsOf } from '../support/n8n.cts';
import { byId, jsonOf } from '../support/sandbox.cts';
import { block, firstNew, itemsUpTo, messagesOf, numberOf } from './recipients.cts';
import { tempo } from '../support/tempo.cts';
import { listOf, useDispatches } from './useDispatches.cts';

// Pauses take no time.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

/** Add Messages: where it stops, it says exactly who is in the dispatch. */

const { bench, run, destinations, numbers, answer, show } = useDispatches();

const appendPath = '*/dispatches/*/messages';
const looks = () => bench.sent('GET', '/messages');
const appends = () => bench.sent('POST', `/dispatches/${firstNew}/messages`);

/** Adds the recipients after the first ones to the dispatch that has the first ones. */
const add = async (
	more: INodeParameters = {},
	{ from = 1, to = 6, tries = 1 }: { from?: number; to?: number; tries?: number } = {},
) =>
	await run(
		'addMessages',
		{ id: byId(firstNew), options: { batchSize: 2 }, ...more },
		itemsUpTo(to).slice(from),
		tries,
	);

const failAppend = (fault: Partial<Parameters<typeof bench.sandbox.faults.add>[0]> = {}) =>
	bench.fault('status', 'POST', appendPath, { status: 400, code: 4000, times: 1_000, ...fault });

describe('who is in it must be known', () => {
	/** The list shows each number as `write` writes it. */
	const listNumbers = (write: (number: string) => string) => {
		const items = messagesOf(bench.sandbox, firstNew).map(({ uuid, destination }) => ({
			destination: write(destination),
			messageUuid: uuid,
		}));
		answer('/messages', { total: items.length, items });
	};

	test('the list stays shorter than the count: nothing is added, after a minute of looks', async () => {
		await run('create', {}, 3);
		answer('/messages', { total: 1, items: [{ destination: numberOf(0), messageUuid: 'u-0' }] });
		const { error } = await add({}, { from: 3 });
		expect(error?.message).toBe(`The node couldn't read who is in dispatch ${firstNew}`);
		expect(error?.description).toBe(
			'Nothing was added in this attempt. Run it again in five minutes: those who are already in it are skipped.',
		);
		expect(appends()).toBe(0);
		expect(looks()).toBeGreaterThan(5);
		expect(destinations(firstNew)).toEqual(numbers(3));
	});

	test('the list is rejected: that is said at once, with the reason', async () => {
		await run('create', {}, 1);
		bench.forget();
		bench.fault('status', 'GET', '/messages', { status: 403, times: 1_000 });
		const { error } = await add();
		expect(error?.message).toBe("This account isn't allowed to use this operation");
		expect([looks(), appends()]).toEqual([1, 0]);
	});

	test('the list fails again and again: the reason is told, and nothing is added', async () => {
		await run('create', {}, 1);
		bench.fault('status', 'GET', '/messages', { status: 502, times: 1_000 });
		const { error } = await add();
		expect(error?.message).toBe(`The node couldn't read who is in dispatch ${firstNew}`);
		expect(error?.description).toMatch(
			/^Nothing was added in this attempt\. Run it again .+ skipped\. Something went wrong on the service's side\./,
		);
		expect(appends()).toBe(0);
	});

	test.each(['IN_PROGRESS', undefined])(
		'its status is %s, so it may have been started: nobody is added',
		async (status) => {
			await run('create', {}, 1);
			show(firstNew, 1, { status });
			const { error } = await add();
			expect(error?.message).toBe(
				`Dispatch ${firstNew} doesn't show whether it was started, so recipients can't be added`,
			);
			expect(appends()).toBe(0);
		},
	);

	test('a list that lags is waited for', async () => {
		await run('create', {}, 3);
		const short = { total: 1, items: [{ destination: numberOf(0), messageUuid: 'u-0' }] };
		answer('/messages', short, { times: 2 });
		const { error } = await add({}, { from: 0 });
		expect(error).toBeUndefined();
		expect([...destinations(firstNew)].sort()).toEqual([...numbers(6)].sort());
	});

	test('a count without the rejected ones is complete, too', async () => {
		block(bench.sandbox, [numberOf(1)]);
		await run('create', {}, 3);
		const dispatch = bench.store.dispatches.get(firstNew)!;
		const listed = dispatch.messages.map(({ destination, reason }, index) => ({
			destination,
			messageUuid: `u-${index}`,
			...(reason === null ? { status: 'CREATED' } : { status: 'FAILED', errorCode: 453 }),
		}));
		answer('/messages', { total: listed.length, items: listed });
		show(firstNew, 2);
		const { error } = await add({}, { from: 0 });
		expect(error).toBeUndefined();
		const added = bench.store.dispatches
			.get(firstNew)!
			.messages.map(({ destination }) => destination);
		expect(new Set(added).size).toBe(added.length);
	});

	test('it was started, and the list is out of date: the service is not asked', async () => {
		await run('send', {}, 2);
		answer('/messages', { total: 0, items: [] });
		const { error } = await add({}, { from: 0, to: 3 });
		expect(error?.message).toBe(
			`Dispatch ${firstNew} was already started, so recipients can't be added`,
		);
		expect(error?.description).toContain('Nothing was added in this attempt.');
		expect(appends()).toBe(0);
		expect(destinations(firstNew)).toEqual(numbers(2));
	});

	test.each<[string, (number: string) => string, string]>([
		[
			'masked',
			(one) => `${one.slice(0, 4)}*****${one.slice(-2)}`,
			`The service lists a message in dispatch ${firstNew} without a number or an ID.`,
		],
		['with 8', (one) => `8${one.slice(1)}`, 'written in another way. Send to these recipients'],
		['without the country', (one) => one.slice(1), 'written in another way'],
	])('the list shows numbers %s: nobody is added twice', async (_, write, reason) => {
		await run('create', {}, 2);
		listNumbers(write);
		const { error } = await add({}, { from: 0, to: 2 });
		expect(error?.description).toContain('Nothing was added in this attempt.');
		expect(error?.description).toContain(reason);
		expect(error?.context).toMatchObject({ accepted: 0, firstItemNotAccepted: 0 });
		expect(destinations(firstNew)).toEqual(numbers(2));
	});

	test.each<[string, (number: string) => string]>([
		['with spaces', (one) => `+7 (${one.slice(1, 4)}) ${one.slice(4)}`],
		['as links', (one) => `tel:+${one}`],
	])('the list shows numbers %s: the same people', async (_, write) => {
		await run('create', {}, 2);
		listNumbers(write);
		const { items } = await add({}, { from: 0, to: 2 });
		expect(jsonOf(items)).toMatchObject([{ alreadyInDispatch: 2 }]);
		expect(destinations(firstNew)).toEqual(numbers(2));
	});

	test('it was sent, and everybody is in it: nobody is said to get no message yet', async () => {
		await run('send', {}, 2);
		bench.sandbox.tick(86_400_000);
		const { error } = await add({}, { from: 0, to: 2 });
		expect(error?.message).toBe(
			`Dispatch ${firstNew} was already sent, so recipients can't be added`,
		);
		expect(error?.description).toContain('All these recipients are already in it');
		expect(error?.context).toMatchObject({ accepted: 2 });
		expect(appends()).toBe(0);
	});

	test('a person starts it after the last request: the messages are on the way', async () => {
		await run('create', {}, 1);
		const state = { id: firstNew, name: 'Spring sale', status: 'STARTED', priceEstimate: 1 };
		answer(`*/dispatches/${firstNew}`, { ...state, messages: { total: 2 } }, { after: 1 });
		const { items } = await add({}, { from: 1, to: 2 });
		expect(jsonOf(items)).toMatchObject([
			{
				summary: 'The service accepted the message for 1 of 1 person.',
				status: 'STARTED',
				onTheWay: 1,
			},
		]);
	});
});

test.each(['IN_PROGRESS', undefined])(
	'the last read shows the status %s: nobody is said to get the message',
	async (status) => {
		await run('create', {}, 1);
		const shown = { id: firstNew, name: 'Spring sale', status, messages: { total: 2 } };
		answer(`*/dispatches/${firstNew}`, shown, { after: 1 });
		const { items } = await add({}, { from: 1, to: 2 });
		expect(jsonOf(items)).toMatchObject([{ onTheWay: 0, notStarted: 1 }]);
	},
);

test('another run five minutes after a lost request: everybody is added once', async () => {
	await run('create', {}, 1);
	failAppend({ kind: 'reset', times: 1 });
	const { error } = await add({}, { from: 1, to: 3 });
	expect(error?.description).toBe(
		"0 recipients are in it for certain; the first unconfirmed one is item 1. The dispatch isn't started by this operation. Run it again in five minutes: those who are already in it are skipped. The connection to the service was lost.",
	);
	tempo.pausedMs += 300_000;
	expect((await add({}, { from: 1, to: 3 })).error).toBeUndefined();
	expect(destinations(firstNew)).toEqual(numbers(3));
});

test.each([
	['429', () => failAppend({ status: 429 })],
	['an error of the contract', () => failAppend()],
])('another run right after a request that got %s: everybody is added', async (_, fail) => {
	await run('create', {}, 1);
	fail();
	expect((await add()).error).toBeDefined();
	bench.sandbox.faults.clear();
	expect((await add()).error).toBeUndefined();
	expect(destinations(firstNew)).toEqual(numbers(6));
});

test('somebody was rejected and added again: no hint', async () => {
	await run('create', {}, 2);
	const { items } = listOf([0, 1, 1]);
	answer('/messages', {
		total: 3,
		items: items.map((one, index) => (index === 1 ? { ...one, status: 'FAILED' } : one)),
	});
	show(firstNew, 3);
	expect(hintsOf(await add({}, { from: 0, to: 2 })).join()).not.toContain('already have one in it');
});

test('somebody is in it twice: a hint', async () => {
	await run('create', {}, 2);
	answer('/messages', listOf([0, 1, 1]));
	show(firstNew, 3);
	const result = await add({}, { from: 0, to: 2 });
	expect(hintsOf(result)).toContain(
		`Dispatch ${firstNew} contains 1 message to people who already have one in it. If you start it, they get more than one. To send to everyone once, create another dispatch.`,
	);
});

test('another process adds meanwhile: a hint, whatever the list shows by then', async () => {
	await run('create', {}, 1);
	show(firstNew, 5, {}, { after: 1 });
	const result = await add({}, { to: 3 });
	expect(hintsOf(result)).toEqual([
		`Dispatch ${firstNew} contains 2 messages that another run or a person has added meanwhile, perhaps to the same people. Check the dispatch before you start it. To send to everyone once, create another dispatch.`,
	]);
});

test('nobody else adds: the list is read once', async () => {
	await run('create', {}, 1);
	bench.forget();
	expect(hintsOf(await add({}, { to: 3 }))).toEqual([]);
	expect(looks()).toBe(1);
});

describe('where it stops', () => {
	test('the next try cannot read who is in it: it still says that some may have been added', async () => {
		await run('create', {}, 1);
		failAppend({ kind: 'reset', times: 1 });
		bench.fault('status', 'GET', '*/messages', { status: 502, after: 1, times: 1_000 });
		const { error } = await add({}, { to: 3, tries: 2 });
		expect(error?.description).toMatch(
			/^Nothing was added in this attempt\. An earlier attempt of this run may have added some of these recipients\. /,
		);
		expect(appends()).toBe(1);
	});

	test('canceled between two requests: the rest is not added', async () => {
		await run('create', {}, 1);
		let cancel = () => {};
		bench.flight.beforeAnswer = async () => {
			if (appends() === 1) cancel();
		};
		const { error } = await run(
			'addMessages',
			{ id: byId(firstNew), options: { batchSize: 2 } },
			itemsUpTo(6).slice(1),
			{
				onStart: (end) => {
					cancel = end;
				},
			},
		);
		bench.flight.beforeAnswer = undefined;
		expect(error?.description).toContain('cancel');
		expect(appends()).toBe(1);
	});

	test('a person starts it before the first request: that is the reason', async () => {
		await run('create', {}, 1);
		const state = { id: firstNew, name: 'Spring sale', messages: { total: 1 } };
		answer(`*/dispatches/${firstNew}`, { ...state, status: 'CREATED' }, { times: 1 });
		answer(`*/dispatches/${firstNew}`, { ...state, status: 'STARTED' });
		failAppend({ status: 403, code: 4031 });
		const { error } = await add({}, { to: 3 });
		expect(error?.message).toBe(
			`Dispatch ${firstNew} was already started, so recipients can't be added`,
		);
	});

	test('the first request is rejected: the reason is the title', async () => {
		await run('create', {}, 1);
		failAppend();
		const { error } = await add();
		expect(error?.message).toBe('The service rejected the request as invalid');
		expect(destinations(firstNew)).toEqual(numbers(1));
	});

	test.each([
		['one', 1, '1 recipient is in it for certain'],
		['two', 2, '2 recipients are in it for certain'],
	])('%s: in the right number', async (_, batchSize, words) => {
		await run('create', {}, 1);
		failAppend({ after: 1 });
		const { error } = await add({ options: { batchSize } });
		expect(error?.description).toContain(words);
	});

	test('a request is lost and its people never turn up: said, and no try adds them again', async () => {
		await run('create', {}, 1);
		bench.fault('reset', 'POST', appendPath);
		const { error } = await add({}, { tries: 2 });
		expect(appends()).toBe(1);
		expect(error?.message).toBe(`Not all recipients were added to dispatch ${firstNew}`);
		expect(error?.description).toContain(
			'It is not known whether an earlier attempt has added the others.',
		);
		expect(error?.description).toContain('0 recipients are in it for certain');
		expect(destinations(firstNew)).toEqual(numbers(1));
	});

	test('a reply that names nobody, and they are not in the list: not taken for added', async () => {
		await run('create', {}, 1);
		bench.fault('status', 'POST', appendPath, { status: 200, body: '{"done": true}' });
		const { error } = await add();
		expect(error?.description).toContain("The service's response doesn't show who was added.");
		expect(appends()).toBe(1);
	});

	test('a reply that names nobody, and they are in the list: counted', async () => {
		await run('create', {}, 1);
		bench.fault('commit-then-status', 'POST', appendPath, { status: 200, body: '{"done": true}' });
		const { items, error } = await add();
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew, recipients: 5, notStarted: 5 }]);
		expect(destinations(firstNew)).toEqual(numbers(6));
	});
});

describe('two runs at once', () => {
	test('the second one stops, and says why; afterwards it skips whom the first has added', async () => {
		await run('create', {}, 1);
		const [first, second] = await Promise.all([add(), add()]);
		const errors = [first.error, second.error].filter((error) => error !== undefined);
		expect(errors.map(({ message }) => message)).toEqual([
			`Another run is adding recipients to dispatch ${firstNew}`,
		]);
		expect(errors[0]?.description).toContain(
			'Nothing was added in this attempt. Run it again when that one has ended: those who are already in it are skipped.',
		);
		const again = await add();
		expect(again.error).toBeUndefined();
		expect(hintsOf(again)).toContain(
			`5 recipients were already in dispatch ${firstNew} and weren't added again.`,
		);
		expect(destinations(firstNew)).toEqual(numbers(6));
	});
});

test('the second of two dispatches fails: the error gives one advice, to run it again', async () => {
	await run('create', {}, 1);
	await run('create', { name: 'Another' }, 1);
	bench.fault('status', 'GET', `*/dispatches/${firstNew + 1}`, { status: 502, times: 1_000 });
	const { error } = await run(
		'addMessages',
		{ id: byId(`={{ ${firstNew} + $itemIndex % 2 }}`) },
		itemsUpTo(6).slice(2),
	);
	expect(error?.message).toBe(`The node couldn't read who is in dispatch ${firstNew + 1}`);
	expect(error?.description).toContain(
		`Dispatch ${firstNew} was processed before this error. Running this again adds nobody twice. `,
	);
	expect(error?.description).not.toContain("Don't");
	bench.sandbox.faults.clear();
	const before = destinations(firstNew);
	await add({}, { from: 0, to: 6 });
	expect(new Set(destinations(firstNew)).size).toBe(destinations(firstNew)?.length);
	expect(before).toHaveLength(3);
});

test('the last of three dispatches fails: both others are named', async () => {
	for (const name of ['A', 'B', 'C']) await run('create', { name }, 1);
	failAppend({ match: { method: 'POST', path: `*/dispatches/${firstNew + 2}/messages` } });
	const { error } = await run(
		'addMessages',
		{ id: byId(`={{ ${firstNew} + $itemIndex }}`) },
		itemsUpTo(4).slice(1),
	);
	expect(error?.description).toContain(
		`Dispatches ${firstNew}, ${firstNew + 1} were processed before this error.`,
	);
});

test('one who is in it already: in the right number', async () => {
	await run('create', {}, 1);
	const result = await add({}, { from: 0, to: 2 });
	expect(hintsOf(result)).toContain(
		`1 recipient was already in dispatch ${firstNew} and wasn't added again.`,
	);
	expect(jsonOf(result.items)).toMatchObject([{ alreadyInDispatch: 1 }]);
});
