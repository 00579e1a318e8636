import type { INodeParameters } from 'n8n-workflow';
import { lookPausesMs } from '../../core/transport/lookThenSend';
import { demo } from '../../sandbox/demo.cts';
import { jsonOf, linksOf } from '../support/sandbox.cts';
import { tempo } from '../support/tempo.cts';
import type * as Tempo from '../support/tempo.cts';
import {
	blacklist,
	destinationsOf,
	fromItems,
	fund,
	itemOf,
	itemsUpTo,
	numberOf,
	sendPath,
	singlesOf,
	useMessaging,
	withOwnIds,
} from './messages.cts';

// Pauses take no time, and are counted.
jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof Tempo>('../support/tempo.cts').workflowAtTempo(),
);

const bench = useMessaging();
beforeEach(() => {
	fund(bench.sandbox);
	// Long enough for the messages of other tests to be gone.
	tempo.pausedMs += 7_200_000;
});

const post = { method: 'POST', path: `*${sendPath}` };
const get = { method: 'GET', path: `*${sendPath}` };
const fail = (kind: 'reset' | 'commit-then-reset', more: object = {}) =>
	bench.sandbox.faults.add({ kind, match: post, ...more });
/** Longer than anybody waits: no second attempt at one look. By default no look of a run works. */
const blind = (more: object = {}) =>
	bench.sandbox.faults.add({
		kind: 'status',
		times: lookPausesMs.length,
		status: 503,
		headers: { 'retry-after': '3600' },
		match: get,
		...more,
	});

const send = async (
	count: number,
	parameters: INodeParameters = fromItems,
	options: Parameters<typeof bench.run>[2] = {},
) => await bench.run('message.send', parameters, { items: itemsUpTo(count), ...options });

/** A message that certainly is there: without one, nothing proves that looking works. */
const prove = async () => {
	await bench.run('message.send', fromItems, { items: [itemOf(900)] });
	bench.forget();
};
const sentNow = () => destinationsOf(bench.sandbox).filter((number) => number !== numberOf(900));
const numbers = (count: number) => itemsUpTo(count).map((_, index) => numberOf(index));

