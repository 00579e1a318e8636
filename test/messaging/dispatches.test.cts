import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { hintsOf } from '../support/n8n.cts';
import { jsonOf } from '../support/sandbox.cts';
import { numberOf, sendPath, useMessaging } from './messages.cts';
import { addCampaigns, dispatchPath, firstCampaign } from './table/dispatches.cts';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/pauses.cts'));

const { numbers } = demo;
const bench = useMessaging();
const id = firstCampaign;
const appendPath = `${dispatchPath}/${id}/messages`;
const startPath = `${dispatchPath}/${id}/start`;
const stopPath = `${dispatchPath}/${id}/stop`;

const { fault, respond } = bench;

const statusOf = () => bench.store.dispatches.get(id)?.status;
const heldMessages = () => bench.store.dispatches.get(id)?.messages ?? [];
const heldNumbers = () => heldMessages().map(({ destination }) => destination);

const noneSent = { total: 1, delivered: 0, undelivered: 0, unsent: 0, sent: 0, sending: 1 };
/** A dispatch as the service lists it. */
const listed = (more: object = {}) => ({
	dispatchId: id,
	dispatchName: 'Tulips 1',
	status: 'planned',
	messages: noneSent,
	...more,
});
const listOf = (...items: object[]) => ({ total: items.length, items });

const startEach = async (items: IDataObject[]) =>
	await bench.run('dispatch.start', { dispatchId: '={{ $json.id }}' }, { items });

beforeEach(() => addCampaigns(bench.sandbox, 1));

test.each<[string, string, string, INodeParameters]>([
	['get', 'GET', dispatchPath, {}],
	['start', 'POST', startPath, {}],
	['stop', 'POST', stopPath, {}],
	['addMessages', 'POST', appendPath, { destination: numbers.mts }],
])('%s of a dispatch that the service does not know', async (operation, method, path, more) => {
	const body = { error: { code: 4040, msg: 'Not Found' } };
	respond('status', method, path, body, { status: 404 });
	const { error } = await bench.run(`dispatch.${operation}`, { dispatchId: String(id), ...more });
	expect(error?.message).toBe(`There is no dispatch with the ID ${id}`);
	expect(error?.description).not.toContain('company');
});

