import { jsonOf } from '../support/sandbox.cts';
import { useMessaging, sendPath } from './messages.cts';
import { addKnown, uuids } from './table/messages.cts';
import { addMessage } from './table/sending.cts';

const bench = useMessaging();
const stopPath = `${sendPath}/stop`;
beforeEach(async () => {
	await addKnown(bench.sandbox, 3);
	bench.forget();
});

const stop = async (ids: readonly string[] = uuids, tries = 1) =>
	await bench.run(
		'message.stop',
		{ messageUuid: '={{ $json.id }}' },
		{ items: ids.map((id) => ({ id })), tries, onError: 'continueRegularOutput' },
	);
const stopped = { stopped: true, result: 'stopped' };
const sending = { stopped: false, result: 'alreadySending' };
const hasSent = (uuid = '') => Object.assign(bench.store.byUuid.get(uuid) ?? {}, { state: 'sent' });

test('stopped, its answer lost, and asked again: they are stopped, not on their way', async () => {
	bench.fault('commit-then-reset', 'POST', stopPath);
	hasSent(uuids[2]);
	const { items } = await stop();
	expect(bench.sent('POST', stopPath)).toBe(2);
	expect(jsonOf(items)).toMatchObject([stopped, stopped, sending]);
});

test('stopped by an earlier run: the same', async () => {
	await stop([uuids[0] ?? '']);
	expect(jsonOf((await stop()).items)).toMatchObject([stopped, stopped, stopped]);
});

test('nothing is looked up where it is not too late', async () => {
	await stop();
	expect(bench.sent('GET', sendPath)).toBe(0);
});

test('a look that fails: says so for those it is about, and what is known for the others', async () => {
	hasSent(uuids[1]);
	bench.fault('status', 'GET', '*', { status: 403 });
	const { items } = await stop();
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
	const [first] = jsonOf((await stop()).items);
	expect(first?.error).toContain(`The service didn't confirm that ${uuids[0]} was stopped. `);
});

describe('a UUID in capitals', () => {
	const id = '9b2d0c4e-6a1f-4a53-9d3e-2f6f6a0f7c11';
	const typed = id.toUpperCase();

	test('is stopped where the service knows it in small letters only', async () => {
		const own = (await addMessage(bench.sandbox)).toUpperCase();
		bench.forget();
		const { items } = await stop([own, uuids[1] ?? '']);
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
		expect(jsonOf((await stop([typed])).items)).toMatchObject([expected]);
	});
});

describe('too late to stop', () => {
	const look = async (...listed: object[]) => {
		hasSent(uuids[0]);
		bench.respond('status', 'GET', '*', { total: listed.length, items: listed });
		return jsonOf((await stop([uuids[0] ?? ''])).items);
	};

	test.each([453, 7060])('it failed with code %d: it was not stopped', async (errorCode) => {
		expect(await look({ messageUuid: uuids[0], status: 'unsent', errorCode })).toMatchObject([
			sending,
		]);
	});

	test('a message that is not listed any more: it is on its way', async () => {
		expect(await look()).toMatchObject([sending]);
	});

	test('a look that lists a stranger: says what is known', async () => {
		const [row] = await look({ messageUuid: 'stranger', status: 'unsent' });
		expect(row?.error).toBe(
			"The service doesn't find messages by their IDs correctly. The service says it's too late to stop this message. The node couldn't check whether an earlier attempt stopped it.",
		);
	});
});
