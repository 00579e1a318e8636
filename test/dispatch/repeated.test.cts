import { hintsOf } from '../support/n8n.cts';
import { byId, jsonOf } from '../support/sandbox.cts';
import { firstNew, itemsUpTo, messagesOf, numberOf } from './recipients.cts';
import { changing, failing, replying, sorted, useDispatches } from './useDispatches.cts';

// Pauses take no time.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

/** The same run or the same workflow once more: by a person, by a schedule, or by n8n's Retry On Fail. */

const {
	bench,
	run,
	created,
	destinations,
	numbers,
	creates,
	sendRenamed,
	answer,
	statuses,
	intercept,
	retryChanged,
} = useDispatches();

const withName = (nameExists: string) => ({ nameExists });
const halfHour = 30 * 60_000;

describe('the name was used before', () => {
	test('another name: created, whatever is chosen', async () => {
		await run('create', {}, 2);
		await run('create', { ...withName('anew'), name: 'Another' }, 2);
		await run('create', { ...withName('stop'), name: 'A third' }, 2);
		expect(created()).toHaveLength(3);
	});

	test('Begin Anew, and the other one is not started since half an hour: a new one with everybody', async () => {
		await run('create', {}, 2);
		bench.sandbox.tick(halfHour);
		const { items, error } = await run('send', withName('anew'), 5);
		expect(error).toBeUndefined();
		expect(statuses()).toEqual(['CREATED', 'STARTED']);
		expect(created().map(destinations)).toEqual([numbers(2), numbers(5)]);
		expect(jsonOf(items)).toMatchObject([
			{ dispatchId: firstNew + 1, status: 'STARTED', started: true, onTheWay: 5, failed: 0 },
		]);
	});

	test('Begin Anew, and the other one is younger: it may be a run at work, so ours is not started', async () => {
		await run('create', {}, 2);
		bench.sandbox.tick(halfHour - 1);
		const { error } = await run('send', withName('anew'), 5);
		expect(error?.message).toBe(
			`"Spring sale" is already taken: dispatch ${firstNew} with this name was created first`,
		);
		expect(error?.description).toContain('Nobody got a message from this dispatch.');
		expect(error?.description).toContain(`This run's dispatch ${firstNew + 1} isn't started.`);
		expect(statuses()).toEqual(['CREATED', 'CREATED']);
	});

	test.each([1, 2])(
		'Begin Anew after a run of this n8n that ended without starting, in %d tries: at once',
		async (tries) => {
			const over = await run('send', { ...withName('stop'), priceLimit: 0.01 }, 3, tries);
			expect(over.error?.message).toContain("'Price Limit' is 0.01");
			expect(over.error?.description).toBe(
				`Dispatch ${created().at(-1)} exists but was not started, so its messages were not sent. To send it anyway, either use 'Start' with this dispatch, or change the limit and set 'If the Name Exists' to 'Begin Anew if Never Started'. Don't do both.`,
			);
			// Stop is not a start.
			await bench.run('dispatch.stop', { id: byId(firstNew) });
			const { error } = await run('send', withName('anew'), 3);
			expect(error).toBeUndefined();
			expect(statuses().slice(tries)).toEqual(['STARTED']);
		},
	);

	test('Begin Anew for the second of two dispatches, which a limit stopped: at once', async () => {
		const two = { ...withName('stop'), name: '={{ "Part " + $json.code }}', priceLimit: 4 };
		const over = await run('send', two, 2, 2);
		expect(over.error?.message).toContain("'Price Limit' is 4");
		const { error } = await run('send', { ...two, ...withName('anew') }, itemsUpTo(2).slice(1));
		expect(error).toBeUndefined();
		expect(statuses()).toEqual(['STARTED', 'CREATED', 'CREATED', 'STARTED']);
	});

	test.each(['anew', 'stop'])(
		'%s, and it was started before: nothing is created',
		async (nameExists) => {
			await run('send', {}, 3);
			bench.sandbox.tick(2 * halfHour);
			const { items, error } = await run('send', withName(nameExists), 4, 2);
			expect(items).toEqual([]);
			expect(error?.message).toContain(`"Spring sale" was already sent as dispatch ${firstNew}`);
			expect(error?.description).toContain('Nothing was sent.');
			expect(created()).toEqual([firstNew]);
			expect(bench.sent('POST', `/dispatches/${firstNew}/start`)).toBe(1);
		},
	);

	test.each([
		['a status nobody knows', { status: 'PAUSED' }],
		['no status', {}],
	])('Begin Anew, and it has %s: nothing is created', async (_, shown) => {
		await run('create', {}, 2);
		bench.sandbox.tick(2 * halfHour);
		answer('/dispatches', { total: 1, items: [{ id: firstNew, name: 'Spring sale', ...shown }] });
		const { error } = await run('send', withName('anew'), 3);
		expect(error?.message).toContain(`dispatch ${firstNew}`);
		expect(error?.description).toContain('Nothing was sent.');
		expect(created()).toEqual([firstNew]);
	});

	test('Stop: nothing is created, and the error names the other one', async () => {
		await run('send', {}, 2);
		const { error } = await run('create', withName('stop'), 2);
		expect(error?.message).toContain(
			`"Spring sale" was already sent as dispatch ${firstNew} on 2 Mar`,
		);
		expect(error?.description).toContain('Nothing was sent.');
		expect(created()).toEqual([firstNew]);
	});

	test.each(['anew', 'stop'])(
		'%s, and the list cannot be read: the error says why, and nothing is created',
		async (nameExists) => {
			bench.fault('status', 'GET', '*/dispatches', { status: 403 });
			const { error } = await run('send', { nameExists }, 2);
			expect(error?.message).toBe("This account isn't allowed to use this operation");
			expect(error?.httpCode).toBe('403');
			expect(error?.description).toContain('Nothing was created or sent.');
			expect(creates()).toBe(0);
		},
	);
});

