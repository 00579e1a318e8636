import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import { jsonOf } from '../support/sandbox.cts';
import { json } from '../support/server.cts';
import { tempo } from '../support/tempo.cts';
import { fromItems, itemOf, looksOfOneTry, numberOf, withOwnIds } from './messages.cts';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { runNode } from '../support/n8n.cts';
import { lostAnswer, lostRequest, notNow, playService, type Stored } from './playedService.cts';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/pausesTakeNoTime.cjs'));
afterEach(() => {
	tempo.onPause = undefined;
});

type Service = Awaited<ReturnType<typeof playService>>;

const anyway: INodeParameters = { ...withOwnIds, options: { usedBefore: 'sendAnyway' } };
const cascade: INodeParameters = {
	destination: '={{ $json.phone }}',
	cascade: { step: [{ senderName: fromItems.senderName, text: 'Hello' }] },
};
const cascadeWithId: INodeParameters = { ...cascade, externalMessageId: '={{ $json.id }}' };
const notKnown = /^It is not known whether /;
const unreadable = json(200, {});

const numbersIn = ({ stored }: Service) => stored.map(({ destination }) => destination);

/** Cancels the execution in its first pause. */
const cancelInPause = (): { onStart: (cancel: () => void) => void } => ({
	onStart: (cancel) => {
		tempo.onPause = cancel;
	},
});

describe('a message that has the custom message ID already', () => {
	const older = { externalMessageId: 'order-0', destination: numberOf(0), channelType: 'SMS' };
	test.each<[string, Partial<Stored>]>([
		['its number is masked', { destination: '7916*****00' }],
		['its number stands after other characters', { destination: 'tel:79169999999' }],
		['its number stands before other characters', { destination: '79169999999 ext. 5' }],
		['its number has a trunk prefix', { destination: `8${numberOf(0).slice(1)}` }],
		['its channel is not shown', { channelType: undefined }],
	])('%s: it may be the same, so nothing is sent', async (_, shown) => {
		const service = await playService();
		service.add({ ...older, ...shown });
		const { items } = await service.send([0], withOwnIds);
		expect(jsonOf(items)).toMatchObject([{ alreadySent: true }]);
		expect(service.posts).toBe(0);
	});

	test('the ID was made up here: whatever number is shown, it is this message', async () => {
		const service = await playService();
		service.turns = [lostAnswer];
		service.show = (message) => ({ ...message, destination: '79169999999' });
		const { error } = await service.send([0], fromItems);
		expect(error).toBeUndefined();
		expect(service.posts).toBe(1);
	});
});

describe('the look before sending', () => {
	test('is canceled: the error says only that', async () => {
		const service = await playService();
		service.look = () => json(503, {});
		const { error } = await service.send([0, 1], withOwnIds, cancelInPause());
		expect(error?.description).toContain('Not sent: items 1 and 2.');
		expect(error?.message).toBe('The execution was canceled before all messages were sent');
		expect(service.posts).toBe(0);
	});

	describe('fails, with Send Anyway', () => {
		const failFirst = (number: number) => (number === 1 ? unreadable : undefined);

		test('the message is sent all the same', async () => {
			const service = await playService();
			service.look = failFirst;
			const { error } = await service.send([0], anyway);
			expect(error).toBeUndefined();
			expect(numbersIn(service)).toEqual([numberOf(0)]);
		});

		describe.each([1, 2])('%i tries', (tries) => {
			test.each([
				['the request is lost', lostRequest],
				['the answer mentions nothing', { answer: () => unreadable }],
				['the answer is lost', lostAnswer],
			])('%s: an older message of the same ID is not taken for it', async (_, turn) => {
				const service = await playService();
				service.add({ externalMessageId: 'order-0', destination: numberOf(0) });
				service.look = failFirst;
				service.turns = [turn];
				const { items, error } = await service.send([0], anyway, { tries });
				expect(items).toEqual([]);
				expect(error?.message).toMatch(notKnown);
				expect(service.posts).toBe(1);
			});
		});
	});

	test.each([
		[1, Infinity],
		[2, Infinity],
		[1, 1],
	])(
		'shows an older message without a UUID, and the answer is lost, %i tries, %d looks without: not sent again',
		async (tries, looksWithout) => {
			const service = await playService();
			service.add({ externalMessageId: 'order-0', destination: numberOf(0), at: 0 });
			service.show = ({ messageUuid, ...message }) =>
				service.looks > looksWithout ? { ...message, messageUuid } : message;
			service.turns = [lostAnswer];
			const { error } = await service.send([0], anyway, { tries });
			expect(error?.message).toMatch(notKnown);
			expect(service.posts).toBe(1);
		},
	);
});

