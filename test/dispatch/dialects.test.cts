import { dialectOptions, type Dialect } from '../../sandbox/api/dialect.cts';
import { byId, jsonOf } from '../support/sandbox.cts';
import { tempo } from '../support/tempo.cts';
import { listOf, sorted, useDispatches, usePausesOfService } from './useDispatches.cts';
import {
	block,
	firstNew,
	fromItems,
	itemOf,
	itemsUpTo,
	messagesOf,
	numberOf,
	textFor,
} from './recipients.cts';

// Pauses take no time for us, and their time for the service.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

/** Services that answer in other ways than the sandbox does by default. */

const dispatches = useDispatches();
usePausesOfService(dispatches);
const {
	bench,
	run,
	statusOf,
	created,
	destinations,
	numbers,
	creates,
	appends,
	starts,
	answer,
	show,
	reply,
	statuses,
	intercept,
	onRequest,
	started,
} = dispatches;

const speak = (dialect: Partial<Dialect>) => Object.assign(bench.store.settings.dialect, dialect);

const inBatches = { options: { batchSize: 2 } };

/** The first request of several carries a random selection, so only the set of recipients is certain. */
const everybody = (count: number) => sorted(numbers(count));

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
			{ dispatchId: firstNew, started: true, status: 'STARTED', onTheWay: 5, failed: 0 },
		]);
	});

	test.each(dialectOptions.createReply.filter((shape) => shape !== 'contract'))(
		'%s, and nothing to be seen: not started, and never created again',
		async (shape) => {
			speak({ createReply: shape });
			bench.fault('status', 'GET', `*/dispatches/${firstNew}`, { status: 500, times: 1_000 });
			// The look before the creation still works.
			intercept('POST', '/dispatches', () => void speak({ listEnvelope: 'errorBody' }));
			const { error } = await run('send', { nameExists: 'stop' }, 3, 2);
			// If its ID is known, it is left, and begun anew once.
			const hasId = ['textId', 'noMessages', 'noCounts', 'snake'].includes(shape);
			const told = hasId ? 'Nothing was sent for these items.' : 'Nothing was created or sent.';
			expect(error?.description).toContain(told);
			expect(creates()).toBe(hasId ? 2 : 1);
			expect(statuses()).toEqual(hasId ? ['CREATED', 'CREATED'] : ['CREATED']);
		},
	);
});

test.each(['send', 'create'])(
	'the ID of an older dispatch of the same name, made by %s: the new one is found, and only it is started',
	async (before) => {
		await run(before, {}, 2);
		speak({ createReply: 'otherId' });
		const { items, error } = await run('send');
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew + 1, started: true, onTheWay: 5 }]);
		expect(destinations(firstNew)).toEqual(numbers(2));
		expect(created().map((id) => bench.store.dispatches.get(id)?.run)).toEqual([
			before === 'send' ? 1 : 0,
			1,
		]);
	},
);

test('a reply that counts failures only: the messages are read back, and who failed is not said to be accepted', async () => {
	const messages = itemsUpTo(4).map((_, index) => ({
		destination: numberOf(index),
		messageUuid: `u-${index}`,
		parts: 1,
		status: index === 0 ? 'CREATED' : 'FAILED',
	}));
	reply('*/dispatches', { id: firstNew, status: 'CREATED', total: 4, failed: 3, messages });
	const list = messages.map((one) => ({ ...one, messageUuid: `${one.messageUuid}-listed` }));
	answer('/messages', { total: 4, items: list });
	const limits = { minimumAccepted: 90, whenPassed: 'leave' };
	const { items } = await run('send', { options: limits }, 4);
	expect(jsonOf(items)).toMatchObject([{ started: false, notStarted: 1, failed: 3 }]);
});

test('a dispatch that is shown without a status is left, and another one is started', async () => {
	answer(`*/dispatches/${firstNew}`, { id: firstNew, name: 'Spring sale', messages: { total: 5 } });
	const { error } = await run('send');
	expect(error).toBeUndefined();
	expect(statuses()).toEqual(['CREATED', 'STARTED']);
});

