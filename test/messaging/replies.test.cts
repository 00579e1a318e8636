import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { runNode } from '../support/n8n.cts';
import { json, type Behaviour, type Received } from '../support/server.cts';
import { jsonOf } from '../support/sandbox.cts';
import { apiKey, messagingCredential, serve } from '../transport/service.cts';
import { fromItems, itemsUpTo, withOwnIds } from './messages.cts';

// Pauses are n8n's sleep, and not what is tested here.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async () => await Promise.resolve(),
}));

/** Services that answer in another way than the sandbox does. */

type Sent = { externalMessageId: string; destination: string };
const sentIn = ({ body }: Received) => JSON.parse(String(body)) as Sent[];
const askedIn = ({ url }: Received) =>
	new URL(url, 'http://127.0.0.1').searchParams.getAll('message_uuid');

interface Service {
	/** The answer to what was sent, given that it is stored. */
	answer: (messages: Sent[], count: number) => Behaviour;
	/** What of the stored is shown to somebody who asks for these ids. */
	look?: (ids: string[], stored: readonly object[]) => unknown;
	/** Which of the messages are stored. */
	keep?: (messages: Sent[]) => Sent[];
}

const byOwnId = (ids: string[], stored: ReadonlyArray<Partial<Sent>>) => {
	const items = stored.filter(({ externalMessageId = '' }) => ids.includes(externalMessageId));
	return { total: items.length, items };
};

const start = async ({ answer, look = byOwnId, keep = (all) => all }: Service) => {
	const stored: Array<Sent & { messageUuid: string }> = [];
	let count = 0;
	const server = await serve((request) => {
		if (request.method === 'GET') return json(200, look(askedIn(request), stored));
		const messages = sentIn(request);
		for (const message of keep(messages)) {
			stored.push({ ...message, messageUuid: `uuid-${stored.length}` });
		}
		return answer(messages, count++);
	});
	const send = async (items: number, parameters = fromItems) =>
		await runNode({
			node: new BulkMessaging(),
			parameters: { resource: 'message', operation: 'send', ...parameters },
			items: itemsUpTo(items),
			credentials: messagingCredential(`${server.url}/api/v1`),
		});
	return { send, stored, posts: () => server.receivedAt('POST', '/api/v1/message').length };
};

const codeOf = (code: number) => (message: Sent, index: number) => ({
	messageUuid: `uuid-${index}`,
	externalMessageId: message.externalMessageId,
	code,
});

describe('which part of a reply is whose', () => {
	test('ids in another order', async () => {
		const { send } = await start({
			answer: (messages) =>
				json(200, { errors: false, items: messages.map(codeOf(201)).reverse() }),
		});
		const { items } = await send(3);
		expect(jsonOf(items).map(({ messageUuid }) => messageUuid)).toEqual([
			'uuid-0',
			'uuid-1',
			'uuid-2',
		]);
	});

	test.each([
		['no ids', {}],
		['ids that are null', { externalMessageId: null }],
	])('%s: by their order', async (_, own) => {
		const { send, posts } = await start({
			answer: (messages) =>
				json(200, {
					errors: true,
					items: messages.map((__, index) => ({
						messageUuid: index === 1 ? null : `uuid-${index}`,
						...own,
						code: index === 1 ? 404 : 201,
					})),
				}),
		});
		const { error } = await send(3);
		expect(error?.message).toBe('1 of 3 messages were not sent');
		expect(error?.context?.failedItems).toEqual([1]);
		expect(posts()).toBe(1);
	});

	test('no code, but a uuid: accepted', async () => {
		const { send } = await start({
			answer: (messages) =>
				json(200, {
					errors: false,
					items: messages.map((_, index) => ({ messageUuid: `u${index}` })),
				}),
		});
		expect(jsonOf((await send(2)).items)).toMatchObject([
			{ messageUuid: 'u0' },
			{ messageUuid: 'u1' },
		]);
	});

	test.each([
		['msg', { msg: 'not today' }],
		['message', { message: 'not today' }],
		['an error of the usual shape', { error: { code: 4000, msg: 'not today' } }],
		['an error that is a text', { error: 'not today' }],
	])('the words of a refusal, as %s', async (_, words) => {
		const { send } = await start({
			answer: () => json(200, { errors: true, items: [{ code: 400, ...words }] }),
		});
		const { error } = await send(1);
		expect(error?.message).toBe(
			'The service did not accept this message (code 400). The service says: not today',
		);
	});

	test('a refusal without words, and one that repeats the key', async () => {
		const silent = await start({
			answer: () => json(200, { errors: true, items: [{ code: 400 }] }),
		});
		expect((await silent.send(1)).error?.message).toBe(
			'The service did not accept this message (code 400)',
		);
		const leaky = await start({
			answer: () =>
				json(200, { errors: true, items: [{ code: 400, msg: `key ${apiKey} is bad` }] }),
		});
		const { error, run } = await leaky.send(1);
		expect(error?.message).toContain('key *** is bad');
		expect(JSON.stringify([error, run])).not.toContain(apiKey);
	});
});

