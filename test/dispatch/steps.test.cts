import { NodeOperationError } from 'n8n-workflow';
import { codedName } from '../../core/contract/dispatchName';
import { dialectOptions } from '../../sandbox/api/dialect.cts';
import { demo } from '../../sandbox/demo.cts';
import { createDispatch } from '../../sandbox/time/dispatchCreate.cts';
import { addMessages, stopDispatch } from '../../sandbox/time/dispatches.cts';
import { hintsOf } from '../support/n8n.cts';
import { byId, jsonOf } from '../support/sandbox.cts';
import { tempo } from '../support/tempo.cts';
import { code } from './listing.cts';
import { usePresses } from './presses.cts';
import { block, firstNew, itemsUpTo, numberOf, senderIds, takenBy } from './recipients.cts';
import { changing, failing, replying, sorted } from './useDispatches.cts';

// Pauses take no time for us, and their time for the service.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

/** One run for each step: that it asks what its decision needs, and does what the decision says. */

const presses = usePresses();
const { bench, run, created, started, starts, creates, statuses, answer, intercept, onRequest } =
	presses;
const { press, pressElsewhere, pressUntilGreen, expectOnce, sendRenamed, appends, destinations } =
	presses;
const minute = 60_000;
const batches = { batchSize: 2 };
const nobody = 'Nobody got a message from this run.';
const renamed = (id: number) => bench.store.dispatches.get(id)?.name;
afterEach(() => {
	bench.flight.beforeAnswer = undefined;
});

