import type { OnError } from 'n8n-workflow';
import { messaging } from '../../core/contract/messaging';
import { demo } from '../../sandbox/demo.cts';
import { jsonOf, linksOf } from '../support/sandbox.cts';
import { fund, numberOf, sendPath, singlesOf, useMessaging } from './messages.cts';
import { addKnown, uuids } from './table/messages.cts';
import { addMessage } from './table/sending.cts';

const bench = useMessaging();
const stopPath = `${sendPath}/stop`;
const [first = '', second = '', third = ''] = uuids;

const stop = async (ids: string[], onError?: OnError) =>
	await bench.run(
		'message.stop',
		{ messageUuid: '={{ $json.id }}' },
		{ items: ids.map((id) => ({ id })), onError },
	);

test('each item has its own result, in plain words', async () => {
	await addKnown(bench.sandbox, 3);
	const message = bench.store.byUuid.get(second);
	if (message !== undefined) message.state = 'sent';
	const { items: output } = await stop([first, second, third]);
	expect(jsonOf(output)).toEqual([
		{ messageUuid: first, stopped: true, result: 'stopped' },
		{ messageUuid: second, stopped: false, result: 'alreadySending' },
		{ messageUuid: third, stopped: true, result: 'stopped' },
	]);
	expect(linksOf(output)).toEqual([0, 1, 2]);
	expect(bench.sent('POST', stopPath)).toBe(1);
});

test('the same message twice is asked for once, and told to both', async () => {
	await addKnown(bench.sandbox, 1);
	const { items: output } = await stop([first, ` ${first} `]);
	expect(jsonOf(output).map(({ stopped }) => stopped)).toEqual([true, true]);
	expect(linksOf(output)).toEqual([0, 1]);
	expect((await bench.wire())[0]?.body).toEqual({ uuids: [first] });
});

test.each([
	[201, { stopped: true, result: 'stopped' }],
	[202, { stopped: false, result: 'perhapsStopped' }],
	[500, undefined],
])('code %s', async (code, expected) => {
	const body = { errors: true, items: [{ messageUuid: first, code }] };
	bench.respond('status', 'POST', stopPath, body);
	const { items: output, error } = await stop([first]);
	if (expected !== undefined) {
		expect(jsonOf(output)).toEqual([{ messageUuid: first, ...expected }]);
		return;
	}
	expect(error?.message).toContain(`The service didn't confirm that ${first} was stopped`);
});

test.each<[string, object[], Array<string | undefined>]>([
	[
		'ours elsewhere, another message',
		[
			{ messageUuid: 'z', code: 200 },
			{ messageUuid: first, code: 202 },
		],
		['perhapsStopped'],
	],
	['no UUIDs', [{ code: 200 }, { code: 202 }], ['stopped', 'perhapsStopped']],
])('%s: only what is certain is told', async (_, entries, results) => {
	bench.respond('status', 'POST', stopPath, { errors: true, items: entries });
	const { items } = await stop([first, second], 'continueRegularOutput');
	const told = jsonOf(items).map(({ result }) => result);
	expect(told).toEqual([results[0], results[1]]);
});

test('11,000 in two requests', async () => {
	fund(bench.sandbox);
	const { call } = bench.sandbox.client();
	for (let from = 0; from < 11_000; from += 1_000) {
		const body = Array.from({ length: 1_000 }, (_, index) => ({
			channelType: 'SMS',
			senderName: demo.senderNames.sms,
			destination: numberOf(from + index),
			content: 'Hello',
		}));
		await call(messaging.messageSend, { body });
	}
	const all = singlesOf(bench.sandbox).map(({ uuid }) => uuid);
	const { items: output } = await stop(all);
	expect(output).toHaveLength(11_000);
	expect(singlesOf(bench.sandbox).every(({ isStopping }) => isStopping)).toBe(true);
	expect(bench.sent('POST', stopPath)).toBe(2);
});

test('several wrong items: the others are stopped, and the error says why for each', async () => {
	await addKnown(bench.sandbox, 2);
	const { error } = await stop([first, '', 'unknown-1', second, '']);
	expect(error?.message).toBe('2 stop requests accepted, 3 not: items 2, 3 and 5');
	expect(error?.description).toMatch(
		/^Done: items 1 and 4\. Item 2: 'Message UUID' is required\. Item 3: There is no message with the UUID unknown-1\. Item 5: 'Message UUID' is required\. Correct these items and run this again with all items: what is done stays as it is\./,
	);
	expect(error?.context).toMatchObject({ done: [0, 3], failedItems: [1, 2, 4] });
	expect(singlesOf(bench.sandbox).map(({ isStopping }) => isStopping)).toEqual([true, true]);
});

