import { demo } from '../../sandbox/demo.cts';
import { dialectOptions, type Dialect } from '../../sandbox/dialect.cts';
import { byId, jsonOf } from '../support/sandbox.cts';
import type * as Tempo from '../support/tempo.cts';
import { tempo } from '../support/tempo.cts';
import { useDispatches, usePausesOfService } from './useDispatches.cts';
import { block, firstNew, fromItems, itemsUpTo, messagesOf, numberOf } from './recipients.cts';

// Pauses take no time for us, and their time for the service.
jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof Tempo>('../support/tempo.cts').workflowAtTempo(),
);

/** Services that answer in other ways than the sandbox does by default. */

const dispatches = useDispatches();
usePausesOfService(dispatches);
const { bench, run, statusOf, created, destinations, numbers, creates, appends, starts, answer } =
	dispatches;

const speak = (dialect: Partial<Dialect>) => Object.assign(bench.store.settings.dialect, dialect);

const inBatches = { recipientOptions: { batchSize: 2 } };

describe('the reply to a creation', () => {
	test.each(dialectOptions.createReply)('%s: created once, with everybody in it', async (shape) => {
		speak({ createReply: shape });
		const { items, error } = await run('send');
		expect(error).toBeUndefined();
		expect(created()).toEqual([firstNew]);
		expect([creates(), starts()]).toEqual([1, 1]);
		expect(bench.sent('GET', '/dispatches/0')).toBe(0);
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
				/It is not known whether the dispatch was created|Dispatch \d+ contains 0 confirmed recipients/,
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

test('the ID of an older dispatch of the same name that is not started: the new one is found', async () => {
	await run('create', {}, 2);
	speak({ createReply: 'otherId' });
	const { items, error } = await run('send');
	expect(error).toBeUndefined();
	expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew + 1, started: true, success: 5 }]);
	expect(destinations(firstNew)).toEqual(numbers(2));
	expect(created().map(statusOf)).toEqual(['CREATED', 'STARTED']);
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
	const limits = { minimumAccepted: 90, whenPassed: 'leave' };
	const { items } = await run('send', { limits }, 4);
	expect(jsonOf(items)).toMatchObject([{ started: false, success: 1, failed: 3 }]);
});

test.each([
	['about other recipients', [10, 11, 12, 13]],
	['about fewer recipients than it counts', [0, 1, 2]],
])('a reply %s is not believed: the messages are read back', async (_, indexes) => {
	const messages = indexes.map((index) => ({
		destination: numberOf(index),
		messageUuid: `u-${index}`,
		parts: 1,
		status: 'CREATED',
	}));
	bench.sandbox.faults.add({
		kind: 'commit-then-status',
		status: 200,
		body: JSON.stringify({ id: firstNew, status: 'CREATED', total: 4, success: 4, messages }),
		match: { method: 'POST', path: '*/dispatches' },
	});
	const { items } = await run('send', { output: 'recipients' }, 4);
	expect(jsonOf(items).map(({ messageUuid }) => messageUuid)).toEqual(
		messagesOf(bench.sandbox, firstNew).map(({ uuid }) => uuid),
	);
});

describe('what the service shows of a dispatch', () => {
	const path = `*/dispatches/${firstNew}`;

	test.each([
		['ID', { id: firstNew - 1, name: 'Spring sale' }],
		['name', { id: firstNew, name: 'Winter sale' }],
		['name in one word', { id: firstNew, name: 'Springsale' }],
	])('another %s: nothing is started, and the error says so', async (_, shown) => {
		answer(path, { ...shown, status: 'CREATED', priceEstimate: 1, messages: { total: 5 } });
		const { error } = await run('send');
		expect(error?.message).toBe("The dispatch couldn't be finished");
		expect(error?.description).toContain(
			"The service returned a different dispatch than the requested one. Check the dispatch in your account on the provider's website",
		);
		expect([creates(), starts()]).toEqual([1, 0]);
	});

	test('neither ID nor name: started all the same', async () => {
		answer(path, { status: 'CREATED', priceEstimate: 1, messages: { total: 5 } });
		const { items, error } = await run('send');
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ started: true, success: 5 }]);
		expect(starts()).toBe(1);
	});

	test('its name in another spelling of the same letters: started all the same', async () => {
		const name = 'Cafe\u0301  opening';
		answer(path, { id: firstNew, name: ' Caf\u00e9 opening', status: 'CREATED', priceEstimate: 1 });
		const { items, error } = await run('send', { name });
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ started: true, success: 5 }]);
	});

	test('no count of its messages, and the answer to an append is lost: not sent again', async () => {
		answer(path, { id: firstNew, name: 'Spring sale', status: 'CREATED', priceEstimate: 1 });
		bench.sandbox.faults.add({
			kind: 'reset',
			match: { method: 'POST', path: '*/dispatches/*/messages' },
		});
		const { error } = await run('send', inBatches);
		expect(error?.description).toContain(`Dispatch ${firstNew} contains 2 confirmed recipients`);
		expect(error?.description).toContain(
			"The service doesn't report how many messages the dispatch contains. Check the dispatch in your account",
		);
		expect([appends(), starts()]).toEqual([1, 0]);
	});
});

