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
const { intercept, onRequest, show, reply } = dispatches;
const stop = { nameExists: 'stop' };
const anew = { nameExists: 'anew' };
const minute = 60_000;

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
	test.each(['stop', 'another'])(
		'one of the same name and size, %s: that one is not started',
		async (nameExists) => {
			await run('create', { nameExists: 'another' }, itemsUpTo(15).slice(10), {
				credentials: bench.credentials({ accessToken: 'another process' }),
			});
			const others = destinations(firstNew);
			// The list doesn't show it at the check.
			const nothing = { page: 1, perPage: 1_000, total: 0, items: [] };
			bench.respond('status', 'GET', '*/dispatches', nothing, { times: 1 });
			reply('*/dispatches', createdAs(firstNew));
			const { error } = await run('send', { nameExists }, 5);
			expect(error?.description).toContain('Nobody got a message from this dispatch.');
			expect(destinations(firstNew)).toEqual(others);
			expect(started()).toEqual([]);
		},
	);

	test('one that somebody else has started: not "started by another run", and ours is sent', async () => {
		show(4242, 5, { name: 'Somebody else', status: 'STARTED' });
		dispatches.answer('*/messages', listOf([7, 8, 9]), { times: 1 });
		reply('*/dispatches', createdAs(4242));
		const { error } = await run('send', stop, 5);
		expect(error).toBeUndefined();
		expect(started()).toEqual([firstNew]);
	});
});

test('the list shows masked numbers, but the IDs of our messages: started', async () => {
	reply('*/dispatches', createdAs(firstNew));
	const items = [0, 1, 2, 3, 4].map((index) => ({ destination: '7***', messageUuid: `u${index}` }));
	dispatches.answer('*/messages', { total: 5, items });
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

describe('the only estimate is 0', () => {
	const free = { priceEstimate: 0 };
	const priceEstimate = { total: 0, currency: 'RUB', parts: 5 };

	test('because the response to the creation shows none: not started', async () => {
		reply('*/dispatches', createdAs(firstNew, { priceEstimate: undefined }));
		show(firstNew, 5, free, { times: 1 });
		dispatches.answer('*/messages', { total: 0, items: [] }, { times: 1 });
		const { error } = await run('send', { priceLimit: 1 }, 5);
		expect(error?.message).toContain("The price estimate can't be read");
		expect(starts()).toBe(0);
	});

	test('and the response to the creation says the same: started', async () => {
		reply('*/dispatches', createdAs(firstNew, { priceEstimate }));
		show(firstNew, 5, free, { times: 1 });
		dispatches.answer('*/messages', { total: 0, items: [] }, { times: 1 });
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
