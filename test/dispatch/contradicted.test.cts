import type { INodeParameters } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { hintsOf } from '../support/n8n.cts';
import { byId, jsonOf } from '../support/sandbox.cts';
import { tempo } from '../support/tempo.cts';
import { firstNew, itemsUpTo, messagesOf, numberOf } from './recipients.cts';
import {
	changing,
	dispatchOf,
	failing,
	listOf,
	replying,
	sorted,
	useDispatches,
	usePausesOfService,
} from './useDispatches.cts';

// Pauses take no time for us, and their time for the service.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

/** A service that contradicts itself, or an earlier attempt: nobody is messaged by mistake, and nothing untrue is said. */

const dispatches = useDispatches();
usePausesOfService(dispatches);
const { bench, run, created, destinations, started, starts, statusOf } = dispatches;
const { answer, intercept, onRequest, show, reply } = dispatches;
const stop = { nameExists: 'stop' };
const anew = { nameExists: 'anew' };
const minute = 60_000;
let processes = 0;
/** The credentials of a run that shares no memory with the others. */
const elsewhere = () => ({
	credentials: bench.credentials({ accessToken: `another process ${++processes}` }),
});

/** A clear response to a creation with five recipients, whatever the ID. */
const createdAs = (id: number, more: object = {}) => ({
	id,
	status: 'CREATED',
	priceEstimate: { total: 1, currency: 'RUB', parts: 5 },
	total: 5,
	success: 5,
	failed: 0,
	messages: [0, 1, 2, 3, 4].map((index) => ({
		destination: numberOf(index),
		messageUuid: `u${index}`,
		parts: 1,
		senderId: 1,
	})),
	...more,
});

describe("the response to a creation has another dispatch's ID", () => {
	const nothing = { page: 1, perPage: 1_000, total: 0, items: [] };

	test.each<[string, string, () => void]>([
		['stop', 'its messages are listed', () => undefined],
		['another', 'its messages are listed', () => undefined],
		['stop', 'the list is empty once', () => answer('*/messages', nothing, { times: 1 })],
		[
			'stop',
			'the list is rejected once',
			() => bench.fault('status', 'GET', '*/messages', { status: 403, times: 1 }),
		],
		[
			'stop',
			'the list fails four times',
			() => bench.fault('status', 'GET', '*/messages', { status: 500, times: 4 }),
		],
	])(
		'one of the same name and size, %s, %s: that one is not started',
		async (nameExists, _, prepare) => {
			await run('create', { nameExists: 'another' }, itemsUpTo(15).slice(10), elsewhere());
			const others = destinations(firstNew);
			// The list doesn't show it at the check.
			answer('*/dispatches', nothing, { times: 1 });
			reply('*/dispatches', createdAs(firstNew));
			prepare();
			const { error } = await run('send', { nameExists }, 5);
			expect(error?.description).toContain('Nobody got a message from this dispatch.');
			expect(destinations(firstNew)).toEqual(others);
			expect(started()).toEqual([]);
		},
	);

	test('one of the same name, with the same people: that one is not started', async () => {
		await run('create', { nameExists: 'another' }, 5, elsewhere());
		answer('*/dispatches', nothing, { times: 1 });
		reply('*/dispatches', createdAs(firstNew));
		const { error } = await run('send', stop, 5);
		expect(error?.message).toBe(
			`"Spring sale" may be in use by another run: dispatches ${firstNew}, ${firstNew + 1}`,
		);
		expect(started()).toEqual([]);
	});

	test('with more people than one request has, and the list is empty once: nobody is added to that one', async () => {
		await run('create', { nameExists: 'another' }, itemsUpTo(15).slice(10), elsewhere());
		const others = destinations(firstNew);
		answer('*/dispatches', nothing, { times: 1 });
		reply('*/dispatches', createdAs(firstNew));
		answer('*/messages', nothing, { times: 1 });
		await run('send', { ...stop, options: { batchSize: 5 } }, 10);
		expect(destinations(firstNew)).toEqual(others);
		expect(started()).toEqual([]);
	});

	test('one that somebody else has started: not "started by another run", and ours is sent', async () => {
		show(4242, 5, { name: 'Somebody else', status: 'STARTED' });
		answer('*/messages', listOf([7, 8, 9]), { times: 1 });
		reply('*/dispatches', createdAs(4242));
		const { error } = await run('send', stop, 5);
		expect(error).toBeUndefined();
		expect(started()).toEqual([firstNew]);
	});
});