test.each([
	['about other recipients', [10, 11, 12, 13]],
	['about fewer recipients than it counts', [0, 1, 2]],
])('a reply %s is not believed: the messages are read back', async (_, indexes) => {
	const messages = listOf(indexes, { parts: 1, status: 'CREATED' }).items;
	reply('*/dispatches', { id: firstNew, status: 'CREATED', total: 4, success: 4, messages });
	const { items } = await run('send', { output: 'recipients' }, 4);
	expect(jsonOf(items).map(({ messageUuid }) => messageUuid)).toEqual(
		messagesOf(bench.sandbox, firstNew).map(({ uuid }) => uuid),
	);
});

describe('what the service shows of a dispatch', () => {
	const path = '*/dispatches/*';

	test.each([
		['another ID', { id: firstNew - 1, name: 'Spring sale' }],
		['no ID', { name: 'Spring sale' }],
	])('%s: nothing is started, and the error says so', async (_, shown) => {
		answer(path, { ...shown, status: 'CREATED', priceEstimate: 1, messages: { total: 5 } });
		const { error } = await run('send');
		expect(error?.message).toBe(
			`Dispatch ${firstNew + 1} doesn't show exactly the recipients that were sent to the service`,
		);
		expect(error?.description).toContain('Nobody got a message from this dispatch.');
		// Left, and begun anew once.
		expect(statuses()).toEqual(['CREATED', 'CREATED']);
	});

	test.each(['Winter sale', 'Springsale'])('the name %s: not started', async (name) => {
		for (const id of [firstNew, firstNew + 1]) {
			const shown = { id, name, status: 'CREATED', priceEstimate: 1, messages: { total: 5 } };
			answer(`*/dispatches/${id}`, shown);
		}
		const { error } = await run('send');
		expect(error?.description).toContain('Nobody got a message from this dispatch.');
		expect(statuses()).toEqual(['CREATED', 'CREATED']);
	});

	test('its name in another spelling of the same letters: started all the same', async () => {
		answer(path, {
			id: firstNew,
			name: ' Caf\u00e9 opening',
			status: 'CREATED',
			priceEstimate: 1,
			messages: { total: 5 },
		});
		const { items, error } = await run('send', { name: 'Cafe\u0301  opening' });
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew, started: true, onTheWay: 5 }]);
	});

	test('the ID of one with as many messages and another name: that one is never started', async () => {
		await run('create', { name: 'Winter sale' });
		speak({ createReply: 'otherId' });
		const { items, error } = await run('send');
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew + 1, started: true, onTheWay: 5 }]);
		expect(statuses()).toEqual(['CREATED', 'STARTED']);
	});

	test.each([undefined, 4, 6])(
		'%j messages, and 5 were accepted: not started, and never added again',
		async (total) => {
			for (const id of [firstNew, firstNew + 1]) {
				const shown = { id, name: 'Spring sale', status: 'CREATED', priceEstimate: 1 };
				answer(`*/dispatches/${id}`, { ...shown, messages: { total } });
			}
			const { error } = await run('send');
			expect(error?.description).toContain('Nobody got a message from this dispatch.');
			expect(statuses()).toEqual(['CREATED', 'CREATED']);
			expect([creates(), appends()]).toEqual([2, 0]);
		},
	);
});

