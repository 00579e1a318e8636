import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import { jsonOf } from '../support/sandbox.cts';
import { json } from '../support/server.cts';
import { tempo } from '../support/tempo.cts';
import { fromItems, itemOf, looksOfOneTry, numberOf, withOwnIds } from './messages.cts';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { hintsOf, runNode } from '../support/n8n.cts';
import { lostAnswer, lostRequest, notNow, playService, type Stored } from './playedService.cts';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/pauses.cts'));
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

/** It says so, and nothing was sent again. */
const isNotKnown = (service: Service, { error }: { error?: Error }) => {
	expect(error?.message).toMatch(notKnown);
	expect(service.posts).toBe(1);
};
const sendOne = async (
	service: Service,
	options: { tries?: number } = {},
	parameters = fromItems,
) => await service.send([0], parameters, options);

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
		const { items } = await sendOne(service, {}, withOwnIds);
		expect(jsonOf(items)).toMatchObject([{ alreadySent: true }]);
		expect(service.posts).toBe(0);
	});

	test('two have it, and the older one is for this number: not sent again', async () => {
		const service = await playService();
		service.add(older);
		service.add({ ...older, destination: numberOf(5) });
		const { items } = await sendOne(service, {}, withOwnIds);
		expect(jsonOf(items)).toMatchObject([{ alreadySent: true }]);
		expect(service.posts).toBe(0);
	});

	test('the ID was made up here: whatever number is shown, it is this message', async () => {
		const show = (message: Stored) => ({ ...message, destination: '79169999999' });
		const service = await playService({ turns: [lostAnswer], show });
		expect((await sendOne(service)).error).toBeUndefined();
		expect(service.posts).toBe(1);
	});
});

describe('the look before sending', () => {
	test('is canceled: the error says only that', async () => {
		const service = await playService({ look: () => json(503, {}) });
		const { error } = await service.send([0, 1], withOwnIds, cancelInPause());
		expect(error?.description).toContain('Not sent: items 1 and 2.');
		expect(error?.message).toBe('The execution was canceled before all messages were sent');
		expect(service.posts).toBe(0);
	});

	test("isn't made with Send Anyway, and a lost request isn't looked for: an older message has the ID", async () => {
		const service = await playService({ turns: [lostRequest] });
		service.add({ externalMessageId: 'order-0', destination: numberOf(0) });
		isNotKnown(service, await sendOne(service, { tries: 2 }, anyway));
		expect(service.looks).toBe(0);
	});
});

describe('a request of unknown outcome', () => {
	test.each([
		['the answer is lost', lostAnswer],
		['the answer mentions nothing', { answer: () => unreadable }],
	])('%s: found by the first look, without waiting', async (_, turn) => {
		const service = await playService({ turns: [turn] });
		const before = tempo.pausedMs;
		const { items } = await service.send([0, 1], fromItems);
		expect(jsonOf(items)).toMatchObject(
			service.stored.map(({ messageUuid, destination }) => {
				return { messageUuid, destination, outcome: 'accepted' };
			}),
		);
		expect(numbersIn(service)).toEqual([0, 1].map(numberOf));
		expect([service.looks, service.posts, tempo.pausedMs - before]).toEqual([1, 1, 0]);
	});

	test.each([
		['the request is lost', lostRequest],
		['the answer mentions nothing', { ...lostRequest, answer: () => unreadable }],
	])('%s, nothing is listed: looked for over a minute, not sent again', async (_, turn) => {
		const service = await playService({ turns: [turn] });
		const before = tempo.pausedMs;
		const { error } = await service.send([0, 1], fromItems);
		expect(error?.message).toBe('It is not known whether 2 of 2 messages were sent');
		expect(tempo.pausedMs - before).toBeGreaterThan(60_000);
		expect([service.looks, service.posts, service.stored]).toEqual([looksOfOneTry, 1, []]);
	});

	test('was carried out in part: what is found is accepted, the rest is not known and not sent again', async () => {
		const service = await playService({
			turns: [{ ...lostAnswer, keep: (place) => place !== 1 }],
		});
		const { error } = await service.send([0, 1, 2], fromItems, { tries: 2 });
		expect(error?.message).toBe('It is not known whether 1 of 3 messages was sent');
		expect(error?.description).toContain('Unknown: item 2.');
		expect(service.posts).toBe(1);
	});

	test.each([
		[1, 100_000],
		[2, 200_000],
	])('%i tries, listed only after the last look: not sent again', async (tries, listedAfterMs) => {
		const isListed = ({ at }: Stored) => Date.now() - at >= listedAfterMs;
		const service = await playService({ turns: [lostAnswer], isListed });
		isNotKnown(service, await sendOne(service, { tries }));
	});

	test('a cascade that looks do not show, although they work: not sent again', async () => {
		const service = await playService({ turns: [lostRequest] });
		isNotKnown(service, await service.run('sendCascade', cascadeWithId, [itemOf(0)]));
		expect(service.looks).toBeGreaterThan(1);
	});

	test.each([
		['the request is lost', lostRequest],
		['the answer mentions nothing', { answer: () => unreadable }],
	])(
		'a cascade without a custom message ID, %s: not looked for, not sent again',
		async (_, turn) => {
			const service = await playService({ turns: [turn] });
			const before = tempo.pausedMs;
			const result = await service.run('sendCascade', cascade, [itemOf(0)], { tries: 2 });
			expect(result.error?.message).toBe('It is not known whether the message was sent');
			expect(result.items).toEqual([]);
			expect([service.looks, service.posts, tempo.pausedMs - before]).toEqual([0, 1, 0]);
		},
	);
});