describe('Retry On Fail', () => {
	/** Adds those who aren't in it yet, two at a time. */
	const addRest = async (tries: number) => {
		const more = { id: byId(firstNew), batchSize: 2 };
		return await run('addMessages', more, itemsUpTo(6).slice(1), tries);
	};
	const failAppend = ({ after = 0, times = 1 } = {}) =>
		bench.fault('status', 'POST', '*/dispatches/*/messages', { status: 400, after, times });

	test.each(['stop', 'anew', 'another'])(
		'an append is refused twice, %s: the second try fills a new dispatch, and only that is started',
		async (nameExists) => {
			failAppend({ times: 2 });
			const parameters = { ...withName(nameExists), options: { batchSize: 3 } };
			const { items, error } = await run('send', parameters, 6, 2);
			expect(error).toBeUndefined();
			expect(statuses()).toEqual(['CREATED', 'STARTED']);
			expect(sorted(destinations(firstNew + 1))).toEqual(sorted(numbers(6)));
			expect(jsonOf(items)).toMatchObject([{ started: true, onTheWay: 6 }]);
		},
	);

	test.each(['stop', 'another'])(
		'Create, %s: with Continue, the first of two fails, and the second is not created again',
		async (nameExists) => {
			bench.fault('status', 'POST', '/dispatches', { status: 400 });
			const { items } = await run(
				'create',
				{ ...withName(nameExists), name: '={{ "Part " + $json.code }}' },
				2,
				{ tries: 3, onError: 'continueRegularOutput' },
			);
			const names = created().map((id) => bench.store.dispatches.get(id)?.name);
			expect(names).toEqual(['Part 1', 'Part 0']);
			expect(jsonOf(items)).toMatchObject([
				{ name: 'Part 0', dispatchId: firstNew + 1, notStarted: 1 },
				{ name: 'Part 1', dispatchId: firstNew, notStarted: 1 },
			]);
		},
	);

	test.each(['stop', 'anew', 'another'])(
		'Create, %s: the second of two fails, and a person starts the first: the second is created',
		async (nameExists) => {
			let creates = 0;
			intercept('POST', '/dispatches', () => {
				if (++creates !== 2) return undefined;
				const first = bench.store.dispatches.get(firstNew);
				Object.assign(first ?? {}, { status: 'STARTED', startedAt: '2026-03-02T07:00:00.000Z' });
				return failing(400);
			});
			const more = { nameExists, name: '={{ "Part " + $json.code }}' };
			const { items, error } = await run('create', more, 2, 2);
			jest.restoreAllMocks();
			expect(error).toBeUndefined();
			expect(jsonOf(items)).toMatchObject([
				{ dispatchId: firstNew, status: 'STARTED', onTheWay: 1 },
				{ dispatchId: firstNew + 1, status: 'CREATED', notStarted: 1 },
			]);
			expect(created()).toEqual([firstNew, firstNew + 1]);
		},
	);

	test('the second of two dispatches fails: the first is not sent again', async () => {
		bench.fault('status', 'POST', '*/dispatches', { status: 400, after: 1 });
		const { items, error } = await run(
			'send',
			{ nameExists: 'stop', name: '={{ $json.code % 2 === 0 ? "Even" : "Odd" }}' },
			6,
			2,
		);
		expect(error).toBeUndefined();
		expect(created().map((id) => bench.store.dispatches.get(id)?.name)).toEqual(['Even', 'Odd']);
		expect(bench.sent('POST', `/dispatches/${firstNew}/start`)).toBe(1);
		expect(jsonOf(items)).toMatchObject([
			{ name: 'Even', started: true, onTheWay: 3 },
			{ name: 'Odd', started: true, onTheWay: 3 },
		]);
	});

	test('a name that differs in every try: the dispatches of the first try are continued', async () => {
		bench.fault('status', 'POST', `*/dispatches/${firstNew + 1}/start`, { status: 400 });
		const name = '={{ ($json.code % 2 === 0 ? "Even" : "Odd") + " " + Math.random() }}';
		const parity = '={{ ($json.code % 2 === 0 ? "Even " : "Odd ") + Date.now() }}';
		const { error } = await run('send', { name: parity }, 2, 2);
		expect(error).toBeUndefined();
		expect(created()).toEqual([firstNew, firstNew + 1]);
		expect([destinations(firstNew), destinations(firstNew + 1)]).toEqual(
			numbers(2).map((number) => [number]),
		);
		// Another grouping in every try: nobody can say which items belong to which dispatch.
		bench.fault('status', 'POST', '*/start', { status: 400 });
		await run('send', { name }, 3, 2);
		const sent = created().flatMap((id) => destinations(id));
		expect(sent.filter((number) => number === numberOf(2))).toHaveLength(1);
	});

	test('the second try groups the items into other dispatches: nothing is sent in it', async () => {
		const error = await sendRenamed('"Both"', '"Part " + $json.code', 2);
		expect(error?.message).toBe('The items were grouped into different dispatches on retry');
		expect(error?.description).toContain('Nothing was sent for these items in this attempt');
		expect(error?.context?.item).toBe(1);
		expect(created()).toEqual([firstNew]);
		expect(destinations(firstNew)).toEqual(numbers(2));
	});

	test.each([
		[
			'rejected',
			{},
			`Dispatch ${firstNew} exists, but its start was rejected in an earlier attempt.`,
		],
		[
			'unknown',
			{ status: 500 },
			`It is not known whether dispatch ${firstNew} was started by an earlier attempt.`,
		],
		['done', { passes: 1 }, `Dispatch ${firstNew} was started by an earlier attempt.`],
	])('the start of the first try is %s: the error says so', async (_, start, says) => {
		const error = await sendRenamed('"Part " + $json.code', '"Both"', 2, start);
		expect(error?.message).toBe('The items were grouped into different dispatches on retry');
		expect(error?.description).toContain(says);
	});

	test('Add Messages: the list shows the newest first: what the first try has added is not added again', async () => {
		await run('create', {}, 1);
		failAppend({ after: 1 });
		intercept('GET', '/messages', () => {
			const items = messagesOf(bench.sandbox, firstNew)
				.map(({ destination, uuid }) => ({ destination, messageUuid: uuid, status: 'CREATED' }))
				.reverse();
			return replying({ total: items.length, items });
		});
		const { error } = await addRest(2);
		expect(error).toBeUndefined();
		expect(destinations(firstNew)).toEqual(numbers(6));
	});

	test('Add Messages: a try that cannot read the list is not taken for one that added nobody', async () => {
		await run('create', {}, 1);
		failAppend({ after: 1 });
		// The look of the second try.
		bench.fault('status', 'GET', '/messages', { status: 403, after: 1, times: 1 });
		const { error } = await addRest(3);
		expect(error).toBeUndefined();
		expect(destinations(firstNew)).toEqual(numbers(6));
	});

	describe('it is not known whether the dispatch was created', () => {
		const path = '*/dispatches';
		const lose = (kind: 'reset' | 'commit-then-reset', times = 1) =>
			bench.fault(kind, 'POST', path, { times });
		/** The list cannot be read after the check. */
		const noLook = (after = 1, times = 1_000) =>
			bench.fault('status', 'GET', path, {
				headers: { 'retry-after': '3600' },
				after,
				times,
			});

		test.each([
			['it was: it is found', 'commit-then-reset', 1],
			['it was not: it is created again', 'reset', 2],
		] as const)('%s, in the same try', async (_, kind, attempts) => {
			lose(kind);
			const { items, error } = await run('send', withName('stop'), 3, 2);
			expect(error).toBeUndefined();
			expect(created()).toEqual([firstNew]);
			expect(creates()).toBe(attempts);
			expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew, started: true, onTheWay: 3 }]);
		});

		test('and nobody can look: not created again, not started, and it says so', async () => {
			lose('commit-then-reset');
			noLook();
			const { error } = await run('send', withName('stop'), 3);
			expect(error?.message).toBe('It is not known whether the dispatch "Spring sale" was created');
			expect(error?.description).toContain('Nobody got a message from this dispatch.');
			expect(error?.description).toContain("If it exists, it isn't started.");
			expect(error?.description).not.toContain('Try again in a few minutes');
			expect([creates(), statuses()]).toEqual([1, ['CREATED']]);
		});

		test('and the next try can: it may be of another run, so it stops, and names it', async () => {
			lose('commit-then-reset');
			// The looks of the first try.
			noLook(1, 6);
			const { error } = await run('send', withName('stop'), 3, 2);
			expect(error?.message).toContain(`"Spring sale" already exists as dispatch ${firstNew}`);
			expect(error?.description).toContain('Nothing was sent.');
			expect([creates(), statuses()]).toEqual([1, ['CREATED']]);
		});

		test('never: it is never answered, and never listed: tried twice, and nothing is started', async () => {
			lose('reset', 1_000);
			const { error } = await run('send', withName('stop'), 3);
			expect(error?.message).toBe(
				"The service didn't confirm that it created the dispatch, and doesn't list it",
			);
			expect(error?.description).toBe(
				'Nobody got a message from this dispatch. Try again in a few minutes. A dispatch that turns up later is never started. The connection to the service was lost.',
			);
			expect([creates(), created()]).toEqual([2, []]);
		});
	});

	test('a run of its own is not taken for a repetition', async () => {
		await run('create', {}, 2, 2);
		await run('create', {}, 2, 2);
		expect(created()).toHaveLength(2);
	});

	test.each([
		['one item first, then it and another', '"Part " + $json.code', '"Both"', 2, 1],
		[
			'as many items, and one of them another',
			'($json.code < 2 ? "A" : "B")',
			'($json.code === 1 ? "A" : "B")',
			3,
			2,
		],
	])('%s: nothing is sent', async (_, before, after, count, inFirst) => {
		const error = await sendRenamed(before, after, count);
		expect(error?.message).toBe('The items were grouped into different dispatches on retry');
		expect(created().map(destinations)).toEqual([numbers(inFirst)]);
	});
});

