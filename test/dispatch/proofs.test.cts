import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { lookPausesMs } from '../../core/transport/lookThenSend';
import { byId, jsonOf } from '../support/sandbox.cts';
import type * as Tempo from '../support/tempo.cts';
import { tempo } from '../support/tempo.cts';
import { useDispatches, usePausesOfService } from './useDispatches.cts';
import { block, firstNew, fromItems, itemsUpTo, messagesOf, numberOf } from './recipients.cts';

// Pauses take no time for us, and their time for the service.
jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof Tempo>('../support/tempo.cts').workflowAtTempo(),
);

/** What must be seen before a request of unknown outcome is sent again, and what is never taken for that. */

const dispatches = useDispatches();
usePausesOfService(dispatches);
const { bench, run, created, destinations, numbers, creates, appends, starts, answer } = dispatches;

const name = 'Spring sale';
const looks = lookPausesMs.length;

const inBatches = { recipientOptions: { batchSize: 2 } };
const add = async (items: IDataObject[], more: INodeParameters = {}, tries?: number) =>
	await bench.run(
		'dispatch.addMessages',
		{ ...fromItems, ...inBatches, id: byId(firstNew), ...more },
		{ items, tries },
	);

/** What the service says how many messages the dispatch holds. */
const count = (total: number | undefined, turns?: Parameters<typeof answer>[2]) =>
	answer(
		`*/dispatches/${firstNew}`,
		{ id: firstNew, name, status: 'CREATED', priceEstimate: 1, messages: { total } },
		turns,
	);
const listMessages = (shown: ReadonlyArray<readonly [index: number, createdAt?: string]>) =>
	answer('/messages', {
		total: shown.length,
		items: shown.map(([index, createdAt]) => ({
			destination: numberOf(index),
			messageUuid: `u-${index}`,
			createdAt,
		})),
	});
const appendPath = '*/dispatches/*/messages';
const loseAppend = (kind: 'reset' | 'commit-then-reset', after = 0) =>
	bench.sandbox.faults.add({ kind, match: { method: 'POST', path: appendPath }, after });
const refuseAppend = (after: number) =>
	bench.sandbox.faults.add({
		kind: 'status',
		status: 400,
		match: { method: 'POST', path: appendPath },
		after,
	});
/** A request to this path takes so long that all looks of another one take less. */
const slow = (path: string) => {
	const strike = bench.sandbox.faults.strike.bind(bench.sandbox.faults);
	const spy = jest.spyOn(bench.sandbox.faults, 'strike').mockImplementation((request) => {
		if (request.method === 'POST' && request.path.endsWith(path)) {
			spy.mockRestore();
			tempo.pausedMs += 200_000;
			bench.sandbox.tick(200_000);
		}
		return strike(request);
	});
};

/** A service that keeps nothing of a recipient it rejects. */
const forgetRejected = () => {
	const strike = bench.sandbox.faults.strike.bind(bench.sandbox.faults);
	jest.spyOn(bench.sandbox.faults, 'strike').mockImplementation((request) => {
		const dispatch = bench.store.dispatches.get(firstNew);
		if (dispatch !== undefined) {
			dispatch.messages = dispatch.messages.filter(({ reason }) => reason === null);
			dispatch.messageCount.total = dispatch.messages.length;
		}
		return strike(request);
	});
};

const uncounted = "The service doesn't report how many messages the dispatch contains";
const unlisted = "The service doesn't list all the messages it counts in the dispatch";
const holds = (recipients: number) =>
	`Dispatch ${firstNew} contains ${recipients} confirmed recipient${recipients === 1 ? '' : 's'}`;