describe('how many messages a dispatch holds', () => {
	const lose = (kind: 'reset' | 'commit-then-reset', after: number) =>
		bench.fault(kind, 'POST', '*/dispatches/*/messages', { after });
	/** A service that keeps nothing of a recipient it rejects. */
	const forgetRejected = () => {
		onRequest(() => {
			for (const id of created()) {
				const dispatch = bench.store.dispatches.get(id);
				if (dispatch === undefined) continue;
				dispatch.messages = dispatch.messages.filter(({ reason }) => reason === null);
				dispatch.messageCount.total = dispatch.messages.length;
				dispatch.messageCount.failed = 0;
			}
		});
	};
	const acceptedIn = (id: number) =>
		sorted(
			messagesOf(bench.sandbox, id)
				.filter(({ reason }) => reason === null)
				.map(({ destination }) => destination),
		);
	const kinds = ['reset', 'commit-then-reset'] as const;
	const cases = [true, false].flatMap((counts) =>
		kinds.flatMap((kind) => [0, 1, 2].map((after) => ({ counts, kind, after }))),
	);

	test.each(cases)(
		'rejected ones are counted ($counts), and the answer to an append after $after others is lost, $kind: everybody is in the started one once',
		async ({ counts, kind, after }) => {
			block(bench.sandbox, [numberOf(2), numberOf(4)]);
			if (!counts) forgetRejected();
			lose(kind, after);
			const { items, error } = await run('send', inBatches, 8);
			jest.restoreAllMocks();
			expect(error).toBeUndefined();
			expect(jsonOf(items)).toMatchObject([{ started: true, onTheWay: 6, failed: 2 }]);
			expect(started().map(acceptedIn)).toEqual([sorted([0, 1, 3, 5, 6, 7].map(numberOf))]);
		},
	);

	test.each(cases)(
		'rejected ones are counted ($counts), and the answer to Add Messages after $after others is lost, $kind: nobody is there twice, and running again adds the rest',
		async ({ counts, kind, after }) => {
			await run('create', {}, 2);
			block(bench.sandbox, [numberOf(2), numberOf(4)]);
			if (!counts) forgetRejected();
			lose(kind, after);
			const add = async () =>
				await run('addMessages', { ...inBatches, id: byId(firstNew) }, itemsUpTo(8).slice(2));
			const first = await add();
			const isFound = first.error === undefined;
			// As the error advises: after a few minutes.
			tempo.pausedMs += 180_000;
			const again = isFound ? first : await add();
			jest.restoreAllMocks();
			// What the service leaves out of its list can't be found there.
			expect(isFound).toBe(kind === 'commit-then-reset' && (counts || after === 2));
			expect(again.error).toBeUndefined();
			expect(acceptedIn(firstNew)).toEqual(sorted([0, 1, 3, 5, 6, 7].map(numberOf)));
		},
	);

	test.each(kinds)(
		'replies that count nothing, and the answer to the last append is lost, %s: everybody is in the started one once',
		async (kind) => {
			speak({ appendReply: 'noCounts' });
			lose(kind, 1);
			const { items, error } = await run('send', inBatches, 6);
			expect(error).toBeUndefined();
			expect(started().map((id) => sorted(destinations(id)))).toEqual([everybody(6)]);
			expect(jsonOf(items)).toMatchObject([{ started: true, onTheWay: 6 }]);
		},
	);

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
		await run('send', inBatches, 4, { onStart: (stop) => (cancel = stop) });
		// n8n does not wait for a node it has cancelled.
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(tempo.pausedMs).toBeLessThan(1_000);
		expect([creates(), appends(), starts()]).toEqual([1, 0, 0]);
	});

	test('is asked for its first messages before it is filled, and for its count behind it, if every answer was clear', async () => {
		await run('send', inBatches, 8);
		expect(appends()).toBe(3);
		expect(bench.sent('GET', `/dispatches/${firstNew}`)).toBe(1);
		expect(bench.sent('GET', '/messages')).toBe(1);
	});

	test('includes messages of somebody else: not started', async () => {
		speak({ appendReply: 'emptyObject' });
		answer('/messages', listOf([0, 1, 2, 99], { parts: 1, status: 'CREATED' }));
		const { error } = await run('send', inBatches, 4);
		expect(error?.description).toContain('Nobody got a message from this dispatch.');
		expect(statuses()).toEqual(['CREATED']);
		expect(appends()).toBe(0);
	});
});

describe('the reply to an append', () => {
	test.each(dialectOptions.appendReply)('%s: added once, and started', async (shape) => {
		speak({ appendReply: shape });
		const { items, error } = await run('send', inBatches);
		expect(error).toBeUndefined();
		expect([creates(), appends(), starts()]).toEqual([1, 2, 1]);
		expect(sorted(destinations(firstNew))).toEqual(everybody(5));
		expect(jsonOf(items)).toMatchObject([
			{ dispatchId: firstNew, started: true, onTheWay: 5, failed: 0 },
		]);
	});

	test.each(['emptyObject', 'errorBody', 'noMessages', 'otherId'] as const)(
		'%s, and its messages cannot be read: not started, and nobody is added twice',
		async (shape) => {
			speak({ appendReply: shape });
			bench.fault('status', 'GET', '*/messages', { status: 500, times: 1_000 });
			const { error } = await run('send', inBatches, 5, 2);
			expect(error?.description).toContain('Nobody got a message from this dispatch.');
			expect(statuses()).toEqual(created().map(() => 'CREATED'));
			for (const id of created())
				expect(new Set(destinations(id)).size).toBe(destinations(id).length);
		},
	);
});