describe('how many messages a dispatch holds', () => {
	const lose = (kind: 'reset' | 'commit-then-reset', after: number) =>
		bench.sandbox.faults.add({
			kind,
			match: { method: 'POST', path: '*/dispatches/*/messages' },
			after,
		});
	/** A service that keeps nothing of a recipient it rejects. */
	const forgetRejected = () => {
		const strike = bench.sandbox.faults.strike.bind(bench.sandbox.faults);
		return jest.spyOn(bench.sandbox.faults, 'strike').mockImplementation((request) => {
			const dispatch = bench.store.dispatches.get(firstNew);
			if (dispatch !== undefined) {
				dispatch.messages = dispatch.messages.filter(({ reason }) => reason === null);
				dispatch.messageCount.total = dispatch.messages.length;
			}
			return strike(request);
		});
	};
	const kinds = ['reset', 'commit-then-reset'] as const;
	const cases = [true, false].flatMap((counts) =>
		kinds.flatMap((kind) => [0, 1, 2].map((after) => ({ counts, kind, after }))),
	);

	test.each(cases)(
		'rejected ones are counted ($counts), and the answer to an append after $after others is lost, $kind: everybody is there once',
		async ({ counts, kind, after }) => {
			block(bench.sandbox, [numberOf(2), numberOf(4)]);
			if (!counts) forgetRejected();
			lose(kind, after);
			const { items, error } = await run('send', inBatches, 8);
			jest.restoreAllMocks();
			expect(error).toBeUndefined();
			expect(jsonOf(items)).toMatchObject([{ started: true, success: 6, failed: 2 }]);
			const accepted = messagesOf(bench.sandbox, firstNew).filter(({ reason }) => reason === null);
			expect(accepted.map(({ destination }) => destination)).toEqual(
				[0, 1, 3, 5, 6, 7].map(numberOf),
			);
		},
	);

	// Before anything was accepted, nothing proves that a lost one is not there.
	const later = cases.filter(({ kind, after }) => kind === 'commit-then-reset' || after > 0);
	test.each(later)(
		'rejected ones are counted ($counts), and the answer to Add Messages after $after others is lost, $kind: everybody is there once',
		async ({ counts, kind, after }) => {
			await run('create', {}, 2);
			block(bench.sandbox, [numberOf(2), numberOf(4)]);
			if (!counts) forgetRejected();
			lose(kind, after);
			const { error } = await bench.run(
				'dispatch.addMessages',
				{ ...fromItems, ...inBatches, id: byId(firstNew) },
				{ items: itemsUpTo(8).slice(2) },
			);
			jest.restoreAllMocks();
			expect(error).toBeUndefined();
			const accepted = messagesOf(bench.sandbox, firstNew).filter(({ reason }) => reason === null);
			expect(accepted.map(({ destination }) => destination)).toEqual(
				[0, 1, 3, 5, 6, 7].map(numberOf),
			);
		},
	);

	test.each(kinds)(
		'replies that count nothing, and the answer to the last append is lost, %s: everybody is there once',
		async (kind) => {
			speak({ appendReply: 'noCounts' });
			lose(kind, 1);
			const { items, error } = await run('send', inBatches, 6);
			expect(error).toBeUndefined();
			expect(destinations(firstNew)).toEqual(numbers(6));
			expect(jsonOf(items)).toMatchObject([{ started: true, success: 6 }]);
		},
	);

	test('a reply that counts fewer than were sent, and the next answer is lost: everybody is there once', async () => {
		block(bench.sandbox, [numberOf(2)]);
		bench.sandbox.faults.add({
			kind: 'commit-then-status',
			status: 200,
			body: JSON.stringify({
				id: firstNew,
				total: 1,
				success: 1,
				messages: [{ destination: numberOf(3), messageUuid: 'u-3' }],
			}),
			match: { method: 'POST', path: '*/dispatches/*/messages' },
		});
		lose('reset', 0);
		const { items, error } = await run('send', inBatches, 6);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ success: 5, failed: 1 }]);
		expect(destinations(firstNew)).toEqual(numbers(6));
	});

	test('rejected ones are not counted, and nobody was accepted yet: a lost append is not sent again', async () => {
		await run('create', {}, 2);
		block(bench.sandbox, [numberOf(2), numberOf(3)]);
		forgetRejected();
		lose('reset', 1);
		const { error } = await bench.run(
			'dispatch.addMessages',
			{ ...fromItems, ...inBatches, id: byId(firstNew) },
			{ items: itemsUpTo(6).slice(2) },
		);
		jest.restoreAllMocks();
		expect(error?.message).toBe("The dispatch couldn't be finished");
		expect(appends()).toBe(2);
	});

	test('is not asked any more when the execution is cancelled', async () => {
		speak({ indexLagMs: 3_600_000 });
		lose('commit-then-reset', 0);
		let cancel: () => void = () => undefined;
		tempo.onPause = (ms) => {
			if (ms < 200) return;
			// The first long pause is the one between two looks.
			tempo.onPause = undefined;
			tempo.pausedMs = 0;
			cancel();
		};
		await bench.run(
			'dispatch.send',
			{ ...fromItems, ...inBatches },
			{ items: itemsUpTo(4), onStart: (stop) => (cancel = stop) },
		);
		// n8n does not wait for a node it has cancelled.
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(tempo.pausedMs).toBeLessThan(1_000);
		expect(appends()).toBe(1);
	});

	test('is asked only when the dispatch is created, before it is started and after', async () => {
		await run('send', inBatches, 8);
		expect(appends()).toBe(3);
		expect(bench.sent('GET', `/dispatches/${firstNew}`)).toBe(3);
	});

	test('includes messages of somebody else: what is not certain is not said to be there', async () => {
		lose('commit-then-reset', 0);
		const messages = [0, 1, 2, 99].map((index) => ({
			destination: numberOf(index),
			messageUuid: `u-${index}`,
			parts: 1,
			status: 'CREATED',
		}));
		answer('/messages', { total: 4, items: messages });
		const { error } = await run('send', inBatches, 4);
		expect(error?.description).toContain(`Dispatch ${firstNew} contains 2 confirmed recipients`);
		expect([appends(), starts()]).toEqual([1, 0]);
	});
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
			expect(error?.description).toMatch(/^Dispatch 3003 contains \d confirmed recipients?/);
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
		expect(error?.description).toContain(`Dispatch ${firstNew} contains 2 confirmed recipients`);
		expect(appends()).toBe(1);
		expect(destinations(firstNew)).toEqual(numbers(4));
	});

	test('and they are listed too late: stops, adds nobody twice', async () => {
		speak({ indexLagMs: 3_600_000 });
		lose('commit-then-reset');
		const { error } = await run('send', inBatches);
		expect(error?.description).toContain(`Dispatch ${firstNew} contains 2 confirmed recipients`);
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
		expect(error?.message).toBe("The dispatch couldn't be finished");
		expect(appends()).toBe(1);
	});
});