test("the custom message IDs can't be checked: the items without one aren't sent either", async () => {
	const service = await playService({ look: () => notNow });
	const some = { ...fromItems, externalMessageId: '={{ $itemIndex === 0 ? $json.id : "" }}' };
	const { error } = await service.send([0, 1], some);
	expect(error?.message).toBe("Something went wrong on the service's side");
	expect(error?.description).toMatch(/^Nothing was sent\. /);
	expect(service.posts).toBe(0);
	await service.send([0, 1], some, { onError: 'continueRegularOutput' });
	expect(numbersIn(service)).toEqual([numberOf(1)]);
});

describe('canceled', () => {
	test('while a request waits for another try: it was not sent', async () => {
		const service = await playService({
			turns: [{ ...lostRequest, answer: () => json(429, {}) }],
		});
		const { error } = await service.send([0, 1], fromItems, cancelInPause());
		expect(error?.message).toBe('The execution was canceled before all messages were sent');
		expect(error?.description).toContain('Not sent: items 1 and 2.');
		expect(error?.description).not.toContain('Unknown');
		expect(service.posts).toBe(1);
	});

	test('between two looks: it ends at once, and what was sent is not known', async () => {
		const service = await playService({ turns: [lostAnswer], isListed: () => false });
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
		const look = (number: number) => (number <= looksOfOneTry ? notNow : undefined);
		const service = await playService({ turns: [lostRequest], look });
		const { error } = await service.send([0, 1], fromItems, { tries });
		expect(error?.message).toBe('It is not known whether 2 of 2 messages were sent');
		expect(error?.description).toContain('The connection to the service was lost');
		expect([service.looks, service.posts]).toEqual([2 * looksOfOneTry, 1]);
	});

	test('the service has answered for a message and reported an error: never sent again', async () => {
		const failed = ({ externalMessageId }: Stored) => ({ externalMessageId, code: 500 });
		const answer = (messages: Stored[]) => json(200, { items: messages.map(failed) });
		const service = await playService({ turns: [{ ...lostRequest, answer }] });
		isNotKnown(service, await sendOne(service, { tries }));
	});

	test('still not known: what was not tried before is sent now', async () => {
		const service = await playService({ turns: [lostRequest], look: () => notNow });
		const indexes = Array.from({ length: 1_001 }, (_, index) => index);
		const { error } = await service.send(indexes, fromItems, { tries });
		expect(error?.message).toBe('It is not known whether 1000 of 1001 messages were sent');
		expect(error?.description).toContain('The service accepted 1 of 1001: item 1001.');
		expect(numbersIn(service)).toEqual([numberOf(1_000)]);
		expect(service.posts).toBe(2);
	});
});

describe("n8n's logger fails after the request", () => {
	/** The response isn't the documented one, so it is logged. */
	const odd = json(200, { errors: false, items: [{ messageUuid: {} }] });
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
		const service = await playService({ turns: [{ answer: () => odd }] });
		const { items } = await sendWith(service, new Error('The disk is full'));
		expect(jsonOf(items)).toMatchObject([{ outcome: 'accepted' }, { outcome: 'accepted' }]);
		expect(service.posts).toBe(1);
	});

	test.each([new Error('The disk is full'), 'The disk is full'])(
		'not found: told as unknown, and never sent again',
		async (failure) => {
			const service = await playService({ turns: [{ keep: () => false, answer: () => odd }] });
			isNotKnown(service, await sendWith(service, failure));
		},
	);
});

test.each([100, 101])(
	'a custom message ID with %d characters: 100 are the most',
	async (length) => {
		const service = await playService();
		const externalMessageId = 'x'.repeat(length);
		const { error } = await service.send([0], { ...withOwnIds, externalMessageId });
		expect(error?.message).toBe(
			length === 100 ? undefined : "'Custom Message ID' is too long. The maximum is 100",
		);
		expect(service.posts).toBe(length === 100 ? 1 : 0);
	},
);

test.each([1, 2])('hints about values are shown by the last of %d tries', async (tries) => {
	const item = ({ externalMessageId }: Stored, place: number) => ({
		externalMessageId,
		...(place === 0 ? { messageUuid: 'u', code: 201 } : { code: 402 }),
	});
	const second = {
		keep: (place: number) => place === 0,
		answer: (messages: Stored[]) => json(200, { errors: true, items: messages.map(item) }),
	};
	const service = await playService({ turns: tries === 2 ? [second] : [] });
	const text = '={{ $itemIndex === 0 ? "Hello {}" : "Hi" }}';
	const result = await service.send([0, 1], { ...fromItems, text }, { tries });
	expect(result.error).toBeUndefined();
	expect(hintsOf(result).join()).toContain('brace');
});