describe('an append whose answer is lost', () => {
	const lose = (kind: 'reset' | 'commit-then-reset') =>
		bench.fault(kind, 'POST', '*/dispatches/*/messages');

	test('carried out: found in the list, and not sent again', async () => {
		lose('commit-then-reset');
		const { items, error } = await run('send', { options: { batchSize: 4 } }, 5);
		expect(error).toBeUndefined();
		expect([creates(), appends(), starts()]).toEqual([1, 1, 1]);
		expect(sorted(destinations(firstNew))).toEqual(everybody(5));
		expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew, onTheWay: 5, started: true }]);
	});

	test('not carried out: the dispatch is left, and a new one with everybody is started', async () => {
		lose('reset');
		const { items, error } = await run('send', { options: { batchSize: 4 } }, 5);
		expect(error).toBeUndefined();
		expect([creates(), appends(), starts()]).toEqual([2, 1, 0]);
		expect(statuses()).toEqual(['CREATED', 'STARTED']);
		expect(sorted(destinations(firstNew + 1))).toEqual(everybody(5));
		expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew + 1, onTheWay: 5, started: true }]);
	});

	test('and the messages are listed only after half a minute: found, not added again', async () => {
		speak({ indexLagMs: 30_000 });
		lose('commit-then-reset');
		const { items, error } = await run('send', inBatches);
		expect(error).toBeUndefined();
		expect([creates(), appends()]).toEqual([1, 2]);
		expect(sorted(destinations(firstNew))).toEqual(everybody(5));
		expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew, onTheWay: 5 }]);
	});

	test.each([
		['the count stays out of date', 'commit-then-reset', 2],
		// Stale or wrong: as many as there should be.
		['its messages are never listed, but counted', 'reset', 4],
	] as const)(
		'and %s: the dispatch is left, and nobody is added to it twice',
		async (_, kind, total) => {
			lose(kind);
			show(firstNew, total);
			const { items } = await run('send', inBatches, 4);
			expect(appends()).toBe(1);
			expect(statuses()).toEqual(['CREATED', 'STARTED']);
			expect(sorted(destinations(firstNew + 1))).toEqual(everybody(4));
			expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew + 1, onTheWay: 4 }]);
		},
	);

	test('in both dispatches: none is started, and the error says so', async () => {
		lose('reset');
		bench.fault('reset', 'POST', `*/dispatches/${firstNew + 1}/messages`);
		const { error } = await run('send', inBatches, 4);
		expect(error?.message).toBe(
			`Dispatch ${firstNew + 1} doesn't show exactly the recipients that were sent to the service`,
		);
		expect(error?.description).toContain('Nobody got a message from this dispatch.');
		expect(statuses()).toEqual(['CREATED', 'CREATED']);
		expect(creates()).toBe(2);
	});

	test('to an empty dispatch by Add Messages, and not carried out: not sent again', async () => {
		await run('create', {}, 1);
		const dispatch = bench.store.dispatches.get(firstNew);
		if (dispatch === undefined) throw new Error('there is no dispatch');
		dispatch.messages.length = 0;
		dispatch.messageCount.total = 0;
		bench.forget();
		lose('reset');
		const { error } = await run('addMessages', { id: byId(firstNew) });
		expect(error?.message).toBe(`Not all recipients were added to dispatch ${firstNew}`);
		expect(error?.description).toContain('0 recipients are in it for certain');
		expect(appends()).toBe(1);
	});
});

