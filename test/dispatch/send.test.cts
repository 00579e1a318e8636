import type { INodeParameters } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { byId, jsonOf } from '../support/sandbox.cts';
import { block, firstNew, itemsUpTo, messagesOf, numberOf } from './recipients.cts';
import { useDispatches } from './useDispatches.cts';

// Pauses take no time.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

const { bench, run, statusOf, statuses, creates, starts } = useDispatches();
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

	test('above it, and Create Without Starting: created, not started, and it says so', async () => {
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
		expect(error?.description).toContain(
			`Dispatch ${firstNew} exists but was not started, so its messages were not sent.`,
		);
		expect(error?.context?.item).toBe(1);
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
		if (!started) expect(items[0]?.json.reason).toContain('75%');
	});

	test('76 % wanted, 75 % there: an error by default', async () => {
		const { error } = await send({ options: { minimumAccepted: 76 } });
		expect(error?.message).toBe(
			"Only 75% of the recipients are accepted, but 'Minimum Accepted (%)' is 76",
		);
		expect(error?.description).toContain(
			`Dispatch ${firstNew} exists but was not started, so its messages were not sent.`,
		);
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
	/** Everything the error says about a start whose outcome nobody knows. */
	const expectUnknown = (error: Awaited<ReturnType<typeof send>>['error']) => {
		expect(error?.message).toBe(`It is not known whether dispatch ${firstNew} was started`);
		expect(error?.description?.trim()).toBe(
			`All its recipients may get the message. Check dispatch ${firstNew} in your account on the provider's website. If it isn't started, use 'Start' with it. Don't send it under another name. The connection to the service was lost.`,
		);
	};

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
		expectUnknown(error);
		expect(statusOf()).toBe('CREATED');
		// The service shows it as not started, so it is started once more, and no more often.
		expect(starts()).toBe(2);
	});

	test('carried out, seen too late, and the second attempt refused: not said to be refused', async () => {
		fail('commit-then-reset');
		const stale = {
			id: firstNew,
			name: 'Spring sale',
			status: 'CREATED',
			messages: { total: 4 },
			priceEstimate: 1,
		};
		bench.respond('status', 'GET', `*/dispatches/${firstNew}`, stale, { after: 1 });
		bench.fault('status', 'POST', `*${start}`, { status: 400 });
		const { error } = await send();
		expect(statusOf()).toBe('STARTED');
		expectUnknown(error);
		expect(starts()).toBe(2);
	});

	test.each([403, 404])(
		'rejected, and so is the look (%d): its state is not told',
		async (status) => {
			bench.fault('status', 'POST', `*${start}`, { status });
			bench.fault('status', 'GET', `*/dispatches/${firstNew}`, { status, after: 1, times: 99 });
			const { error } = await send();
			expect(error?.description).toContain(
				`The service rejected the start of dispatch ${firstNew}.`,
			);
		},
	);

	test('rejected for lack of budget: that is the title, and the dispatch is there', async () => {
		const { error } = await send({
			companyId: byId(bakery),
			senderIds: [demo.senders.bakeryMts, demo.senders.bakeryTele2],
		});
		expect(error?.httpCode).toBe('400');
		expect(error?.message).toBe(`Company ${bakery}'s monthly budget doesn't cover this dispatch`);
		expect(error?.description).toContain(
			`Dispatch ${firstNew} exists. The service rejected its start and showed it as not started.`,
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
				`Dispatch ${firstNew + 1} doesn't show exactly the recipients that were sent to the service`,
			);
			expect(error?.description).toContain('Nobody got a message from this dispatch.');
			expect(bench.store.dispatches.get(firstNew + 1)?.status).toBe('CREATED');
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
		const { error } = await send({ nameExists: 'stop' });
		spy.mockRestore();
		expect(error?.message).toBe(
			`The service shows dispatch ${firstNew + 1} with another name than "Spring sale"`,
		);
		expect(error?.description).toBe(
			"Nobody got a message from this dispatch. The node can't recognize it by its name, so the dispatch isn't started. Use a shorter 'Dispatch Name', without special characters.",
		);
		expect(bench.store.dispatches.get(firstNew + 1)?.status).toBe('CREATED');
	});

	test('Send: complete, and a look before the start fails: looked at again, and started', async () => {
		bench.fault('status', look.method, look.path, { status: 403 });
		const { items, error } = await send({ options: { batchSize: 2 } });
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew, started: true, onTheWay: 4 }]);
		expect(messagesOf(bench.sandbox, firstNew)).toHaveLength(4);
		expect(creates()).toBe(1);
	});

	test.each([['PAUSED'], [undefined]])(
		'Send: complete, and its status is %s: never started, and not said to be started',
		async (status) => {
			for (const id of [firstNew, firstNew + 1]) {
				bench.respond('status', 'GET', `*/dispatches/${id}`, {
					id,
					status,
					messages: { total: 4 },
					priceEstimate: 1,
				});
			}
			const { error } = await send({ options: { batchSize: 2, whenPassed: 'leave' } });
			expect(error?.message).toBe(
				status === undefined
					? `Dispatch ${firstNew + 1} doesn't show exactly the recipients that were sent to the service`
					: `Dispatch ${firstNew} may have been started by another run or a person: its status isn't known`,
			);
			expect(error?.description).toContain(
				status === undefined
					? 'Nobody got a message from this dispatch.'
					: 'Its recipients may get the message.',
			);
			expect(statuses()).not.toContain('STARTED');
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