describe('create', () => {
	test.each([
		['carried out: found by its name', 'commit-then-reset', 1, '1'],
		['not carried out: made again, under another name', 'reset', 2, '2'],
	] as const)('its response is lost, %s', async (_, kind, requests, attempt) => {
		bench.fault(kind, 'POST', '/dispatches');
		const { items, error } = await press(batches);
		expect(error).toBeUndefined();
		expect([creates(), created()]).toEqual([requests, [firstNew]]);
		expect(renamed(firstNew)).toMatch(new RegExp(`^Spring sale #n8n-\\w{16}5s${attempt}$`));
		expect(jsonOf(items)).toMatchObject([
			{ name: 'Spring sale', onTheWay: 5, dispatchId: firstNew },
		]);
		expectOnce(5);
	});

	test('its response is lost, and it is listed half a minute later: found', async () => {
		bench.store.settings.dialect.indexLagMs = 30_000;
		bench.fault('commit-then-reset', 'POST', '/dispatches');
		expect((await press()).error).toBeUndefined();
		expect(created()).toEqual([firstNew]);
	});

	test('its response leads to another dispatch: nobody is added to that one', async () => {
		const before = firstNew - 1;
		presses.reply('*/dispatches', { id: before, total: 2, success: 2, failed: 0, messages: [] });
		expect((await press(batches)).error).toBeUndefined();
		expect([appends(before), started()]).toEqual([0, [firstNew]]);
		expectOnce(5);
	});

	test('never answered, never listed: tried twice', async () => {
		bench.fault('reset', 'POST', '/dispatches', { times: 1_000 });
		const { error } = await press();
		expect(error?.message).toBe(
			"The service didn't confirm that it created the dispatch, and doesn't list it",
		);
		expect(error?.description).toContain('The connection to the service was lost.');
		expect([creates(), created()]).toEqual([2, []]);
	});

	test('rejected: at once, with the reason', async () => {
		bench.fault('status', 'POST', '/dispatches', { status: 400, times: 1_000 });
		const { error } = await press();
		expect(error?.message).toBe('The service rejected the request as invalid');
		expect(error?.description).toContain(nobody);
		expect(creates()).toBe(1);
	});

	test.each([
		['cut', (name: string) => name.slice(0, 14)],
		['without signs', (name: string) => name.replace('#', '')],
	])('the service shows its name %s: said, and nothing is started', async (_, change) => {
		onRequest(({ method, path }) => {
			const one = bench.store.dispatches.get(Number(/\d+$/.exec(path)?.[0]));
			if (method === 'GET' && one !== undefined) one.name = change(one.name);
		});
		const { error } = await press();
		expect(error?.message).toMatch(/^The service shows another name than "Spring sale #n8n-/);
		expect(error?.description).toContain("Use a shorter 'Dispatch Name'");
		expect(started()).toEqual([]);
	});
});

describe('fill and compare', () => {
	const append = '*/dispatches/*/messages';
	test('a lost request was carried out: its people are seen, and nobody is added again', async () => {
		bench.fault('commit-then-reset', 'POST', append);
		expect((await press(batches, 6)).error).toBeUndefined();
		expect([statuses(), appends()]).toEqual([['STARTED'], 2]);
		expectOnce(6);
	});

	test('a lost request was not carried out: a new dispatch with everybody, one request at a time', async () => {
		bench.fault('reset', 'POST', append);
		expect((await press(batches, 6)).error).toBeUndefined();
		expect([statuses(), appends(), appends(firstNew + 1)]).toEqual([['CREATED', 'STARTED'], 2, 2]);
		expect(renamed(firstNew + 1)).toMatch(/6s2$/);
		expectOnce(6);
	});

	test('a request is carried out when the second dispatch is made: in the one that nobody starts', async () => {
		onRequest(({ method, path }) => {
			const first = bench.store.dispatches.get(firstNew);
			if (method !== 'POST' || first === undefined) return undefined;
			if (path.endsWith(`/${firstNew}/messages`)) return failing(504);
			if (path.endsWith('/dispatches'))
				addMessages(bench.sandbox.world, first, [{ destination: numberOf(3), customText: 'T' }]);
			return undefined;
		});
		expect((await press(batches, 4)).error).toBeUndefined();
		expect(destinations()).toContain(numberOf(3));
		expect(statuses()).toEqual(['CREATED', 'STARTED']);
		expectOnce(4);
	});

	test('lost in both: said, and nothing is started', async () => {
		bench.fault('reset', 'POST', append, { times: 1_000 });
		const { error } = await press(batches, 40);
		expect(error?.message).toBe(
			`Dispatch ${firstNew + 1} doesn't contain exactly the recipients that were sent to the service`,
		);
		// Several at a time, then one at a time: it ends after three that failed.
		expect(appends()).toBeLessThanOrEqual(8);
		expect([appends(firstNew + 1), started()]).toEqual([3, []]);
		bench.sandbox.faults.clear();
		await pressUntilGreen({ ...(await press(batches, 40)) }, async () => await press(batches, 40));
		expectOnce(40);
	});

	test('rejected in both: the reason is the title', async () => {
		bench.fault('status', 'POST', append, { status: 400, times: 1_000 });
		const { error } = await press(batches, 6);
		expect(error?.message).toBe('The service rejected the request as invalid');
		expect(error?.description).toContain(`${nobody} Dispatch ${firstNew + 1} isn't started.`);
		expect(started()).toEqual([]);
	});

	test('every response is clear: the messages are not read', async () => {
		await press(batches, 6);
		expect(bench.sent('GET', '/messages')).toBe(0);
	});

	const { createReply } = dialectOptions;
	test.each(createReply)(
		'the responses have the shape %s: once, with everybody in it',
		async (shape) => {
			Object.assign(bench.store.settings.dialect, { createReply: shape, appendReply: shape });
			const { items, error } = await press(batches);
			expect(error).toBeUndefined();
			expect([created(), appends(), starts()]).toEqual([[firstNew], 2, 1]);
			expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew, onTheWay: 5, failed: 0 }]);
			expectOnce(5);
		},
	);

	test.each([
		['counted', 'reset'],
		['not counted', 'reset'],
		['counted', 'commit-then-reset'],
		['not counted', 'commit-then-reset'],
	] as const)(
		'rejected ones are %s, and a request is lost, %s: everybody once',
		async (counts, kind) => {
			block(bench.sandbox, [numberOf(2), numberOf(4)]);
			// The service may forget whom it rejects.
			if (counts === 'not counted')
				onRequest(() => {
					for (const id of created()) {
						const one = bench.store.dispatches.get(id);
						if (one === undefined) continue;
						one.messages = one.messages.filter(({ reason }) => reason === null);
						Object.assign(one.messageCount, { total: one.messages.length, failed: 0 });
					}
				});
			bench.fault(kind, 'POST', append, { after: 1 });
			const { items, error } = await press(batches, 8);
			expect(error).toBeUndefined();
			expect(jsonOf(items)).toMatchObject([{ started: true, onTheWay: 6, failed: 2 }]);
			const [sent = 0] = started();
			const accepted = takenBy(bench.sandbox, sent);
			expect([started().length, sorted([...accepted.keys()])]).toEqual([
				1,
				sorted([0, 1, 3, 5, 6, 7].map(numberOf)),
			]);
		},
	);

	test('a person starts it meanwhile: said, and those who are in it are left out then', async () => {
		intercept('POST', `/dispatches/${firstNew}/messages`, () => {
			const stored = bench.store.dispatches.get(firstNew);
			Object.assign(stored ?? {}, { status: 'STARTED', startedAt: bench.sandbox.now });
		});
		const first = await press(batches, 6);
		jest.restoreAllMocks();
		expect(first.error?.message).toBe(
			`Dispatch ${firstNew} was started by a person, not by this run`,
		);
		await pressUntilGreen(first, async () => await press(batches, 6));
		expectOnce(6);
	});

	test('the price is that of a part for half a minute: the limit applies to the whole', async () => {
		presses.showing(firstNew, { priceEstimate: 5 }, 4);
		const { error } = await press({ priceLimit: 10, batchSize: 6 }, 6);
		expect(error?.message).toMatch(
			/^The price estimate is 1[0-9.]+ RUB, but 'Price Limit' is 10 RUB$/,
		);
	});
});