describe('a creation whose answer is lost', () => {
	const lose = (kind: 'reset' | 'commit-then-reset') =>
		bench.sandbox.faults.add({ kind, match: { method: 'POST', path: '*/dispatches' } });

	const another = { name: 'Another' };

	test('not carried out, and the list shows one that is as young: created again', async () => {
		// Not started: the look before the next creation shows it while it is young.
		await run('create', another);
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
		// Another company's list proves nothing about this one's.
		await run('create', another);
		bench.store.dispatches.delete(firstNew);
		bench.forget();
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

	test('not carried out, and the list no longer shows the newest one: not created again', async () => {
		await run('send', another);
		bench.store.dispatches.delete(firstNew);
		bench.forget();
		lose('reset');
		const { error } = await run('send');
		expect(error?.description).toContain('It is not known whether the dispatch was created');
		expect([created(), creates()]).toEqual([[], 1]);
	});

	test('carried out, beside an older one of the same name: the new one is found', async () => {
		await run('create', {}, 2);
		bench.forget();
		lose('commit-then-reset');
		const { items, error } = await run('send');
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew + 1, started: true, success: 5 }]);
		expect([created(), creates()]).toEqual([[firstNew, firstNew + 1], 1]);
	});

	test('carried out and found, but its messages are never listed: not created again', async () => {
		await run('create', another);
		bench.forget();
		lose('commit-then-reset');
		answer('/messages', { total: 0, items: [] });
		const { error } = await run('send');
		expect(error?.description).toContain(
			`Dispatch ${firstNew + 1} contains 0 confirmed recipients`,
		);
		expect([created(), creates(), starts()]).toEqual([[firstNew, firstNew + 1], 1, 0]);
	});

	test('somebody else created one of the same name at the same moment: neither is taken', async () => {
		lose('commit-then-reset');
		const twins = [firstNew, firstNew + 1].map((id) => ({ id, name: 'Spring sale' }));
		answer('/dispatches', { total: 2, items: twins }, { after: 1 });
		const { error } = await run('send');
		expect(error?.description).toContain(
			`More than one new dispatch has this name: ${firstNew}, ${firstNew + 1}. Check them in your account on the provider's website before you run this again.`,
		);
		expect(error?.description).toContain('It is not known whether the dispatch was created');
		expect([creates(), starts()]).toEqual([1, 0]);
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
			for (const nameExists of ['continue', 'stop', 'another']) {
				const { error } = await run('send', { nameExists });
				expect(error?.message).toMatch(/^The service('s list| reported|'s response)/);
			}
			expect(created()).toEqual([firstNew]);
			expect(creates()).toBe(0);
		},
	);

	test.each([
		['a name', { id: 1 }],
		['an ID', { name: 'Another' }],
	])('with an entry without %s: nothing is created, and the error says so', async (_, entry) => {
		answer('/dispatches', { total: 1, items: [entry] });
		const words =
			"The service lists a dispatch without a name or an ID, so the node can't identify it";
		const { error } = await run('send');
		expect(error?.message).toBe("The dispatch couldn't be finished");
		expect(error?.description).toContain(`No dispatch was created. ${words}.`);
		const stopped = await run('send', { nameExists: 'stop' });
		expect(stopped.error?.message).toBe(words);
		expect(stopped.error?.description).toBe(
			"Nothing was created or sent. The node first checks whether the name exists, so that you don't send twice. To skip this check, set 'If the Name Exists' to 'Create Another Dispatch'.",
		);
		expect(stopped.error?.context?.item).toBe(1);
		expect(creates()).toBe(0);
	});

	test.each(['array', 'data', 'results', 'noTotal', 'totalAsText'] as const)(
		'as %s: the name is found',
		async (shape) => {
			await run('send');
			speak({ listEnvelope: shape });
			const { error } = await run('send', { nameExists: 'stop' });
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
		const { error } = await run('send', { nameExists: 'stop' });
		expect(error?.message).toBe(`"Spring sale" already exists as dispatch ${firstNew}`);
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
		expect(error?.message).toContain(`the request to start dispatch ${firstNew}`);
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
		const { items, error } = await run('send', { priceLimit: 0 });
		expect(items).toEqual([]);
		expect(error?.message).toBe("The price estimate can't be read: the service sent -1");
		expect(starts()).toBe(0);
	});

	test.each(dialectOptions.priceEstimate.filter((shape) => shape !== 'number'))(
		'as %s: not started, which is an error unless Create Without Starting is chosen',
		async (shape) => {
			speak({ priceEstimate: shape });
			const { error } = await run('send');
			expect(error?.message).toContain("The price estimate can't be read");
			const { items } = await run('send', { limits: { whenPassed: 'leave' } });
			expect(jsonOf(items)).toMatchObject([
				{
					started: false,
					notStartedBecause: expect.stringContaining("The price estimate can't be read"),
				},
			]);
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
		const limits = { whenPassed: 'leave' };
		const { items } = await run('send', { ...several, priceLimit: first + second, limits }, 3);
		expect(jsonOf(items).map(({ started }) => started)).toEqual([true, true, false]);
		expect(String(items[2]?.json.notStartedBecause)).toContain('already started in this run');
	});

	test('by default that is an error, which does not say that nothing was sent', async () => {
		const [first = 0, second = 0] = await estimate();
		const { error } = await run('send', { ...several, priceLimit: first + second }, 3);
		expect(created().map(statusOf)).toEqual(['STARTED', 'STARTED', 'CREATED']);
		expect(error?.message).toContain('already started in this run');
		expect(error?.context?.item).toBe(3);
		expect(error?.description).toContain(`Dispatch ${firstNew + 2} exists but was not started`);
		expect(error?.description).not.toContain('Nothing was sent.');
	});

	test('Retry On Fail counts what its first try has started', async () => {
		const [first = 0, second = 0] = await estimate();
		bench.sandbox.faults.add({
			kind: 'status',
			status: 400,
			match: { method: 'POST', path: '*/dispatches' },
			after: 1,
		});
		const limits = { whenPassed: 'leave' };
		const { items } = await run('send', { ...several, priceLimit: first + second, limits }, 3, 2);
		expect(jsonOf(items).map(({ started }) => started)).toEqual([true, true, false]);
	});

	test('each dispatch by choice', async () => {
		const [first = 0] = await estimate();
		const limits = { priceLimitScope: 'dispatch' };
		const { items } = await run('send', { ...several, priceLimit: first, limits }, 3);
		expect(jsonOf(items).map(({ started }) => started)).toEqual([true, true, true]);
	});
});