test('the list shows masked numbers, but the IDs of our messages: started', async () => {
	reply('*/dispatches', createdAs(firstNew));
	const items = [0, 1, 2, 3, 4].map((index) => ({ destination: '7***', messageUuid: `u${index}` }));
	answer('*/messages', { total: 5, items });
	const { error } = await run('send', stop, 5);
	expect(error).toBeUndefined();
	expect(started()).toEqual([firstNew]);
});

describe('Retry On Fail: a start that may have been carried out, and the items cannot be read any more', () => {
	const maybeStarted = `It is not known whether this run has started dispatch ${firstNew}. Don't send it again.`;
	/** The first start is carried out, answered with an error, and can't be read. Then the second try begins. */
	const loseStart = () => {
		let count = 0;
		intercept('POST', '/start', () => {
			if (++count > 1) return undefined;
			tempo.pausedMs += 1_000_000;
			bench.fault('status', 'GET', `*/dispatches/${firstNew}`, { status: 500, times: 24 });
			return failing(500, { kind: 'commit-then-status' });
		});
	};

	test.each([
		['the name is empty', () => ({ name: changing("'X'", "''") })],
		['there are too many names', () => ({ name: changing("'X'", "'X ' + $itemIndex") })],
		['no number can be read', () => ({ destination: changing('$json.phone', "''") })],
	])('%s: the error still says that it may have been started', async (_, changed) => {
		loseStart();
		const { error } = await run('send', { ...stop, ...changed() }, 12, 2);
		expect(created()).toEqual([firstNew]);
		expect(error?.description?.split(maybeStarted)).toHaveLength(2);
		expect(error?.description).toContain('in this attempt');
	});

	test('with Continue, the item says so, too', async () => {
		loseStart();
		const more = {
			name: '={{ "Part " + $itemIndex }}',
			destination: changing('$json.phone', "$itemIndex === 0 ? '' : $json.phone"),
		};
		const { items } = await run('send', { ...stop, ...more }, 2, {
			tries: 2,
			onError: 'continueRegularOutput',
		});
		expect(JSON.stringify(jsonOf(items)[0])).toContain(
			`It is not known whether this run has started dispatch ${firstNew}.`,
		);
	});

	test('with Continue, a second test is not sent from another dispatch', async () => {
		loseStart();
		const name = changing("'X ' + $itemIndex", "$itemIndex === 0 ? '' : 'X ' + $itemIndex");
		await run('send', { mode: 'test', testNumber: '+79161112233', name }, 2, {
			tries: 2,
			onError: 'continueRegularOutput',
		});
		expect(created()).toEqual([firstNew]);
	});
});

test('Retry On Fail: a limit stops the first try, and then the list shows another one: ours is named', async () => {
	let lists = 0;
	onRequest(({ method, path }) => {
		if (method !== 'GET' || !path.endsWith('/dispatches')) return undefined;
		const other = { id: 7, name: 'Spring sale', status: 'STARTED' };
		const ours = { ...dispatchOf(firstNew), name: 'Spring sale' };
		// The first try reads it when it checks and when it yields.
		return ++lists > 2 ? replying({ total: 2, items: [other, ours] }) : undefined;
	});
	const { error } = await run('send', { ...stop, priceLimit: 0.01 }, 3, 2);
	expect(error?.message).toBe('"Spring sale" was already sent as dispatch 7');
	expect(error?.description).toContain(
		`Nothing was sent for these items. This run's dispatch ${firstNew} isn't started.`,
	);
});

test('a test on a retry: the output shows the text that was sent', async () => {
	const text = changing("'Old text'", "'New text'");
	const more = { mode: 'test', testNumber: '+79161112233', text };
	const { items } = await dispatches.retryChanged('send', more, 3, { times: 1 });
	expect(dispatches.textsOf()).toEqual(['Old text']);
	expect(jsonOf(items)).toMatchObject([{ text: 'Old text', started: true }]);
});

