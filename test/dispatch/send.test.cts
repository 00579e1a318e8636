import type { INodeParameters } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { byId, jsonOf } from '../support/sandbox.cts';
import { block, firstNew, itemsUpTo, messagesOf, numberOf } from './recipients.cts';
import { useDispatches } from './useDispatches.cts';

// Pauses take no time.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

const { bench, run, statusOf, statuses, creates, starts, show } = useDispatches();
const { bakery } = demo.companies;
const start = `/dispatches/${firstNew}/start`;

const send = async (more: INodeParameters = {}, count = 4) => await run('send', more, count);

test('creates, appends and starts', async () => {
	const { items, error } = await send({ options: { batchSize: 2 } });
	expect(error).toBeUndefined();
	expect(jsonOf(items)).toMatchObject([
		{ dispatchId: firstNew, status: 'STARTED', started: true, onTheWay: 4, failed: 0 },
	]);
	expect(statusOf()).toBe('STARTED');
	expect(messagesOf(bench.sandbox, firstNew)).toHaveLength(4);
});

describe('the price limit', () => {
	const estimate = async () => {
		const { items } = await run('create', {}, 4);
		bench.sandbox.reset('demo');
		bench.forget();
		return (items[0]?.json.priceEstimate as { total: number }).total;
	};

	test('above it, and Continue Without Sending: created, not started, and it says so', async () => {
		const total = await estimate();
		expect(total).toBeGreaterThan(0);
		const limits = { whenPassed: 'leave' };
		const { items, error } = await send({ priceLimit: total - 0.01, options: limits });
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([
			{ dispatchId: firstNew, status: 'CREATED', started: false, notStarted: 4 },
		]);
		expect(items[0]?.json.reason).toContain(`${total} RUB`);
		expect(statusOf()).toBe('CREATED');
		expect(starts()).toBe(0);
	});

	test('exactly at it: started', async () => {
		const { items } = await send({ priceLimit: await estimate() });
		expect(jsonOf(items)).toMatchObject([{ started: true }]);
	});

	test.each([{}, { whenPassed: 'error' }])('it stops with an error, with %j', async (options) => {
		const total = await estimate();
		const { error } = await send({ priceLimit: total - 0.01, options });
		expect(error?.message).toContain("but 'Price Limit' is");
		expect(error?.description).toBe(
			`Dispatch ${firstNew} isn't started. Nobody got a message from this run. Change the limit or the list, and run it again.`,
		);
		expect(error?.context).toMatchObject({ code: 'limit', dispatchId: firstNew, item: 1 });
		expect(statusOf()).toBe('CREATED');
	});
});

describe('the minimum accepted', () => {
	beforeEach(() => block(bench.sandbox, [numberOf(1)]));

	test.each([
		[75, true],
		[76, false],
	])('%i %% wanted, 75 %% there: started is %s', async (minimumAccepted, started) => {
		const { items } = await send({ options: { minimumAccepted, whenPassed: 'leave' } });
		expect(jsonOf(items)).toMatchObject([{ started, [started ? 'onTheWay' : 'notStarted']: 3 }]);
		expect(statusOf()).toBe(started ? 'STARTED' : 'CREATED');
	});

	test('76 % wanted, 75 % there: an error by default', async () => {
		const { error } = await send({ options: { minimumAccepted: 76 } });
		expect(error?.message).toBe(
			"Only 75% of the recipients are accepted, but 'Minimum Accepted (%)' is 76",
		);
		expect(error?.context?.code).toBe('limit');
		expect(statusOf()).toBe('CREATED');
	});
});

test.each([
	['Price Limit', 'priceLimit', [-1, '', 'NaN', '={{ Infinity }}']],
	['Minimum Accepted (%)', 'minimumAccepted', [-1, 101, '', 'NaN']],
	['Minimum Accepted (Recipients)', 'minimumPeople', [-1, '', 'many']],
])('%s: what is no limit is rejected before anything is created', async (label, name, values) => {
	for (const value of values) {
		const { error } = await send({ [name]: value });
		expect(error?.message).toContain(`'${label}'`);
		expect(bench.store.dispatches.has(firstNew)).toBe(false);
	}
});