describe('check', () => {
	test.each([
		['the list', '*/dispatches'],
		['who is in a dispatch', '*/messages'],
	])('%s cannot be read: nothing is created; later it can', async (_, path) => {
		await pressElsewhere({}, 2);
		bench.fault('status', 'GET', path, { status: 403, times: 1_000 });
		const first = await press();
		expect(first.error?.message).toBe('The node couldn\'t check who already has "Spring sale"');
		expect([created(), started()]).toEqual([[firstNew], [firstNew]]);
		bench.sandbox.faults.clear();
		await pressUntilGreen(first, press);
		expectOnce(5);
	});

	test('fewer messages are listed than it counts, for half a minute: waited for', async () => {
		await pressElsewhere();
		answer(
			'/messages',
			{ total: 1, items: [{ destination: numberOf(0), messageUuid: 'm' }] },
			{ times: 3 },
		);
		const { items } = await press();
		expect(jsonOf(items)).toMatchObject([{ hasItAlready: 5 }]);
		expect(created()).toHaveLength(1);
	});

	test('more than one page of messages, in several dispatches: all are read', async () => {
		for (const at of [0, 400, 800]) await pressElsewhere({}, itemsUpTo(1_200).slice(at, at + 400));
		const { items } = await press({}, 1_201);
		expect(jsonOf(items)).toMatchObject([{ hasItAlready: 1_200, onTheWay: 1 }]);
		expectOnce(1_201);
	});

	test('the list does not show yet what this process has started: read again, not stopped', async () => {
		await press({}, 3);
		const { name } = bench.store.dispatches.get(firstNew) ?? {};
		const old = {
			id: firstNew,
			name,
			status: 'CREATED',
			createdAt: new Date(bench.sandbox.now).toISOString(),
		};
		answer('*/dispatches', { total: 1, items: [{ ...old, messages: { total: 3 } }] }, { times: 2 });
		answer('*/dispatches', { total: 0, items: [] }, { times: 1 });
		const { items, error } = await press();
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ hasItAlready: 3, onTheWay: 2 }]);
		expectOnce(5);
	});

	test('it never does: stopped', async () => {
		await press({}, 3);
		answer('*/dispatches', { total: 0, items: [] });
		const { error } = await press();
		expect(error?.message).toBe('The node couldn\'t check who already has "Spring sale"');
		expect(created()).toEqual([firstNew]);
	});

	test('two dispatches in one run, and the second is stopped: the first name is free again', async () => {
		await press({ name: 'B', text: 'Other' }, itemsUpTo(4).slice(2));
		const both = await press({ name: '={{ $itemIndex < 2 ? "A" : "B" }}' }, 4);
		expect(both.error?.message).toBe('Another text was sent under this name');
		expect((await press({ name: 'A' }, 2)).error).toBeUndefined();
		expect(started()).toHaveLength(2);
	});

	test('the service shows the password as a currency: hidden', async () => {
		const priceEstimate = { total: 9, currency: demo.password, parts: 5 };
		presses.reply('*/dispatches', { id: firstNew, total: 5, success: 5, failed: 0, priceEstimate });
		const { error } = await press({ priceLimit: 5 });
		expect(error?.message).toMatch(/^The price estimate is in \*+, but/);
	});

	test('the service shows the password as a status: hidden', async () => {
		await pressElsewhere({}, 2);
		presses.showing(firstNew, {});
		const { name } = bench.store.dispatches.get(firstNew) ?? {};
		const item = { id: firstNew, name, status: demo.password, messages: { total: 2 } };
		answer('*/dispatches', { total: 1, items: [item] });
		const { error, run: kept } = await press();
		expect(error?.message).toContain(`Dispatch ${firstNew} has the status`);
		expect(JSON.stringify([kept.data.resultData, error?.message])).not.toContain(demo.password);
	});
});