describe('a request of unknown outcome', () => {
	test('is found by the first look: nothing is waited for', async () => {
		const service = await playService();
		service.turns = [lostAnswer];
		const before = tempo.pausedMs;
		const { error } = await service.send([0, 1], fromItems);
		expect(error).toBeUndefined();
		expect([service.looks, tempo.pausedMs - before]).toEqual([1, 0]);
	});

	test('was carried out in part: what is found is accepted, the rest is not known and not sent again', async () => {
		const service = await playService();
		service.turns = [{ ...lostAnswer, keep: (place) => place !== 1 }];
		const { error } = await service.send([0, 1, 2], fromItems, { tries: 2 });
		expect(error?.message).toBe('It is not known whether 1 of 3 messages was sent');
		expect(error?.description).toContain('Unknown: item 2.');
		expect(service.posts).toBe(1);
	});

	test('an accepted message is listed only when it is older than this one: not sent again', async () => {
		const service = await playService();
		tempo.pausedMs += 50_000;
		service.isListed = ({ at }) => Date.now() - at >= 100_000;
		service.turns = [lostAnswer];
		const { error } = await service.send([0], fromItems);
		expect(error?.message).toMatch(notKnown);
		expect(service.posts).toBe(1);
	});

	test('a cascade that looks do not show, although they work: not sent again', async () => {
		const service = await playService();
		service.turns = [lostRequest];
		const { error } = await service.run('sendCascade', cascadeWithId, [itemOf(0)]);
		expect(error?.message).toMatch(notKnown);
		expect(service.looks).toBeGreaterThan(1);
		expect(service.posts).toBe(1);
	});

	test('a cascade without a custom message ID: nothing can be looked for, so nothing is waited for', async () => {
		const service = await playService();
		service.turns = [lostRequest];
		const before = tempo.pausedMs;
		const { error } = await service.run('sendCascade', cascade, [itemOf(0)]);
		expect(error?.message).toMatch(notKnown);
		expect([service.looks, tempo.pausedMs - before]).toEqual([0, 0]);
	});

	test('the answer mentions nothing, and the message is listed: found by the first look', async () => {
		const service = await playService();
		service.turns = [{ answer: () => unreadable }];
		const before = tempo.pausedMs;
		const { items } = await service.send([0, 1], fromItems);
		expect(jsonOf(items)).toMatchObject(
			service.stored.map(({ messageUuid }) => ({ messageUuid, outcome: 'accepted' })),
		);
		expect([service.looks, service.posts, tempo.pausedMs - before]).toEqual([1, 1, 0]);
	});

	test('the answer mentions nothing, and nothing is listed: looked for over more than a minute, not sent again', async () => {
		const service = await playService();
		service.turns = [{ ...lostRequest, answer: () => unreadable }];
		const before = tempo.pausedMs;
		const { error } = await service.send([0, 1], fromItems);
		expect(error?.message).toBe('It is not known whether 2 of 2 messages were sent');
		expect(tempo.pausedMs - before).toBeGreaterThan(60_000);
		expect([service.looks, service.posts]).toEqual([looksOfOneTry, 1]);
	});

	test('the answer to a cascade without a custom message ID mentions nothing: not known, not sent again', async () => {
		const service = await playService();
		service.turns = [{ answer: () => unreadable }];
		const { error, items } = await service.run('sendCascade', cascade, [itemOf(0)], { tries: 2 });
		expect(error?.message).toBe('It is not known whether the message was sent');
		expect(error?.description).toContain("Check it in your account on the provider's website");
		expect(items).toEqual([]);
		expect([service.looks, service.posts]).toEqual([0, 1]);
	});
});

describe('a rejection that lists an accepted message', () => {
	const contradicts = (status: number) => ({
		keep: (place: number) => place === 0,
		answer: (messages: Stored[]) =>
			json(status, {
				errors: true,
				items: messages.map(({ externalMessageId, messageUuid }, place) => ({
					externalMessageId,
					...(place === 0 ? { messageUuid, code: 201 } : { code: 402 }),
				})),
			}),
	});
	test.each([301, 307, 400, 402, 404, 409, 413, 422, 429])(
		'%d: what became of each is looked for, and nobody gets it twice',
		async (status) => {
			const service = await playService();
			service.turns = [contradicts(status)];
			const { error } = await service.send([0, 1], fromItems, { tries: 2 });
			expect(error?.description).toContain('The service accepted 1 of 2.');
			expect(error?.description).not.toContain('Nothing was sent');
			expect(service.posts).toBe(1);
			expect(service.stored.map(({ destination }) => destination)).toEqual([numberOf(0)]);
		},
	);
});

