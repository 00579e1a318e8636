import { lookPausesMs } from '../../core/transport/lookThenSend';
import { byId, jsonOf } from '../support/sandbox.cts';
import { firstNew, fromItems, itemsUpTo, numberOf } from './recipients.cts';
import type * as Tempo from '../support/tempo.cts';
import { useDispatches } from './useDispatches.cts';

// Pauses take no time.
jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof Tempo>('../support/tempo.cts').workflowAtTempo(),
);

/** The same run or the same workflow once more: by a person, by a schedule, or by n8n's Retry On Fail. */

const { bench, run, statusOf, created, destinations, numbers, sendRenamed } = useDispatches();

const withName = (nameExists: string) => ({ nameExists });

describe('the name was used before', () => {
	test('Create Another: another dispatch', async () => {
		await run('create', {}, 2);
		await run('create', {}, 2);
		expect(created()).toEqual([firstNew, firstNew + 1]);
	});

	test('another name: created, whatever is chosen', async () => {
		await run('create', {}, 2);
		await run('create', { ...withName('continue'), name: 'Another' }, 2);
		await run('create', { ...withName('stop'), name: 'A third' }, 2);
		expect(created()).toHaveLength(3);
	});

	test('Continue: who is missing is added, and it is started', async () => {
		await run('create', {}, 2);
		const { items, error } = await run('send', withName('continue'), 5);
		expect(error).toBeUndefined();
		expect(created()).toEqual([firstNew]);
		expect(destinations(firstNew)).toEqual(numbers(5));
		expect(statusOf(firstNew)).toBe('STARTED');
		expect(jsonOf(items)).toMatchObject([
			{ dispatchId: firstNew, status: 'STARTED', started: true, success: 5, failed: 0 },
		]);
	});

	test('Continue, and it was started before: nothing is sent, and each recipient is told', async () => {
		await run('send', {}, 3);
		await bench.sandbox.advance(60_000);
		const { items } = await run('send', { ...withName('continue'), output: 'recipients' }, 4);
		expect(created()).toEqual([firstNew]);
		expect(destinations(firstNew)).toEqual(numbers(3));
		expect(bench.sent('POST', `/dispatches/${firstNew}/start`)).toBe(1);
		expect(
			jsonOf(items).map(({ accepted, outcome, reasonCode, reason }) => [
				accepted,
				outcome,
				reasonCode,
				reason,
			]),
		).toEqual([
			[true, 'accepted', '', ''],
			[true, 'accepted', '', ''],
			[true, 'accepted', '', ''],
			[
				false,
				'notSent',
				'startedBefore',
				"The dispatch was already started without this recipient, so the recipient can't be added",
			],
		]);
	});

	test('Continue, and somebody stopped it: it stays stopped, and that is an error', async () => {
		await run('send', {}, 3);
		await bench.run('dispatch.stop', { id: byId(firstNew) });
		const { items, error } = await run('send', withName('continue'), 3);
		expect(items).toEqual([]);
		expect(error?.message).toBe(`Dispatch ${firstNew} was already started and stopped`);
		expect(error?.description).toContain(`Dispatch ${firstNew} `);
		expect(error?.context?.item).toBe(1);
		expect(statusOf(firstNew)).toBe('STOPPED');
		expect(bench.sent('POST', `/dispatches/${firstNew}/start`)).toBe(1);
	});

	test('Continue, somebody stopped it, and Create Without Starting: the result says so', async () => {
		await run('send', {}, 3);
		await bench.run('dispatch.stop', { id: byId(firstNew) });
		const limits = { whenPassed: 'leave' };
		const { items } = await run('send', { ...withName('continue'), limits }, 3);
		expect(statusOf(firstNew)).toBe('STOPPED');
		expect(jsonOf(items)).toMatchObject([
			{
				dispatchId: firstNew,
				started: false,
				notStartedBecause: `Dispatch ${firstNew} was already started and stopped`,
			},
		]);
	});

	test('Continue, and it was started before: who was rejected is told from who failed later', async () => {
		await run('send', {}, 3);
		const messages = [
			{ status: 'FAILED', senderId: null },
			{ status: 'FAILED', senderId: 5 },
			{ status: 'DELIVERED', senderId: 5 },
		].map((one, index) => ({ ...one, destination: numberOf(index), messageUuid: `u-${index}` }));
		bench.sandbox.faults.add({
			kind: 'status',
			status: 200,
			body: JSON.stringify({ total: 3, items: messages }),
			match: { method: 'GET', path: '/messages' },
		});
		const { items } = await run('send', { ...withName('continue'), output: 'recipients' }, 3);
		expect(jsonOf(items).map(({ accepted }) => accepted)).toEqual([false, true, true]);
	});

	test.each([
		['a status nobody knows', { id: firstNew, name: 'Spring sale', status: 'PAUSED' }],
		['no status', { id: firstNew, name: 'Spring sale' }],
	])('Continue, and it has %s: nothing is added or started', async (_, shown) => {
		await run('create', {}, 2);
		bench.sandbox.faults.add({
			kind: 'status',
			status: 200,
			body: JSON.stringify(shown),
			match: { method: 'GET', path: `*/dispatches/${firstNew}` },
		});
		const { error } = await run('send', withName('continue'), 3);
		expect(error?.message).toBe(
			`The service doesn't report a known status for dispatch ${firstNew}`,
		);
		expect(error?.description).toContain('Nothing was added or started in this attempt.');
		expect([destinations(firstNew), statusOf(firstNew)]).toEqual([numbers(2), 'CREATED']);
	});

	test.each(['continue', 'stop', 'another'])(
		'without any recipient, %s does nothing',
		async (nameExists) => {
			await run('create', {}, 2);
			const { items, error } = await bench.run(
				'dispatch.send',
				{ ...fromItems, ...withName(nameExists) },
				{ items: [{ phone: 'x', name: 'A', code: 1 }] },
			);
			expect(error?.message).toBe('There are no valid recipients: 1 unreadable phone number');
			expect(items).toEqual([]);
			expect(created()).toEqual([firstNew]);
			expect([destinations(firstNew), statusOf(firstNew)]).toEqual([numbers(2), 'CREATED']);
		},
	);

	test('Continue takes the newest of several', async () => {
		await run('create', {}, 1);
		await run('create', {}, 1);
		await run('create', withName('continue'), 2);
		expect([destinations(firstNew), destinations(firstNew + 1)]).toEqual([numbers(1), numbers(2)]);
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
});

describe('Retry On Fail', () => {
	const failAppend = ({ after = 0 } = {}) =>
		bench.sandbox.faults.add({
			kind: 'status',
			status: 400,
			match: { method: 'POST', path: '*/dispatches/*/messages' },
			after,
		});

	test('an append is refused: the second try goes on with the same dispatch', async () => {
		failAppend();
		const { items, error } = await run('send', { recipientOptions: { batchSize: 2 } }, 6, 2);
		expect(error).toBeUndefined();
		expect(created()).toEqual([firstNew]);
		expect(destinations(firstNew)).toEqual(numbers(6));
		expect(jsonOf(items)).toMatchObject([{ started: true, success: 6 }]);
	});

	test('the second of two dispatches fails: the first is not sent again', async () => {
		bench.sandbox.faults.add({
			kind: 'status',
			status: 400,
			match: { method: 'POST', path: '*/dispatches' },
			after: 1,
		});
		const { items, error } = await run(
			'send',
			{ name: '={{ $json.code % 2 === 0 ? "Even" : "Odd" }}' },
			6,
			2,
		);
		expect(error).toBeUndefined();
		expect(created().map((id) => bench.store.dispatches.get(id)?.name)).toEqual(['Even', 'Odd']);
		expect(bench.sent('POST', `/dispatches/${firstNew}/start`)).toBe(1);
		expect(jsonOf(items)).toMatchObject([
			{ name: 'Even', started: true, success: 3 },
			{ name: 'Odd', started: true, success: 3 },
		]);
	});

	test('a name that differs in every try: the dispatches of the first try are continued', async () => {
		bench.sandbox.faults.add({
			kind: 'status',
			status: 400,
			match: { method: 'POST', path: `*/dispatches/${firstNew + 1}/start` },
		});
		const name = '={{ ($json.code % 2 === 0 ? "Even" : "Odd") + " " + Math.random() }}';
		const parity = '={{ ($json.code % 2 === 0 ? "Even " : "Odd ") + Date.now() }}';
		const { error } = await run('send', { name: parity }, 2, 2);
		expect(error).toBeUndefined();
		expect(created()).toEqual([firstNew, firstNew + 1]);
		expect([destinations(firstNew), destinations(firstNew + 1)]).toEqual(
			numbers(2).map((number) => [number]),
		);
		// Another grouping in every try: nobody can say which items belong to which dispatch.
		bench.sandbox.faults.add({
			kind: 'status',
			status: 400,
			match: { method: 'POST', path: '*/start' },
		});
		await run('send', { name }, 3, 2);
		const sent = created().flatMap((id) => destinations(id));
		expect(sent.filter((number) => number === numberOf(2))).toHaveLength(1);
	});

	test('the second try groups the items into other dispatches: nothing is sent in it', async () => {
		const error = await sendRenamed('"Both"', '"Part " + $json.code', 2);
		expect(error?.message).toBe('The items were grouped into different dispatches on retry');
		expect(error?.description).toContain('Nothing was sent in this attempt');
		expect(error?.context?.item).toBe(1);
		expect(created()).toEqual([firstNew]);
		expect(destinations(firstNew)).toEqual(numbers(2));
	});

	test('Add Messages: what the first try has added is not added again', async () => {
		await run('create', {}, 1);
		// Later than those it holds: the list of messages then tells which are the newest.
		bench.sandbox.tick(1_000);
		failAppend({ after: 1 });
		const { error } = await bench.run(
			'dispatch.addMessages',
			{ ...fromItems, id: byId(firstNew), recipientOptions: { batchSize: 2 } },
			{ items: itemsUpTo(6).slice(1), tries: 2 },
		);
		expect(error).toBeUndefined();
		expect(destinations(firstNew)).toEqual(numbers(6));
	});

	test('Add Messages: the list shows the newest first: what the first try has added is not added again', async () => {
		await run('create', {}, 1);
		failAppend({ after: 1 });
		const messages = [2, 1, 0].map((index) => ({
			destination: numberOf(index),
			messageUuid: `u-${index}`,
			createdAt: `2026-03-02T07:00:0${index}Z`,
		}));
		bench.sandbox.faults.add({
			kind: 'status',
			status: 200,
			body: JSON.stringify({ total: 3, items: messages }),
			match: { method: 'GET', path: '/messages' },
		});
		const { error } = await bench.run(
			'dispatch.addMessages',
			{ ...fromItems, id: byId(firstNew), recipientOptions: { batchSize: 2 } },
			{ items: itemsUpTo(6).slice(1), tries: 2 },
		);
		expect(error).toBeUndefined();
		expect(destinations(firstNew)).toEqual(numbers(6));
	});

	test('Add Messages: which end of the list is the newest is not known, and it matters: nobody is added', async () => {
		await run('create', {}, 1);
		failAppend({ after: 1 });
		const { error } = await bench.run(
			'dispatch.addMessages',
			{ ...fromItems, id: byId(firstNew), recipientOptions: { batchSize: 2 } },
			{ items: itemsUpTo(6).slice(1), tries: 2 },
		);
		expect(error?.description).toContain(
			"The service doesn't list all the messages it counts in the dispatch. Check the dispatch",
		);
		expect(destinations(firstNew)).toEqual(numbers(3));
	});

	test('Add Messages: a try that cannot read the list is not taken for one that added nobody', async () => {
		await run('create', {}, 1);
		bench.sandbox.tick(1_000);
		failAppend({ after: 1 });
		bench.sandbox.faults.add({
			kind: 'status',
			status: 403,
			match: { method: 'GET', path: '/messages' },
		});
		const { error } = await bench.run(
			'dispatch.addMessages',
			{ ...fromItems, id: byId(firstNew), recipientOptions: { batchSize: 2 } },
			{ items: itemsUpTo(6).slice(1), tries: 3 },
		);
		expect(error).toBeUndefined();
		expect(destinations(firstNew)).toEqual(numbers(6));
	});

	test('Add Messages: a first try that sent nobody leaves who was in it before as they are', async () => {
		await run('create', {}, 2);
		bench.sandbox.faults.add({
			kind: 'status',
			status: 400,
			match: { method: 'GET', path: `*/dispatches/${firstNew}` },
		});
		const { error } = await bench.run(
			'dispatch.addMessages',
			{ ...fromItems, id: byId(firstNew) },
			{ items: itemsUpTo(3), tries: 2 },
		);
		expect(error).toBeUndefined();
		expect(destinations(firstNew)).toEqual([...numbers(2), ...numbers(3)]);
	});

	test('Add Messages: who was in it before the first try is added all the same', async () => {
		await run('create', {}, 2);
		failAppend();
		const { error } = await bench.run(
			'dispatch.addMessages',
			{ ...fromItems, id: byId(firstNew) },
			{ items: itemsUpTo(3), tries: 2 },
		);
		expect(error).toBeUndefined();
		expect(destinations(firstNew)).toEqual([...numbers(2), ...numbers(3)]);
	});

	test('Add Messages: the second of two requests fails: only its recipients are added again', async () => {
		await run('create', {}, 2);
		failAppend({ after: 1 });
		const { error } = await bench.run(
			'dispatch.addMessages',
			{ ...fromItems, id: byId(firstNew), recipientOptions: { batchSize: 2 } },
			{ items: itemsUpTo(3), tries: 2 },
		);
		expect(error).toBeUndefined();
		expect(destinations(firstNew)).toEqual([...numbers(2), ...numbers(3)]);
	});

	describe('it is not known whether the dispatch was created', () => {
		// Longer than anybody waits: no second attempt.
		const headers = { 'retry-after': '3600' };
		const begin = (kind: 'reset' | 'commit-then-reset', times: number, after = 1) => {
			const path = '*/dispatches';
			bench.sandbox.faults.add({ kind, match: { method: 'POST', path } });
			const look = { method: 'GET', path };
			bench.sandbox.faults.add({ kind: 'status', headers, match: look, after, times });
		};

		test.each([
			['it was: the second try finds it', 'commit-then-reset', 1],
			['it was not: the second try creates it', 'reset', 2],
		] as const)('%s', async (_, kind, attempts) => {
			// Another one that is listed: without it nothing proves that this one would be.
			await run('create', { name: 'Another' }, 1);
			bench.forget();
			begin(kind, lookPausesMs.length);
			const { items, error } = await run('send', {}, 3, 2);
			expect(error).toBeUndefined();
			expect(created()).toEqual([firstNew, firstNew + 1]);
			expect(bench.sent('POST', '/dispatches')).toBe(attempts);
			expect(jsonOf(items)).toMatchObject([{ started: true, success: 3 }]);
		});

		test('it was, and a used name is to stop the run: the second try finds its own', async () => {
			begin('commit-then-reset', lookPausesMs.length, 2);
			const { items, error } = await run('send', withName('stop'), 3, 2);
			expect(error).toBeUndefined();
			expect(created()).toEqual([firstNew]);
			expect(jsonOf(items)).toMatchObject([{ started: true, success: 3 }]);
		});

		test('and no try can look: none is created, and it says that it is not known', async () => {
			begin('commit-then-reset', 2 * lookPausesMs.length);
			const { error } = await run('send', {}, 3, 2);
			expect(error?.description).toContain('It is not known whether the dispatch was created');
			expect(created()).toEqual([firstNew]);
			expect(bench.sent('POST', '/dispatches')).toBe(1);
		});
	});

	test('a run of its own is not taken for a repetition', async () => {
		await run('create', {}, 2, 2);
		await run('create', {}, 2, 2);
		expect(created()).toHaveLength(2);
	});
});
