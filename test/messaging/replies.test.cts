import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { hintsOf, runNode, type NodeRun } from '../support/n8n.cts';
import { json, reset, text, type Behaviour, type Received } from '../support/server.cts';
import { jsonOf } from '../support/sandbox.cts';
import { apiKey, messagingCredential, serve } from '../transport/service.cts';
import { fromItems, itemsUpTo, numberOf, withOwnIds } from './messages.cts';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/pauses.cts'));

/** Services that answer in another way than the sandbox does. */

type Sent = { externalMessageId: string; destination: string };
type Stored = Partial<Sent> & { messageUuid?: string };
const sentIn = ({ body }: Received) => JSON.parse(String(body)) as Sent[];
const askedIn = ({ url }: Received) =>
	new URL(url, 'http://127.0.0.1').searchParams.getAll('message_uuid');

interface Service {
	/** The answer to what was sent, given that it is stored. */
	answer: (messages: Sent[], count: number) => Behaviour;
	/** What of the stored is shown to a caller who asks for these ids; `undefined` refuses the question. */
	look?: (ids: string[], stored: readonly Stored[]) => unknown;
	/** Which of the messages are stored. */
	keep?: (messages: Sent[]) => Sent[];
}

/** Without ids, everything there is. */
const byOwnId = (ids: string[], stored: readonly Stored[]) => {
	const items = stored.filter(
		({ externalMessageId = '', messageUuid = '' }) =>
			ids.length === 0 || ids.includes(externalMessageId) || ids.includes(messageUuid),
	);
	return { total: items.length, items };
};

const start = async ({ answer, look = byOwnId, keep = (all) => all }: Service) => {
	const stored: Array<Sent & { messageUuid: string }> = [];
	let count = 0;
	const server = await serve((request) => {
		if (request.method === 'GET') {
			const list = look(askedIn(request), stored);
			return list === undefined
				? json(400, { error: { code: 4000, msg: 'one' } })
				: json(200, list);
		}
		const messages = sentIn(request);
		for (const message of keep(messages)) {
			stored.push({ ...message, messageUuid: `uuid-${stored.length}` });
		}
		return answer(messages, count++);
	});
	const send = async (
		items: number,
		parameters = fromItems,
		options: Pick<NodeRun, 'tries' | 'onError'> = {},
	) =>
		await runNode({
			...options,
			node: new BulkMessaging(),
			parameters: { resource: 'message', operation: 'send', ...parameters },
			items: itemsUpTo(items),
			credentials: messagingCredential(`${server.url}/api/v1`),
		});
	return { send, stored, posts: () => server.receivedAt('POST', '/api/v1/message').length };
};

const nothingFound = () => ({ total: 0, items: [] });
const notKnown = 'It is not known whether 3 of 3 messages were sent';

const codeOf = (code: number) => (message: Sent, index: number) => ({
	messageUuid: `uuid-${index}`,
	externalMessageId: message.externalMessageId,
	code,
});
const named = [0, 1, 2].map((index) => ({ messageUuid: `uuid-${index}`, outcome: 'accepted' }));

describe('a rejected message', () => {
	const reject = async (entry: object, onError?: NodeRun['onError']) => {
		const { send } = await start({ answer: () => json(200, { errors: true, items: [entry] }) });
		return await send(1, fromItems, { onError });
	};

	test("the service's words, once", async () => {
		const { items } = await reject({ code: 400, msg: 'Wrong sender' }, 'continueRegularOutput');
		expect(items[0]?.json.error).toBe(
			'The service rejected this message (code 400). The service says: Wrong sender. This message was not sent. Check its values, then send it again.',
		);
	});

	test('a code of the table of message errors: its meaning, and what to do', async () => {
		const { error } = await reject({ code: 453 });
		expect(error?.message).toBe('The service rejected this message (code 453)');
		expect(error?.description).toBe(
			"This message was not sent. The recipient's number is on a block list. Remove it from your list.",
		);
	});

	test('words that repeat the key: shown without it', async () => {
		const { error, run } = await reject({ code: 400, msg: `key ${apiKey} is bad` });
		expect(error?.message).toContain('key *** is bad');
		expect(JSON.stringify([error, run])).not.toContain(apiKey);
	});
});