describe('yield', () => {
	/** Another process has made one for the same list, between our check and our create. */
	const rival = (status: 'CREATED' | 'STARTED') =>
		intercept('POST', '/dispatches', () => {
			if (created().length > 0) return;
			const name = codedName('Spring sale', { ...code, planned: 5 });
			const { flowers } = demo.companies;
			const head = { companyId: flowers, name, senderIds, channelType: 'SMS', text: 'T' } as const;
			Object.assign(createDispatch(bench.sandbox.world, head), { status });
		});

	test('an older one may still be started: ours is not, and the next press is after its half hour', async () => {
		rival('CREATED');
		const first = await press();
		jest.restoreAllMocks();
		expect(first.error?.message).toBe('Another run may still be sending "Spring sale"');
		expect(statuses()).toEqual(['CREATED', 'CREATED']);
		const { presses: count } = await pressUntilGreen(first, press);
		expect(count).toBe(1);
		expectOnce(5);
	});

	test('one was started: ours is not', async () => {
		rival('STARTED');
		const { error } = await press();
		expect(error?.message).toBe(
			`Dispatch ${firstNew}, with this name or list, was started in the meantime`,
		);
		expect(starts(firstNew + 1)).toBe(0);
	});

	test("'Send Anyway' looks at nobody", async () => {
		rival('STARTED');
		expect((await press({ ifSent: 'anyway' })).error).toBeUndefined();
		expect(starts(firstNew + 1)).toBe(1);
		expect(bench.sent('GET', '/dispatches')).toBe(0);
	});

	test('ours is listed half a minute later: waited for; never: not started', async () => {
		bench.store.settings.dialect.indexLagMs = 30_000;
		expect((await press()).error).toBeUndefined();
		bench.store.settings.dialect.indexLagMs = 3_600_000;
		const { error } = await press({ name: 'Other' });
		expect(error?.message).toBe('The node couldn\'t check who already has "Other"');
		const elsewhere = await pressElsewhere({ name: 'Third', text: 'T' });
		expect(elsewhere.error?.message).toContain(`The service doesn't list dispatch ${firstNew + 1}`);
		expect(started()).toEqual([firstNew]);
	});
});

