import type { INodeParameters } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { dialectOptions, type Dialect } from '../../sandbox/dialect.cts';
import { byId, jsonOf, useSandbox } from '../support/sandbox.cts';
import type * as Tempo from '../support/tempo.cts';
import { tempo } from '../support/tempo.cts';
import { firstNew, fromItems, itemsUpTo, messagesOf, numberOf } from './recipients.cts';

// Pauses take no time for us, and their time for the service.
jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof Tempo>('../support/tempo.cts').workflowAtTempo(),
);

/** Services that answer in other ways than the sandbox does by default. */

const bench = useSandbox();
beforeEach(() => {
	tempo.onPause = (ms) => bench.sandbox.tick(ms);
});
afterAll(() => {
	tempo.onPause = undefined;
});

const speak = (dialect: Partial<Dialect>) => Object.assign(bench.store.settings.dialect, dialect);
const created = () => [...bench.store.dispatches.keys()].filter((id) => id >= firstNew);
const statusOf = (id: number) => bench.store.dispatches.get(id)?.status;
const destinations = (id: number) =>
	messagesOf(bench.sandbox, id).map(({ destination }) => destination);
const numbers = (count: number) => itemsUpTo(count).map((_, index) => numberOf(index));
const creates = () => bench.sent('POST', '/dispatches');
const appends = () => bench.sent('POST', `/dispatches/${firstNew}/messages`);
const starts = () => bench.sent('POST', `/dispatches/${firstNew}/start`);

const run = async (operation: string, more: INodeParameters = {}, count = 5, tries?: number) =>
	await bench.run(
		`dispatch.${operation}`,
		{ ...fromItems, ...more },
		{ items: itemsUpTo(count), tries },
	);
const inBatches = { recipientOptions: { batchSize: 2 } };

describe('the reply to a creation', () => {
	test.each(dialectOptions.createReply)('%s: created once, with everybody in it', async (shape) => {
		speak({ createReply: shape });
		const { items, error } = await run('send');
		expect(error).toBeUndefined();
		expect(created()).toEqual([firstNew]);
		expect([creates(), starts()]).toEqual([1, 1]);
		expect(destinations(firstNew)).toEqual(numbers(5));
		expect(jsonOf(items)).toMatchObject([
			{ dispatchId: firstNew, started: true, status: 'STARTED', success: 5, failed: 0 },
		]);
	});

	test.each(dialectOptions.createReply.filter((shape) => shape !== 'contract'))(
		'%s, and nothing to be seen: said to be unknown, never created again',
		async (shape) => {
			speak({ createReply: shape, listEnvelope: 'errorBody' });
			bench.sandbox.faults.add({
				kind: 'status',
				status: 500,
				match: { method: 'GET', path: `*/dispatches/${firstNew}` },
				times: 1_000,
			});
			// The look before the creation still works.
			const strike = bench.sandbox.faults.strike.bind(bench.sandbox.faults);
			speak({ listEnvelope: 'items' });
			const spy = jest.spyOn(bench.sandbox.faults, 'strike').mockImplementation((request) => {
				if (request.method === 'POST' && request.endpointPath === '/dispatches') {
					speak({ listEnvelope: 'errorBody' });
				}
				return strike(request);
			});
			const { error } = await run('send', {}, 3, 2);
			spy.mockRestore();
			expect(error?.description).toMatch(
				/It is not known whether the dispatch was created|Dispatch \d+ holds 0 recipients/,
			);
			expect(created()).toEqual([firstNew]);
			expect([creates(), starts()]).toEqual([1, 0]);
		},
	);
});

test('the ID of an older dispatch of the same name: the new one is found, and only it is started', async () => {
	await run('send');
	speak({ createReply: 'otherId' });
	const { items, error } = await run('send');
	expect(error).toBeUndefined();
	expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew + 1, started: true, success: 5 }]);
	expect(created().map((id) => bench.store.dispatches.get(id)?.run)).toEqual([1, 1]);
});