test('Create, and the second try groups the items into other dispatches: nothing is created in it', async () => {
	const name = changing('($itemIndex < 2 ? "A" : "B")', '($itemIndex < 1 ? "A" : "C")');
	const more = { name, nameExists: 'stop' };
	const { error } = await retryChanged('create', more, 3, { passes: 1, times: 1 });
	expect(error?.message).toBe('The items were grouped into different dispatches on retry');
	expect(error?.description).toContain(`Dispatch ${firstNew} was created by an earlier attempt.`);
	expect(created()).toEqual([firstNew]);
});

describe('n8n shows only the hints of the last try', () => {
	test('those of the check are shown again', async () => {
		const when = { startAt: '2020-01-01T10:00:00Z', hours: [10], days: [1] };
		const more = { nameExists: 'stop', options: { schedule: { when } } };
		bench.fault('status', 'POST', '*/dispatches', { status: 400, code: 4000 });
		const result = await run('send', more, 3, 2);
		expect(result.error).toBeUndefined();
		expect(hintsOf(result)).toEqual(["'Start At' is in the past. The service may send at once."]);
	});

	test('those about the delivery of what the first try has started', async () => {
		bench.fault('status', 'GET', '/messages', { status: 403, after: 1, times: 1 });
		const more = { nameExists: 'stop', waitUntilDelivered: true, limitMinutes: 0 };
		const result = await run('send', more, 3, 2);
		expect(result.error).toBeUndefined();
		expect(hintsOf(result)).toEqual([
			expect.stringContaining(`3 messages in dispatch ${firstNew} may still be pending.`),
		]);
	});

	test('the one about a dispatch that a limit keeps unstarted', async () => {
		bench.fault('status', 'POST', `*/dispatches/${firstNew}/start`, { status: 400, code: 4000 });
		const result = await run(
			'send',
			{ nameExists: 'stop', name: '={{ "P" + $json.code }}', whenPassed: 'leave', priceLimit: 4 },
			2,
			{ tries: 2, onError: 'continueRegularOutput' },
		);
		expect(jsonOf(result.items)).toMatchObject([{ started: false }, { started: true }]);
		expect(hintsOf(result)).toContainEqual(
			expect.stringContaining(`Dispatch ${firstNew} was not started.`),
		);
	});
});
