import { hintsOf, type NodeRun } from '../support/n8n.cts';
import { json, text, type Behaviour } from '../support/server.cts';
import { jsonOf } from '../support/sandbox.cts';
import { apiKey } from '../transport/service.cts';
import { fromItems, numberOf, withOwnIds } from './messages.cts';
import { accept, byIds, lostAnswer, playService, type Stored } from './playedService.cts';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/pauses.cts'));

/** Services that answer in another way than the sandbox does. */

type Service = Awaited<ReturnType<typeof playService>>;
type Find = Service['find'];

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

/** A service that carries out the request and answers like this. */
const start = async (answer: (messages: Stored[]) => Behaviour, find: Find = byIds) => {
	const service = await playService({ turns: [{ answer }], find });
	const send = async (
		count: number,
		parameters = fromItems,
		options: Parameters<Service['send']>[2] = {},
	) => await service.send(upTo(count), parameters, options);
	return { service, send };
};

const nothingFound = () => ({ total: 0, items: [] });
const notKnown = 'It is not known whether 3 of 3 messages were sent';

const created = ({ messageUuid, externalMessageId }: Stored) => ({
	messageUuid,
	externalMessageId,
	code: 201,
});
const named = [0, 1, 2].map((index) => ({ messageUuid: `uuid-${index}`, outcome: 'accepted' }));

describe('a rejected message', () => {
	const reject = async (entry: object, onError?: NodeRun['onError']) => {
		const { send } = await start(() => json(200, { errors: true, items: [entry] }));
		return await send(1, fromItems, { onError });
	};

	test("the service's words, once", async () => {
		const { items } = await reject({ code: 400, msg: 'Wrong sender' }, 'continueRegularOutput');
		expect(items[0]?.json.error).toBe(
			'The service rejected this message (code 400). The service says: Wrong sender. This message was not sent. Check its values. Run it again.',
		);
	});

	test('a code of the table of message errors: its meaning, and what to do', async () => {
		const { error } = await reject({ code: 453 });
		expect(error?.message).toBe('The service rejected this message (code 453)');
		expect(error?.description).toBe(
			"This message was not sent. The recipient's number is on a block list. Remove it from your list. Run it again.",
		);
	});

	test('words that repeat the key: shown without it', async () => {
		const { error, run } = await reject({ code: 400, msg: `key ${apiKey} is bad` });
		expect(error?.message).toContain('key *** is bad');
		expect(JSON.stringify([error, run])).not.toContain(apiKey);
	});
});

/** Replies that leave open what became of the messages. What else JSON may say is in told.test.cts. */
const unreadable: Array<[string, (messages: Stored[]) => Behaviour]> = [
	['a bare array', (messages) => json(200, messages.map(created))],
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

	test('one object for one message: it is named', async () => {
		const { send, service } = await start((messages) => json(201, messages.map(created)[0]));
		expect(jsonOf((await send(1)).items)).toMatchObject(named.slice(0, 1));
		expect(service.posts).toBe(1);
	});

	describe.each(unreadable)('%s', (_, answer) => {
		test('shown by the service when it is asked', async () => {
			const { send, service } = await start(answer);
			const result = await send(3);
			expect(jsonOf(result.items)).toMatchObject(named);
			expect(hintsOf(result)).toEqual([]);
			expect(service.posts).toBe(1);
		});

		test('not found: not known, sent once', async () => {
			const { send, service } = await start(answer, nothingFound);
			const { error, items } = await send(3, fromItems, { tries: 2 });
			expect(error?.message).toBe(notKnown);
			expect(error?.description).toContain('Unknown: items 1 to 3.');
			expect(error?.description).toContain(silence);
			expect(items).toEqual([]);
			expect(service.posts).toBe(1);
		});
	});

	test('errors: true, and the entries have IDs: the code of each decides', async () => {
		const find = jest.fn(nothingFound);
		const answer = ([first, second]: Stored[]) =>
			json(200, {
				errors: true,
				items: [
					{ externalMessageId: second?.externalMessageId, code: 402, msg: 'no money' },
					{ externalMessageId: first?.externalMessageId, messageUuid: 'uuid-0', code: 201 },
				],
			});
		const { send } = await start(answer, find);
		const { items } = await send(2, fromItems, { onError: 'continueRegularOutput' });
		expect(items[0]?.json).toMatchObject(named[0] ?? {});
		expect(items[1]?.json.error).toMatch(
			/^The service rejected .* \(code 402\)\. The service says: no money.*Top up your balance/,
		);
		expect(find).not.toHaveBeenCalled();
	});

	test('listed only after a while: accepted, sent once', async () => {
		let looks = 0;
		const { send, service } = await start(
			() => json(200, {}),
			(ids, listed) => (++looks < 4 ? nothingFound() : byIds(ids, listed)),
		);
		const { items, error } = await send(3);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject(named);
		expect([looks, service.posts]).toEqual([4, 1]);
	});

	test.each<[string, Behaviour, RegExp]>([
		['a text', text(200, 'OK'), /response doesn't say .*\. The service says: OK\. /],
		['an error only', json(200, { items: [{ error: 'no' }] }), / but reported an error\./],
	])('one message, and %s: the error says what is known', async (_, answer, words) => {
		const { send, service } = await start(() => answer, nothingFound);
		const { error } = await send(1, fromItems, { tries: 2 });
		expect(error?.message).toMatch(oneNotKnown);
		expect(error?.description).toMatch(words);
		expect(service.posts).toBe(1);
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
		const { send, service } = await start(() => json(200, body), nothingFound);
		const { error } = await send(3, fromItems, { tries: 2 });
		expect(error?.message).toBe(notKnown);
		expect(error?.description).toContain('not today');
		expect(service.posts).toBe(1);
	});

	test('an answer that repeats the key: shown without it', async () => {
		const { send } = await start(
			() => json(200, { message: `queued for ${apiKey}` }),
			nothingFound,
		);
		const { error, run } = await send(1);
		expect(error?.description).toContain('The service says: queued for ***');
		expect(JSON.stringify([error, run.data.resultData])).not.toContain(apiKey);
	});
});