test('a reply that counts failures only, and marks them: who failed is not said to be accepted', async () => {
	const messages = itemsUpTo(4).map((_, index) => ({
		destination: numberOf(index),
		messageUuid: `u-${index}`,
		parts: 1,
		status: index === 0 ? 'CREATED' : 'FAILED',
	}));
	bench.sandbox.faults.add({
		kind: 'commit-then-status',
		status: 200,
		body: JSON.stringify({ id: firstNew, status: 'CREATED', total: 4, failed: 3, messages }),
		match: { method: 'POST', path: '*/dispatches' },
	});
	const { items } = await run('send', { limits: { minimumAccepted: 90 } }, 4);
	expect(jsonOf(items)).toMatchObject([{ started: false, success: 1, failed: 3 }]);
});

describe('the reply to an append', () => {
	test.each(dialectOptions.appendReply)('%s: added once, and started', async (shape) => {
		speak({ appendReply: shape });
		const { items, error } = await run('send', inBatches);
		expect(error).toBeUndefined();
		expect([creates(), appends(), starts()]).toEqual([1, 2, 1]);
		expect(destinations(firstNew)).toEqual(numbers(5));
		expect(jsonOf(items)).toMatchObject([
			{ dispatchId: firstNew, started: true, success: 5, failed: 0 },
		]);
	});

	test.each(['emptyObject', 'errorBody', 'noMessages', 'otherId'] as const)(
		'%s, and its messages cannot be read: stops with what is certain, adds nobody twice',
		async (shape) => {
			speak({ appendReply: shape });
			bench.sandbox.faults.add({
				kind: 'status',
				status: 500,
				match: { method: 'GET', path: '*/messages' },
				times: 1_000,
			});
			const { error } = await run('send', inBatches, 5, 2);
			expect(error?.description).toMatch(/^Dispatch 3003 holds \d recipients for certain/);
			expect([creates(), appends(), starts()]).toEqual([1, 1, 0]);
			expect(new Set(destinations(firstNew)).size).toBe(destinations(firstNew).length);
		},
	);
});

describe('an append whose answer is lost', () => {
	const lose = (kind: 'reset' | 'commit-then-reset') =>
		bench.sandbox.faults.add({ kind, match: { method: 'POST', path: '*/dispatches/*/messages' } });

	test.each([
		['commit-then-reset', 1],
		['reset', 2],
	] as const)('of exactly one recipient, %s: there once', async (kind, times) => {
		lose(kind);
		const { items, error } = await run('send', { recipientOptions: { batchSize: 4 } }, 5);
		expect(error).toBeUndefined();
		expect(appends()).toBe(times);
		expect(destinations(firstNew)).toEqual(numbers(5));
		expect(jsonOf(items)).toMatchObject([{ success: 5, started: true }]);
	});

	test('and the messages are listed only after half a minute: found, not added again', async () => {
		speak({ indexLagMs: 30_000 });
		lose('commit-then-reset');
		const { items, error } = await run('send', inBatches);
		expect(error).toBeUndefined();
		expect(appends()).toBe(2);
		expect(destinations(firstNew)).toEqual(numbers(5));
		expect(jsonOf(items)).toMatchObject([{ success: 5 }]);
	});

	test('and the count is out of date: the list shows them, so nobody is added twice', async () => {
		lose('commit-then-reset');
		const stale = { id: firstNew, name: 'Spring sale', status: 'CREATED', messages: { total: 2 } };
		bench.sandbox.faults.add({
			kind: 'status',
			status: 200,
			body: JSON.stringify(stale),
			match: { method: 'GET', path: `*/dispatches/${firstNew}` },
			after: 1,
			times: 1_000,
		});
		const { error } = await run('send', inBatches, 4);
		expect(error?.description).toContain(`Dispatch ${firstNew} holds 2 recipients for certain`);
		expect(appends()).toBe(1);
		expect(destinations(firstNew)).toEqual(numbers(4));
	});

	test('and they are listed too late: stops, adds nobody twice', async () => {
		speak({ indexLagMs: 3_600_000 });
		lose('commit-then-reset');
		const { error } = await run('send', inBatches);
		expect(error?.description).toContain(`Dispatch ${firstNew} holds 2 recipients for certain`);
		expect([appends(), starts()]).toEqual([1, 0]);
	});

	test('to an empty dispatch, and not carried out: nothing proves that it is not there', async () => {
		await run('create', {}, 1);
		const dispatch = bench.store.dispatches.get(firstNew);
		if (dispatch === undefined) throw new Error('there is no dispatch');
		dispatch.messages.length = 0;
		dispatch.messageCount.total = 0;
		bench.forget();
		lose('reset');
		const { error } = await run('addMessages', {
			id: { __rl: true, mode: 'id', value: String(firstNew) },
		});
		expect(error?.message).toBe('The dispatch could not be finished');
		expect(appends()).toBe(1);
	});
});