describe('canceled', () => {
	test('while a request waits for another try: it was not sent', async () => {
		const service = await playService();
		service.turns = [{ ...lostRequest, answer: () => json(429, {}) }];
		const { error } = await service.send([0, 1], fromItems, cancelInPause());
		expect(error?.message).toBe('The execution was canceled before all messages were sent');
		expect(error?.description).toContain('Not sent: items 1 and 2.');
		expect(error?.description).not.toContain('Unknown');
		expect(service.posts).toBe(1);
	});

	test('between two looks: it ends at once, and what was sent is not known', async () => {
		const service = await playService();
		service.turns = [lostAnswer];
		service.isListed = () => false;
		const before = tempo.pausedMs;
		const { error } = await service.send([0, 1], fromItems, cancelInPause());
		expect(error?.description).toContain('Unknown: items 1 and 2.');
		expect(tempo.pausedMs - before).toBeLessThanOrEqual(200);
		expect([service.looks, service.posts]).toEqual([1, 1]);
	});
});

describe('Retry On Fail, after a try that left messages in doubt', () => {
	const tries = 2;

	test('looks work again and do not show them: the same error, not sent again', async () => {
		const service = await playService();
		service.turns = [lostRequest];
		service.look = (number) => (number <= looksOfOneTry ? notNow : undefined);
		const { error } = await service.send([0, 1], fromItems, { tries });
		expect(error?.message).toBe('It is not known whether 2 of 2 messages were sent');
		expect(error?.description).toContain('The connection to the service was lost');
		expect(service.looks).toBe(2 * looksOfOneTry);
		expect(service.posts).toBe(1);
	});

	test('the list shows messages later than both tries look: not sent again', async () => {
		const service = await playService();
		tempo.pausedMs += 150_000;
		service.isListed = ({ at }) => Date.now() - at >= 200_000;
		service.turns = [lostAnswer];
		const { error } = await service.send([0], fromItems, { tries });
		expect(error?.message).toMatch(notKnown);
		expect(service.posts).toBe(1);
	});

	test('the service has answered for a message and reported an error: never sent again', async () => {
		const service = await playService();
		service.turns = [
			{
				...lostRequest,
				answer: (messages) =>
					json(200, {
						items: messages.map(({ externalMessageId }) => ({ externalMessageId, code: 500 })),
					}),
			},
		];
		const { error } = await service.send([0], fromItems, { tries });
		expect(error?.message).toMatch(notKnown);
		expect(service.posts).toBe(1);
	});

	test('still not known: what was not tried before is sent now', async () => {
		const service = await playService();
		service.turns = [lostRequest];
		service.look = () => notNow;
		const indexes = Array.from({ length: 1_001 }, (_, index) => index);
		const { error } = await service.send(indexes, fromItems, { tries });
		expect(error?.message).toBe('It is not known whether 1000 of 1001 messages were sent');
		expect(error?.description).toContain('The service accepted 1 of 1001.');
		expect(numbersIn(service)).toEqual([numberOf(1_000)]);
		expect(service.posts).toBe(2);
	});
});

describe("n8n's logger fails after the request", () => {
	/** The response isn't the documented one, so it is logged. */
	const odd = json(200, { errors: 'no', items: [] });
	const failing = (failure: unknown) => {
		const node = new BulkMessaging();
		const { execute } = node;
		node.execute = async function (this: IExecuteFunctions) {
			const logger = {
				...this.logger,
				warn: () => {
					throw failure;
				},
			};
			return await execute.call(Object.create(this, { logger: { value: logger } }));
		};
		return node;
	};
	const sendWith = async (service: Service, failure: unknown) =>
		await runNode({
			node: failing(failure),
			parameters: { resource: 'message', operation: 'send', ...fromItems },
			items: [itemOf(0), itemOf(1)],
			credentials: service.credentials,
			tries: 2,
		});

	test('sent: found, and never sent again', async () => {
		const service = await playService();
		service.turns = [{ keep: () => true, answer: () => odd }];
		const { items, error } = await sendWith(service, new Error('The disk is full'));
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ outcome: 'accepted' }, { outcome: 'accepted' }]);
		expect(service.posts).toBe(1);
	});

	test.each([new Error('The disk is full'), 'The disk is full'])(
		'not found: told as unknown, and never sent again',
		async (failure) => {
			const service = await playService();
			service.turns = [{ keep: () => false, answer: () => odd }];
			const { error } = await sendWith(service, failure);
			expect(error?.message).toMatch(notKnown);
			expect(service.posts).toBe(1);
		},
	);
});
