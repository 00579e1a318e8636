import type { INodeParameters } from 'n8n-workflow';
import { defaultRetryPolicy } from '../../core/transport/outcome';
import { hintsOf } from '../support/n8n.cts';
import { json } from '../support/server.cts';
import { tempo } from '../support/tempo.cts';
import { fromItems, itemOf, numberOf, withOwnIds } from './messages.cts';
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

/** Only the first item has a custom message ID. */
const someOwnIds: INodeParameters = {
	...fromItems,
	externalMessageId: '={{ $itemIndex === 0 ? $json.id : "" }}',
};

const leaveOut =
	'If you run this again, leave out the accepted items: without a custom message ID, they are sent again.';
const safe =
	'If you run this again with the same custom message IDs, the accepted messages are not sent again.';

test.each<[string, INodeParameters, number[], string, RegExp]>([
	[
		'one rejected',
		withOwnIds,
		[201, 400],
		'1 of 2 messages was not sent',
		new RegExp(
			`^The service accepted 1 of 2\\. Failed: item 2\\. ${safe} First failure: The service rejected this message`,
		),
	],
	[
		'one rejected, one accepted without an ID',
		someOwnIds,
		[201, 201, 400],
		'1 of 3 messages was not sent',
		new RegExp(`^The service accepted 2 of 3\\. Failed: item 3\\. ${leaveOut} `),
	],
	[
		'all rejected',
		withOwnIds,
		[400, 400],
		'2 of 2 messages were not sent',
		/^The service accepted 0 of 2\. Failed: items 1 and 2\. First failure: The service rejected/,
	],
	[
		'one accepted, one rejected, one not known, without IDs',
		fromItems,
		[201, 400, 500],
		'It is not known whether 1 of 3 messages was sent',
		/ If you run this again, leave out the accepted and unknown items: they may be sent again\. First failure: The service rejected/,
	],
	[
		'one rejected, one not known, without IDs',
		fromItems,
		[400, 500],
		'It is not known whether 1 of 2 messages was sent',
		/ If you run this again, leave out the unknown items: they may be sent again\. First failure: The service rejected/,
	],
	[
		'one rejected, one not known, with IDs',
		withOwnIds,
		[400, 500],
		'It is not known whether 1 of 2 messages was sent',
		/ Unknown: item 2\. First failure: The service rejected/,
	],
	[
		'one not known, one rejected',
		withOwnIds,
		[201, 500, 400],
		'It is not known whether 1 of 3 messages was sent',
		/^The service accepted 1 of 3\. Failed: item 3\. Unknown: item 2\. If you run .* again\. First failure: It is not known whether the message with the custom message ID order-1 was sent\. /,
	],
])('%s', async (_, parameters, codes, title, description) => {
	const service = await playService({ turns: [withCodes(...codes)] });
	const { error } = await service.send(
		codes.map((__, index) => index),
		parameters,
	);
	expect(error?.message).toBe(title);
	expect(error?.description).toMatch(description);
	const at = (isWanted: (code: number) => boolean) =>
		codes.flatMap((code, index) => (isWanted(code) ? [index] : []));
	expect(error?.context).toMatchObject({
		accepted: at((code) => code === 201).length,
		firstItemNotAccepted: at((code) => code !== 201)[0],
		failedItems: at((code) => code !== 201),
		unknownOwnIds: at((code) => code === 500).map((index) =>
			parameters === withOwnIds ? `order-${index}` : (expect.any(String) as string),
		),
	});
});

test.each<[string, string, INodeParameters]>([
	['Send Anyway', 'send', { ...withOwnIds, options: { usedBefore: 'sendAnyway' } }],
	[
		'a cascade, whose ID the service may not keep',
		'sendCascade',
		{
			destination: fromItems.destination,
			externalMessageId: withOwnIds.externalMessageId,
			cascade: { step: [{ senderName: fromItems.senderName, text: 'Hello' }] },
		},
	],
])(
	'accepted with an ID that may not protect from a second run: %s',
	async (_, operation, given) => {
		const service = await playService({ turns: [withCodes(201, 400)] });
		const { error } = await service.run(operation, given, [0, 1].map(itemOf));
		expect(error?.description).toContain(
			'If you run this again, leave out the accepted items: they may be sent again.',
		);
		expect(error?.description).not.toContain(safe);
	},
);

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
		`The service accepted ${batchSize} of ${indexes.length}. Failed: items 26 and 27.`,
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