describe('an append whose answer is lost', () => {
	test('the last look shows more, and the proof less again: not sent again', async () => {
		loseAppend('reset');
		// Each look reads it twice: for itself, and beside the list.
		count(4, { after: 1, times: 2 * looks });
		const { error } = await run('create', inBatches, 4);
		expect(error?.description).toContain(holds(2));
		expect(appends()).toBe(1);
	});

	test('what was added long before it is counted: nothing proves how soon that is, so not sent again', async () => {
		await run('create', {}, 2);
		bench.forget();
		slow('/messages');
		loseAppend('reset', 1);
		const { error } = await add(itemsUpTo(6).slice(2));
		expect(error?.description).toContain(holds(2));
		expect(appends()).toBe(2);
	});

	test('the creation was counted at once: that proves it, however long the appends take', async () => {
		slow('/messages');
		loseAppend('reset', 1);
		const { error } = await run('create', inBatches, 6);
		expect(error).toBeUndefined();
		expect(appends()).toBe(3);
		expect(destinations(firstNew)).toEqual(numbers(6));
	});

	test('the creation was not counted when it was looked at: that proves nothing, so not sent again', async () => {
		count(undefined, { times: 1 });
		slow('/messages');
		loseAppend('reset', 1);
		const { error } = await run('create', inBatches, 6);
		expect(error?.description).toContain(holds(4));
		expect(appends()).toBe(2);
	});

	test('the one before it did not say how many were accepted: the dispatch is asked, and it is sent again', async () => {
		block(bench.sandbox, [numberOf(2)]);
		forgetRejected();
		const messages = [4, 5].map((index) => ({
			destination: numberOf(index),
			messageUuid: `u-${index}`,
		}));
		bench.sandbox.faults.add({
			kind: 'commit-then-status',
			status: 200,
			body: JSON.stringify({ id: firstNew, total: 2, messages }),
			match: { method: 'POST', path: appendPath },
			after: 1,
		});
		loseAppend('reset');
		const { items, error } = await run('create', inBatches, 8);
		jest.restoreAllMocks();
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ success: 7, failed: 1 }]);
		expect(destinations(firstNew)).toEqual([0, 1, 3, 4, 5, 6, 7].map(numberOf));
		expect(appends()).toBe(4);
	});

	test('an earlier one was counted late: a later one is proven all the same', async () => {
		await run('create', {}, 2);
		bench.forget();
		loseAppend('commit-then-reset');
		// The look before it and the first one behind it.
		count(2, { times: 2 });
		loseAppend('reset', 1);
		const { error } = await add(itemsUpTo(8).slice(2));
		expect(error).toBeUndefined();
		expect(appends()).toBe(4);
		expect(destinations(firstNew)).toEqual(numbers(8));
	});

	test('its messages cannot be listed: the error is about the request, not about the list', async () => {
		loseAppend('reset');
		bench.sandbox.faults.add({
			kind: 'status',
			status: 403,
			match: { method: 'GET', path: '/messages' },
			times: 1_000,
		});
		const { error } = await run('create', inBatches, 4);
		expect(error?.description).toContain(holds(2));
		expect(error?.description).toContain('It is not known whether the service carried this out.');
		expect(error?.description).not.toContain("couldn't be understood");
		expect(appends()).toBe(1);
	});

	test('the list is the newest first and shows no times: its own messages are found', async () => {
		loseAppend('commit-then-reset');
		listMessages([[3], [2], [1], [0]]);
		const { items, error } = await run('create', { ...inBatches, output: 'recipients' }, 4);
		expect(error).toBeUndefined();
		expect(jsonOf(items).map(({ messageUuid }) => messageUuid)).toEqual([
			...messagesOf(bench.sandbox, firstNew)
				.slice(0, 2)
				.map(({ uuid }) => uuid),
			'u-2',
			'u-3',
		]);
	});

	test.each([
		['was not said before it', undefined, { after: 0, times: 1 }],
		['is not said behind it', undefined, { after: 1 }],
		['is smaller than before', 1, { after: 1 }],
	])('how many there are %s: not sent again, and the error says so', async (_, total, turns) => {
		await run('create', {}, 2);
		bench.forget();
		loseAppend('commit-then-reset');
		count(total, turns);
		const { error } = await add(itemsUpTo(4).slice(2));
		expect(error?.description).toContain(holds(0));
		expect(error?.description).toContain(uncounted);
		expect(appends()).toBe(1);
	});
});

