import { jsonOf } from '../support/sandbox.cts';
import { json } from '../support/server.cts';
import { tempo } from '../support/tempo.cts';
import { fromItems, numberOf, withOwnIds } from './messages.cts';
import { byIds, playService, type Stored } from './playedService.cts';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/pauses.cts'));

/** What the answers to questions for messages prove, where a service doesn't answer them as it should. */

type Service = Awaited<ReturnType<typeof playService>>;
const older = (index: number): Partial<Stored> => ({
	externalMessageId: `order-${index}`,
	destination: numberOf(index),
	channelType: 'SMS',
});
/** Longer than any look takes: from now on a message that was accepted before must be found. */
const settle = (service: Service) => {
	tempo.pausedMs += 100_000;
	service.forget();
};

const listOf = (items: readonly object[]) => ({ total: items.length, items });
/** A service that reads only the first of several IDs. */
const readFirstOnly = (service: Service, show: (message: Stored) => object = (one) => one) => {
	service.find = (ids, listed) => listOf(byIds(ids.slice(0, 1), listed).items.map(show));
};

describe('a service that reads only the first ID of a question', () => {
	test('what was asked for proves nothing itself: none of them is sent again', async () => {
		const service = await playService();
		await service.send([0, 1], withOwnIds);
		settle(service);
		readFirstOnly(service);
		const { items, error } = await service.send([1, 0], withOwnIds);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ alreadySent: true }, { alreadySent: true }]);
		expect(service.posts).toBe(0);
	});

	test('and shows no message whose UUID could be asked for beside them: none of them is sent', async () => {
		const service = await playService();
		service.add(older(0));
		service.add(older(1));
		readFirstOnly(service, ({ externalMessageId, destination, channelType }) => ({
			externalMessageId,
			destination,
			channelType,
		}));
		const { error } = await service.send([0, 1], withOwnIds);
		expect(error?.description).toContain(
			"The service doesn't find messages by their IDs correctly",
		);
		expect(service.posts).toBe(0);
	});
});

test('two messages have the custom message ID, and the older one is for this number: not sent again', async () => {
	const service = await playService();
	service.add(older(0));
	service.add({ ...older(0), destination: numberOf(5) });
	const { items } = await service.send([0], withOwnIds);
	expect(jsonOf(items)).toMatchObject([{ alreadySent: true }]);
	expect(service.posts).toBe(0);
});

describe('a message that must be found by now is not', () => {
	test('and the service shows another one instead: that does not prove that it has it', async () => {
		const service = await playService();
		await service.send([8], fromItems);
		settle(service);
		service.find = ([first]) => listOf(first === 'order-0' ? [] : [{ messageUuid: 'another' }]);
		const { error } = await service.send([0], withOwnIds);
		expect(error).toBeUndefined();
		expect(service.posts).toBe(1);
	});

	test('and it has no UUID: others without a custom message ID are not taken for it', async () => {
		const service = await playService();
		service.turns = [
			{
				answer: (messages) =>
					json(200, {
						items: messages.map(({ externalMessageId }) => ({ externalMessageId, code: 201 })),
					}),
			},
		];
		await service.send([8], fromItems);
		service.turns = [];
		settle(service);
		service.stored.forEach((message) => delete message.externalMessageId);
		service.find = ([first], listed) =>
			listOf(first === undefined || first === 'undefined' ? listed : []);
		const { error } = await service.send([0], withOwnIds);
		expect(error).toBeUndefined();
		expect(service.posts).toBe(1);
	});
});
