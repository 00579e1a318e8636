import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { demo } from '../../sandbox/demo.cts';
import { hintsOf, runNode } from '../support/n8n.cts';
import { jsonOf } from '../support/sandbox.cts';
import { json } from '../support/server.cts';
import { tempo } from '../support/tempo.cts';
import { fromItems, itemOf, numberOf, withOwnIds } from './messages.cts';
import { lostAnswer, lostRequest, playService } from './playedService.cts';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/pauses.cts'));
afterEach(() => {
	tempo.onPause = undefined;
});

type Service = Awaited<ReturnType<typeof playService>>;

/** A service whose list doesn't show new messages yet. */
const playLagging: typeof playService = async (otherwise) =>
	await playService({ isListed: () => false, ...otherwise });
const anyway: INodeParameters = { ...withOwnIds, options: { usedBefore: 'sendAnyway' } };
const viber = { channelType: 'VIBER', senderName: demo.senderNames.viber };
const notKnown = /^It is not known whether /;
const refusal = {
	keep: () => false,
	answer: () => json(400, { error: { code: 4000, msg: 'no' } }),
};
const numbersIn = ({ stored }: Service) => stored.map(({ destination }) => destination);
const twice = async (service: Service, first = withOwnIds, second = first) =>
	await Promise.all([service.send([0, 1], first), service.send([0, 1], second)]);

describe('two runs with the same custom message IDs, at the same moment', () => {
	test('one sends, the other reports the same messages as already sent', async () => {
		const service = await playLagging();
		const [one, other] = await twice(service);
		expect(service.posts).toBe(1);
		const uuids = [{ messageUuid: 'uuid-0' }, { messageUuid: 'uuid-1' }];
		const both = (more: object) => uuids.map((uuid) => ({ ...uuid, ...more }));
		expect(jsonOf(one.items)).toMatchObject(both({ outcome: 'accepted' }));
		expect(jsonOf(other.items)).toMatchObject(both({ alreadySent: true }));
		expect(hintsOf(other)).toEqual([
			'2 messages were not sent again, because they were already sent.',
		]);
	});

	test('ten of them, each with other items in another order: each message once', async () => {
		const service = await playLagging();
		const results = await Promise.all(
			Array.from({ length: 10 }, async (_, run) => {
				const items = [run, run + 1, run + 2];
				return await service.send(run % 2 === 0 ? items : items.reverse(), withOwnIds);
			}),
		);
		for (const { error } of results) expect(error).toBeUndefined();
		expect(numbersIn(service).sort()).toEqual(
			Array.from({ length: 12 }, (_, index) => numberOf(index)),
		);
	});

	test('the first is rejected: the other sends', async () => {
		const service = await playLagging({ turns: [refusal] });
		const [one, other] = await twice(service);
		expect(one.error?.message).toBe('The service rejected the request as invalid');
		expect(jsonOf(other.items)).toMatchObject([{ outcome: 'accepted' }, { outcome: 'accepted' }]);
		expect(service.stored).toHaveLength(2);
	});

	test('the first is canceled before it sends: the other sends', async () => {
		const service = await playLagging();
		service.look = (number) => (number === 1 ? json(503, {}) : undefined);
		const [one, other] = await Promise.all([
			service.send([0, 1], withOwnIds, { onStart: (cancel) => (tempo.onPause = cancel) }),
			service.send([0, 1], withOwnIds),
		]);
		expect(one.error?.message).toBe('The execution was canceled before all messages were sent');
		expect(other.error).toBeUndefined();
		expect([service.posts, service.stored.length]).toEqual([1, 2]);
	});

	test.each([
		['carried out', lostAnswer],
		['not carried out', lostRequest],
	])('the outcome of the first is unknown, %s: nobody sends again', async (_, turn) => {
		const service = await playLagging({ turns: [turn] });
		const results = await twice(service);
		for (const { error } of results) expect(error?.message).toMatch(notKnown);
		expect(service.posts).toBe(1);
	});

	test('the outcome is unknown: it counts for five minutes, however many runs take it over, and then the list decides', async () => {
		const service = await playLagging({ turns: [lostRequest] });
		const now = performance.now.bind(performance);
		let laterMs = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
		const messages: Array<string | undefined> = [];
		// Each run that takes it over looks for a minute.
		for (; laterMs < 400_000; laterMs += 100_000) {
			messages.push((await service.send([0], withOwnIds)).error?.message);
		}
		jest.restoreAllMocks();
		expect(messages).toEqual([...[1, 2, 3].map(() => expect.stringMatching(notKnown)), undefined]);
		expect([service.posts, service.stored.length]).toEqual([2, 1]);
	});

	test('the one that waits is canceled: it ends at once, without sending', async () => {
		let release: () => void = () => undefined;
		const held = new Promise<void>((resolve) => (release = resolve));
		const answer: typeof lostAnswer.answer = (messages) => (request, response) => {
			const items = messages.map(({ messageUuid }) => ({ messageUuid, code: 201 }));
			void held.then(() => json(200, { errors: false, items })(request, response));
		};
		const service = await playLagging({ turns: [{ answer }] });
		const first = service.send([0, 1], withOwnIds);
		while (service.posts === 0) await new Promise(setImmediate);
		const { error } = await service.send([0, 1], withOwnIds, {
			onStart: (cancel) => setTimeout(cancel, 50),
		});
		expect(error?.message).toBe('The execution was canceled before all messages were sent');
		release();
		expect((await first).error).toBeUndefined();
		expect(service.posts).toBe(1);
	});

	test.each<[string, INodeParameters, INodeParameters]>([
		['Send Anyway', withOwnIds, anyway],
		['another number', withOwnIds, { ...withOwnIds, destination: '=+791699999{{ $itemIndex }}9' }],
		['another channel', withOwnIds, { ...withOwnIds, ...viber }],
		['no IDs', fromItems, fromItems],
	])('%s: both send', async (_, first, second) => {
		const service = await playLagging();
		for (const { error } of await twice(service, first, second)) expect(error).toBeUndefined();
		expect([service.posts, service.stored.length]).toEqual([2, 4]);
	});
});

