import { demo } from '../../sandbox/demo.cts';

import { byId, jsonOf, linksOf } from '../support/sandbox.cts';
import { firstNew, messagesOf, numberOf } from './recipients.cts';
import { replying, useDispatches } from './useDispatches.cts';

/** What leaves the node: everything the service says, under one name for one thing, or exactly as it came. */

const { bench, run, answer, show, intercept } = useDispatches();
const { spring } = demo.dispatches;
const id = byId(spring);
const dispatchPath = `*/dispatches/${spring}`;

describe('a dispatch that is looked up', () => {
	test('has the names that Create and Send use, in Get, Get Many and Wait for Completion', async () => {
		const { items: got } = await bench.run('dispatch.get', { id });
		const [dispatch] = jsonOf(got);
		expect(dispatch).toMatchObject({
			dispatchId: spring,
			status: 'COMPLETED',
			priceEstimate: { total: expect.any(Number) as number },
		});
		expect(dispatch?.priceEstimate).not.toHaveProperty('currency');
		expect(dispatch).not.toHaveProperty('id');
		const parts = (dispatch?.parts as { total: number }).total;
		expect(dispatch).toMatchObject({ priceEstimate: { parts } });
		const { items: listed } = await bench.run('dispatch.getAll', {
			companyId: byId(demo.companies.flowers),
			returnAll: true,
		});
		expect(jsonOf(listed)).toContainEqual(dispatch);
		const { items: waited } = await bench.run('dispatch.waitForCompletion', { id });
		const { createdAt, ...shown } = dispatch ?? {};
		expect(createdAt).toEqual(expect.any(String));
		expect(jsonOf(waited)).toEqual([{ ...shown, completed: true, stillPending: 0 }]);
	});

	test.each(['get', 'getAll', 'waitForCompletion'])(
		'%s: without Simplify as it came',
		async (how) => {
			const { items } = await bench.run(`dispatch.${how}`, {
				id,
				companyId: byId(demo.companies.flowers),
				simplify: false,
			});
			expect(jsonOf(items)[0]).toMatchObject({
				id: expect.any(Number) as number,
				priceEstimate: expect.any(Number) as number,
			});
			expect(jsonOf(items)[0]).not.toHaveProperty('dispatchId');
		},
	);

	test('two items that differ in Simplify are two results', async () => {
		const { items } = await bench.run(
			'dispatch.get',
			{ id, simplify: '={{ $json.simplify }}' },
			{ items: [{ simplify: true }, { simplify: false }] },
		);
		expect(jsonOf(items)).toMatchObject([{ dispatchId: spring }, { id: spring }]);
		expect(linksOf(items)).toEqual([0, 1]);
	});

	test.each<[string, object, object]>([
		[
			'the estimate is an object, as in the reply to Create',
			{ priceEstimate: { total: 12.5, currency: 'KZT', parts: 9, note: 'x' } },
			{ priceEstimate: { total: 12.5, currency: 'KZT', parts: 9, note: 'x' } },
		],
		[
			'the estimate is a text, and nobody knows the parts',
			{ priceEstimate: '12,5', parts: 'many' },
			{ parts: 'many' },
		],
		['there is no estimate', { priceEstimate: undefined }, {}],
		['there is more than the interface shows', { rateTerm: 10 }, { rateTerm: 10 }],
	])('%s', async (_, more, expected) => {
		const counters = { total: 9, delivered: 9, failed: 0, pending: 0 };
		const sent = { id: spring, name: 'A', status: 'COMPLETED', channelType: 'SMS', ...more };
		answer(dispatchPath, { parts: counters, messages: counters, ...sent });
		const { items, error } = await bench.run('dispatch.get', { id });
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ dispatchId: spring, status: 'COMPLETED', ...expected }]);
		expect(jsonOf(items)[0]).not.toHaveProperty('id');
	});
});