describe('a request of unknown outcome', () => {
	test('carried out, its answer lost: found by the own ids, not sent again', async () => {
		fail('commit-then-reset');
		const { items, error } = await send(3);
		expect(error).toBeUndefined();
		expect(bench.sent('POST', sendPath)).toBe(1);
		expect(destinationsOf(bench.sandbox)).toEqual(numbers(3));
		expect(jsonOf(items)).toMatchObject(
			singlesOf(bench.sandbox).map(({ uuid, destination }) => ({
				messageUuid: uuid,
				destination,
				accepted: true,
				alreadySent: false,
			})),
		);
	});

	test('not carried out, and looking is proven to work: sent again, there once', async () => {
		await prove();
		fail('reset');
		const { error } = await send(3);
		expect(error).toBeUndefined();
		expect(bench.sent('POST', sendPath)).toBe(2);
		expect(sentNow()).toEqual(numbers(3));
	});

	test('not carried out, and nothing proves that looking works: not sent again', async () => {
		fail('reset');
		const { error } = await send(3);
		expect(error?.message).toBe('It is not known whether 3 of 3 messages were sent');
		expect(bench.sent('POST', sendPath)).toBe(1);
		expect(destinationsOf(bench.sandbox)).toEqual([]);
	});

	test('the proof is gone from the service: not sent again', async () => {
		await prove();
		bench.sandbox.reset('demo');
		fail('reset');
		const { error } = await send(2);
		expect(error?.message).toBe('It is not known whether 2 of 2 messages were sent');
		expect(bench.sent('POST', sendPath)).toBe(1);
	});

	test('only older messages are listed by then: that proves nothing, so not sent again', async () => {
		// Another account: for this one no look has ever found a young message.
		const credentials = bench.credentials({ apiKey: demo.messagesOnlyKey });
		const laterMs = 100_000;
		bench.store.settings.dialect.indexLagMs = laterMs;
		tempo.onPause = (ms) => bench.sandbox.tick(ms);
		await bench.run('message.send', fromItems, { items: [itemOf(900)], credentials });
		bench.sandbox.tick(laterMs);
		tempo.pausedMs += laterMs;
		bench.forget();
		fail('reset');
		const { error } = await send(2, fromItems, { credentials });
		tempo.onPause = undefined;
		expect(error?.message).toBe('It is not known whether 2 of 2 messages were sent');
		expect(bench.sent('POST', sendPath)).toBe(1);
	});

	test('is looked for over more than a minute before anything is sent again', async () => {
		await prove();
		fail('reset');
		const before = tempo.pausedMs;
		await send(1);
		expect(tempo.pausedMs - before).toBeGreaterThanOrEqual(60_000);
	});

	test('a message that is listed only after half a minute is found, not sent again', async () => {
		await prove();
		fail('commit-then-reset');
		const before = tempo.pausedMs;
		const empty = {
			kind: 'status',
			status: 200,
			body: '{"total":0,"items":[]}',
			times: 1_000,
		} as const;
		bench.sandbox.faults.add({ ...empty, match: get });
		tempo.onPause = () => {
			if (tempo.pausedMs - before > 30_000) bench.sandbox.faults.clear();
		};
		const { error } = await send(1);
		tempo.onPause = undefined;
		expect(error).toBeUndefined();
		expect(sentNow()).toEqual(numbers(1));
		expect(bench.sent('POST', sendPath)).toBe(1);
	});

	test('carried out with refusals: the others are taken, the refused are sent again and refused again', async () => {
		await prove();
		blacklist(bench.sandbox, [numberOf(1)]);
		fail('commit-then-reset');
		const { items } = await send(3, fromItems, { onError: 'continueRegularOutput' });
		expect(items.map(({ json }) => 'error' in json)).toEqual([false, true, false]);
		const sent = (await bench.wire()).flatMap(({ method, body }) =>
			method === 'POST' ? [(body as unknown[]).length] : [],
		);
		expect(sent).toEqual([3, 1]);
		expect(sentNow()).toEqual([numberOf(0), numberOf(2)]);
	});

	test('every time not carried out: given up after a bounded number of attempts', async () => {
		await prove();
		fail('reset', { times: 100 });
		const { error } = await send(1);
		expect(error?.message).toMatch(
			/^It is not known whether the message with the custom message ID \S+ was sent$/,
		);
		expect(bench.sent('POST', sendPath)).toBe(3);
		expect(sentNow()).toEqual([]);
	});

	test('it cannot be looked up: nothing is sent again, and later requests are not sent', async () => {
		fail('commit-then-reset', { after: 1 });
		blind({ times: 1_000 });
		const { error, items } = await send(2_500);
		expect(items).toEqual([]);
		expect(bench.sent('POST', sendPath)).toBe(2);
		expect(error?.message).toBe('It is not known whether 1000 of 2500 messages were sent');
		expect(error?.description).toContain('The service accepted 1000 of 2500.');
		expect(error?.description).toContain('Not known: items 1001 to 2000.');
		expect(error?.description).toContain('Not tried: items 2001 to ');
		expect(error?.description).toContain('The connection to the service was lost');
		const { accepted, firstItemNotAccepted, unknownOwnIds } = error?.context ?? {};
		expect([accepted, firstItemNotAccepted]).toEqual([1_000, 1_000]);
		const ids = singlesOf(bench.sandbox).map(({ single }) => single?.externalMessageId);
		expect(unknownOwnIds).toEqual(ids.slice(1_000));
	});

	test('the same with Continue: each item says what is known about it', async () => {
		fail('commit-then-reset', { after: 1 });
		blind({ times: 1_000 });
		const { items } = await send(2_500, fromItems, { onError: 'continueRegularOutput' });
		expect(linksOf(items)).toEqual(itemsUpTo(2_500).map((_, index) => index));
		const errors = jsonOf(items).map(({ error }) => String(error ?? ''));
		expect(errors.slice(0, 1_000).every((text) => text === '')).toBe(true);
		const ids = singlesOf(bench.sandbox).map(({ single }) => single?.externalMessageId);
		expect(errors.slice(1_000, 2_000)).toEqual(
			ids
				.slice(1_000)
				.map(
					(id) => `It is not known whether the message with the custom message ID ${id} was sent`,
				),
		);
		expect(new Set(errors.slice(2_000))).toEqual(
			new Set(['Not sent, because sending stopped before this message']),
		);
		expect(bench.sent('POST', sendPath)).toBe(2);
	});

	test('Retry On Fail looks for it before anything else', async () => {
		fail('commit-then-reset');
		blind();
		const { items, error } = await send(3, fromItems, { tries: 2 });
		expect(error).toBeUndefined();
		expect(bench.sent('POST', sendPath)).toBe(1);
		expect(destinationsOf(bench.sandbox)).toEqual(numbers(3));
		expect(jsonOf(items).map(({ alreadySent }) => alreadySent)).toEqual([false, false, false]);
	});

	test('Retry On Fail that cannot look: still not known, and nothing is sent again', async () => {
		fail('commit-then-reset');
		blind({ times: 2 * lookPausesMs.length });
		const { error } = await send(3, fromItems, { tries: 2 });
		expect(error?.message).toBe('It is not known whether 3 of 3 messages were sent');
		expect(bench.sent('POST', sendPath)).toBe(1);
	});
});