describe('a creation whose answer is lost', () => {
	const lose = (kind: 'reset' | 'commit-then-reset') =>
		bench.sandbox.faults.add({ kind, match: { method: 'POST', path: '*/dispatches' } });

	const another = { name: 'Another' };

	test('not carried out, and the list shows one that is as young: created again', async () => {
		await run('send', another);
		bench.forget();
		lose('reset');
		const { error } = await run('send');
		expect(error).toBeUndefined();
		expect([created(), creates()]).toEqual([[firstNew, firstNew + 1], 2]);
	});

	/** A company with which nothing else was done in this file. */
	const ofBakery = {
		companyId: byId(demo.companies.bakery),
		senderIds: [demo.senders.bakeryMts],
	};

	test('not carried out, and the list has never shown any of ours: not created again', async () => {
		lose('reset');
		const { error } = await run('create', ofBakery, 3, 2);
		expect(error?.description).toContain('It is not known whether the dispatch was created');
		expect([created(), creates()]).toEqual([[], 1]);
	});

	test('not carried out, and the list shows only older ones: not created again', async () => {
		speak({ indexLagMs: 100_000 });
		await run('create', { ...ofBakery, ...another });
		bench.sandbox.tick(100_000);
		tempo.pausedMs += 100_000;
		bench.forget();
		lose('reset');
		const { error } = await run('create', ofBakery, 3);
		expect(error?.description).toContain('It is not known whether the dispatch was created');
		expect([created(), creates()]).toEqual([[firstNew], 1]);
	});

	test('listed only after half a minute: found, not created again', async () => {
		speak({ indexLagMs: 30_000 });
		lose('commit-then-reset');
		const { error } = await run('send');
		expect(error).toBeUndefined();
		expect([created(), creates()]).toEqual([[firstNew], 1]);
	});

	test('listed under its name without the blank at its end: found', async () => {
		lose('commit-then-reset');
		const spy = jest.spyOn(bench.store.dispatches, 'set').mockImplementation(function (
			this: typeof bench.store.dispatches,
			id,
			dispatch,
		) {
			spy.mockRestore();
			return this.set(id, { ...dispatch, name: dispatch.name.trim() });
		});
		const { error } = await run('create', { name: 'Spring sale ' });
		expect(error).toBeUndefined();
		expect([created(), creates()]).toEqual([[firstNew], 1]);
	});
});

const unreadableLists = [
	'emptyObject',
	'itemsNull',
	'errorBody',
	'emptyWithTotal',
	'twoLists',
] as const;

describe('a list of dispatches', () => {
	test.each(unreadableLists)(
		'as %s: nothing is created, whatever is chosen for the name',
		async (shape) => {
			await run('send');
			bench.forget();
			speak({ listEnvelope: shape });
			for (const nameUsed of ['goOn', 'stop', 'another']) {
				const { error } = await run('send', { options: { nameUsed } });
				expect(error?.message).toMatch(/^The service('s list| reported|'s answer)/);
			}
			expect(created()).toEqual([firstNew]);
			expect(creates()).toBe(0);
		},
	);

	test.each(['array', 'data', 'results', 'noTotal', 'totalAsText'] as const)(
		'as %s: the name is found',
		async (shape) => {
			await run('send');
			speak({ listEnvelope: shape });
			const { error } = await run('send', { options: { nameUsed: 'stop' } });
			expect(error?.message).toContain(`dispatch ${firstNew}`);
			expect(created()).toEqual([firstNew]);
		},
	);

	test('with a namesake whose status and date are missing: the error has no gaps', async () => {
		await run('send');
		bench.sandbox.faults.add({
			kind: 'status',
			status: 200,
			body: JSON.stringify({ total: 1, items: [{ id: firstNew, name: 'Spring sale' }] }),
			match: { method: 'GET', path: '*/dispatches' },
		});
		const { error } = await run('send', { options: { nameUsed: 'stop' } });
		expect(error?.message).toContain(`"Name" already belongs to dispatch ${firstNew}.`);
		expect(error?.message).not.toContain('undefined');
	});

	test.each(unreadableLists)('as %s: Get Many says that it cannot be read', async (shape) => {
		speak({ listEnvelope: shape });
		const { error, items } = await bench.run('dispatch.getAll', { companyId: fromItems.companyId });
		expect(items).toEqual([]);
		expect(error?.description).toBeTruthy();
	});
});