describe('Get', () => {
	const get = async () => await bench.run('dispatch.get', { dispatchId: String(id) });

	test.each<[string, unknown, RegExp]>([
		['another dispatch', listOf(listed({ dispatchId: 17 })), /about something else/],
		['none', listOf(), /^There is no dispatch with the ID/],
		['none, but a total', { total: 7, items: [] }, /list is incomplete/],
		['no list', {}, /doesn't contain a readable list/],
		['a bare list', [listed()], /doesn't contain a readable list/],
	])('the service lists %s: an error, never another dispatch', async (_, body, message) => {
		respond('status', 'GET', dispatchPath, body);
		const { error, items } = await get();
		expect(error?.message).toMatch(message);
		expect(items).toEqual([]);
	});

	test('fields that are missing stay missing', async () => {
		respond('status', 'GET', dispatchPath, listOf({ dispatchId: String(id) }));
		const { items, error } = await get();
		expect(error).toBeUndefined();
		expect(JSON.parse(JSON.stringify(jsonOf(items)))).toEqual([{ dispatchId: String(id) }]);
	});

	test('an ID that is not a number is sent as it is', async () => {
		respond('status', 'GET', dispatchPath, listOf(listed({ dispatchId: 'D-17/a' })));
		const { items } = await bench.run('dispatch.get', { dispatchId: ' D-17/a ' });
		expect(jsonOf(items)).toMatchObject([{ dispatchId: 'D-17/a' }]);
		expect(bench.recorded[0]?.url).toContain('?dispatch_id=D-17%2Fa&');
	});
});

describe('an ID that is not a number', () => {
	test.each(['0', '03003', '-1', 'D-17', '1e3', '7'.repeat(20)])(
		'%j is sent in the path',
		async (one) => {
			const path = `${dispatchPath}/${one}/start`;
			respond('status', 'POST', path, { dispatchId: one });
			const { items, error } = await bench.run('dispatch.start', { dispatchId: one });
			expect(error).toBeUndefined();
			expect(jsonOf(items)).toEqual([{ dispatchId: one, started: true }]);
			expect(bench.sent('POST', path)).toBe(1);
		},
	);

	test.each(['start', 'stop'])('%s: one that could change the path is not sent', async (move) => {
		for (const dispatchId of ['..', 'a/../b', '1%2f..', '1?c=1', '1#', '1\uff0f..']) {
			const { error } = await bench.run(`dispatch.${move}`, { dispatchId });
			expect(error?.message).toBe("'Dispatch ID' must consist of letters, digits, _ and -");
			expect(bench.recorded).toEqual([]);
		}
	});
});

describe('Add Messages', () => {
	const adding: INodeParameters = {
		dispatchId: String(id),
		destination: '={{ $json.phone }}',
		substitutions: { placeholder: [{ name: 'name', value: '={{ $json.name }}' }] },
		output: 'recipients',
	};
	const people = (count: number): IDataObject[] =>
		Array.from({ length: count }, (_, index) => ({ phone: numberOf(index), name: `N${index}` }));
	const add = async (items: IDataObject[], more: INodeParameters = {}, tries = 1) =>
		await bench.run('dispatch.addMessages', { ...adding, ...more }, { items, tries });
	const posts = () => bench.sent('POST', appendPath);

	test('adds each once, and those who are in it are skipped', async () => {
		const first = await add(people(3));
		expect(jsonOf(first.items)).toMatchObject(
			[0, 1, 2].map((index) => ({ destination: numberOf(index), outcome: 'notStarted' })),
		);
		expect(heldNumbers()).toEqual([numbers.tele2, ...[0, 1, 2].map(numberOf)]);
		expect(posts()).toBe(1);
		const second = await add([...people(3), { phone: numberOf(3), name: 'New' }]);
		expect(hintsOf(second)).toContain(
			`3 recipients were already in dispatch ${id} and weren't added again.`,
		);
		expect(heldNumbers()).toEqual([numbers.tele2, ...[0, 1, 2, 3].map(numberOf)]);
		bench.forget();
		await add(people(3));
		expect(posts()).toBe(0);
		expect(statusOf()).toBe('CREATED');
	});

	test('in several requests, for several dispatches, each with its own items', async () => {
		addCampaigns(bench.sandbox, 1);
		const items = people(5).map((one, index) => ({ ...one, id: id + (index % 2) }));
		const { items: output, error } = await add(items, {
			dispatchId: '={{ $json.id }}',
			output: 'summary',
			options: { batchSize: 2 },
		});
		expect(error).toBeUndefined();
		expect(jsonOf(output)).toMatchObject([
			{ dispatchId: id, notStarted: 3, recipients: 3 },
			{ dispatchId: id + 1, notStarted: 2, recipients: 2 },
		]);
		expect(posts()).toBe(2);
		expect(bench.sent('POST', `${dispatchPath}/${id + 1}/messages`)).toBe(1);
	});

	test('nobody is left: an error, and nothing is sent', async () => {
		const { error } = await add([{ phone: 'call me', name: 'Anna' }]);
		expect(error?.message).toBe('There are no valid recipients: 1 unreadable phone number');
		expect(bench.recorded).toEqual([]);
	});

	test('a placeholder without a value: nothing is sent for anyone', async () => {
		const { error } = await add([...people(2), { phone: numberOf(5), name: ' ' }]);
		expect(error?.message).toBe('\'Placeholder Values\' has no value for "name"');
		expect(error?.context?.item).toBe(3);
		expect(bench.recorded).toEqual([]);
	});

	test('a placeholder with two values: nothing is sent', async () => {
		const placeholder = ['Anna', 'Boris'].map((value) => ({ name: 'name', value }));
		const { error } = await add(people(1), { substitutions: { placeholder } });
		expect(error?.message).toBe('\'Placeholder Values\' contains "name" twice');
		expect(bench.recorded).toEqual([]);
	});

	test('a name with braces is sent, with a hint: it may not be the name in the text', async () => {
		const placeholder = [{ name: '{name}', value: 'Anna' }];
		const result = await add(people(2), { substitutions: { placeholder } });
		expect(result.error).toBeUndefined();
		expect(hintsOf(result)).toEqual([
			'\'Placeholder Values\' contains "{name}". Write the name without the signs around it, or the text may be sent without the value.',
		]);
	});

	test('those whom the service rejects have its error code as the reason', async () => {
		const { items } = await add([{ phone: numbers.noOperator, name: 'Egor' }, ...people(1)]);
		const reason = 'The service rejected this recipient with error code 7401';
		expect(jsonOf(items)).toMatchObject([
			{ outcome: 'failed', reasonCode: 'rejectedByService', reason },
			{ outcome: 'notStarted', reasonCode: '' },
		]);
	});

	test('a code whose meaning is published: the reason says it, and what to do', async () => {
		const body = [{ destination: numberOf(0), errorCode: 453 }];
		respond('status', 'POST', appendPath, body);
		const { items } = await add(people(1));
		expect(jsonOf(items)[0]?.reason).toBe(
			"The service rejected this recipient with error code 453. The recipient's number is on a block list. Remove it from your list.",
		);
	});

	test('those whom the service rejected before are not added again, and not reported as accepted', async () => {
		const egor = [{ phone: numbers.noOperator, name: 'Egor' }];
		await add([...egor, ...people(1)]);
		bench.forget();
		const { items } = await add([...egor, ...people(1)]);
		expect(jsonOf(items)).toMatchObject([
			{ outcome: 'failed', reason: 'The service rejected this recipient' },
			{ outcome: 'notStarted', reasonCode: '' },
		]);
		expect(posts()).toBe(0);
	});

	test('a lost request is found in the list, and not sent again', async () => {
		fault('commit-then-reset', 'POST', appendPath);
		const { items } = await add(people(2));
		expect(jsonOf(items)).toMatchObject([{ outcome: 'notStarted' }, { outcome: 'notStarted' }]);
		expect([posts(), heldNumbers().length]).toEqual([1, 3]);
	});

	/** Responses that don't say clearly that the request was carried out. */
	const entry = (index: number, more: object = { messageUuid: 'u' }) => ({
		destination: numberOf(index),
		...more,
	});
	describe.each<[string, unknown, number]>([
		['nothing', '', 1],
		['an empty object', {}, 1],
		['an empty list', [], 1],
		['the list in an envelope', { items: [entry(0)] }, 1],
		['another number', [entry(7)], 1],
		['neither an ID nor a code', [entry(0, {})], 1],
		['an ID and a code', [entry(0, { messageUuid: 'u', errorCode: 1 })], 1],
		['an entry too many', [entry(0), entry(1)], 1],
		['an entry that is not an object', [null], 1],
		['a rejection of another number', [entry(0), entry(7, { errorCode: 7401 })], 2],
	])('%s as the response: the list decides', (_, body, count) => {
		test('in favor', async () => {
			respond('commit-then-status', 'POST', appendPath, body);
			const { items } = await add(people(count));
			const added = heldMessages().slice(1);
			expect(jsonOf(items)).toMatchObject(
				added.map(({ uuid, destination }) => {
					return { outcome: 'notStarted', destination, messageUuid: uuid };
				}),
			);
			expect([posts(), added.length]).toEqual([1, count]);
		});

		test('against', async () => {
			respond('status', 'POST', appendPath, body);
			const { error } = await add(people(count), {}, 2);
			expect(error?.message).toBe(`Not all recipients were added to dispatch ${id}`);
			expect(posts()).toBe(1);
		});
	});

	/** Who is in it can't be seen, so adding could add them twice. */
	const message = (more: object = {}) => ({
		messageUuid: 'u-1',
		destination: numbers.tele2,
		dispatchId: id,
		status: 'sending',
		...more,
	});
	const counting = (messages: object | undefined, more: object = {}) =>
		listOf(listed({ messages, ...more }));
	test.each<[string, string, unknown]>([
		['a list that lacks one', sendPath, listOf()],
		['a list with messages of another dispatch', sendPath, listOf(message({ dispatchId: 17 }))],
		['messages without their dispatch', sendPath, listOf(message({ dispatchId: undefined }))],
		['a message without a number', sendPath, listOf(message({ destination: '' }))],
		['no list', sendPath, {}],
		['no counts', dispatchPath, counting(undefined)],
		['another count', dispatchPath, counting({ total: 2 })],
		['a rejected one more', dispatchPath, counting({ ...noneSent, total: 2, undelivered: 1 })],
		['another count, no status', dispatchPath, counting({ total: 2 }, { status: undefined })],
	])('%s: nothing is added', async (_, path, body) => {
		respond('status', 'GET', path, body);
		const { error } = await add(people(1));
		expect(error?.message).toBe(`The node couldn't read who is in dispatch ${id}`);
		expect(error?.description).toContain('Nothing was added in this attempt.');
		expect(posts()).toBe(0);
	});

	test.each<[string, object]>([
		['no status', { status: undefined }],
		['no count of those that have left', { messages: { total: 1 } }],
	])('%s, so it may have been started: nothing is added', async (_, more) => {
		respond('status', 'GET', dispatchPath, listOf(listed(more)));
		const { error } = await add(people(1));
		expect(error?.message).toBe(
			`Dispatch ${id} doesn't show whether it was started, so recipients can't be added`,
		);
		expect(posts()).toBe(0);
	});

	test('more messages than the service lists: nothing is added', async () => {
		respond('status', 'GET', dispatchPath, counting({ ...noneSent, total: 10_001 }));
		const { error } = await add(people(1));
		expect(error?.message).toBe(
			`Dispatch ${id} has 10,001 messages, but the service lists at most 10,000`,
		);
		expect(posts()).toBe(0);
	});

	test.each<[string[], string]>([
		[['start'], `Dispatch ${id} was already started, so recipients can't be added`],
		[
			['start', 'stop'],
			`Dispatch ${id} doesn't show whether it was started, so recipients can't be added`,
		],
	])('after %j: the reason is the title', async (moves, message) => {
		for (const move of moves) await bench.run(`dispatch.${move}`, { dispatchId: String(id) });
		const { error } = await add(people(1));
		expect(error?.message).toBe(message);
		expect(heldNumbers()).toHaveLength(1);
	});
});

describe('Start', () => {
	const start = async () => await bench.run('dispatch.start', { dispatchId: String(id) });
	const posts = () => bench.sent('POST', startPath);
	const done = [{ dispatchId: id, started: true }];

	const answered = (body: unknown) => () => respond('commit-then-status', 'POST', startPath, body);
	test.each<[string, () => unknown]>([
		['is lost', () => fault('commit-then-reset', 'POST', startPath)],
		['is empty', answered('')],
		['has no ID', answered({})],
		['is about another', answered({ dispatchId: 17 })],
		['is 502', () => fault('commit-then-status', 'POST', startPath, { status: 502 })],
	])('the response %s: the dispatch itself shows that it was started', async (_, prepare) => {
		prepare();
		expect(jsonOf((await start()).items)).toEqual(done);
		expect(posts()).toBe(1);
	});

	test.each<[string, () => unknown]>([
		['never arrived', () => fault('reset', 'POST', startPath)],
		['got an empty response', () => respond('status', 'POST', startPath, '', { times: 1 })],
	])('a start that %s and was not carried out is sent once more', async (_, prepare) => {
		prepare();
		const { items } = await start();
		expect(jsonOf(items)).toEqual(done);
		expect(posts()).toBe(2);
		expect(statusOf()).toBe('STARTED');
	});

	test('messages that were sent prove the start, whatever the status is called', async () => {
		const messages = { ...noneSent, delivered: 1, sending: 0 };
		respond('status', 'GET', dispatchPath, listOf(listed({ status: 'NOT_LISTED', messages })));
		expect(jsonOf((await start()).items)).toEqual(done);
		expect(posts()).toBe(0);
	});

	const notKnown = `It is not known whether dispatch ${id} was started`;
	const again = 'Run it again: a dispatch that is started twice is sent once.';
	const noNumbers = { total: 1, sent: null, delivered: {}, undelivered: 'NaN' };
	test.each<[string, unknown]>([
		['a list that cannot be read', {}],
		['another dispatch', listOf(listed({ dispatchId: 17 }))],
		['no status', listOf(listed({ status: undefined }))],
		['no counts of what was sent', listOf(listed({ messages: { total: 1 } }))],
		['counts that are no numbers', listOf(listed({ messages: noNumbers }))],
	])('lost, and then %s: not known, and sent once', async (_, body) => {
		fault('commit-then-reset', 'POST', startPath);
		respond('status', 'GET', dispatchPath, body);
		const { error, items } = await start();
		expect(error?.message).toBe(notKnown);
		expect(error?.description).toContain(again);
		expect(items).toEqual([]);
		expect(posts()).toBe(1);
	});

	test('the same ID written in two ways is started once', async () => {
		const items = [{ id: String(id) }, { id: ` ${id} ` }];
		const { error } = await startEach(items);
		expect(error).toBeUndefined();
		expect(posts()).toBe(1);
	});

	test.each<[string, () => Promise<unknown>]>([
		['was already started', async () => undefined],
		['is finished', async () => await bench.sandbox.advance(60_000)],
	])('one that %s: not started again, and a hint says so', async (_, prepare) => {
		await start();
		await prepare();
		bench.forget();
		const result = await start();
		expect(result.error).toBeUndefined();
		expect(jsonOf(result.items)).toEqual(done);
		expect(hintsOf(result)).toEqual([
			`Dispatch ${id} was started before, so it wasn't started again.`,
		]);
		expect(posts()).toBe(0);
	});

	test('one whose status says nothing after a rejection: not known', async () => {
		await start();
		await bench.run('dispatch.stop', { dispatchId: String(id) });
		bench.forget();
		const { error, items } = await start();
		expect(error?.message).toBe(notKnown);
		expect(error?.description).toContain(again);
		expect(items).toEqual([]);
		expect(posts()).toBe(1);
	});

	test('the list shows no dispatch with this number: nothing is sent', async () => {
		respond('status', 'GET', dispatchPath, listOf());
		const { error } = await start();
		expect(error?.message).toBe(`There is no dispatch with the ID ${id}`);
		expect(posts()).toBe(0);
	});
});

test('Start of two, the second unknown: the first one is not said to be started twice', async () => {
	addCampaigns(bench.sandbox, 1);
	respond('status', 'POST', `${dispatchPath}/${id + 1}/start`, {});
	const { error } = await startEach([{ id }, { id: id + 1 }]);
	expect(error?.description).toContain(
		'If you run this again with all items, item 1 is not sent again: a dispatch is sent only once.',
	);
});

describe('Stop', () => {
	const stop = async () => await bench.run('dispatch.stop', { dispatchId: String(id) });

	test('a response that says nothing: one piece of advice', async () => {
		await start();
		respond('status', 'POST', stopPath, { other: 1 });
		const { error } = await stop();
		expect(error?.message).toBe(`It is not known whether dispatch ${id} was stopped`);
		expect(error?.description).toBe(
			"The service shows it as sending. Check the result in your account on the provider's website.",
		);
	});

	const posts = () => bench.sent('POST', stopPath);
	const start = async () => await bench.run('dispatch.start', { dispatchId: String(id) });

	test.each<[string, () => unknown]>([
		['is lost before', () => fault('reset', 'POST', stopPath)],
		['is 503', () => fault('status', 'POST', stopPath)],
	])('a request that %s is sent again at once', async (_, prepare) => {
		await start();
		prepare();
		expect(jsonOf((await stop()).items)).toEqual([{ dispatchId: id, stopped: true }]);
		expect(posts()).toBe(2);
	});

	test.each([
		['the second request is rejected', 'commit-then-reset', {}],
		['every response is lost', 'commit-then-status', { status: 502, times: 9 }],
	] as const)(
		'carried out, and %s: the dispatch shows that it was stopped',
		async (_, kind, more) => {
			await start();
			fault(kind, 'POST', stopPath, more);
			expect(jsonOf((await stop()).items)).toEqual([{ dispatchId: id, stopped: true }]);
			expect(statusOf()).toBe('STOPPED');
			if (kind === 'commit-then-reset') expect(posts()).toBe(2);
		},
	);

	const finished = listOf(listed({ status: 'finished' }));
	test.each<[string, unknown, RegExp]>([
		['another status', finished, /The service shows it as finished\./],
		['no status', listOf(listed({ status: undefined })), /Check it in your account/],
		['no list', {}, /Check it in your account/],
	])('lost, and then %s: it is not known', async (_, body, words) => {
		await start();
		fault('commit-then-reset', 'POST', stopPath);
		respond('status', 'GET', dispatchPath, body);
		const { items, error } = await stop();
		expect(items).toEqual([]);
		expect(error?.message).toBe(`It is not known whether dispatch ${id} was stopped`);
		expect(error?.description).toMatch(words);
		expect(error?.description).not.toContain('nothing to stop');
	});

	test('one that is not started', async () => {
		const { error } = await stop();
		expect(error?.message).toBe(`Dispatch ${id} isn't being sent, so there is nothing to stop`);
		expect(posts()).toBe(1);
	});

	test.each<[string, unknown]>([
		['a list', []],
		['something else', { items: null }],
		['another dispatch', { dispatchId: 17 }],
	])('%s as the response does not confirm it: the dispatch decides', async (_, body) => {
		await start();
		respond('status', 'POST', stopPath, body, { times: 1 });
		const { error } = await stop();
		expect(error?.message).toBe(`It is not known whether dispatch ${id} was stopped`);
		expect(error?.description).toContain('The service shows it as sending.');
		respond('commit-then-status', 'POST', stopPath, body);
		expect(jsonOf((await stop()).items)).toEqual([{ dispatchId: id, stopped: true }]);
	});
});

test('Add Messages to one that is shown as stopped, and nothing has left: whether it was started is not known, so nobody is added', async () => {
	const messages = { ...noneSent, total: 0, sending: 0 };
	respond('status', 'GET', dispatchPath, listOf(listed({ status: 'stopped', messages })));
	respond('status', 'GET', sendPath, { total: 0, items: [] });
	const more = { dispatchId: String(id), destination: numbers.mts };
	const { error } = await bench.run('dispatch.addMessages', more);
	expect(error?.message).toBe(
		`Dispatch ${id} doesn't show whether it was started, so recipients can't be added`,
	);
	expect(bench.sent('POST', appendPath)).toBe(0);
});