/** Replies that leave open what became of the messages. What else JSON may say is in told.test.cts. */
const unreadable: Array<[string, (messages: Sent[]) => Behaviour]> = [
	['a bare array', (messages) => json(200, messages.map(codeOf(201)))],
	['an empty list', () => json(200, [])],
	['202 without a body', () => text(202, '')],
	['204', () => (_, response) => response.writeHead(204).end()],
	['a text', () => text(200, 'OK')],
	['null', () => json(200, null)],
	['half of a JSON', () => text(200, '{"items":[{"messageUuid"')],
	['another shape', () => json(200, { ok: true })],
];

describe('a reply of another shape: one POST, whatever it is', () => {
	const oneNotKnown =
		/^It is not known whether the message with the custom message ID \S+ was sent\b/;
	const silence =
		"The service accepted the request, but its response doesn't say what became of this message";

	test('codes as text and no IDs: the messages are named', async () => {
		const look = jest.fn(nothingFound);
		const items = (messages: Sent[]) =>
			messages.map((_, index) => ({ messageUuid: `uuid-${index}`, code: '201' }));
		const { send, posts } = await start({
			answer: (messages) => json(200, { items: items(messages) }),
			look,
		});
		expect(jsonOf((await send(3)).items)).toMatchObject(named);
		expect([look.mock.calls.length, posts()]).toEqual([0, 1]);
	});

	test('one object for one message: it is named', async () => {
		const { send, posts } = await start({
			answer: (messages) => json(201, messages.map(codeOf(201))[0]),
		});
		expect(jsonOf((await send(1)).items)).toMatchObject(named.slice(0, 1));
		expect(posts()).toBe(1);
	});

	describe.each(unreadable)('%s', (_, answer) => {
		test('shown by the service when it is asked', async () => {
			const { send, posts } = await start({ answer });
			const result = await send(3);
			expect(jsonOf(result.items)).toMatchObject(named);
			expect(hintsOf(result)).toEqual([]);
			expect(posts()).toBe(1);
		});

		test('not found: not known, sent once', async () => {
			const { send, posts } = await start({ answer, look: nothingFound });
			const { error, items } = await send(3, fromItems, { tries: 2 });
			expect(error?.message).toBe(notKnown);
			expect(error?.description).toContain('The service accepted 0 of 3. Unknown: items 1 to 3.');
			expect(error?.description).toContain(silence);
			expect(items).toEqual([]);
			expect(posts()).toBe(1);
		});
	});

	const onlySecond = (errors: boolean) => (messages: Sent[]) =>
		json(200, { errors, items: messages.map(codeOf(201)).slice(1, 2) });

	test('errors: false guarantees the messages that the reply does not mention', async () => {
		const look = jest.fn(nothingFound);
		const { send, posts } = await start({ answer: onlySecond(false), look });
		const { items } = await send(3);
		const outcome = 'accepted';
		expect(jsonOf(items)).toMatchObject([{ outcome }, { messageUuid: 'uuid-1' }, { outcome }]);
		expect([look.mock.calls.length, posts()]).toEqual([0, 1]);
	});

	test('errors: true, and only the accepted ones are named: with Continue, only the others are not known', async () => {
		const { send, posts } = await start({ answer: onlySecond(true), look: nothingFound });
		const { items } = await send(3, fromItems, { onError: 'continueRegularOutput' });
		const open = { error: expect.stringMatching(oneNotKnown) as string };
		expect(jsonOf(items)).toMatchObject([open, named[1], open]);
		expect(posts()).toBe(1);
	});

	test('errors: true, and the entries are in the order sent: the code of each decides', async () => {
		const look = jest.fn(nothingFound);
		const entries = [
			{ messageUuid: 'uuid-0', code: 201 },
			{ code: 402, msg: 'no money' },
		];
		const answer = () => json(200, { errors: true, items: entries });
		const { send } = await start({ answer, look });
		const { items } = await send(2, fromItems, { onError: 'continueRegularOutput' });
		expect(items[0]?.json).toMatchObject(named[0] ?? {});
		expect(items[1]?.json.error).toMatch(
			/^The service rejected .* \(code 402\)\. The service says: no money.*Top up your balance/,
		);
		expect(look).not.toHaveBeenCalled();
	});

	test('listed only after a while: accepted, sent once', async () => {
		let looks = 0;
		const { send, posts } = await start({
			answer: () => json(200, {}),
			look: (ids, stored) => (++looks < 4 ? nothingFound() : byOwnId(ids, stored)),
		});
		const { items, error } = await send(3);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject(named);
		expect([looks, posts()]).toEqual([4, 1]);
	});

	const rejectedWithId = json(200, { items: [{ code: 400, messageUuid: 'u' }] });
	test.each<[string, Behaviour, RegExp]>([
		['a text', text(200, 'OK'), /response doesn't say .*\. The service says: OK$/],
		['a rejection with an ID', rejectedWithId, / but reported an error \(code 400\)\./],
		['an error only', json(200, { items: [{ error: 'no' }] }), / but reported an error\./],
	])('one message, and %s: the error says what is known', async (_, answer, words) => {
		const { send, posts } = await start({ answer: () => answer, look: nothingFound });
		const { error } = await send(1, fromItems, { tries: 2 });
		expect(error?.message).toMatch(oneNotKnown);
		expect(error?.description).toMatch(/^Check it with 'Get' before you send it again\. /);
		expect(error?.description).toMatch(words);
		expect(posts()).toBe(1);
	});

	test.each([
		{ error: { code: 5000, msg: 'not today' } },
		{ error: 'not today' },
		{ errors: ['not today'] },
		{ errors: true, msg: 'not today' },
		{ success: false, message: 'not today' },
		{ status: 'error', message: 'not today' },
		{ code: 4000, msg: 'not today' },
	])('%j with 200: unknown, in the words of the service, sent once', async (body) => {
		const { send, posts } = await start({ answer: () => json(200, body), look: nothingFound });
		const { error } = await send(3, fromItems, { tries: 2 });
		expect(error?.message).toBe(notKnown);
		expect(error?.description).toContain('not today');
		expect(posts()).toBe(1);
	});

	test('an answer that repeats the key: shown without it', async () => {
		const { send } = await start({
			answer: () => json(200, { message: `queued for ${apiKey}` }),
			look: nothingFound,
		});
		const { error, run } = await send(1);
		expect(error?.description).toContain('The service says: queued for ***');
		expect(JSON.stringify([error, run.data.resultData])).not.toContain(apiKey);
	});
});

/** Services whose list answers in other ways than the sandbox's. */
describe('an answer that is lost', () => {
	/** The second request is lost; the first proves what looking is worth. */
	const run = async (look: Service['look'], isCarriedOut = true, count = 3) => {
		let requests = 0;
		const service = await start({
			answer: (messages, number) =>
				number === 0 ? json(200, { items: messages.map(codeOf(201)) }) : reset,
			look,
			keep: (messages) => (requests++ === 0 || isCarriedOut ? messages : []),
		});
		await service.send(1);
		return { ...service, result: await service.send(count) };
	};
	type Look = NonNullable<Service['look']>;
	/** Shows each message otherwise. */
	const changed =
		(change: (one: Stored, index: number) => object): Look =>
		(ids, stored) => {
			const { items, total } = byOwnId(ids, stored);
			return { total, items: items.map(change) };
		};

	test('not carried out, and the list works: not sent again', async () => {
		const { result, posts } = await run(byOwnId, false);
		expect(result.error?.message).toBe(notKnown);
		expect(posts()).toBe(2);
	});

	const withoutOwnId = ({ destination }: Stored, index: number) => ({
		destination,
		messageUuid: `u${index}`,
	});
	const inSnakeCase = ({ externalMessageId, destination }: Stored) => ({
		external_message_id: externalMessageId,
		message_uuid: `of-${externalMessageId}`,
		destination,
	});
	const all: Look = (_, stored) => ({
		total: stored.length + 1,
		items: [{ messageUuid: 'x' }, ...stored],
	});
	test.each<[string, Look]>([
		['{}', () => ({})],
		['items: null', () => ({ items: null })],
		['an error', () => ({ error: { code: 1, msg: 'no' } })],
		['another envelope', (ids, stored) => ({ stuff: byOwnId(ids, stored).items })],
		['a bare array, the same on every page', (ids, stored) => byOwnId(ids, stored).items],
		['a total and no items', () => ({ total: 7, items: [] })],
		['400 for several ids', (ids, stored) => (ids.length > 1 ? undefined : byOwnId(ids, stored))],
		['nothing for several ids', (ids, stored) => byOwnId(ids.length > 1 ? [] : ids, stored)],
		['everything, whatever is asked for', all],
		['no own ids', changed(withoutOwnId)],
		['snake_case', changed(inSnakeCase)],
	])('the list answers with %s: never sent again', async (_, look) => {
		const { result, posts } = await run(look);
		expect(result.error?.message).toBe(notKnown);
		expect(posts()).toBe(2);
	});

	const stranger = { externalMessageId: 'x' };
	test.each<[string, Look]>([
		['only the last id counts', (ids, stored) => byOwnId(ids.slice(-1), stored)],
		['only the first id counts', (ids, stored) => byOwnId(ids.slice(0, 1), stored)],
		[
			'several ids list everything',
			(ids, stored) => byOwnId(ids, ids.length > 1 ? [...stored, stranger] : stored),
		],
		[
			'the number begins with 8',
			changed((one) => ({ ...one, destination: `8${one.destination?.slice(1)}` })),
		],
		['the number is masked', changed((one) => ({ ...one, destination: '7916***00' }))],
		['the channel has another name', changed((one) => ({ ...one, channelType: 'SMS_DIRECT' }))],
	])('carried out, and %s: found, not sent again', async (_, look) => {
		const { result, stored, posts } = await run(look);
		expect(result.error).toBeUndefined();
		expect(stored).toHaveLength(4);
		expect(posts()).toBe(2);
	});

	test('carried out, and several ids show one message: each look finds one, the others are not known', async () => {
		const onlyLast: Look = (ids, some) => {
			const items = byOwnId(ids, some).items.slice(ids.length > 1 ? -1 : 0);
			return { total: items.length, items };
		};
		const { result, stored, posts } = await run(onlyLast, true, 10);
		expect(result.error?.message).toBe('It is not known whether 4 of 10 messages were sent');
		expect(stored).toHaveLength(11);
		expect(posts()).toBe(2);
	});

	test('the list ignores the filter and is long: it is not read to its end', async () => {
		const items = Array.from({ length: 100 }, (_, one) => ({ messageUuid: `x${one}` }));
		const look = jest.fn(() => ({ total: 100_000, items }));
		const { result, posts } = await run(look, false);
		expect(result.error?.message).toBe(notKnown);
		expect(posts()).toBe(2);
		expect(look.mock.calls.length).toBeLessThan(30);
	});
});

describe('Do Not Send Again', () => {
	/** The second of three was sent before. */
	const run = async (look: NonNullable<Service['look']>) => {
		const older = { externalMessageId: 'order-1', destination: numberOf(1), messageUuid: 'older' };
		const others = [older, { messageUuid: 'another', externalMessageId: 'z' }];
		const service = await start({
			answer: (messages) => json(200, { items: messages.map(codeOf(201)) }),
			look: (ids, stored) => look(ids, [...others, ...stored]),
		});
		return { ...service, result: await service.send(3, withOwnIds) };
	};

	test('what was sent before is left out', async () => {
		const { result, stored } = await run(byOwnId);
		const again = jsonOf(result.items).map(({ alreadySent }) => alreadySent);
		expect(again).toEqual([false, true, false]);
		expect(stored.map((one) => one.externalMessageId)).toEqual(['order-0', 'order-2']);
	});

	test.each<[string, NonNullable<Service['look']>]>([
		['only the first id counts', (ids, stored) => byOwnId(ids.slice(0, 1), stored)],
		['only the last id counts', (ids, stored) => byOwnId(ids.slice(-1), stored)],
		['several ids find nothing', (ids, stored) => byOwnId(ids.length > 1 ? [] : ids, stored)],
		['400 for several ids', (ids, stored) => (ids.length > 1 ? undefined : byOwnId(ids, stored))],
		['{}', () => ({})],
		['items: null', () => ({ items: null })],
		['an error', () => ({ error: { code: 1, msg: 'no' } })],
		['another envelope', () => ({ stuff: [] })],
		['a total and no items', () => ({ total: 7, items: [] })],
		['the filter is ignored', (_, stored) => ({ total: stored.length, items: stored })],
	])('the list, %s: nothing proves what was sent before, so nothing is sent', async (_, look) => {
		const { result, stored, posts } = await run(look);
		expect(result.error?.description).toMatch(/Nothing was sent|didn't send them now/);
		expect([stored, posts()]).toEqual([[], 0]);
	});
});