describe('a reply that says too little: looked up', () => {
	test.each<[string, (messages: Sent[]) => unknown]>([
		[
			'fewer items',
			(messages) => ({ errors: false, items: messages.slice(0, 1).map(codeOf(201)) }),
		],
		['no items', () => ({ errors: false, items: [] })],
		['items of other ids', () => ({ items: [{ externalMessageId: 'x', code: 201 }, {}, {}] })],
		['items that say nothing', (messages) => ({ errors: false, items: messages.map(() => ({})) })],
		['another shape', () => ({ ok: true })],
		['a list', () => []],
		['entries that are no objects', () => ({ items: [1, null, 'x'] })],
	])('%s', async (_, reply) => {
		const { send, posts } = await start({ answer: (messages) => json(200, reply(messages)) });
		const { items, error } = await send(3);
		expect(error).toBeUndefined();
		expect(jsonOf(items).map(({ messageUuid }) => messageUuid)).toEqual([
			'uuid-0',
			'uuid-1',
			'uuid-2',
		]);
		expect(posts()).toBe(1);
	});

	test('what is not there is sent again, and nothing else', async () => {
		const { send, stored } = await start({
			keep: (messages) => messages.slice(0, 2),
			answer: (messages, count) =>
				json(200, { items: count === 0 ? [] : messages.map(codeOf(201)) }),
		});
		const { error } = await send(3);
		expect(error).toBeUndefined();
		expect(stored.map(({ destination }) => destination)).toHaveLength(3);
		expect(new Set(stored.map(({ destination }) => destination)).size).toBe(3);
	});

	test('a bare list of messages is understood too', async () => {
		const { send } = await start({
			answer: () => json(200, { items: [] }),
			look: (ids, stored) => byOwnId(ids, stored).items,
		});
		expect((await send(3)).error).toBeUndefined();
	});
});

describe('a look that cannot be relied on settles nothing', () => {
	const unreliable = 'The service does not find messages by their own IDs as it should';
	const silent: Service['answer'] = () => json(200, { items: [] });

	test.each<[string, NonNullable<Service['look']>]>([
		[
			'the filter is ignored',
			(_, stored) => ({ total: 9, items: [{ messageUuid: 'x' }, ...stored] }),
		],
		['only the last id counts', (ids, stored) => byOwnId(ids.slice(-1), stored)],
		['only the first id counts', (ids, stored) => byOwnId(ids.slice(0, 1), stored)],
		['several ids find nothing', (ids, stored) => byOwnId(ids.length > 1 ? [] : ids, stored)],
	])('%s: nothing is sent again', async (_, look) => {
		const { send, posts } = await start({ answer: silent, look });
		const { error } = await send(3);
		expect(error?.message).toMatch(/^It is not known whether \d of 3 messages were sent$/);
		expect(error?.description).toContain(unreliable);
		expect(posts()).toBe(1);
	});

	test('before sending: nothing is sent', async () => {
		const look = () => ({ total: 1, items: [{ messageUuid: 'x', externalMessageId: 'y' }] });
		const { send, posts } = await start({ answer: silent, look });
		const { error } = await send(3, withOwnIds);
		expect(error?.description ?? error?.message).toContain(unreliable);
		expect(posts()).toBe(0);
	});
});