describe('a start that is answered with 429, although it is carried out', () => {
	test('canceled before it is sent once more: it may have been started', async () => {
		let cancel: () => void = () => undefined;
		intercept('POST', '/start', () => {
			tempo.onPause = (ms) => {
				bench.sandbox.tick(ms);
				cancel();
			};
			return failing(429, { kind: 'commit-then-status', headers: { 'retry-after': '20' } });
		});
		const { error } = await run('send', {}, 5, { onStart: (stopRun) => (cancel = stopRun) });
		expect(statusOf()).not.toBe('CREATED');
		expect(error?.message).toBe(`It is not known whether dispatch ${firstNew} was started`);
	});

	describe('without a connection afterwards', () => {
		// Its own service, because it ends.
		const ending = useDispatches();

		test('neither a repeat nor a read gets through: it may have been started', async () => {
			ending.intercept('POST', '/start', () => {
				tempo.onPause = () => {
					tempo.onPause = undefined;
					ending.bench.hangUp();
				};
				return failing(429, { kind: 'commit-then-status', headers: { 'retry-after': '1' } });
			});
			const { error } = await ending.run('send', {}, 5);
			expect(ending.starts()).toBe(1);
			expect(ending.statusOf()).not.toBe('CREATED');
			expect(error?.message).toBe(`It is not known whether dispatch ${firstNew} was started`);
		});
	});
});

test('filled within 24 minutes, and then the currency takes 6 more: not started', async () => {
	bench.fault('commit-then-reset', 'POST', '*/dispatches');
	let isRead = false;
	onRequest(({ method, path }) => {
		if (method === 'GET' && path.endsWith(`/dispatches/${firstNew}`) && !isRead) {
			isRead = true;
			tempo.pausedMs += 23.5 * minute;
		}
		if (path.includes('tariff')) tempo.pausedMs += 6.2 * minute;
	});
	const { error } = await run('send', anew, 5);
	expect(error?.message).toContain('took longer than 25 minutes');
	expect(starts()).toBe(0);
});

test('the computer sleeps while the dispatch is filled: not started', async () => {
	const date = Date.now.bind(Date);
	let sleptMs = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => date() + sleptMs);
	intercept('GET', `/dispatches/${firstNew}`, () => {
		sleptMs = 26 * minute;
	});
	const { error } = await run('send', anew, 5);
	expect(error?.message).toContain('took longer than 25 minutes');
	expect(starts()).toBe(0);
});

test('the clock is set back while the dispatch is filled: not started', async () => {
	const date = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => date);
	intercept('GET', `/dispatches/${firstNew}`, () => {
		tempo.pausedMs += 26 * minute;
	});
	const { error } = await run('send', anew, 5);
	expect(error?.message).toContain('took longer than 25 minutes');
	expect(starts()).toBe(0);
});

describe('the only estimate is 0', () => {
	const free = { priceEstimate: 0 };
	const priceEstimate = { total: 0, currency: 'RUB', parts: 5 };

	test('because the response to the creation shows none: not started', async () => {
		reply('*/dispatches', createdAs(firstNew, { priceEstimate: undefined }));
		show(firstNew, 5, free);
		answer('*/messages', { total: 5, items: createdAs(firstNew).messages });
		const { error } = await run('send', { priceLimit: 1 }, 5);
		expect(error?.message).toContain("The price estimate can't be read");
		expect(starts()).toBe(0);
	});

	test('and the response to the creation says the same: started', async () => {
		reply('*/dispatches', createdAs(firstNew, { priceEstimate }));
		show(firstNew, 5, free, { times: 1 });
		answer('*/messages', { total: 5, items: createdAs(firstNew).messages });
		const { error } = await run('send', { priceLimit: 1 }, 5);
		expect(error).toBeUndefined();
		expect(starts()).toBe(1);
	});
});