test('Send and a cascade with the same ID and number, at the same moment: one sends', async () => {
	const service = await playLagging();
	const cascade: INodeParameters = {
		destination: fromItems.destination,
		externalMessageId: withOwnIds.externalMessageId,
		cascade: { step: [{ senderName: fromItems.senderName, text: 'Hello' }] },
	};
	const [, other] = await Promise.all([
		service.send([0], withOwnIds),
		service.run('sendCascade', cascade, [itemOf(0)]),
	]);
	expect(jsonOf(other.items)).toMatchObject([{ messageUuid: 'uuid-0', alreadySent: true }]);
	expect(service.posts).toBe(1);
});

test.each(['send', 'sendAndWait'])(
	'the first is unknown, and a later try of %s finds it: it is still the message of the first',
	async (operation) => {
		const service = await playLagging({ turns: [lostAnswer] });
		await service.send([0], withOwnIds);
		service.forget();
		service.look = (number) => {
			service.isListed = () => number > 6;
			return undefined;
		};
		const parameters = { ...withOwnIds, message: fromItems.text };
		const options = { tries: 2 };
		const { items, error } = await service.run(operation, parameters, [itemOf(0)], options);
		if (operation === 'send') expect(jsonOf(items)).toMatchObject([{ alreadySent: true }]);
		else expect(error?.message).toMatch(/^An earlier run already sent the message /);
		expect(service.posts).toBe(0);
	},
);