describe('start', () => {
	const path = `*/dispatches/${firstNew}/start`;
	const unknown = `It is not known whether dispatch ${firstNew} was started`;

	test.each([
		['carried out: seen', 'commit-then-reset', 1],
		['not carried out: sent once more', 'reset', 2],
	] as const)('its response is lost, %s', async (_, kind, requests) => {
		bench.fault(kind, 'POST', path);
		const { items, error } = await press();
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ started: true, status: 'STARTED' }]);
		expect([starts(), created()]).toEqual([requests, [firstNew]]);
	});

	test('lost again and again: not known, and Retry On Fail only looks', async () => {
		bench.fault('reset', 'POST', path, { times: 1_000 });
		const first = await press({}, 5, { tries: 3 });
		expect(first.error?.message).toBe(unknown);
		expect(first.error?.description).toMatch(
			/^Everybody in it may get the message\. Run it again at \d\d:\d\d \(America\/New_York\): it sends only to those who don't have it yet\. The connection to the service was lost\.$/,
		);
		expect([starts(), created()]).toEqual([2, [firstNew]]);
		bench.sandbox.faults.clear();
		await pressUntilGreen(first, press);
		expectOnce(5);
	});

	test('lost, and seen by the second try: green', async () => {
		bench.fault('commit-then-reset', 'POST', path);
		bench.fault('status', 'GET', `*/dispatches/${firstNew}`, { status: 403, after: 2, times: 6 });
		const { items, error } = await press({}, 5, { tries: 2 });
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ started: true, onTheWay: 5, dispatchId: firstNew }]);
		expect(starts()).toBe(1);
	});

	test('rejected: Retry On Fail makes a new dispatch', async () => {
		bench.fault('status', 'POST', path, { status: 400 });
		expect((await press({}, 5, { tries: 2 })).error).toBeUndefined();
		expect([statuses(), starts()]).toEqual([['CREATED', 'STARTED'], 1]);
		expectOnce(5);
	});

	test('rejected, without a retry: the reason, and another press sends', async () => {
		bench.fault('status', 'POST', path, { status: 400 });
		const { error } = await press();
		expect(error?.message).toBe('The service rejected the request as invalid');
		expect(error?.description).toContain(`${nobody} Dispatch ${firstNew} isn't started.`);
		expect((await press()).error).toBeUndefined();
		expectOnce(5);
	});

	test.each([
		['and nothing more', { 'retry-after': '3600' }],
		['and then rejected, because it was started', {}],
	])('answered with 429, although it was carried out, %s: seen', async (_, headers) => {
		bench.fault('commit-then-status', 'POST', path, { status: 429, headers });
		expect((await press()).error).toBeUndefined();
		expect(started()).toEqual([firstNew]);
	});

	const denies = /nobody got|nothing was|isn't started|not started|not sent|rejected/i;
	test.each([500, 429])(
		'answered with %d, and never seen: nothing denies that it was sent',
		async (status) => {
			bench.fault('commit-then-status', 'POST', path, { status, times: 1_000 });
			presses.showing(firstNew, { status: 'CREATED', startedAt: null });
			const { error } = await press({}, 5, { tries: 2 });
			expect(error?.message).toBe(unknown);
			expect(error?.description).not.toMatch(denies);
			expect(created()).toEqual([firstNew]);
		},
	);

	test('canceled before it is sent once more: it may have been started', async () => {
		bench.fault('commit-then-status', 'POST', path, { status: 429, times: 1_000 });
		const { error } = await press({}, 5, {
			onStart: (cancel: () => void) => intercept('POST', '/start', () => cancel()),
		});
		while (bench.flight.now > 0) await new Promise((resolve) => setImmediate(resolve));
		expect(started()).toEqual([firstNew]);
		expect(error?.message).toBe(unknown);
		expect(error?.description).not.toMatch(denies);
	});

	test.each([
		['the dispatch was made', `/dispatches/${firstNew}`, 26, 0],
		['the dispatch was made', `/dispatches/${firstNew}`, 24, 1],
	])('since %s, %s: %d minutes: started %d times', async (_, read, minutes, times) => {
		let reads = 0;
		intercept('GET', read, () => {
			if (++reads === 1) tempo.pausedMs += minutes * minute;
		});
		const first = await press();
		expect(starts()).toBe(times);
		if (times === 1) return;
		expect(first.error?.message).toBe(`Making dispatch ${firstNew} took longer than 25 minutes`);
		await pressUntilGreen(first, press);
		expectOnce(5);
	});

	test('the 25 minutes are over before it is sent once more: it is not', async () => {
		intercept('POST', '/start', () => {
			tempo.pausedMs += 25 * minute;
			return { ...failing(0), kind: 'reset' };
		});
		const { error } = await press();
		expect(error?.message).toBe(unknown);
		expect(starts()).toBe(1);
	});

	test('sent, then the results cannot be read: Retry On Fail tells them, with their hints', async () => {
		bench.fault('status', 'GET', '/messages', { status: 403, times: 1 });
		// A company that is disabled by then doesn't hide the start.
		intercept('GET', '/messages', () => {
			for (const company of bench.store.companies.values()) company.status = 'DISABLED';
		});
		const result = await press({ waitUntilDelivered: true, limitMinutes: 0 }, 5, { tries: 2 });
		expect(result.error).toBeUndefined();
		expect([created(), starts()]).toEqual([[firstNew], 1]);
		expect(hintsOf(result)).toEqual([
			expect.stringContaining(`5 messages in dispatch ${firstNew} may still be pending.`),
		]);
	});
});