describe('messages of a dispatch', () => {
	const entry = {
		messageUuid: 'u-1',
		destination: numberOf(0),
		text: 'Hello',
		parts: 1,
		price: 0,
		senderId: 1,
		brandId: 1,
		createdAt: '2026-03-02T07:00:00Z',
		sentAt: null,
		deliveredAt: null,
	};
	const list = async (entries: object[], simplify = true) => {
		const page = { page: 1, perPage: 100, total: entries.length, items: entries };
		answer('*/messages', page);
		const { items, error } = await bench.run('message.getAll', { dispatchId: id, simplify });
		expect(error).toBeUndefined();
		return jsonOf(items);
	};

	test.each([
		['CREATED', 'pending'],
		['SENT', 'sent'],
		['DELIVERED', 'delivered'],
		['FAILED', 'failed'],
		['BLOCKED', 'unknown'],
	])('%s is the outcome %s', async (status, outcome) => {
		expect(await list([{ ...entry, status }])).toMatchObject([{ dispatchId: spring, outcome }]);
	});

	test.each([
		['2026-03-02T07:00:01Z', 'Not delivered. The service gave no reason.', 'notDelivered'],
		[
			null,
			expect.stringContaining('rejected this recipient without a reason'),
			'rejectedByService',
		],
	])('sent at %p, a code of 0: no reason', async (sentAt, reason, reasonCode) => {
		const failed = { status: 'FAILED', errorCode: 0, failed: null };
		expect(await list([{ ...entry, ...failed, sentAt }])).toMatchObject([{ reason, reasonCode }]);
	});

	test('why one failed is shown, whatever the service calls it', async () => {
		const why = { errorCode: 451, failReason: 'Subscriber unknown' };
		const [message] = await list([{ ...entry, status: 'FAILED', ...why }]);
		expect(message).toMatchObject({ outcome: 'failed', ...why });
		expect(message).not.toHaveProperty('brandId');
	});

	test('all have the same columns, in one order, and what none has is left out', async () => {
		const messages = await list([
			{ ...entry, status: 'SENT', sentAt: '2026-03-02T07:00:01Z', price: null },
			{ ...entry, messageUuid: 'u-2', status: 'FAILED', price: 2 },
		]);
		expect(messages.map((message) => Object.keys(message).slice(0, 4))).toEqual([
			['destination', 'outcome', 'reason', 'reasonCode'],
			['destination', 'outcome', 'reason', 'reasonCode'],
		]);
		expect(messages).toMatchObject([
			{ reason: '', reasonCode: '', sentAt: '2026-03-02T07:00:01Z' },
			{ reasonCode: 'rejectedByService', sentAt: '', price: 2 },
		]);
		// A text in place of a number would fail in an IF node, and 0 would not be true.
		expect(messages[0]).not.toHaveProperty('price');
		for (const message of messages) expect(message).not.toHaveProperty('deliveredAt');
	});

	test('without Simplify they are as they came', async () => {
		const sent = { ...entry, status: 'FAILED', errorCode: 451 };
		expect(await list([sent], false)).toEqual([sent]);
	});
});

test('an answer can not take the place of the outcome or of the dispatch', async () => {
	const entry = { messageUuid: 'u', destination: '79160000000', status: 'FAILED' };
	const items = [{ ...entry, outcome: 'delivered', dispatchId: 1 }];
	answer('*/messages', { page: 1, perPage: 100, total: 1, items });
	const { items: shown } = await bench.run('message.getAll', { dispatchId: id });
	expect(jsonOf(shown)).toMatchObject([{ outcome: 'failed', dispatchId: spring }]);
});

test('Wait Until Delivered: the reason of the service stands in the row', async () => {
	show(firstNew, 3, { status: 'COMPLETED', messages: { total: 3, pending: 0 } }, { after: 2 });
	intercept('GET', '/messages', () => {
		const items = messagesOf(bench.sandbox, firstNew).map(({ uuid, destination }, index) => ({
			messageUuid: uuid,
			destination,
			status: 'FAILED',
			...(index === 0 && { error: { code: 451, msg: 'Subscriber unknown' } }),
			...(index === 2 && { errorCode: 453 }),
		}));
		return replying({ page: 1, perPage: 100, total: items.length, items });
	});
	const { items, error } = await run('send', { waitUntilDelivered: true, output: 'recipients' }, 3);
	expect(error).toBeUndefined();
	expect(jsonOf(items)).toMatchObject([
		{ outcome: 'failed', reason: 'Subscriber unknown' },
		{ outcome: 'failed', reason: 'Not delivered. The service gave no reason.' },
		{
			outcome: 'failed',
			reason: "The recipient's number is on a block list. Remove it from your list.",
		},
	]);
});