describe('a later run with the same custom message IDs, while the list does not show the first yet', () => {
	test('accepted: not sent again, without asking the list', async () => {
		const service = await playLagging();
		await service.send([0], withOwnIds);
		service.forget();
		const { items } = await service.send([0], withOwnIds);
		expect(jsonOf(items)).toMatchObject([{ messageUuid: 'uuid-0', alreadySent: true }]);
		expect([service.looks, service.posts]).toEqual([0, 0]);
	});

	test('unknown: not sent again, and found as soon as the list shows it', async () => {
		const service = await playLagging({ turns: [lostAnswer] });
		await service.send([0], withOwnIds);
		expect((await service.send([0], withOwnIds)).error?.message).toMatch(notKnown);
		service.isListed = () => true;
		const { items } = await service.send([0], withOwnIds);
		expect(jsonOf(items)).toMatchObject([{ messageUuid: 'uuid-0', alreadySent: true }]);
		expect(service.posts).toBe(1);
	});

	test('unknown, and others that are new: these are sent', async () => {
		const service = await playLagging({ turns: [lostRequest] });
		await service.send([0], withOwnIds);
		const { error } = await service.send([0, 1], withOwnIds);
		expect(error?.description).toContain('Unknown: item 1.');
		expect(numbersIn(service)).toEqual([numberOf(1)]);
	});

	test('rejected, or unknown and Send Anyway: sent', async () => {
		const service = await playLagging({ turns: [refusal, lostRequest] });
		await service.send([0], withOwnIds);
		await service.send([0], withOwnIds);
		expect((await service.send([0], anyway)).error).toBeUndefined();
		const { items } = await service.send([0], withOwnIds);
		expect(jsonOf(items)).toMatchObject([{ alreadySent: true }]);
		expect([service.posts, service.stored.length]).toEqual([3, 1]);
	});
});

describe('an agent that calls the node as its tool', () => {
	/** What n8n gives to a tool: the agent's execution data, and items of the call's own. */
	const callAs = (context: IExecuteFunctions, args: IDataObject, runIndex: number) =>
		Object.create(context, {
			getInputData: { value: () => [{ json: args }] },
			isToolExecution: { value: () => true },
			runIndex: { value: runIndex },
		}) as IExecuteFunctions;

	const runAgent = async (service: Service, calls: readonly IDataObject[], operation = 'send') => {
		const uuids: unknown[] = [];
		class Agent extends BulkMessaging {
			override async execute(this: IExecuteFunctions) {
				const { execute } = BulkMessaging.prototype;
				for (const [index, args] of calls.entries()) {
					const [output = []] = await execute.call(callAs(this, args, index));
					uuids.push(...output.map(({ json: item }) => item.messageUuid));
				}
				return [[]];
			}
		}
		const { error } = await runNode({
			node: new Agent(),
			parameters: {
				resource: 'message',
				operation,
				...fromItems,
				destination: `+${numberOf(0)}`,
				text: 'Hello',
				message: 'Hello',
			},
			credentials: service.credentials,
		});
		return { error, uuids };
	};

	test('three calls: three messages', async () => {
		const service = await playService();
		const { error, uuids } = await runAgent(service, [{}, {}, {}]);
		expect(error).toBeUndefined();
		expect(uuids).toEqual(['uuid-0', 'uuid-1', 'uuid-2']);
		const ids = service.stored.map(({ externalMessageId }) => externalMessageId);
		expect(new Set(ids).size).toBe(3);
	});

	test('the same call again, as Retry On Fail does: the same message', async () => {
		const service = await playService();
		const [first, second] = [{}, {}];
		const { uuids } = await runAgent(service, [first, first, second]);
		expect(uuids).toEqual(['uuid-0', 'uuid-0', 'uuid-1']);
		expect(service.posts).toBe(2);
	});

	test('Send and Wait: nothing is sent, because nobody could reply', async () => {
		const service = await playService();
		const { error } = await runAgent(service, [{}], 'sendAndWait');
		expect(error?.message).toBe("'Send and Wait' doesn't work as a tool of this agent");
		expect(service.posts).toBe(0);
	});
});