describe('the answer to a start', () => {
	test.each(dialectOptions.moveReply)('%s: started once, and only then said so', async (shape) => {
		speak({ moveReply: shape });
		const { items, error } = await run('send');
		expect(error).toBeUndefined();
		expect(starts()).toBe(1);
		expect(statusOf(firstNew)).toBe('STARTED');
		expect(jsonOf(items)).toMatchObject([{ started: true, status: 'STARTED' }]);
	});

	test('CREATED, and the dispatch says so too: not said to be started, and not started again', async () => {
		bench.sandbox.faults.add({
			kind: 'status',
			status: 200,
			body: JSON.stringify({ id: firstNew, status: 'CREATED' }),
			match: { method: 'POST', path: '*/start' },
		});
		const { items, error } = await run('send', { stopIfStartFails: false });
		expect(items).toEqual([]);
		expect(error?.message).toContain(`the start of dispatch ${firstNew}`);
		expect(error?.description).toContain(
			`It is not known whether dispatch ${firstNew} was started.`,
		);
		expect(starts()).toBe(1);
	});
});

describe('a price estimate', () => {
	test('below 0: not started', async () => {
		bench.sandbox.faults.add({
			kind: 'status',
			status: 200,
			body: JSON.stringify({
				id: firstNew,
				name: 'Spring sale',
				status: 'CREATED',
				priceEstimate: -1,
			}),
			match: { method: 'GET', path: `*/dispatches/${firstNew}` },
		});
		const { items } = await run('send', { limits: { priceLimit: 0 } });
		expect(jsonOf(items)).toMatchObject([{ started: false }]);
		expect(starts()).toBe(0);
	});

	test.each(dialectOptions.priceEstimate.filter((shape) => shape !== 'number'))(
		'as %s: not started, with a limit and without',
		async (shape) => {
			speak({ priceEstimate: shape });
			for (const limits of [{ priceLimit: 1_000_000 }, {}]) {
				const { items, error } = await run('send', { limits });
				expect(error).toBeUndefined();
				expect(jsonOf(items)).toMatchObject([
					{
						started: false,
						notStartedBecause: expect.stringContaining("price estimate can't be read"),
					},
				]);
			}
			expect(created().map(statusOf)).toEqual(['CREATED', 'CREATED']);
		},
	);
});

describe('the price limit of several dispatches', () => {
	const several = { name: '={{ "Part " + $json.code }}' };
	const estimate = async () => {
		const { items } = await run('create', several, 3);
		bench.sandbox.reset('demo');
		bench.forget();
		return jsonOf(items).map(({ priceEstimate }) => (priceEstimate as { total: number }).total);
	};

	test('the whole run by default: what would pass it is not started', async () => {
		const [first = 0, second = 0] = await estimate();
		const { items } = await run('send', { ...several, limits: { priceLimit: first + second } }, 3);
		expect(jsonOf(items).map(({ started }) => started)).toEqual([true, true, false]);
		expect(String(items[2]?.json.notStartedBecause)).toContain('already started in this run');
	});

	test('Retry On Fail counts what its first try has started', async () => {
		const [first = 0, second = 0] = await estimate();
		bench.sandbox.faults.add({
			kind: 'status',
			status: 400,
			match: { method: 'POST', path: '*/dispatches' },
			after: 1,
		});
		const limits = { priceLimit: first + second };
		const { items } = await run('send', { ...several, limits }, 3, 2);
		expect(jsonOf(items).map(({ started }) => started)).toEqual([true, true, false]);
	});

	test('each dispatch by choice', async () => {
		const [first = 0] = await estimate();
		const limits = { priceLimit: first, priceLimitScope: 'dispatch' };
		const { items } = await run('send', { ...several, limits }, 3);
		expect(jsonOf(items).map(({ started }) => started)).toEqual([true, true, true]);
	});
});