test('more messages than recipients, as many of them failed: left, because somebody is in it twice', async () => {
	let isDone = false;
	onRequest(({ method, path }) => {
		if (method === 'POST' && path.endsWith(`/dispatches/${firstNew}/messages`) && !isDone) {
			isDone = true;
			return failing(429, { kind: 'commit-then-status', headers: { 'retry-after': '1' } });
		}
		if (method !== 'GET' || !path.endsWith(`/dispatches/${firstNew}`)) return undefined;
		const total = messagesOf(bench.sandbox, firstNew).length;
		return replying(
			dispatchOf(firstNew, total, { priceEstimate: 5, messages: { total, failed: total - 60 } }),
		);
	});
	const { error } = await run('send', { ...stop, options: { batchSize: 30 } }, 60);
	expect(error).toBeUndefined();
	expect(started()).toEqual([firstNew + 1]);
	expect(sorted(destinations(firstNew + 1))).toEqual(sorted(dispatches.numbers(60)));
});

test('Add Messages: a start time and a status that nobody knows: nobody is added', async () => {
	await run('create', {}, 3);
	for (const status of ['SENDING', undefined]) {
		show(firstNew, 3, { startedAt: '2026-03-02T07:00:00Z', status });
		const { error } = await run('addMessages', { id: byId(firstNew) }, 5);
		expect(error?.message).toBe(
			`Dispatch ${firstNew} was already started, so recipients can't be added`,
		);
	}
	expect(dispatches.appends()).toBe(0);
});

test('canceled while the currency is read: canceled, and nothing is said about currencies', async () => {
	let cancel: () => void = () => undefined;
	bench.fault('commit-then-reset', 'POST', '*/dispatches');
	onRequest(({ path }) => {
		if (path.includes('tariff')) cancel();
	});
	const result = await run('send', {}, 5, { onStart: (stopRun) => (cancel = stopRun) });
	expect(result.error?.message).toBe('The execution was canceled before the dispatch was started');
	expect(hintsOf(result)).toEqual([]);
	expect(starts()).toBe(0);
});

test("one with a random selection is found after a lost response: it can only be this run's, so Begin Anew passes it at once", async () => {
	bench.fault('commit-then-reset', 'POST', '*/dispatches', { times: 1 });
	const options = { batchSize: 30 };
	const { error } = await run('send', { ...stop, priceLimit: 0.01, options }, 60);
	expect(error?.description).toContain('Begin Anew if Never Started');
	const { items } = await run('send', { ...anew, options }, 60);
	expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew + 1, started: true }]);
	expect(started()).toEqual([firstNew + 1]);
});

describe("another run's dispatch is found after a lost response, and isn't started", () => {
	const exists = `already exists as dispatch ${firstNew}`;
	/** Another run creates the same dispatch after the check, and the response to ours is lost. */
	const findAnothers = async () => {
		await run('create', stop, 3, elsewhere());
		answer('*/dispatches', { page: 1, perPage: 1_000, total: 0, items: [] }, { times: 1 });
		bench.fault('reset', 'POST', '*/dispatches', { times: 1 });
	};

	test('its price is not known yet, Retry On Fail: the next try sends no other one', async () => {
		await findAnothers();
		// During the looks of the first try.
		show(firstNew, 3, { priceEstimate: 0 }, { times: 6 });
		const { error } = await run('send', stop, 3, 2);
		expect(error?.message).toContain(exists);
		expect(error?.description).not.toContain("This run's dispatch");
		expect(created()).toEqual([firstNew]);
		expect(started()).toEqual([]);
	});

	test('its count is out of date, Retry On Fail: the next try sends no other one', async () => {
		await findAnothers();
		show(firstNew, 0, {}, { times: 6 });
		const { error } = await run('send', stop, 3, 2);
		expect(error?.message).toContain(exists);
		expect(started()).toEqual([]);
	});

	test('a limit is passed, then Begin Anew in the same process: it gives way', async () => {
		await findAnothers();
		const first = await run('send', { ...stop, priceLimit: 0.01 }, 3);
		expect(first.error?.description).toContain("To send it anyway, use 'Start'");
		expect(first.error?.description).not.toContain('Begin Anew');
		const { error } = await run('send', anew, 3);
		expect(error?.message).toContain(`dispatch ${firstNew} with this name was created first`);
		expect(started()).toEqual([]);
	});

	test('it turns out to be started: a later run knows, even if the list does not show it', async () => {
		await findAnothers();
		show(firstNew, 3, { status: 'STARTED' });
		const first = await run('send', stop, 3);
		expect(first.error?.message).toContain(`Dispatch ${firstNew} was started by another run`);
		answer('*/dispatches', { page: 1, perPage: 1_000, total: 0, items: [] }, { times: 1 });
		const { error } = await run('send', stop, 3);
		expect(error?.message).toContain(`may already have been sent as dispatch ${firstNew}`);
		expect(starts()).toBe(0);
	});

	test('Create keeps it, and the next try does not create another one', async () => {
		await findAnothers();
		const { error, items } = await run('create', stop, 3, 2);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew }]);
		expect(created()).toEqual([firstNew]);
	});
});