describe('an Custom Message ID that older messages have, with Send Anyway', () => {
	const again = { ...withOwnIds, options: { usedBefore: 'sendAnyway' } };
	beforeEach(async () => await send(2, withOwnIds));

	test('an answer is lost: the new message is taken, not the older one', async () => {
		fail('commit-then-reset');
		const { items, error } = await send(2, again);
		expect(error).toBeUndefined();
		const uuids = singlesOf(bench.sandbox).map(({ uuid }) => uuid);
		expect(uuids).toHaveLength(4);
		expect(jsonOf(items).map(({ messageUuid }) => messageUuid)).toEqual(uuids.slice(2));
	});

	test('a request is lost: the older one is not taken for it', async () => {
		fail('reset');
		const { error } = await send(2, again);
		expect(error).toBeUndefined();
		expect(singlesOf(bench.sandbox)).toHaveLength(4);
	});

	test('Retry On Fail does not take the older one either', async () => {
		fail('reset');
		blind({ after: 3 });
		const { items, error } = await send(2, again, { tries: 2 });
		expect(error).toBeUndefined();
		const uuids = singlesOf(bench.sandbox).map(({ uuid }) => uuid);
		expect(uuids).toHaveLength(4);
		expect(jsonOf(items).map(({ messageUuid }) => messageUuid)).toEqual(uuids.slice(2));
	});
});

describe('a cascade of unknown outcome', () => {
	const cascade = {
		destination: '={{ $json.phone }}',
		cascade: { step: [{ senderName: fromItems.senderName, text: 'Hello' }] },
	};
	const path = `${sendPath}/cascade`;
	const run = async (kind: 'reset' | 'commit-then-reset', more: object = {}) => {
		bench.sandbox.faults.add({ kind, match: { method: 'POST', path: `*${path}` } });
		return await bench.run('message.sendCascade', { ...cascade, ...more }, { items: itemsUpTo(2) });
	};

	test.each(['reset', 'commit-then-reset'] as const)(
		'without an own ID, %s: never sent again, and said to be unknown',
		async (kind) => {
			const { error } = await run(kind);
			expect(error?.message).toBe('It is not known whether 2 of 2 messages were sent');
			expect(bench.sent('POST', path)).toBe(1);
		},
	);

	test('with an own ID that the service keeps: found', async () => {
		const { items, error } = await run('commit-then-reset', {
			externalMessageId: '={{ $json.id }}',
		});
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ accepted: true }, { accepted: true }]);
		expect(bench.sent('POST', path)).toBe(1);
	});

	test('with an own ID that is not found: that proves nothing, so it is not sent again', async () => {
		const { error } = await run('reset', { externalMessageId: '={{ $json.id }}' });
		expect(error?.message).toBe('It is not known whether 2 of 2 messages were sent');
		expect(error?.context?.unknownOwnIds).toEqual(['order-0', 'order-1']);
		expect(bench.sent('POST', path)).toBe(1);
	});

	test.each([{}, { externalMessageId: '={{ $json.id }}' }])(
		'Retry On Fail sends it no second time, and says that it is not known (%j)',
		async (own) => {
			bench.sandbox.faults.add({ kind: 'reset', match: { method: 'POST', path: `*${path}` } });
			const { error } = await bench.run(
				'message.sendCascade',
				{ ...cascade, ...own },
				{ items: itemsUpTo(2), tries: 2 },
			);
			expect(error?.message).toBe('It is not known whether 2 of 2 messages were sent');
			expect(error?.description).toMatch(/(?:Look|Check) it .*before you send it again\./);
			expect(bench.sent('POST', path)).toBe(1);
		},
	);

	test('with an own ID that was used before: not sent again', async () => {
		const own = { externalMessageId: '={{ $json.id }}' };
		const items = itemsUpTo(2);
		await bench.run('message.sendCascade', { ...cascade, ...own }, { items });
		const second = await bench.run('message.sendCascade', { ...cascade, ...own }, { items });
		expect(jsonOf(second.items).map(({ alreadySent }) => alreadySent)).toEqual([true, true]);
		expect(bench.sent('POST', path)).toBe(1);
	});
});