describe('Retry On Fail', () => {
	test('the second of two dispatches fails: the first is told again', async () => {
		bench.fault('status', 'POST', '/dispatches', { status: 400, after: 1 });
		const { items, error } = await press(
			{ name: '={{ $json.code % 2 === 0 ? "Even" : "Odd" }}' },
			6,
			{ tries: 2 },
		);
		expect(error).toBeUndefined();
		expect(starts()).toBe(1);
		expect(jsonOf(items)).toMatchObject([
			{ name: 'Even', started: true, onTheWay: 3 },
			{ name: 'Odd', started: true, onTheWay: 3 },
		]);
		expectOnce(6);
	});

	test('Create: the second of two fails: the first is not created again', async () => {
		bench.fault('status', 'POST', '/dispatches', { status: 400, after: 1 });
		const { items, error } = await run('create', { name: '={{ "Part " + $json.code }}' }, 2, 2);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew }, { dispatchId: firstNew + 1 }]);
		expect(created()).toHaveLength(2);
	});

	test('the items cannot be read any more: the error says that one may have been started', async () => {
		const text = changing('"Hello"', '""');
		const { error } = await presses.retryChanged('send', { text }, 2, { status: 500 });
		expect(`${error?.message} ${error?.description}`).toContain(
			`It is not known whether this run has started dispatch ${firstNew}.`,
		);
	});

	test('the numbers change after the start: those are told who were sent to', async () => {
		bench.fault('status', 'GET', '/messages', { status: 403, times: 1 });
		intercept('POST', '/start', () => {
			tempo.pausedMs += 1_000_000;
		});
		const destination = changing('$json.phone', '"+79160000000"');
		const more = { destination, output: 'recipients', waitUntilDelivered: true, limitMinutes: 0 };
		const { items, error } = await press(more, 3, { tries: 2 });
		expect(error).toBeUndefined();
		expect(jsonOf(items).map((one) => one.destination)).toEqual(presses.numbers(3));
		expect(starts()).toBe(1);
	});

	test.each([
		['one for each, then one for both', '"Part " + $json.code', '"Both"', 2, { passes: 1 }],
		[
			'other items in them',
			'($json.code < 2 ? "A" : "B")',
			'($json.code === 1 ? "A" : "B")',
			3,
			{ passes: 1 },
		],
	])('%s: said, and nothing is sent again', async (_, before, after, count, more) => {
		const error = await sendRenamed(before, after, count, more);
		expect(error?.message).toBe('The items were grouped into different dispatches on retry');
		expect((error as NodeOperationError).description).toContain(
			`This run has started dispatch ${firstNew}.`,
		);
		expect(started()).toEqual([firstNew]);
	});
});

describe('canceled', () => {
	const titled = /^The execution was canceled (before the dispatch was started|during a request)/;
	test.each([
		['while it fills', 'POST', `/dispatches/${firstNew}/messages`],
		['while it is compared', 'GET', `/dispatches/${firstNew}`],
		['before it is made', 'GET', '/dispatches'],
	])('%s: nothing is started, and another press sends to everybody', async (_, method, path) => {
		let cancel: () => void = () => undefined;
		const onStart = (end: () => void) => (cancel = end);
		intercept(method, path, () => cancel());
		const { error } = await press(batches, 40, { onStart });
		// n8n doesn't wait for a node that it has canceled.
		while (bench.flight.now > 0) await new Promise((resolve) => setImmediate(resolve));
		expect(started()).toEqual([]);
		expect(error?.message).toMatch(titled);
		jest.restoreAllMocks();
		const again = await press(batches, 40);
		await pressUntilGreen(again, async () => await press(batches, 40));
		expectOnce(40);
	});

	test('not by the node: a person stops it while the node waits, and nobody is said to be on the way', async () => {
		intercept('GET', `/dispatches/${firstNew}`, () => {
			const one = bench.store.dispatches.get(firstNew);
			if (one?.status === 'STARTED') stopDispatch(bench.sandbox.world, one);
		});
		const { items } = await press({ waitUntilDelivered: true }, 3);
		expect(jsonOf(items)).toMatchObject([{ status: 'STOPPED', onTheWay: 0, unknown: 3 }]);
	});

	test('while it waits for the results: the error says that it was started', async () => {
		const { error } = await press({ waitUntilDelivered: true }, 3, {
			onStart: (cancel: () => void) => {
				const onPause = tempo.onPause;
				tempo.onPause = (ms) => {
					onPause?.(ms);
					if (started().length > 0) cancel();
				};
			},
		});
		expect(started()).toEqual([firstNew]);
		expect(error?.message).toBe(
			`Dispatch ${firstNew} was started, but its results aren't known yet`,
		);
	});
});

