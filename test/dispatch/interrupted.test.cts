import { hintsOf } from '../support/n8n.cts';
import { byId, jsonOf } from '../support/sandbox.cts';
import {
	block,
	firstNew,
	fromItems,
	itemOf,
	itemsUpTo,
	messagesOf,
	numberOf,
} from './recipients.cts';
import { sorted, useDispatches, usePausesOfService } from './useDispatches.cts';

// Pauses take no time for us, and their time for the service.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

/** Runs that end before everything is done: nothing is continued, and nobody is in a started dispatch twice. */

const dispatches = useDispatches();
usePausesOfService(dispatches);
const { appends, bench, run, statusOf, created, destinations, numbers, statuses, intercept } =
	dispatches;

const appendPath = '*/dispatches/*/messages';
const refuseAppend = (after: number, times?: number) =>
	bench.fault('status', 'POST', appendPath, { status: 400, after, times });
const batchesOf = (batchSize: number) => ({ options: { batchSize } });

describe('the service refuses requests in the middle', () => {
	test('one of them: it was not carried out, so it is sent once more, alone', async () => {
		refuseAppend(1);
		const { items, error } = await run('send', batchesOf(10), 40);
		expect(error).toBeUndefined();
		expect(created()).toEqual([firstNew]);
		expect(sorted(destinations(firstNew))).toEqual(sorted(numbers(40)));
		expect(jsonOf(items)).toMatchObject([{ started: true, onTheWay: 40, failed: 0 }]);
		expect(appends()).toBe(4);
	});

	test('all of them: not started, and Begin Anew sends to everybody at once', async () => {
		refuseAppend(1, 1_000);
		const { error } = await run('send', { ...batchesOf(10), nameExists: 'stop' }, 40);
		expect(error?.message).toBe('The service rejected the request as invalid');
		expect(error?.description).toContain('Nobody got a message from this dispatch.');
		expect(error?.description).toContain(`Dispatch ${firstNew} exists but isn't started.`);
		expect(error?.description).toContain('The service says: ');
		expect(statusOf(firstNew)).toBe('CREATED');
		bench.sandbox.faults.clear();
		const again = await run('send', { ...batchesOf(10), nameExists: 'anew' }, 40);
		expect(again.error).toBeUndefined();
		expect(statuses()).toEqual(['CREATED', 'STARTED']);
		expect(sorted(destinations(firstNew + 1))).toEqual(sorted(numbers(40)));
	});
});

describe('filling', () => {
	const lose = (kind: 'commit-then-reset' | 'reset', times: number) =>
		bench.fault(kind, 'POST', appendPath, { times });

	test('two answers are lost: the others are added meanwhile, and everybody is found', async () => {
		lose('commit-then-reset', 2);
		const { items, error } = await run('send', batchesOf(1), 12);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ started: true, onTheWay: 12 }]);
		expect([created(), appends()]).toEqual([[firstNew], 11]);
		expect(sorted(destinations(firstNew))).toEqual(sorted(numbers(12)));
	});

	test('a service that never answers gets few requests, and nothing is started', async () => {
		lose('reset', 1_000);
		const { error } = await run('send', batchesOf(1), 40);
		expect(error?.message).toBe(
			`Dispatch ${firstNew + 1} doesn't show exactly the recipients that were sent to the service`,
		);
		expect(error?.description).toBe(
			"Nobody got a message from this dispatch. The service's responses were lost or unclear, so the dispatch isn't started. Try again later.",
		);
		// Six at a time until three are lost, which are eight requests; then three alone. The new dispatch gets three.
		const requests = created().map((id) => bench.sent('POST', `/dispatches/${id}/messages`));
		expect(requests).toEqual([11, 3]);
		expect(statuses()).toEqual(['CREATED', 'CREATED']);
	});

	test('requests are refused: from then on one at a time, and nobody is added twice', async () => {
		refuseAppend(0, 6);
		let mostAtATime = 0;
		bench.flight.beforeAnswer = async () => {
			if (appends() > 6) mostAtATime = Math.max(mostAtATime, bench.flight.now);
			await new Promise(setImmediate);
		};
		const { error } = await run('send', batchesOf(1), 12);
		expect(error).toBeUndefined();
		// One recipient is in the request that creates it: six requests are refused, then eleven go alone.
		expect([appends(), mostAtATime]).toEqual([17, 1]);
		expect(sorted(destinations(firstNew))).toEqual(sorted(numbers(12)));
	});

	test.each([
		[
			'a person started it',
			'STARTED',
			`Dispatch ${firstNew} was started by another run or a person before this run could start it`,
			"Its recipients may get the message. Check it in your account on the provider's website before you send anything again.",
		],
		[
			'its state is not readable',
			undefined,
			`Dispatch ${firstNew} may have been started by another run or a person: its status isn't known`,
			'The service rejected the request as invalid.',
		],
	])('all requests are refused, and %s: the error says so', async (_, status, title, says) => {
		refuseAppend(0, 1_000);
		const shown = { id: firstNew, name: 'Spring sale', status };
		if (status === undefined)
			bench.fault('status', 'GET', `*/dispatches/${firstNew}`, { times: 99 });
		else dispatches.answer(`*/dispatches/${firstNew}`, shown);
		const { error } = await run('send', batchesOf(2), 6);
		expect(error?.message).toBe(title);
		expect(error?.description).toContain(says);
	});

	test('canceled while it fills: no further request, and nothing is started', async () => {
		const { error } = await run('send', { ...batchesOf(1) }, 40, {
			onStart: (cancel) => intercept('POST', '/messages', () => cancel()),
		});
		expect(error?.message).toBe('The execution was canceled while the dispatch was filled');
		expect(appends()).toBeLessThanOrEqual(6);
		expect(statuses()).toEqual(['CREATED']);
	});
});

