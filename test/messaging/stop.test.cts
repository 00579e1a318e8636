import { messaging } from '../../core/contract/messaging';
import { demo } from '../../sandbox/demo.cts';
import { jsonOf, linksOf } from '../support/sandbox.cts';
import { fund, numberOf, singlesOf, useMessaging } from './messages.cts';
import { addKnown, uuids } from './table/messages.cts';

const bench = useMessaging();
const stopPath = '/api/v1/message/stop';
const [first = '', second = '', third = ''] = uuids;

const stop = async (...ids: string[]) =>
	await bench.run(
		'message.stop',
		{ messageUuid: '={{ $json.id }}' },
		{ items: ids.map((id) => ({ id })) },
	);

test('each item has its own result, in plain words', async () => {
	await addKnown(bench.sandbox, 3);
	const message = bench.store.byUuid.get(second);
	if (message !== undefined) message.state = 'sent';
	const { items: output } = await stop(first, second, third);
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
	const { items: output } = await stop(first, ` ${first} `);
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
	const { items: output, error } = await stop(first);
	if (expected !== undefined) {
		expect(jsonOf(output)).toEqual([{ messageUuid: first, ...expected }]);
		return;
	}
	expect(error?.message).toContain(`The service didn't confirm that ${first} was stopped`);
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
	const { items: output } = await stop(...all);
	expect(output).toHaveLength(11_000);
	expect(singlesOf(bench.sandbox).every(({ isStopping }) => isStopping)).toBe(true);
	expect(bench.sent('POST', stopPath)).toBe(2);
});

test('several wrong items: the others are stopped, and the error says why for each', async () => {
	await addKnown(bench.sandbox, 2);
	const { error } = await stop(first, '', 'unknown-1', second, '');
	expect(error?.message).toBe('2 stop requests accepted, 3 not: items 2, 3 and 5');
	expect(error?.description).toMatch(
		/^Done: items 1 and 4\. Item 2: 'Message UUID' is required\. Item 3: There is no message with the UUID unknown-1\. Item 5: 'Message UUID' is required\. Correct these items and run this again with all items: what is done stays as it is\./,
	);
	expect(error?.context).toMatchObject({ done: [0, 3], failedItems: [1, 2, 4] });
	expect(singlesOf(bench.sandbox).map(({ isStopping }) => isStopping)).toEqual([true, true]);
});

test('no item is right: the error says why for each, or once for all', async () => {
	const two = await stop('unknown-1', 'unknown-2');
	expect(two.error?.message).toBe('The service rejected items 1 and 2');
	expect(two.error?.description).toContain('Item 2: There is no message with the UUID unknown-2.');
	const none = await stop('', '');
	expect(none.error?.message).toBe("'Message UUID' is required");
	expect(none.error?.description).toBe('Nothing was sent.');
});