describe('the login of a callback', () => {
	const login = 'call@backs';
	const password = 'p/ss:w@rd-äö?#%41';
	const forms = [password, encodeURIComponent(password), encodeURIComponent(login), login];
	const create = async () =>
		await run('create', { callbackUrl: 'https://n8n.example/hook?a=1' }, 2, {
			credentials: { ...bench.credentials(), bulkMessagingCallbackApi: { login, password } },
		});

	test('is in the address that the service gets, and in no result and no error', async () => {
		const { run: kept } = await create();
		const url = new URL(bench.store.dispatches.get(firstNew)?.callbackUrl ?? '');
		expect([url.username, url.password].map(decodeURIComponent)).toEqual([login, password]);
		bench.sandbox.reset('demo');
		const address = `https://${encodeURIComponent(login)}:${encodeURIComponent(password)}@n8n.example/`;
		const body = { error: { code: 4000, msg: `callbackUrl: ${address} is bad` } };
		bench.respond('status', 'POST', '*/dispatches', body, { status: 400 });
		const { error, run: failed } = await create();
		expect(error).toBeDefined();
		const told = JSON.stringify([kept.data, failed.data, error?.description, error?.stack]);
		expect(forms.filter((one) => told.includes(one))).toEqual([]);
	});
});

describe("'Start'", () => {
	const made = async () => await run('create');
	const start = async (priceLimit: number) =>
		await bench.run('dispatch.start', { id: byId(firstNew), priceLimit });

	test('asks for the price, and waits for it', async () => {
		await made();
		presses.showing(firstNew, { priceEstimate: 0 }, 3);
		const { error } = await start(5);
		expect(error?.message).toMatch(
			/^The price estimate is 1\d\.\d+ RUB, but 'Price Limit' is 5 RUB$/,
		);
		expect(error?.description).toBe(
			"This run didn't start it. Change 'Price Limit' and run it again.",
		);
		expect(starts()).toBe(0);
		expect((await start(50)).error).toBeUndefined();
		expect(started()).toEqual([firstNew]);
	});

	test('of one that was started before: only reported', async () => {
		await made();
		await start(50);
		const result = await start(50);
		expect(hintsOf(result)).toContain(
			`Dispatch ${firstNew} was started before, so it wasn't started again.`,
		);
		expect(starts()).toBe(1);
	});

	test("of one that doesn't hold everybody: refused", async () => {
		await made();
		bench.store.dispatches.get(firstNew)?.messages.pop();
		presses.showing(firstNew, { messages: { total: 4, delivered: 0, failed: 0, pending: 4 } });
		const { error } = await start(50);
		expect(error?.message).toBe(
			`Dispatch ${firstNew} contains 4 of the 5 people that it was made for`,
		);
		expect(starts()).toBe(0);
	});

	test.each(['start', 'stop'] as const)(
		'%s: lost, and what it shows proves nothing: run it again',
		async (move) => {
			await made();
			if (move === 'stop') await start(50);
			const path = `/dispatches/${firstNew}/${move}`;
			bench.forget();
			bench.fault('reset', 'POST', `*${path}`);
			let isSent = false;
			onRequest((request) => {
				isSent ||= request.path.endsWith(path);
				const isRead = isSent && request.method === 'GET' && request.path.endsWith(`/${firstNew}`);
				return isRead ? replying({ id: firstNew, status: 'PAUSED' }) : undefined;
			});
			const more = move === 'start' ? { priceLimit: 50 } : {};
			const { error } = await bench.run(`dispatch.${move}`, { id: byId(firstNew), ...more });
			const did = move === 'start' ? 'started' : 'stopped';
			expect(error?.message).toBe(`It is not known whether dispatch ${firstNew} was ${did}`);
			expect(error?.description).toMatch(/^Run it again/);
			expect(bench.sent('POST', path)).toBe(1);
		},
	);
});
