import type { INodeParameters } from 'n8n-workflow';
import { lookPausesMs } from '../../core/transport/lookThenSend';
import { jsonOf } from '../support/sandbox.cts';
import { json } from '../support/server.cts';
import type * as Tempo from '../support/tempo.cts';
import { tempo } from '../support/tempo.cts';
import { fromItems, itemOf, numberOf, withOwnIds } from './messages.cts';
import {
	later,
	lostAnswer,
	lostRequest,
	notNow,
	playService,
	type Stored,
} from './playedService.cts';

// Pauses take no time, and are counted.
jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof Tempo>('../support/tempo.cts').workflowAtTempo(),
);
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

/** Longer than any look takes: from now on a message that was accepted before must be found. */
const settle = () => (tempo.pausedMs += 100_000);
/** A message that certainly is there, so that looks can prove something. */
const prove = async (service: Service) => {
	await service.send([9], fromItems);
	service.forget();
};
const numbersIn = ({ stored }: Service) => stored.map(({ destination }) => destination);

/** Cancels the execution in its first pause. */
const cancelInPause = (): { onStart: (cancel: () => void) => void } => ({
	onStart: (cancel) => {
		tempo.onPause = cancel;
	},
});

describe('a message that has the custom message ID already', () => {
	const older = { externalMessageId: 'order-0', destination: numberOf(0), channelType: 'SMS' };
	const sendBeside = async (shown: Partial<Stored>) => {
		const service = await playService();
		service.add({ ...older, ...shown });
		return { service, result: await service.send([0], withOwnIds) };
	};

	test.each([
		['masked', '7916*****00'],
		['after other characters', 'tel:79169999999'],
		['before other characters', '79169999999 ext. 5'],
		['with a trunk prefix', `8${numberOf(0).slice(1)}`],
	])('its number is shown %s: it may be the same, so nothing is sent', async (_, destination) => {
		const { service, result } = await sendBeside({ destination });
		expect(jsonOf(result.items)).toMatchObject([{ alreadySent: true }]);
		expect(service.posts).toBe(0);
	});

	test('its channel is not shown: it may be the same, so nothing is sent', async () => {
		const { service, result } = await sendBeside({ channelType: undefined });
		expect(jsonOf(result.items)).toMatchObject([{ alreadySent: true }]);
		expect(service.posts).toBe(0);
	});

	test('the ID was made up here: whatever number is shown, it is this message', async () => {
		const service = await playService();
		await prove(service);
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
		expect(error?.description).toContain('Rejected: items 1 to 2.');
		expect(error?.description).toMatch(/First failure: The execution was canceled\.$/);
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

		test('the request is lost: an older message of the same ID is not taken for it', async () => {
			const service = await playService();
			service.add({ externalMessageId: 'order-0', destination: numberOf(0) });
			service.look = failFirst;
			service.turns = [lostRequest];
			const { error } = await service.send([0], anyway);
			expect(error?.message).toMatch(notKnown);
			expect(service.posts).toBe(1);
		});

		test('the answer is lost: nothing tells it from an older one, so it is not sent again', async () => {
			const service = await playService();
			await prove(service);
			service.look = failFirst;
			service.turns = [lostAnswer];
			const { error } = await service.send([0], anyway);
			expect(error?.message).toMatch(notKnown);
			expect(service.posts).toBe(1);
		});
	});

	test('shows an older message without a UUID, and the answer is lost: not sent again', async () => {
		const service = await playService();
		await prove(service);
		service.add({ externalMessageId: 'order-0', destination: numberOf(0), at: 0 });
		service.show = ({ externalMessageId, destination, at }) => ({
			externalMessageId,
			destination,
			createdAt: at,
		});
		service.turns = [lostAnswer];
		const { error } = await service.send([0], anyway);
		expect(error?.message).toMatch(notKnown);
		expect(service.posts).toBe(1);
	});

	describe('in a service that does not keep custom message IDs', () => {
		/** One that must be found by now, and is there without its ID. */
		const loseOne = async (service: Service, operation: string, parameters: INodeParameters) => {
			await service.run(operation, parameters, [itemOf(8)]);
			service.stored.forEach((message) => delete message.externalMessageId);
			settle();
			service.forget();
		};

		test('a message that may not be sent twice is not sent, beside one that may', async () => {
			const service = await playService();
			await loseOne(service, 'send', fromItems);
			const { items } = await service.run(
				'send',
				{ ...withOwnIds, options: { usedBefore: '={{ $json.usedBefore }}' } },
				[
					{ ...itemOf(0), usedBefore: 'skip' },
					{ ...itemOf(1), usedBefore: 'sendAnyway' },
				],
				{ onError: 'continueRegularOutput' },
			);
			expect(jsonOf(items)).toMatchObject([
				{ error: "The service doesn't find messages by their IDs correctly" },
				{ accepted: true },
			]);
			expect(numbersIn(service).slice(1)).toEqual([numberOf(1)]);
		});

		test('Send Anyway does not depend on it: a lost request is sent again', async () => {
			const service = await playService();
			await loseOne(service, 'send', fromItems);
			await prove(service);
			service.turns = [lostRequest];
			const { error } = await service.send([0], anyway);
			expect(error).toBeUndefined();
			expect(service.posts).toBe(2);
			expect(numbersIn(service).slice(2)).toEqual([numberOf(0)]);
		});

		test('a cascade is sent: the service promises no IDs for cascades', async () => {
			const service = await playService();
			await loseOne(service, 'sendCascade', cascadeWithId);
			const { error } = await service.run('sendCascade', cascadeWithId, [itemOf(0)]);
			expect(error).toBeUndefined();
			expect(service.posts).toBe(1);
		});
	});
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

	test('was carried out in part: what is found proves that looking works, the rest is sent again', async () => {
		const service = await playService();
		service.turns = [{ ...lostAnswer, keep: (place) => place !== 1 }];
		const { error } = await service.send([0, 1, 2], fromItems);
		expect(error).toBeUndefined();
		expect(service.posts).toBe(2);
		expect(numbersIn(service)).toEqual([0, 2, 1].map(numberOf));
	});

	test('an accepted message is listed only when it is older than this one: not sent again', async () => {
		const service = await playService();
		await prove(service);
		tempo.pausedMs += 50_000;
		service.isListed = ({ at }) => Date.now() - at >= 100_000;
		service.turns = [lostAnswer];
		const { error } = await service.send([0], fromItems);
		expect(error?.message).toMatch(notKnown);
		expect(service.posts).toBe(1);
	});

	test('looks worked before and show nothing now: not sent again', async () => {
		const service = await playService();
		await prove(service);
		service.turns = [lostRequest];
		expect((await service.send([0], fromItems)).error).toBeUndefined();
		expect(service.posts).toBe(2);
		service.forget();
		service.isListed = () => false;
		service.turns = [lostAnswer];
		const { error } = await service.send([1], fromItems);
		expect(error?.message).toMatch(notKnown);
		expect(service.posts).toBe(1);
	});

	test('a cascade that looks do not show, although they work: not sent again', async () => {
		const service = await playService();
		await prove(service);
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
});

describe('canceled', () => {
	test('while a request waits for another try: it was not sent', async () => {
		const service = await playService();
		service.turns = [{ ...lostRequest, answer: () => json(429, {}) }];
		const { error } = await service.send([0, 1], fromItems, cancelInPause());
		expect(error?.message).toBe('The execution was canceled before all messages were sent');
		expect(error?.description).toContain('Not tried: items 1 to 2.');
		expect(error?.description).not.toContain('Not known');
		expect(service.posts).toBe(1);
	});

	test('between two looks: it ends at once, and what was sent is not known', async () => {
		const service = await playService();
		service.turns = [lostAnswer];
		service.isListed = () => false;
		const before = tempo.pausedMs;
		const { error } = await service.send([0, 1], fromItems, cancelInPause());
		expect(error?.description).toContain('Not known: items 1 to 2.');
		expect(tempo.pausedMs - before).toBeLessThanOrEqual(200);
		expect([service.looks, service.posts]).toEqual([1, 1]);
	});
});

describe('Retry On Fail, after a try that left messages in doubt', () => {
	const tries = 2;
	const looksOfOneTry = lookPausesMs.length;
	const closed = json(503, { error: { code: 5030, msg: 'Looks are closed' } }, later);

	test('looks work again and show that they are not there: sent, each once', async () => {
		const service = await playService();
		await prove(service);
		service.turns = [lostRequest];
		service.look = (number) => (number <= looksOfOneTry ? notNow : undefined);
		const { error } = await service.send([0, 1], fromItems, { tries });
		expect(error).toBeUndefined();
		expect(service.posts).toBe(2);
		expect(numbersIn(service).slice(1)).toEqual([0, 1].map(numberOf));
	});

	test('the list shows messages later than both tries look: not sent again', async () => {
		const service = await playService();
		await prove(service);
		tempo.pausedMs += 150_000;
		service.isListed = ({ at }) => Date.now() - at >= 200_000;
		service.turns = [lostAnswer];
		const { error } = await service.send([0], fromItems, { tries });
		expect(error?.message).toMatch(notKnown);
		expect(service.posts).toBe(1);
	});

	test('the last look fails: not sent again, whatever the looks before it have shown', async () => {
		const service = await playService();
		await prove(service);
		service.turns = [lostRequest];
		service.look = (number) => {
			if (number === 2 * looksOfOneTry) return closed;
			return number <= looksOfOneTry ? notNow : undefined;
		};
		const { error } = await service.send([0, 1], fromItems, { tries });
		expect(error?.message).toMatch(notKnown);
		expect(error?.description).toContain('Looks are closed');
		expect(service.posts).toBe(1);
	});

	test('the service has answered for a message and reported an error: never sent again', async () => {
		const service = await playService();
		await prove(service);
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

	test('still not known: what was not tried before is not tried now', async () => {
		const service = await playService();
		service.turns = [lostRequest];
		service.look = () => notNow;
		const indexes = Array.from({ length: 1_001 }, (_, index) => index);
		const { error } = await service.send(indexes, fromItems, { tries });
		expect(error?.message).toBe('It is not known whether 1000 of 1001 messages were sent');
		expect(error?.description).toContain('Not tried: item 1001.');
		expect(service.posts).toBe(1);
	});
});