test('a reply to an append without an ID is believed: the list need not be read', async () => {
	bench.store.settings.dialect.appendReply = 'noId';
	bench.sandbox.faults.add({
		kind: 'status',
		status: 403,
		match: { method: 'GET', path: '/messages' },
		times: 1_000,
	});
	const { items, error } = await run('send', inBatches, 4);
	expect(error).toBeUndefined();
	expect(jsonOf(items)).toMatchObject([{ started: true, success: 4 }]);
});

test('an append is refused with words about a field: they are told as they are', async () => {
	bench.sandbox.faults.add({
		kind: 'status',
		status: 400,
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ error: { code: 4000, msg: 'senderIds: none is left' } }),
		match: { method: 'POST', path: appendPath },
	});
	const { error } = await run('create', inBatches, 4);
	expect(error?.description).toContain(holds(2));
	expect(error?.description).toContain('senderIds: none is left');
});

describe('Resume', () => {
	const resume = async (items = itemsUpTo(3)) => await add(items, { resume: true });
	beforeEach(async () => {
		await run('create', {}, 2);
		bench.forget();
	});

	test('the service does not count the messages: nobody is added, and the error says so', async () => {
		count(undefined);
		const { error } = await resume();
		expect(error?.description).toContain(uncounted);
		expect(appends()).toBe(0);
	});

	test('the list shows them later than it counts them: waited for', async () => {
		bench.store.settings.dialect.indexLagMs = 30_000;
		const { error } = await resume();
		expect(error).toBeUndefined();
		expect(destinations(firstNew)).toEqual(numbers(3));
	});

	test.each([
		['shows fewer than there are', [{ destination: numberOf(0), messageUuid: 'u-0' }]],
		['shows one without an ID', [{ destination: numberOf(0) }, { destination: numberOf(1) }]],
	])('the list %s: nobody is added, and the error says so', async (_, items) => {
		answer('/messages', { total: items.length, items });
		const { error } = await resume();
		expect(error?.description).toContain(`${holds(0)}; the first unconfirmed recipient is item 1.`);
		expect(error?.description).toContain(unlisted);
		expect(appends()).toBe(0);
	});
});

describe('which end of the list is the newest', () => {
	const early = '2026-03-02T07:00:00Z';
	const late = '2026-03-02T07:00:05Z';
	/** The second try has to know what the first has added: recipients 1 and 2 behind recipient 0. */
	const addInTwoTries = async (shown: Parameters<typeof listMessages>[0]) => {
		await run('create', {}, 1);
		refuseAppend(1);
		listMessages(shown);
		return await add(itemsUpTo(6).slice(1), {}, 2);
	};

	test('its first two have the same time: the last one tells', async () => {
		const { error } = await addInTwoTries([
			[2, late],
			[1, late],
			[0, early],
		]);
		expect(error).toBeUndefined();
		expect(destinations(firstNew)).toEqual(numbers(6));
	});

	test.each([
		['first', undefined, late],
		['last', early, undefined],
	])('its %s one shows no time: not known, so nobody is added', async (_, first, last) => {
		const { error } = await addInTwoTries([
			[0, first],
			[1, late],
			[2, last],
		]);
		expect(error?.description).toContain(unlisted);
		expect(destinations(firstNew)).toEqual(numbers(3));
	});
});

