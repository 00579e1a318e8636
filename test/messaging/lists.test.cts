import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { messaging } from '../../core/contract/messaging';
import { demo } from '../../sandbox/demo.cts';
import { hintsOf, runNode } from '../support/n8n.cts';
import { jsonOf } from '../support/sandbox.cts';
import { json } from '../support/server.cts';
import { messagingCredential, serve } from '../transport/service.cts';
import { fund, numberOf, useMessaging } from './messages.cts';
import { addKnown, uuids } from './table/messages.cts';
import { addMessage } from './table/sending.cts';

const bench = useMessaging();

const fill = async (count: number) => {
	fund(bench.sandbox);
	const { call } = bench.sandbox.client();
	for (let first = 0; first < count; first += 1_000) {
		const body = Array.from({ length: Math.min(1_000, count - first) }, (_, index) => ({
			channelType: 'SMS',
			senderName: demo.senderNames.sms,
			destination: numberOf(first + index),
			content: 'Hello',
		}));
		await call(messaging.messageSend, { body });
	}
	bench.forget();
};

describe('Message: Get Many', () => {
	test('Return All: every message once, in pages of 100', async () => {
		await fill(730);
		const result = await bench.run('message.getAll', {
			returnAll: true,
			filters: { dispatch: false },
		});
		expect(new Set(jsonOf(result.items).map(({ messageUuid }) => messageUuid)).size).toBe(730);
		expect(bench.sent('GET', '/api/v1/message')).toBe(8);
		expect(hintsOf(result)).toEqual([]);
	});

	test.each([
		['Return All', { returnAll: true }, 10_000],
		['a Limit beyond it', { limit: 10_050 }, 10_000],
	])('%s, more than the service lists: never cut in silence', async (_, size, count) => {
		await fill(10_100);
		const filters = { dispatch: false };
		const result = await bench.run('message.getAll', { ...size, filters });
		expect(result.items).toHaveLength(count);
		expect(hintsOf(result)).toEqual([
			"The service lists at most 10,000 messages, but there are 10,100. Filter by 'Created After' and 'Created Before', and get the messages in several steps.",
		]);
	});

	test('or it stops with an error, where that is chosen', async () => {
		await fill(10_100);
		const { error } = await bench.run('message.getAll', {
			returnAll: true,
			filters: { dispatch: false },
			whenMore: 'error',
		});
		expect(error?.message).toBe('The service lists at most 10,000 messages, but there are 10,100');
		expect(error?.description).toContain('Created After');
	});

	test('exactly as many as the service lists: nothing to tell', async () => {
		await fill(10_000);
		const result = await bench.run('message.getAll', {
			returnAll: true,
			filters: { dispatch: false },
			whenMore: 'error',
		});
		expect(result.error).toBeUndefined();
		expect(result.items).toHaveLength(10_000);
		expect(hintsOf(result)).toEqual([]);
	});

	test('a Limit within the window asks for no more than that', async () => {
		await fill(300);
		const result = await bench.run('message.getAll', { limit: 120, filters: { dispatch: false } });
		expect(result.items).toHaveLength(120);
		expect(bench.sent('GET', '/api/v1/message')).toBe(2);
	});

	test.each(['={{ "inbound, outbound" }}', '={{ ["inbound", "outbound"] }}'])(
		'directions from an expression: %s',
		async (direction) => {
			await bench.run('message.getAll', { filters: { direction } });
			const [request] = await bench.wire();
			expect(request?.query?.filter(([name]) => name === 'direction')).toEqual([
				['direction', 'inbound'],
				['direction', 'outbound'],
			]);
		},
	);
});

describe('another list than the sandbox gives', () => {
	const list = async (reply: (page: number) => unknown, parameters: object) => {
		const server = await serve(({ url }) =>
			json(200, reply(Number(new URL(url, 'http://127.0.0.1').searchParams.get('page')))),
		);
		return await runNode({
			node: new BulkMessaging(),
			parameters: { resource: 'message', operation: 'getAll', ...parameters },
			credentials: messagingCredential(`${server.url}/api/v1`),
		});
	};
	const page = (from: number, count: number) =>
		Array.from({ length: count }, (_, index) => ({ messageUuid: `uuid-${from + index}` }));

	test('a bare list may not be all of it: an error', async () => {
		const { error } = await list((number) => page(number * 100, [100, 100, 7][number - 1] ?? 0), {
			returnAll: true,
		});
		expect(error?.message).toBe("The service's response doesn't contain a readable list");
	});
});

describe('what a message shows', () => {
	const secret = 'https://user:pass-word-1@n8n.example/hook?a=1&signature=abc';
	beforeEach(async () => {
		await addKnown(bench.sandbox, 1);
		const message = bench.store.byUuid.get(uuids[0] ?? '');
		if (message?.single !== undefined) message.single.callbackUrl = secret;
	});

	test.each([
		['message.get', { message_uuid: uuids[0], simplify: false }],
		['message.getAll', { filters: { message_uuid: uuids[0] }, simplify: false }],
	])(
		'%s hides the login and the signature of the callback address',
		async (operation, parameters) => {
			const { items, run } = await bench.run(operation, parameters);
			expect(items[0]?.json.callbackUrl).toBe('https://***:***@n8n.example/hook?a=1&signature=***');
			expect(JSON.stringify(run)).not.toContain('pass-word-1');
		},
	);

	test('an own ID of several messages: all of them', async () => {
		const sent = [];
		for (let count = 0; count < 3; count++) {
			sent.push(await addMessage(bench.sandbox, { externalMessageId: 'same' }));
		}
		const { items } = await bench.run('message.get', {
			findBy: 'external_message_id',
			external_message_id: 'same',
		});
		expect(jsonOf(items).map(({ messageUuid }) => messageUuid)).toEqual(sent);
	});

	test('an own ID given as a UUID is not taken for one', async () => {
		const { error } = await bench.run('message.get', { message_uuid: 'order-1' });
		expect(error?.message).toBe('There is no message with the UUID order-1');
	});
});