describe('a start that fails', () => {
	const fail = (kind: 'reset' | 'commit-then-reset', times = 1) =>
		bench.fault(kind, 'POST', `*${start}`, { times });

	test('carried out, then the connection dropped: taken as started', async () => {
		fail('commit-then-reset');
		const { items, error } = await send();
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ started: true, status: 'STARTED' }]);
		expect(bench.store.dispatches.get(firstNew)?.run).toBe(1);
		expect(starts()).toBe(1);
	});

	test('dropped before, again and again: not known, and no later sentence claims otherwise', async () => {
		fail('reset', 10);
		const { error, items } = await send();
		expect(items).toEqual([]);
		expect(error?.message).toBe(`It is not known whether dispatch ${firstNew} was started`);
		expect(error?.description?.trim()).toMatch(
			/^Everybody in it may get the message\. Set 'If It Was Sent Before' to 'New Recipients Only', and run it again at \d\d:\d\d \(America\/New_York\): it sends only to those who don't have it yet\. The connection to the service was lost\.$/,
		);
		expect(error?.context).toMatchObject({ code: 'startUnknown', dispatchId: firstNew });
		expect(statusOf()).toBe('CREATED');
		// The service shows it as not started, so it is started once more, and no more often.
		expect(starts()).toBe(2);
	});

	test('carried out, seen too late, and the second attempt refused: not said to be refused', async () => {
		fail('commit-then-reset');
		show(firstNew, 4);
		bench.fault('status', 'POST', `*${start}`, { status: 400 });
		const { error } = await send();
		expect(statusOf()).toBe('STARTED');
		expect(error?.context?.code).toBe('startUnknown');
		expect(starts()).toBe(2);
	});

	test('rejected, and so is the look: its state is not told', async () => {
		const status = 404;
		bench.fault('status', 'POST', `*${start}`, { status });
		bench.fault('status', 'GET', `*/dispatches/${firstNew}`, { status, after: 2, times: 99 });
		expect((await send()).error?.context?.code).toBe('startUnknown');
		expect(starts()).toBe(1);
	});

	test('rejected for lack of budget: that is the title, and the dispatch is there', async () => {
		const { error } = await send({
			companyId: byId(bakery),
			senderIds: [demo.senders.bakeryMts, demo.senders.bakeryTele2],
		});
		expect(error?.httpCode).toBe('400');
		expect(error?.message).toBe(`Company ${bakery}'s monthly budget doesn't cover this dispatch`);
		expect(error?.description).toContain(
			`Nobody got a message from this run. Dispatch ${firstNew} isn't started.`,
		);
		expect(statusOf()).toBe('CREATED');
		expect(messagesOf(bench.sandbox, firstNew)).toHaveLength(4);
	});
});

describe('what is done is never hidden by a look that fails', () => {
	const noAnswer = { status: 503, headers: { 'retry-after': '3600' } };
	const look = { method: 'GET', path: `*/dispatches/${firstNew}` };

	test.each(['create', 'send'])(
		'%s: the first dispatch can never be read: it is left, and a new one is filled',
		async (operation) => {
			bench.fault('status', look.method, look.path, { ...noAnswer, times: 100 });
			const { error, items } = await run(operation, {}, 4);
			expect(error).toBeUndefined();
			expect(jsonOf(items)).toMatchObject([
				{
					dispatchId: firstNew + 1,
					recipients: 4,
					failed: 0,
					[operation === 'send' ? 'onTheWay' : 'notStarted']: 4,
				},
			]);
			expect(statusOf()).toBe('CREATED');
			expect(messagesOf(bench.sandbox, firstNew + 1)).toHaveLength(4);
		},
	);

	test.each(['create', 'send'])(
		'%s: no dispatch can be read: the error names it',
		async (operation) => {
			bench.fault('status', 'GET', '*/dispatches/*', { ...noAnswer, times: 100 });
			const { error, items } = await run(operation, {}, 4);
			expect(items).toEqual([]);
			expect(error?.message).toBe(
				`Dispatch ${firstNew + 1} doesn't contain exactly the recipients that were sent to the service`,
			);
			expect(error?.description).toBe(
				'So it is never started. Nobody got a message from this run. Run it again in a few minutes.',
			);
			expect(error?.context?.code).toBe('incomplete');
			expect(starts()).toBe(0);
		},
	);

	test('the service shortens the name: the error is about the name, not about the recipients', async () => {
		const { dispatches } = bench.store;
		const keep = dispatches.set.bind(dispatches);
		const spy = jest
			.spyOn(dispatches, 'set')
			.mockImplementation((id, one) =>
				keep(id, Object.assign(one, { name: one.name.slice(0, 6) })),
			);
		const { error } = await send();
		spy.mockRestore();
		expect(error?.message).toMatch(/^The service shows another name than "Spring sale #n8n-\w+"$/);
		expect(error?.description).toBe(
			'It shows "Spring", and the node recognizes a dispatch by the end of its name. Nobody got a message from this run. Use a shorter \'Dispatch Name\' without special characters, and run it again.',
		);
		expect(error?.context?.code).toBe('renamed');
		expect(bench.store.dispatches.get(firstNew + 1)?.status).toBe('CREATED');
	});

	test('Send: complete, and a look before the start fails: looked at again, and started', async () => {
		bench.fault('status', look.method, look.path, { status: 403, times: 2 });
		const { items, error } = await send({ options: { batchSize: 2 } });
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew, started: true, onTheWay: 4 }]);
		expect(messagesOf(bench.sandbox, firstNew)).toHaveLength(4);
		expect(creates()).toBe(1);
	});

	test.each([['PAUSED'], [undefined]])(
		'Send: complete, and its status is %s: never started, and not said to be started',
		async (status) => {
			show(firstNew, 4, { status });
			const { error } = await send({ options: { batchSize: 2, whenPassed: 'leave' } });
			expect(error?.message).toBe(`Dispatch ${firstNew} was started by a person, not by this run`);
			expect(error?.context?.code).toBe('startedByOther');
			expect(statuses()).toEqual(['CREATED']);
		},
	);

	test('Add Messages: added, and the look behind it fails', async () => {
		await run('create', {}, 2);
		bench.fault('status', look.method, look.path, { ...noAnswer, after: 1, times: 100 });
		const { error, items } = await run(
			'addMessages',
			{ id: byId(firstNew) },
			itemsUpTo(4).slice(2),
		);
		expect(messagesOf(bench.sandbox, firstNew)).toHaveLength(4);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([
			{ dispatchId: firstNew, status: 'CREATED', notStarted: 2, failed: 0 },
		]);
	});
});