describe('Add Messages', () => {
	const add = async (count: number, more: object = {}) =>
		await run('addMessages', { id: byId(firstNew), ...more }, count);
	beforeEach(async () => {
		await run('create', {}, 2);
		bench.forget();
	});

	test('pressed twice: nobody is in it twice, and a hint says so', async () => {
		const first = await add(5);
		expect(first.error).toBeUndefined();
		expect(jsonOf(first.items)).toMatchObject([{ notStarted: 5, alreadyInDispatch: 2 }]);
		expect(hintsOf(first)).toContainEqual(
			`2 recipients were already in dispatch ${firstNew} and weren't added again.`,
		);
		const second = await add(5);
		expect(second.error).toBeUndefined();
		expect(jsonOf(second.items)).toMatchObject([{ notStarted: 5, alreadyInDispatch: 5 }]);
		expect(hintsOf(second)).toContainEqual(
			`5 recipients were already in dispatch ${firstNew} and weren't added again.`,
		);
		expect(destinations(firstNew)).toEqual(numbers(5));
		expect(appends()).toBe(1);
	});

	test('refused in the middle: the error says who is in it, and running again adds the rest', async () => {
		refuseAppend(1);
		// The first item is no recipient: positions and items differ.
		const items = [{ ...itemOf(99), phone: 'x' }, ...itemsUpTo(6)];
		const parameters = { ...fromItems, id: byId(firstNew), ...batchesOf(2) };
		const { error } = await bench.run('dispatch.addMessages', parameters, { items });
		expect(error?.message).toBe(`Not all recipients were added to dispatch ${firstNew}`);
		// Counted from 1, as people do.
		expect(error?.description).toContain(
			'4 recipients are in it for certain; the first unconfirmed one is item 6.',
		);
		expect(error?.description).toContain('The service says: ');
		expect(error?.context).toMatchObject({
			item: 6,
			dispatchId: firstNew,
			accepted: 4,
			firstItemNotAccepted: 5,
		});
		expect(destinations(firstNew)).toEqual(numbers(4));
		const again = await bench.run('dispatch.addMessages', parameters, { items });
		expect(again.error).toBeUndefined();
		expect(destinations(firstNew)).toEqual(numbers(6));
	});

	test('an answer is lost after it was carried out: found in the list, everybody with their own message', async () => {
		bench.fault('commit-then-reset', 'POST', appendPath);
		const { items, error } = await add(5, { output: 'recipients' });
		expect(error).toBeUndefined();
		expect(jsonOf(items).map(({ messageUuid }) => messageUuid)).toEqual(
			messagesOf(bench.sandbox, firstNew).map(({ uuid }) => uuid),
		);
		expect(appends()).toBe(1);
	});

	test('an answer is lost, and a number was refused in it: its row says so', async () => {
		block(bench.sandbox, [numberOf(3)]);
		bench.fault('commit-then-reset', 'POST', appendPath);
		const { items, error } = await add(5, { output: 'recipients' });
		expect(error).toBeUndefined();
		expect(jsonOf(items).map(({ outcome, reasonCode }) => [outcome, reasonCode])).toEqual(
			[0, 1, 2, 3, 4].map((index) =>
				index === 3 ? ['failed', 'rejectedByService'] : ['notStarted', ''],
			),
		);
	});

	test('the service does not count the messages: nobody is added, and the error says so', async () => {
		const shown = { id: firstNew, name: 'Spring sale', status: 'CREATED', priceEstimate: 1 };
		dispatches.answer(`*/dispatches/${firstNew}`, shown);
		const { error } = await add(3);
		expect(error?.message).toBe(`The node couldn't read who is in dispatch ${firstNew}`);
		expect(appends()).toBe(0);
	});
});

