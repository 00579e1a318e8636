import { defaultRetryPolicy } from '../../core/transport/outcome';
import { hintsOf } from '../support/n8n.cts';
import { json } from '../support/server.cts';
import { tempo } from '../support/tempo.cts';
import { fromItems, numberOf, withOwnIds } from './messages.cts';
import { accept, byIds, lostRequest, notNow, playService } from './playedService.cts';
import { batchSize } from './smallRequests.cts';

/** What the error or the hints of a run say about many messages, and what n8n keeps with the error. */

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/pauses.cts'));
jest.mock('../../core/contract/messaging', () =>
	jest
		.requireActual<typeof import('./smallRequests.cts')>('./smallRequests.cts')
		.withSmallRequests(),
);

type Turn = Awaited<ReturnType<typeof playService>>['turns'][number];

/** Entry by entry: accepted with 201, and only then carried out. */
const withCodes = (...codes: number[]): Turn => ({
	keep: (place) => codes[place] === 201,
	answer: (messages) =>
		json(200, {
			errors: true,
			items: messages.map(({ externalMessageId, messageUuid }, place) => ({
				externalMessageId,
				code: codes[place],
				...(codes[place] === 201 && { messageUuid }),
			})),
		}),
});

const indexes = Array.from({ length: batchSize + 2 }, (_, index) => index);
const refuse: Turn = {
	keep: () => false,
	answer: () => json(400, { error: { code: 4000, msg: 'No' } }),
};

test('the first request is rejected: nothing was sent, and the reason is the title', async () => {
	const service = await playService({ turns: [refuse] });
	const { error } = await service.send(indexes, fromItems);
	expect(error?.message).toBe('The service rejected the request as invalid');
	expect(error?.description).toMatch(/^Nothing was sent\. .*The service says: No/);
	expect(error?.httpCode).toBe('400');
	const context = { accepted: 0, firstItemNotAccepted: 0, failedItems: indexes };
	expect(error?.context).toMatchObject(context);
	expect([service.posts, service.stored]).toEqual([1, []]);
});

test('the second request is rejected: the messages of the first were sent', async () => {
	const service = await playService({
		turns: [withCodes(...indexes.slice(2).map(() => 201)), refuse],
	});
	const { error } = await service.send(indexes, fromItems);
	expect(error?.message).toBe(`2 of ${indexes.length} messages were not sent`);
	expect(error?.description).toContain(
		`The service accepted ${batchSize} of ${indexes.length}: items 1 to 25. Failed: items 26 and 27.`,
	);
	expect(error?.description).not.toContain('not known');
	expect(error?.context).toMatchObject({ accepted: batchSize, failedItems: [25, 26] });
});

test.each([
	['continues', [1, 2], true, [9, 225]],
	['stops', [1, 2], false, [7, 175]],
	['stops: an unknown outcome', [1], false, [7, 175]],
] as const)(
	'nine requests, the first alone and then six at a time: after a failure it %s',
	async (_, failed, continues, [posts, stored]) => {
		const isUnknown = failed.length === 1;
		const turns = Array.from({ length: 9 }, (__, place): Turn => {
			if (!failed.some((one) => one === place)) return accept;
			return isUnknown ? lostRequest : refuse;
		});
		const service = await playService({ turns, look: () => (isUnknown ? notNow : undefined) });
		const all = Array.from({ length: 9 * batchSize }, (__, index) => index);
		await service.send(all, fromItems, continues ? { onError: 'continueRegularOutput' } : {});
		expect(service.posts).toBe(posts);
		expect(service.stored).toHaveLength(stored - failed.length * batchSize);
	},
);

test('a service that six requests at a time are too many for gets the others one by one, each once', async () => {
	const tooMany: Turn = { keep: () => false, answer: () => json(429, {}) };
	// Of six, one is accepted. Each of the others is rejected, also when it is repeated after a pause.
	const rejected = Array.from({ length: 5 * defaultRetryPolicy.attempts }, () => tooMany);
	// Whoever sends several at a time meets one that is still open.
	let open = 0;
	let mostOpen = 0;
	const later: Turn = {
		answer: (messages) => (request, response) => {
			mostOpen = Math.max(mostOpen, ++open);
			setTimeout(() => {
				open--;
				accept.answer(messages)(request, response);
			}, 20);
		},
	};
	const turns = [accept, accept, ...rejected, ...Array.from({ length: 7 }, () => later)];
	const service = await playService({ turns });
	const all = Array.from({ length: 9 * batchSize }, (_, index) => index);
	const { items, error } = await service.send(all, fromItems);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(all.length);
	expect(service.stored.map(({ destination }) => destination).sort()).toEqual(all.map(numberOf));
	// Two that were accepted at first, the five again, and the two that were left.
	expect(service.posts - rejected.length).toBe(9);
	expect(mostOpen).toBe(1);
});

test('the first request is rejected, and another message was sent before: no refusal of all', async () => {
	const service = await playService({ turns: [withCodes(201), refuse] });
	await service.send([1], withOwnIds);
	const { error } = await service.send([0, 1], withOwnIds);
	expect(error?.message).toBe('1 of 2 messages was not sent');
	expect(error?.context).toMatchObject({ accepted: 1, failedItems: [0] });
});

test('a rejected message, and others in the same request that are not: no refusal of all', async () => {
	const service = await playService({ turns: [withCodes(400, 201)] });
	const { error } = await service.send([0, 1], fromItems);
	expect(error?.message).toBe('1 of 2 messages was not sent');
});

test.each<[number, string]>([
	[1, '1 message was not sent again, because it was already sent.'],
	[2, '2 messages were not sent again, because they were already sent.'],
])('%i already sent: a hint', async (count, hint) => {
	const service = await playService();
	const some = indexes.slice(0, count);
	await service.send(some, withOwnIds);
	expect(hintsOf(await service.send(some, withOwnIds))).toEqual([hint]);
	expect(service.posts).toBe(1);
});

test.each([
	[
		[0],
		'1 message was not sent again, because it was already sent. 1 earlier message failed. To send it again, use a new custom message ID.',
	],
	[
		[0, 1],
		'2 messages were not sent again, because they were already sent. 2 earlier messages failed. To send them again, use a new custom message ID.',
	],
])('%j already sent, and failed: the hint says so', async (some, hint) => {
	const service = await playService({
		find: (ids, stored) => {
			const { items, total } = byIds(ids, stored);
			return { total, items: items.map((one) => ({ ...one, status: 'unsent' })) };
		},
	});
	await service.send(some, withOwnIds);
	// Until then, this process knows the result itself.
	tempo.pausedMs += 31 * 60_000;
	expect(hintsOf(await service.send(some, withOwnIds))).toEqual([hint]);
	expect(service.posts).toBe(1);
});

describe('the same text to the same number', () => {
	const hintAfter = async (minutes: number) => {
		const service = await playService();
		const options = { workflowId: `repeated after ${minutes}` };
		await service.send([0, 1], fromItems, options);
		tempo.pausedMs += minutes * 60_000;
		const second = await service.send([0, 1], fromItems, options);
		return hintsOf(second).map((hint) => hint.split(' as ')[0]);
	};

	test('9 minutes later: a hint', async () => {
		expect(await hintAfter(9)).toEqual(['2 messages have the same phone number and text']);
	});

	test('11 minutes later: no hint', async () => {
		expect(await hintAfter(11)).toEqual([]);
	});
});