describe('a creation whose answer is lost', () => {
	const lose = (kind: 'reset' | 'commit-then-reset') => bench.fault(kind, 'POST', '*/dispatches');

	test('not carried out: created again', async () => {
		lose('reset');
		const { error } = await run('send');
		expect(error).toBeUndefined();
		expect([created(), creates(), starts()]).toEqual([[firstNew], 2, 1]);
	});

	test.each(['another', 'anew'])(
		'carried out, beside an older one of the same name, %s: the new one is found',
		async (nameExists) => {
			await run('create', {}, 2);
			bench.sandbox.tick(3_600_000);
			bench.forget();
			lose('commit-then-reset');
			const { items, error } = await run('send', { nameExists });
			expect(error).toBeUndefined();
			expect(jsonOf(items)).toMatchObject([
				{ dispatchId: firstNew + 1, started: true, onTheWay: 5 },
			]);
			expect([created(), creates()]).toEqual([[firstNew, firstNew + 1], 1]);
		},
	);

	test('carried out and found, but its messages are never listed: not started, not created again', async () => {
		lose('commit-then-reset');
		answer('/messages', { total: 0, items: [] });
		const { error } = await run('send');
		expect(error?.message).toBe('It is not known whether the dispatch "Spring sale" was created');
		expect(error?.description).toContain('Nobody got a message from this dispatch.');
		expect([created(), creates(), starts()]).toEqual([[firstNew], 1, 0]);
	});

	test.each([
		['somebody else in it', [0, 1, 2, 3, 99], undefined],
		['somebody in it twice', [0, 1, 2, 3, 3], undefined],
		['another text', [0, 1, 2, 3, 4], 'Another text'],
	])(
		"found with %s: it is another run's, so neither taken nor started",
		async (_, people, text) => {
			lose('commit-then-reset');
			const messages = people.map((index, place) => ({
				destination: numberOf(index),
				messageUuid: `u-${place}`,
				text: text ?? textFor(itemOf(index)),
			}));
			answer('/messages', { total: 5, items: messages });
			const { error } = await run('send');
			expect(error?.message).toBe(
				`"Spring sale" may be in use by another run: dispatch ${firstNew}`,
			);
			expect([creates(), starts()]).toEqual([1, 0]);
		},
	);

	test("found with everybody, and then it is not whole: it may be another run's, so no new one is begun", async () => {
		lose('commit-then-reset');
		show(firstNew, 6);
		const { error } = await run('send');
		expect(error?.message).toBe(
			`Dispatch ${firstNew} doesn't show exactly the recipients that were sent to the service`,
		);
		expect([creates(), starts()]).toEqual([1, 0]);
	});

	test('of several requests: found by its random selection, then filled and started', async () => {
		lose('commit-then-reset');
		const { items, error } = await run('send', { options: { batchSize: 20 } }, 40);
		expect(error).toBeUndefined();
		expect([created(), creates(), appends(), starts()]).toEqual([[firstNew], 1, 1, 1]);
		expect(sorted(destinations(firstNew))).toEqual(everybody(40));
		expect(jsonOf(items)).toMatchObject([{ started: true, onTheWay: 40 }]);
	});

	test('of several requests, found, and then it is not whole: it is left, and a new one is sent', async () => {
		lose('commit-then-reset');
		show(firstNew, 41);
		const { items, error } = await run('send', { options: { batchSize: 20 } }, 40);
		expect(error).toBeUndefined();
		expect([creates(), starts(), starts(firstNew + 1)]).toEqual([2, 0, 1]);
		expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew + 1, onTheWay: 40 }]);
	});

	test("with 'Create Another', a list that cannot be read doesn't matter if every response comes", async () => {
		bench.fault('status', 'GET', '*/dispatches', { status: 403 });
		const { error } = await run('send');
		expect(error).toBeUndefined();
		expect([creates(), starts()]).toEqual([1, 1]);
	});

	test.each([
		[429, { 'retry-after': '3600' }],
		[403, undefined],
	])('answered with %d: it says so, and nothing is looked for', async (status, headers) => {
		bench.fault('status', 'POST', '*/dispatches', { status, headers });
		const { error } = await run('send');
		expect(error?.httpCode).toBe(String(status));
		expect([creates(), bench.sent('GET', '/dispatches')]).toEqual([1, 1]);
	});

	test('of several requests, and too few recipients for a selection nobody else draws: not started', async () => {
		lose('commit-then-reset');
		const { error } = await run('send', inBatches, 4);
		expect(error?.message).toBe(`"Spring sale" may be in use by another run: dispatch ${firstNew}`);
		expect([creates(), appends(), starts()]).toEqual([1, 0, 0]);
	});

	test('somebody else created one of the same name at the same moment: neither is taken', async () => {
		lose('commit-then-reset');
		const twins = [firstNew, firstNew + 1].map((id) => ({ id, name: 'Spring sale' }));
		answer('/dispatches', { total: 2, items: twins }, { after: 1 });
		const { error } = await run('send');
		expect(error?.message).toBe(
			`"Spring sale" may be in use by another run: dispatches ${firstNew}, ${firstNew + 1}`,
		);
		expect(error?.description).toContain('Nobody got a message from this dispatch.');
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
	'data',
	'results',
	'emptyObject',
	'itemsNull',
	'errorBody',
	'emptyWithTotal',
	'twoLists',
] as const;

describe('a list of dispatches', () => {
	test.each(unreadableLists)(
		'as %s: nothing is created if the name is to be looked for',
		async (shape) => {
			await run('send');
			bench.forget();
			speak({ listEnvelope: shape });
			for (const nameExists of ['anew', 'stop']) {
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
		for (const nameExists of ['anew', 'stop']) {
			const { error } = await run('send', { nameExists });
			expect(error?.message).toBe(words);
			expect(error?.description).toBe(
				"Nothing was created or sent. The node first checks whether the name exists, so that you don't send twice. To skip this check, set 'If the Name Exists' to 'Create Another Dispatch'.",
			);
			expect(error?.context?.item).toBe(1);
		}
		expect(creates()).toBe(0);
	});

	test('with a total as text: the name is found', async () => {
		await run('send');
		speak({ listEnvelope: 'totalAsText' });
		const { error } = await run('send', { nameExists: 'stop' });
		expect(error?.message).toContain(`dispatch ${firstNew}`);
		expect(created()).toEqual([firstNew]);
	});

	test.each(['array', 'noTotal'] as const)(
		'as %s: it may not be all of it, so nothing is created',
		async (shape) => {
			speak({ listEnvelope: shape });
			const { error } = await run('send', { nameExists: 'stop' });
			expect(error?.message).toBe("The service's response doesn't contain a readable list");
			expect(error?.description).toContain('Nothing was created or sent.');
			expect(created()).toEqual([]);
		},
	);

	test('with a namesake whose status and date are missing: the error has no gaps', async () => {
		await run('send');
		bench.respond(
			'status',
			'GET',
			'*/dispatches',
			{ total: 1, items: [{ id: firstNew, name: 'Spring sale' }] },
			{ times: 1 },
		);
		const { error } = await run('send', { nameExists: 'stop' });
		expect(error?.message).toBe(
			`"Spring sale" already exists as dispatch ${firstNew} (status: unknown)`,
		);
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

	test('CREATED, and the dispatch says so too: started once more, and only then said so', async () => {
		reply('*/start', { id: firstNew, status: 'CREATED' }, 'status');
		const { items, error } = await run('send');
		expect(error).toBeUndefined();
		expect(starts()).toBe(2);
		expect(jsonOf(items)).toMatchObject([{ started: true, status: 'STARTED' }]);
	});

	test('CREATED both times, and the dispatch says so too: not said to be started', async () => {
		bench.respond('status', 'POST', '*/start', { id: firstNew, status: 'CREATED' }, { times: 2 });
		const { items, error } = await run('send');
		expect(items).toEqual([]);
		expect(error?.message).toBe(`It is not known whether dispatch ${firstNew} was started`);
		expect(starts()).toBe(2);
	});
});

describe('a price estimate', () => {
	test.each(dialectOptions.priceEstimate.filter((shape) => shape !== 'number'))(
		'as %s: not started, which is an error unless Create Without Starting is chosen',
		async (shape) => {
			speak({ priceEstimate: shape });
			const { error } = await run('send');
			expect(error?.message).toContain("The price estimate can't be read");
			const { items } = await run('send', { options: { whenPassed: 'leave' } });
			expect(jsonOf(items)).toMatchObject([
				{ started: false, reason: expect.stringContaining("The price estimate can't be read") },
			]);
			expect(statuses()).toEqual(['CREATED', 'CREATED']);
		},
	);
});