describe('canceled between requests', () => {
	test('nothing more is sent, and Begin Anew sends to everybody once', async () => {
		let cancel: () => void = () => undefined;
		let batches = 0;
		intercept('POST', '/messages', () => {
			if (++batches === 3) cancel();
		});
		const stop = { ...batchesOf(10), nameExists: 'stop' };
		await run('send', stop, 200, { onStart: (end) => (cancel = end) });
		// n8n does not wait for a node it has canceled: until no request is under way any more.
		while (bench.flight.now > 0) await new Promise((resolve) => setImmediate(resolve));
		// Those that were under way, and none after them.
		expect(appends()).toBeLessThanOrEqual(7);
		expect(statusOf(firstNew)).toBe('CREATED');
		const again = await run('send', { ...batchesOf(10), nameExists: 'anew' }, 200);
		expect(again.error).toBeUndefined();
		expect(statuses()).toEqual(['CREATED', 'STARTED']);
		expect(sorted(destinations(firstNew + 1))).toEqual(sorted(numbers(200)));
	});
});

describe('canceled before the start', () => {
	afterEach(() => jest.restoreAllMocks());
	/** Cancels before the node has the response to the request, or right after that. */
	const cancelAt = async (path: string, count: number, isAfter: boolean) =>
		await run('send', { nameExists: 'anew' }, 3, {
			onStart: (cancel) => {
				let isAnswered = false;
				bench.flight.beforeAnswer = async () => {
					isAnswered ||= bench.sent('GET', path) === count;
					if (isAnswered && !isAfter) cancel();
					await Promise.resolve();
				};
				// The node then looks at the clock, because an earlier run has left a dispatch.
				const now = performance.now.bind(performance);
				jest.spyOn(performance, 'now').mockImplementation(() => {
					if (isAnswered) cancel();
					return now();
				});
			},
		});
	const early = {
		message: 'The execution was canceled before the dispatch was started',
		description: 'Nobody got a message from this dispatch.',
	};
	const late = {
		message: 'The execution was canceled',
		description: `Dispatch ${firstNew + 1} exists but isn't started.`,
	};

	test.each([
		['while it is compared', `/dispatches/${firstNew + 1}`, 1, false, early],
		['while the list is read', '/dispatches', 2, false, early],
		['after the list was read', '/dispatches', 2, true, late],
	])('%s: not started, and the error says so', async (_, path, count, isAfter, said) => {
		await run('send', { nameExists: 'stop', priceLimit: 0.01 }, 3);
		bench.forget();
		const { error } = await cancelAt(path, count, isAfter);
		expect(error).toMatchObject(said);
		expect(statuses()).toEqual(['CREATED', 'CREATED']);
		expect(dispatches.starts(firstNew + 1)).toBe(0);
	});
});

describe('a callback credential', () => {
	const login = 'call@backs';
	const password = 'p/ss:w@rd-äö?#%41';
	const run = async (more: object = {}) =>
		await bench.run(
			'dispatch.create',
			{
				...fromItems,
				options: { callbackUrl: 'https://n8n.example/hook?a=1', callbackEvents: ['sent'] },
				...more,
			},
			{
				items: itemsUpTo(2),
				credentials: { ...bench.credentials(), bulkMessagingCallbackApi: { login, password } },
			},
		);
	const forms = [password, encodeURIComponent(password), encodeURIComponent(login), login];
	const shown = (text: string) => forms.filter((one) => text.includes(one));

	test('is in the address the service gets, and nowhere else', async () => {
		const { error, run: kept, items } = await run();
		expect(error).toBeUndefined();
		const url = new URL(bench.store.dispatches.get(firstNew)?.callbackUrl ?? '');
		expect(decodeURIComponent(url.username)).toBe(login);
		expect(decodeURIComponent(url.password)).toBe(password);
		expect(url.host + url.pathname + url.search).toBe('n8n.example/hook?a=1');
		expect(shown(JSON.stringify([kept, items]))).toEqual([]);
	});

	test('is in no error either, also when the service repeats the address', async () => {
		const address = `https://${encodeURIComponent(login)}:${encodeURIComponent(password)}@n8n.example/`;
		bench.respond(
			'status',
			'POST',
			'*/dispatches',
			{ error: { code: 4000, msg: `callbackUrl: ${address} is bad` } },
			{ status: 400, times: 1 },
		);
		const { error, run: kept } = await run();
		expect(error).toBeDefined();
		const told = JSON.stringify([kept, error, error?.message, error?.description, error?.stack]);
		expect(shown(told)).toEqual([]);
	});
});

test('canceled while the first messages of a confirmed dispatch are read: the error names it', async () => {
	let cancel: () => void = () => undefined;
	bench.flight.beforeAnswer = async () => {
		await Promise.resolve();
		if (bench.sent('GET', '/messages') === 1) cancel();
	};
	const { error } = await run('send', { nameExists: 'stop', ...batchesOf(2) }, 4, {
		onStart: (end) => {
			cancel = end;
		},
	});
	bench.flight.beforeAnswer = undefined;
	expect([created(), statusOf()]).toEqual([[firstNew], 'CREATED']);
	expect(error?.message).toBe('The execution was canceled before the dispatch was started');
	expect(error?.description).toBe(
		`Nobody got a message from this dispatch. According to the service's response, it is dispatch ${firstNew}.`,
	);
});