describe('people are added to the dispatch after it was compared', () => {
	/** Another run adds six people once the first start has failed. */
	const addAfterStart = (answered: ReturnType<typeof failing>) => {
		let posts = 0;
		let isAdded = false;
		intercept('POST', '/start', () => (++posts > 1 ? undefined : answered));
		bench.flight.beforeAnswer = async () => {
			if (isAdded || posts !== 1) return;
			isAdded = true;
			await run('addMessages', { id: byId(firstNew) }, itemsUpTo(9).slice(3), elsewhere());
		};
	};

	test.each([
		['rejected, and tried again', failing(400, { body: JSON.stringify({ code: 4000 }) })],
		['not answered, and repeated after a minute', failing(502)],
	])('the start is %s: no start of others, over the limit', async (_, answered) => {
		addAfterStart(answered);
		const { error } = await run('send', { ...stop, priceLimit: 9 }, 3, 2);
		expect(destinations(firstNew)).toHaveLength(9);
		expect(error?.description).toContain(
			"It wasn't started again, because the service doesn't show the same count and price as before. Check both before you use 'Start' with it.",
		);
		expect(error?.description).not.toContain("If it isn't started, use 'Start'");
		expect(started()).toEqual([]);
	});
});

test.each([
	['its count', { messages: { total: 4 } }, 1],
	['its price', { priceEstimate: 70 }, 1],
	['neither', {}, 2],
])(
	'after a start that got lost, the dispatch shows that %s has changed: started again only if neither has',
	async (_, changed, requests) => {
		const before = { priceEstimate: 6, messages: { total: 3 } };
		let shown: object = before;
		let posts = 0;
		onRequest(({ method, path }) => {
			if (method === 'GET' && path.endsWith(`/dispatches/${firstNew}`)) {
				return replying(dispatchOf(firstNew, 3, shown));
			}
			if (!path.endsWith('/start') || ++posts > 1) return undefined;
			shown = { ...before, ...changed };
			return failing(502);
		});
		await run('send', stop, 3);
		expect(starts()).toBe(requests);
	},
);

test('Start: carried out but answered 429, and the repetition is rejected: not "was already sent"', async () => {
	await run('create', {}, 3);
	bench.fault('commit-then-status', 'POST', '*/start', { status: 429, times: 1 });
	const { error, items } = await run('start', { id: byId(firstNew) }, 1);
	expect(error).toBeUndefined();
	expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew, status: 'STARTED' }]);
});

describe('Retry On Fail groups the items into other dispatches after some were started', () => {
	/** The third of three starts fails. */
	const regroup = async (after: string, options: object = {}) => {
		let posts = 0;
		intercept('POST', '/start', () => {
			if (++posts !== 3) return undefined;
			tempo.pausedMs += 1_000_000;
			return failing(400);
		});
		const name = changing("'N' + $itemIndex", after);
		return await run('send', { ...stop, name }, 3, { tries: 2, ...options });
	};

	test('all into one: the error names every dispatch that was started', async () => {
		const { error } = await regroup("'All'");
		for (const id of [firstNew, firstNew + 1]) {
			expect(error?.description).toContain(`Dispatch ${id} was started by an earlier attempt.`);
		}
	});

	test('on errors the run continues: nothing is said of the items that are sent', async () => {
		const { items } = await regroup("$itemIndex === 0 ? 'N0' : 'All'", {
			onError: 'continueRegularOutput',
		});
		expect(JSON.stringify(jsonOf(items))).not.toContain('Nothing was sent in this attempt');
	});
});