test('no item is right: the error says why for each, or once for all', async () => {
	const two = await stop(['unknown-1', 'unknown-2']);
	expect(two.error?.message).toBe('The service rejected items 1 and 2');
	expect(two.error?.description).toContain('Item 2: There is no message with the UUID unknown-2.');
	const none = await stop(['', '']);
	expect(none.error?.message).toBe("'Message UUID' is required");
	expect(none.error?.description).toBe('Nothing was sent.');
});

describe('with Continue', () => {
	beforeEach(async () => {
		await addKnown(bench.sandbox, 3);
		bench.forget();
	});
	const stopAny = async (...ids: string[]) => await stop(ids, 'continueRegularOutput');
	const stopped = { stopped: true, result: 'stopped' };
	const sending = { stopped: false, result: 'alreadySending' };
	const hasSent = (uuid: string) =>
		Object.assign(bench.store.byUuid.get(uuid) ?? {}, { state: 'sent' });

	test('stopped, its answer lost, and asked again: they are stopped, not on their way', async () => {
		bench.fault('commit-then-reset', 'POST', stopPath);
		hasSent(third);
		const { items } = await stopAny(...uuids);
		expect(bench.sent('POST', stopPath)).toBe(2);
		expect(jsonOf(items)).toMatchObject([stopped, stopped, sending]);
	});

	test('stopped by an earlier run: the same', async () => {
		await stopAny(first);
		expect(jsonOf((await stopAny(...uuids)).items)).toMatchObject([stopped, stopped, stopped]);
	});

	test('nothing is looked up where it is not too late', async () => {
		await stopAny(...uuids);
		expect(bench.sent('GET', sendPath)).toBe(0);
	});

	test('a look that fails: says so for those it is about, and what is known for the others', async () => {
		hasSent(second);
		bench.fault('status', 'GET', '*', { status: 403 });
		const { items } = await stopAny(...uuids);
		expect(jsonOf(items)).toMatchObject([
			stopped,
			{ error: expect.stringMatching(/^This API key isn't allowed to use this operation\. /) },
			stopped,
		]);
		expect(items[1]?.json.error).toContain(
			"The node couldn't check whether an earlier attempt stopped it.",
		);
	});

	test.each([
		['nothing', undefined],
		['a list of other things', [null, 5, 'text']],
		['somebody else', [{ messageUuid: 'other', code: 200 }, { code: 200 }, { code: 200 }]],
	])('a reply that holds %s for a message: not taken as stopped', async (_, replied) => {
		bench.respond('status', 'POST', stopPath, { errors: false, items: replied });
		const [row] = jsonOf((await stopAny(...uuids)).items);
		expect(row?.error).toContain(`The service didn't confirm that ${first} was stopped. `);
	});

	describe('a UUID in capitals', () => {
		const id = '9b2d0c4e-6a1f-4a53-9d3e-2f6f6a0f7c11';
		const typed = id.toUpperCase();

		test('is stopped where the service knows it in small letters only', async () => {
			const own = (await addMessage(bench.sandbox)).toUpperCase();
			bench.forget();
			const { items } = await stopAny(own, second);
			expect(jsonOf(items)).toMatchObject([{ messageUuid: own, ...stopped }, stopped]);
			expect(bench.sent('POST', stopPath)).toBe(2);
		});

		test.each([
			['stopped', 200, [], stopped],
			['too late, and stopped before', 403, [{ messageUuid: id, status: 'unsent' }], stopped],
			['too late', 403, [{ messageUuid: id, status: 'sent' }], sending],
		])('is the one the service answers in small letters: %s', async (_, code, listed, expected) => {
			const reply = { errors: code !== 200, items: [{ messageUuid: id, code }] };
			bench.respond('status', 'POST', '*', reply);
			bench.respond('status', 'GET', '*', { total: listed.length, items: listed });
			expect(jsonOf((await stopAny(typed)).items)).toMatchObject([expected]);
		});
	});

	describe('too late to stop', () => {
		const look = async (...listed: object[]) => {
			hasSent(first);
			bench.respond('status', 'GET', '*', { total: listed.length, items: listed });
			return jsonOf((await stopAny(first)).items);
		};

		test.each([453, 7060])('it failed with code %d: it was not stopped', async (errorCode) => {
			expect(await look({ messageUuid: first, status: 'unsent', errorCode })).toMatchObject([
				sending,
			]);
		});

		test('a message that is not listed any more: it is on its way', async () => {
			expect(await look()).toMatchObject([sending]);
		});
	});
});