describe('Retry On Fail, and it is not known whether the dispatch was created', () => {
	const path = '*/dispatches';
	const loseCreation = (kind: 'reset' | 'commit-then-reset') =>
		bench.sandbox.faults.add({ kind, match: { method: 'POST', path } });
	/** The look before the creation passes, so many behind it don't. */
	const noLook = (times: number) =>
		bench.sandbox.faults.add({
			kind: 'status',
			// Longer than anybody waits: no second attempt.
			headers: { 'retry-after': '3600' },
			match: { method: 'GET', path },
			after: 1,
			times,
		});
	beforeEach(async () => {
		// One that is listed: it proves that a new one would be.
		await run('create', { name: 'Another' }, 1);
		bench.forget();
	});

	test('the looks of both tries fail, and the list works again: not created again', async () => {
		loseCreation('commit-then-reset');
		noLook(2 * looks);
		const { error } = await run('send', {}, 3, 2);
		expect(error?.description).toContain('It is not known whether the dispatch was created');
		expect([creates(), created()]).toEqual([1, [firstNew, firstNew + 1]]);
	});

	test('the second try sees two of its name: the error names them', async () => {
		loseCreation('reset');
		noLook(looks);
		const twins = [7_001, 7_002].map((id) => ({ id, name }));
		answer('/dispatches', { total: 2, items: twins });
		const { error } = await run('send', {}, 3, 2);
		expect(error?.description).toContain('More than one new dispatch has this name: 7001, 7002.');
		expect(creates()).toBe(1);
	});

	test('the service has answered, and nothing is there: never created again', async () => {
		bench.sandbox.faults.add({
			kind: 'status',
			status: 200,
			body: '{}',
			match: { method: 'POST', path },
		});
		const { error } = await run('send', {}, 3, 2);
		expect(error?.description).toContain('It is not known whether the dispatch was created');
		expect([creates(), created()]).toEqual([1, [firstNew]]);
	});

	test('the second try finds it, and its messages are never listed: not created again', async () => {
		loseCreation('commit-then-reset');
		noLook(looks);
		listMessages([]);
		const { error } = await run('send', {}, 3, 2);
		expect(error?.description).toContain(
			`Dispatch ${firstNew + 1} contains 0 confirmed recipients`,
		);
		expect([creates(), starts()]).toEqual([1, 0]);
		expect(created()).toEqual([firstNew, firstNew + 1]);
	});
});

describe('Retry On Fail groups the items in another way', () => {
	const regrouped = 'The items were grouped into different dispatches on retry';

	test('one item first, then it and another: nothing is sent', async () => {
		const error = await dispatches.sendRenamed('"Part " + $json.code', '"Both"', 2);
		expect(error?.message).toBe(regrouped);
		expect(created().map(destinations)).toEqual([numbers(1)]);
	});

	test('as many items, and one of them another: nothing is sent', async () => {
		const error = await dispatches.sendRenamed(
			'($json.code < 2 ? "A" : "B")',
			'($json.code === 1 ? "A" : "B")',
			3,
		);
		expect(error?.message).toBe(regrouped);
		expect(created().map(destinations)).toEqual([numbers(2)]);
	});
});

test.each(['continue', 'stop'])(
	'the name cannot be looked up, %s: the error says why',
	async (nameExists) => {
		bench.sandbox.faults.add({
			kind: 'status',
			status: 403,
			match: { method: 'GET', path: '*/dispatches' },
		});
		const { error } = await run('send', { nameExists }, 2);
		expect(error?.httpCode).toBe('403');
		expect(creates()).toBe(0);
	},
);

test('count and list lag behind the creation, and an append is lost after it was carried out: nobody is added twice', async () => {
	loseAppend('commit-then-reset');
	count(0);
	listMessages([]);
	const { error } = await run('create', inBatches, 4);
	expect({ held: destinations(firstNew), appends: appends() }).toEqual({
		held: numbers(4),
		appends: 1,
	});
	expect(error?.description).toContain(holds(2));
});

test('the same behind an append whose reply counts nothing', async () => {
	bench.store.settings.dialect.appendReply = 'noCounts';
	loseAppend('commit-then-reset', 1);
	count(2);
	listMessages([[0], [1]]);
	const { error } = await run('create', inBatches, 6);
	expect({ held: destinations(firstNew), appends: appends() }).toEqual({
		held: numbers(6),
		appends: 2,
	});
	expect(error?.description).toContain(holds(4));
});

test('a creation and an append are lost: everybody is there once', async () => {
	bench.sandbox.faults.add({
		kind: 'commit-then-reset',
		match: { method: 'POST', path: '*/dispatches' },
	});
	loseAppend('reset', 1);
	const { error } = await run('create', inBatches, 6);
	expect(error).toBeUndefined();
	expect(destinations(firstNew)).toEqual(numbers(6));
});