describe('the service repeats the password where the contract has a word of its own', () => {
	const secret = demo.password;
	const toldBy = (result: Awaited<ReturnType<typeof run>>) => {
		const { message, description } = result.error ?? {};
		return JSON.stringify([message, description, hintsOf(result), jsonOf(result.items)[0]?.reason]);
	};

	test('in a status that it lists', async () => {
		const named = { id: 7, name: 'Spring sale', status: `PAUSED ${secret}` };
		answer('*/dispatches', { total: 1, items: [named] });
		const told = toldBy(await run('send', stop, 3));
		expect(told).toContain('PAUSED ***');
		expect(told).not.toContain(secret);
	});

	test.each(['error', 'leave'])(
		'in the currency, if the limit is passed: %s',
		async (whenPassed) => {
			const priceEstimate = { total: 1, currency: `X ${secret}`, parts: 5 };
			reply('*/dispatches', createdAs(firstNew, { priceEstimate }));
			answer('*/messages', listOf([0, 1, 2, 3, 4]), { times: 1 });
			const told = toldBy(await run('send', { ...stop, options: { whenPassed } }, 5));
			expect(told).toContain('X ***');
			expect(told).not.toContain(secret);
		},
	);

	test('in the operator of a sender name', async () => {
		const senders = ['MTS', secret].map((brand, id) => ({
			id: id + 1,
			companyId: 101,
			channelType: 'SMS',
			senderName: 'Shop',
			brand,
			status: 'APPROVED',
			suspended: false,
			dateFrom: '2020-01-01T00:00:00Z',
			dateTo: null,
		}));
		answer('*/senders', { total: 2, items: senders });
		const told = toldBy(await run('preview', { options: { senderIds: [1] } }, 3));
		expect(told).toContain('None of the chosen sender names is for ***');
		expect(told).not.toContain(secret);
	});

	test.each<[string, INodeParameters]>([
		['start', {}],
		['waitForCompletion', { options: { limitMinutes: 1 } }],
	])('in the status that %s sees', async (operation, more) => {
		await run('create', {}, 3);
		show(firstNew, 3, { status: `PAUSED ${secret}` });
		bench.respond('status', 'POST', '*/start', { id: firstNew, status: `PAUSED ${secret}` });
		const told = toldBy(await run(operation, { id: byId(firstNew), ...more }, 1));
		expect(told).toContain('PAUSED ***');
		expect(told).not.toContain(secret);
	});
});

test.each([409, 423, 400])(
	'%d to a request that was carried out all the same, and the count is out of date: nobody is in it twice',
	async (status) => {
		bench.fault('commit-then-status', 'POST', `*/dispatches/${firstNew}/messages`, { status });
		show(firstNew, 10, {}, { times: 1 });
		await run('send', { ...stop, options: { batchSize: 5 } }, 10);
		expect(sorted(started().flatMap((id) => destinations(id) ?? []))).toEqual(
			sorted(dispatches.numbers(10)),
		);
	},
);

test('a person stops the dispatch while the node waits: nobody is said to be on the way', async () => {
	let reads = 0;
	intercept('GET', `/dispatches/${firstNew}`, () => {
		const stored = bench.store.dispatches.get(firstNew);
		if (stored !== undefined && starts() > 0 && ++reads === 1) stored.status = 'STOPPED';
	});
	const result = await run('send', { ...stop, waitUntilDelivered: true, output: 'recipients' }, 3);
	expect(jsonOf(result.items).map(({ outcome }) => outcome)).toEqual([
		'unknown',
		'unknown',
		'unknown',
	]);
	expect(hintsOf(result)).toEqual([
		`Dispatch ${firstNew} was stopped, so there was nothing to wait for. 3 messages have no result.`,
		"The service doesn't report a known status for 3 messages. Use 'Get Report' later.",
	]);
});