/** Services whose list answers in other ways than the sandbox's. */
describe('an answer that is lost', () => {
	/** The answer to the second request. */
	const run = async (find: Find, count = 3) => {
		const service = await playService({ turns: [accept, lostAnswer], find });
		await service.send([0], fromItems);
		return { service, result: await service.send(upTo(count), fromItems) };
	};
	/** Shows each message otherwise. */
	const changed =
		(change: (one: Stored, index: number) => object): Find =>
		(ids, stored) => {
			const { items, total } = byIds(ids, stored);
			return { total, items: items.map(change) };
		};

	const withoutOwnId = ({ destination }: Stored, index: number) => ({
		destination,
		messageUuid: `u${index}`,
	});
	const inSnakeCase = ({ externalMessageId, destination }: Stored) => ({
		external_message_id: externalMessageId,
		message_uuid: `of-${externalMessageId}`,
		destination,
	});
	test.each<[string, Find]>([
		['{}', () => ({})],
		['items: null', () => ({ items: null })],
		['an error', () => ({ error: { code: 1, msg: 'no' } })],
		['another envelope', (ids, stored) => ({ stuff: byIds(ids, stored).items })],
		['a bare array, the same on every page', (ids, stored) => byIds(ids, stored).items],
		['a total and no items', () => ({ total: 7, items: [] })],
		['400 for several ids', (ids, stored) => (ids.length > 1 ? undefined : byIds(ids, stored))],
		['no own ids', changed(withoutOwnId)],
		['snake_case', changed(inSnakeCase)],
	])('the list answers with %s: never sent again', async (_, find) => {
		const { result, service } = await run(find);
		expect(result.error?.message).toBe(notKnown);
		expect(service.posts).toBe(2);
	});

	test.each<[string, Find]>([
		[
			'the number begins with 8',
			changed((one) => ({ ...one, destination: `8${one.destination?.slice(1)}` })),
		],
		['the number is masked', changed((one) => ({ ...one, destination: '7916***00' }))],
		['the channel has another name', changed((one) => ({ ...one, channelType: 'SMS_DIRECT' }))],
	])('carried out, and %s: found, not sent again', async (_, find) => {
		const { result, service } = await run(find);
		expect(result.error).toBeUndefined();
		expect(service.stored).toHaveLength(4);
		expect(service.posts).toBe(2);
	});
});

describe('Do Not Send Again', () => {
	test.each<[string, Find]>([
		['400 for several ids', (ids, stored) => (ids.length > 1 ? undefined : byIds(ids, stored))],
		['{}', () => ({})],
		['items: null', () => ({ items: null })],
		['an error', () => ({ error: { code: 1, msg: 'no' } })],
		['another envelope', () => ({ stuff: [] })],
		['a total and no items', () => ({ total: 7, items: [] })],
	])('the list, %s: nothing proves what was sent before, so nothing is sent', async (_, find) => {
		const service = await playService({ find });
		// The second of three was sent before.
		service.add({ externalMessageId: 'order-1', destination: numberOf(1) });
		service.add({ externalMessageId: 'z' });
		const { error } = await service.send(upTo(3), withOwnIds);
		expect(error?.description).toContain('Nothing was sent');
		expect([service.stored.length, service.posts]).toEqual([2, 0]);
	});
});
