import type { IDataObject } from 'n8n-workflow';
import { messageErrorText } from '../../core/contract/errors';
import { partner } from '../../core/contract/partner';
import { demo } from '../../sandbox/demo.cts';
import { fromUnits } from '../../sandbox/stored/money.cts';
import { fromItem } from '../nodes/row.cts';
import { byId, jsonOf, useSandbox } from '../support/sandbox.cts';
import { firstNew, messagesOf } from './recipients.cts';
import {
	addDispatch,
	answerMessages,
	answerWith,
	delivered,
	dispatchOf,
	start,
} from './report.cts';

// Pauses take no time.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

const bench = useSandbox();
const { spring, reminder } = demo.dispatches;
const { flowers, bakery } = demo.companies;
const { mts, beeline, megafon, tele2 } = demo.senders;
const lifetime = 26 * 3_600_000;

const aboutLeftOut =
	" People whom Send left out, such as those with an unreadable number, aren't in this report.";

const reportOf = async (id: number, parameters = {}): Promise<IDataObject> => {
	const all = { id: byId(id), simplify: false, ...parameters };
	const { items, error } = await bench.run('dispatch.getReport', all);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	const [{ json }] = items;
	const [summary, rest] = String(json.summary).split(aboutLeftOut);
	expect(rest).toBe('');
	return { ...json, summary };
};

const failureOf = async (id = spring) =>
	(await bench.run('dispatch.getReport', { id: byId(id) })).error;

describe('a dispatch that is finished', () => {
	test('is told in a sentence and in figures', async () => {
		const messages = messagesOf(bench.sandbox, spring);
		const secondsOf = ({ sentAt, statusAt }: (typeof messages)[number]) =>
			((statusAt ?? 0) - (sentAt ?? 0)) / 1_000;
		const seconds = messages
			.filter(({ state }) => state === 'delivered')
			.map(secondsOf)
			.sort((a, b) => a - b);
		const cost = fromUnits(messages.reduce((sum, { price }) => sum + price, 0));
		const costOf = (senderId: number) =>
			fromUnits(
				messages
					.filter((one) => one.senderId === senderId)
					.reduce((sum, { price }) => sum + price, 0),
			);
		const one = { delivered: 1, failed: 0, pending: 0, unknown: 0 };
		const dispatch = bench.store.dispatches.get(spring);

		const report = await reportOf(spring);

		expect(report).toEqual({
			summary: `4 of 6 messages were delivered (66.6%), 2 failed. Cost ${cost.toFixed(2)} RUB.`,
			dispatchId: spring,
			name: 'Spring bouquets',
			status: 'COMPLETED',
			finished: true,
			channelType: 'SMS',
			senderNames: ['FLOWERS'],
			text: 'Dear Anna, tulips are here. Show this message for 10% off.',
			messages: { total: 6, delivered: 4, failed: 2, pending: 0, unknown: 0 },
			deliveryRatePercent: 66.6,
			parts: { total: 6, delivered: 4, failed: 2, pending: 0, unknown: 0 },
			cost: {
				estimated: fromUnits(dispatch?.priceEstimate ?? 0),
				final: cost,
				currency: 'RUB',
				complete: true,
			},
			deliverySeconds: {
				median: expect.closeTo(((seconds[1] ?? 0) + (seconds[2] ?? 0)) / 2, 1) as number,
				percentile95: expect.closeTo(
					(seconds[2] ?? 0) + 0.85 * ((seconds[3] ?? 0) - (seconds[2] ?? 0)),
					1,
				) as number,
				measured: 4,
			},
			byStatus: { CREATED: 0, SENT: 0, DELIVERED: 4, FAILED: 2, unknown: 0 },
			byOperator: [
				{
					...one,
					operator: 'MTS',
					total: 2,
					failed: 1,
					deliveryRatePercent: 50,
					parts: 2,
					cost: costOf(mts),
				},
				...[
					{ operator: 'BEELINE', cost: costOf(beeline) },
					{ operator: 'MEGAFON', cost: costOf(megafon) },
					{ operator: 'TELE2', cost: costOf(tele2) },
				].map((row) => ({ ...row, ...one, total: 1, deliveryRatePercent: 100, parts: 1 })),
				// Nobody knows the operator of this number, so it has no sender name.
				{
					operator: 'unknown',
					total: 1,
					...one,
					delivered: 0,
					failed: 1,
					deliveryRatePercent: 0,
					parts: 1,
					cost: 0,
				},
			],
			byReason: { rejectedByService: 1, notDelivered: 1 },
			byErrorCode: [],
			notReached: [
				{
					destination: '79169990001',
					outcome: 'failed',
					reason: 'Not delivered. The service gave no reason.',
					reasonCode: 'notDelivered',
				},
				{
					destination: '79701234567',
					outcome: 'failed',
					reason: expect.stringContaining('rejected this recipient without a reason') as string,
					reasonCode: 'rejectedByService',
				},
			],
			unreadable: 0,
			unreadableFields: { status: 0, parts: 0, price: 0, time: 0 },
			unlisted: 0,
			createdAt: new Date(dispatch?.createdAt ?? 0).toISOString(),
			startedAt: new Date(dispatch?.startedAt ?? 0).toISOString(),
			firstDeliveredAt: expect.stringMatching(/^2026-02-25T.*Z$/) as string,
			lastDeliveredAt: expect.stringMatching(/^2026-02-25T.*Z$/) as string,
			reportedAt: expect.stringMatching(/Z$/) as string,
		});
		expect(Object.keys(report)[0]).toBe('summary');
	});

	test('of 5,250 messages is read page by page, each message once', async () => {
		bench.store.settings.deliveredShare = 0.9;
		await addDispatch(bench.sandbox, 5_250);
		await start(bench.sandbox);
		await bench.sandbox.advance(lifetime);
		const stored = messagesOf(bench.sandbox, firstNew);
		const countOf = (state: string) => stored.filter((one) => one.state === state).length;
		bench.forget();

		const report = await reportOf(firstNew);

		expect(report.messages).toEqual({
			total: 5_250,
			delivered: countOf('delivered'),
			failed: countOf('undelivered'),
			pending: 0,
			unknown: 0,
		});
		expect(countOf('undelivered')).toBeGreaterThan(300);
		expect(report.byReason).toMatchObject({ notDelivered: countOf('undelivered') });
		expect(report.cost).toMatchObject({
			final: fromUnits(stored.reduce((sum, { price }) => sum + price, 0)),
			complete: true,
		});
		const operators = report.byOperator as Array<{ operator: string; total: number }>;
		expect(operators).toHaveLength(4);
		expect(operators.reduce((sum, { total }) => sum + total, 0)).toBe(5_250);
		expect(report.summary).toMatch(/^4,\d{3} of 5,250 messages were delivered \(\d\d(\.\d)?%\), /);
		expect(bench.sent('GET', '/messages')).toBe(6);
	});
});

describe('a dispatch that is not finished says so', () => {
	test('while it is not started', async () => {
		await addDispatch(bench.sandbox, 2);
		const report = await reportOf(firstNew);
		expect(report).toMatchObject({
			finished: false,
			messages: { total: 2, pending: 2 },
			cost: { final: null, complete: false },
			deliverySeconds: { median: null, percentile95: null, measured: 0 },
			startedAt: '',
			firstDeliveredAt: '',
			lastDeliveredAt: '',
		});
		expect(report.summary).toMatch(
			/^0 of 2 messages were delivered \(0%\), 2 are waiting\. Estimated cost \d+\.\d\d RUB\. The dispatch hasn't been started yet\.$/,
		);
	});

	test('while messages are on their way', async () => {
		await addDispatch(bench.sandbox, [demo.numbers.mts, demo.numbers.slow]);
		await start(bench.sandbox);
		await bench.sandbox.advance(60_000);
		const report = await reportOf(firstNew);
		expect(report).toMatchObject({ finished: false, cost: { complete: false } });
		expect(report.summary).toMatch(
			/^1 of 2 messages was delivered \(50%\), 1 is still on its way\. Cost so far \d+\.\d\d RUB\. The dispatch isn't finished yet, so these figures can change\.$/,
		);
	});

	test('when it was stopped', async () => {
		await addDispatch(bench.sandbox, 2);
		await start(bench.sandbox);
		await bench.sandbox.client().call(partner.dispatchStop, { path: { id: firstNew } });
		const { summary } = await reportOf(firstNew);
		expect(summary).toMatch(/, 2 have no result\. .* The dispatch was stopped\.$/);
	});

	test('when the service reports a status nobody knows', async () => {
		answerMessages(bench.sandbox, [delivered], { ...dispatchOf(1), status: 'PAUSED' });
		const { summary, finished, status } = await reportOf(spring);
		expect([status, finished]).toEqual(['PAUSED', false]);
		expect(summary).toMatch(
			/ The service doesn't report a known status for this dispatch, so these figures can change\.$/,
		);
	});
});

/** The names at every depth; a list has those of its first entry. */
const namesIn = (value: unknown): unknown => {
	if (Array.isArray(value)) return [];
	if (typeof value !== 'object' || value === null) return typeof value === 'undefined' ? value : 0;
	return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, namesIn(inner)]));
};

test('an empty dispatch has the same fields as any other', async () => {
	await addDispatch(bench.sandbox, []);
	const report = await reportOf(firstNew);
	expect(report).toMatchObject({
		summary: "The dispatch has no messages. The dispatch hasn't been started yet.",
		messages: { total: 0 },
		deliveryRatePercent: null,
		cost: { final: 0 },
		byOperator: [],
	});
	expect(namesIn(report)).toEqual(namesIn(await reportOf(spring)));
	expect(JSON.stringify(report)).toBe(JSON.stringify(report, (_, value: unknown) => value ?? null));
});

test('Simplify: ten figures, the same as in the complete report', async () => {
	const complete = await reportOf(spring);
	const simple = await reportOf(spring, { simplify: true });
	expect(Object.keys(simple)).toHaveLength(10);
	expect(complete).toMatchObject(simple);
	const { items } = await bench.run('dispatch.getReport', { id: byId(spring) });
	expect(jsonOf(items)).toEqual([
		{ ...simple, summary: `${String(simple.summary)}${aboutLeftOut}` },
	]);
});

describe('each dispatch once', () => {
	test('however many items name it; the result is linked to all of them', async () => {
		const { items, error } = await bench.run(
			'dispatch.getReport',
			{ id: fromItem() },
			{ items: [spring, reminder, spring, spring, reminder].map((id) => ({ id })) },
		);
		expect(error).toBeUndefined();
		expect(items.map(({ json, pairedItem }) => [json.dispatchId, pairedItem])).toEqual([
			[spring, [{ item: 0 }, { item: 2 }, { item: 3 }]],
			[reminder, [{ item: 1 }, { item: 4 }]],
		]);
		expect(bench.sent('GET', `/dispatches/${spring}`)).toBe(1);
		expect(bench.sent('GET', '/messages')).toBe(2);
		// What several dispatches need is asked for once.
		expect(bench.sent('GET', `/senders/${mts}`)).toBe(1);
		expect(bench.sent('GET', '/price/tariffs')).toBe(1);
	});

	test.each<[Array<number | string>, RegExp, RegExp]>([
		[[spring, 'x'], /^'Dispatch' /, /^Item 2: No report was made\.$/],
		[
			['x', spring, 'y', 'z'],
			/^Wrong values in items 1, 3 and 4$/,
			/^No report was made\. Item 1: 'Dispatch' .* Item 3: .* Item 4: /,
		],
	])('items %j: those that name none fail before anything is read', async (ids, title, words) => {
		const { error } = await bench.run(
			'dispatch.getReport',
			{ id: fromItem() },
			{ items: ids.map((id) => ({ id })) },
		);
		expect(error?.message).toMatch(title);
		expect(error?.description).toMatch(words);
		expect(error?.description).not.toContain('sent');
		expect(await bench.everything()).toEqual([]);
	});

	test('with Continue, items that name none leave in their place', async () => {
		const { items } = await bench.run(
			'dispatch.getReport',
			{ id: fromItem() },
			{
				items: [{ id: 'x' }, { id: spring }, { id: 0 }, { id: spring }],
				onError: 'continueRegularOutput',
			},
		);
		expect(items.map(({ json, pairedItem }) => ['error' in json, pairedItem])).toEqual([
			[true, { item: 0 }],
			[false, [{ item: 1 }, { item: 3 }]],
			[true, { item: 2 }],
		]);
	});
});

describe('operators', () => {
	const operatorsOf = async (parameters = {}) =>
		((await reportOf(spring, parameters)).byOperator as Array<{ operator: string }>).map(
			({ operator }) => operator,
		);

	test('are asked for with the company, where one is chosen', async () => {
		await reportOf(spring, { companyId: byId(flowers) });
		const asked = (await bench.wire()).filter(({ path }) => path.startsWith('/senders'));
		expect(asked).toHaveLength(4);
		for (const { query } of asked) expect(query).toEqual([['companyId', String(flowers)]]);
	});

	test('are unknown where the service does not find the sender names', async () => {
		expect(await operatorsOf({ companyId: byId(bakery) })).toEqual(['unknown']);
	});

	test.each<[string, unknown]>([
		['another sender name', { id: 1, brand: 'MTS' }],
		['one without a brand', { id: mts, senderName: 'FLOWERS' }],
		['an empty brand', { id: mts, brand: '' }],
		['a brand that is no text', { id: mts, brand: {} }],
		['null', null],
	])('are unknown where the answer is %s', async (_, answer) => {
		answerMessages(bench.sandbox, [delivered]);
		answerWith(bench.sandbox, '/senders/{id}', answer);
		expect(await operatorsOf()).toEqual(['unknown']);
	});

	test('that are new to the contract are shown as they came', async () => {
		answerMessages(bench.sandbox, [delivered]);
		answerWith(bench.sandbox, '/senders/{id}', { id: mts, brand: 'YOTA' });
		expect(await operatorsOf()).toEqual(['YOTA']);
	});

	test('are not asked for without end', async () => {
		answerMessages(
			bench.sandbox,
			Array.from({ length: 90 }, (_, index) => ({ ...delivered, senderId: 5_000 + index })),
		);
		const { byOperator, messages } = await reportOf(spring);
		expect(byOperator).toMatchObject([{ operator: 'unknown', total: 90 }]);
		expect(messages).toMatchObject({ total: 90 });
		const asked = (await bench.wire()).filter(({ path }) => path.startsWith('/senders'));
		expect(asked).toHaveLength(50);
	});

	test('that cannot be asked for now fail the report', async () => {
		answerWith(bench.sandbox, '/senders/{id}', {}, 503);
		expect((await failureOf())?.context?.item).toBe(1);
	});
});

describe('the currency', () => {
	const currencyOf = async () => ((await reportOf(spring)).cost as IDataObject).currency;
	const tariff = { senderType: 'COMMON', pricingModel: 'FIXED', prices: [{ from: 0, price: 1 }] };

	test.each<[string, unknown, string]>([
		['is that of all tariffs', ['KZT', 'KZT'], 'KZT'],
		['is empty where tariffs have several', ['RUB', 'KZT'], ''],
		['is empty where a tariff has none', ['RUB', undefined], ''],
		['is empty without tariffs', [], ''],
		['is empty where the list cannot be read', 'OK', ''],
	])('%s', async (_, given, currency) => {
		const tariffs = Array.isArray(given)
			? given.map((one) => ({ ...tariff, currency: one as string }))
			: given;
		answerWith(bench.sandbox, '/price/tariffs', { tariffs });
		expect(await currencyOf()).toBe(currency);
	});

	test('is left out of the sentence where it is not known', async () => {
		answerWith(bench.sandbox, '/price/tariffs', { error: { code: 4030, msg: 'No' } }, 403);
		expect((await reportOf(spring)).summary).toMatch(/ Cost \d+\.\d\d\.$/);
	});

	test('is the one of the estimate, where that has one', async () => {
		const priceEstimate = { total: 12.5, currency: 'EUR' };
		answerMessages(bench.sandbox, [delivered], { ...dispatchOf(1), priceEstimate });
		expect((await reportOf(spring)).cost).toMatchObject({ estimated: 12.5, currency: 'EUR' });
		expect(bench.sent('GET', '/price/tariffs')).toBe(0);
	});

	test.each([
		['a text', '12.50'],
		['NaN', 'NaN'],
		['missing', undefined],
		['negative', -1],
	])('an estimate that is %s is not known', async (_, priceEstimate) => {
		answerMessages(bench.sandbox, [delivered], { ...dispatchOf(1), priceEstimate });
		expect((await reportOf(spring)).cost).toMatchObject({ estimated: null, final: 2.5 });
	});
});

describe('messages that cannot be read completely', () => {
	const none = { status: 0, parts: 0, price: 0, time: 0 };
	const failed = { ...delivered, status: 'FAILED', price: 0, deliveredAt: null };

	test.each<[string, IDataObject, Partial<typeof none>]>([
		['without a status', { ...delivered, status: undefined }, { status: 1 }],
		['with a status nobody knows', { ...delivered, status: 'READ' }, { status: 1 }],
		['with a status that is no text', { ...delivered, status: {} }, { status: 1 }],
		[
			'with a status like a field of every object',
			{ ...delivered, status: 'toString' },
			{ status: 1 },
		],
		['without parts', { ...delivered, parts: null }, { parts: 1 }],
		['with half a part', { ...delivered, parts: 1.5 }, { parts: 1 }],
		['without a price', { ...delivered, price: null }, { price: 1 }],
		['with a price as text', { ...delivered, price: '2,50' }, { price: 1 }],
		['with a negative price', { ...delivered, price: -1 }, { price: 1 }],
		['failed, without a price', { ...failed, price: undefined }, { price: 1 }],
		['delivered at no time', { ...delivered, deliveredAt: null }, { time: 1 }],
		[
			'delivered on 30 February',
			{ ...delivered, deliveredAt: '2026-02-30T07:00:00Z' },
			{ time: 1 },
		],
		[
			'delivered at a time without a zone',
			{ ...delivered, deliveredAt: '2026-03-02T10:00' },
			{ time: 1 },
		],
		['delivered before it was sent', { ...delivered, sentAt: '2026-03-02T08:00:00Z' }, { time: 1 }],
		['sent at a time that is none', { ...failed, sentAt: 'yesterday' }, { time: 1 }],
		['with nothing right', { status: 'DELIVERED' }, { parts: 1, price: 1, time: 1 }],
		['with nothing at all', {}, { status: 1, parts: 1 }],
	])('%s are counted as such', async (_, message, wrong) => {
		answerMessages(bench.sandbox, [message, delivered]);
		const report = await reportOf(spring);
		expect(report).toMatchObject({
			unreadable: 1,
			unreadableFields: { ...none, ...wrong },
			messages: { total: 2 },
			byStatus: { unknown: wrong.status ?? 0 },
		});
		expect(report.summary).toMatch(/ Some data of 1 message couldn't be read\.$/);
		const { complete, final } = report.cost as IDataObject;
		expect(complete).toBe(wrong.price === undefined && wrong.status === undefined);
		expect(String(report.summary).includes('Cost at least ')).toBe(!complete);
		expect(final).toBeGreaterThanOrEqual(2.5);
		expect(JSON.stringify(report)).not.toMatch(/undefined|NaN/);
	});

	test('never make up a time to delivery', async () => {
		answerMessages(bench.sandbox, [delivered, { ...delivered, sentAt: 'soon' }]);
		expect((await reportOf(spring)).deliverySeconds).toEqual({
			median: 10,
			percentile95: 10,
			measured: 1,
		});
	});

	test('never make up a cost', async () => {
		answerMessages(bench.sandbox, [{ ...delivered, price: undefined }]);
		const report = await reportOf(spring);
		expect(report.cost).toMatchObject({ estimated: 10, final: null, complete: false });
		expect(report.byOperator).toMatchObject([{ operator: 'MTS', cost: null }]);
		expect(report.summary).toContain(' Estimated cost 10.00 RUB.');
	});

	test('a price of a message on its way is not part of the final cost', async () => {
		answerMessages(bench.sandbox, [delivered, { ...delivered, status: 'SENT', deliveredAt: null }]);
		expect((await reportOf(spring)).cost).toMatchObject({ final: 2.5, complete: false });
	});

	test('sums of prices are exact', async () => {
		answerMessages(bench.sandbox, Array(3).fill({ ...delivered, price: 0.1 }));
		expect((await reportOf(spring)).cost).toMatchObject({ final: 0.3 });
	});

	describe('why messages failed', () => {
		const reasonsOf = async (messages: IDataObject[]) => {
			answerMessages(bench.sandbox, messages);
			return (await reportOf(spring)).byReason;
		};

		test('is known by whether they were sent', async () => {
			expect(await reasonsOf([delivered, failed, { ...failed, sentAt: null }])).toEqual({
				rejectedByService: 1,
				notDelivered: 1,
			});
		});

		test('in the words of their error codes, where the service reports them', async () => {
			const codes = [453, 453, '456', 9_999, 0, null, 'x'];
			answerMessages(bench.sandbox, [
				{ ...delivered, errorCode: 453 },
				...codes.map((errorCode) => ({ ...failed, errorCode })),
			]);
			expect((await reportOf(spring)).byErrorCode).toEqual([
				{ errorCode: 453, meaning: messageErrorText(453), messages: 2 },
				{ errorCode: 456, meaning: messageErrorText(456), messages: 1 },
				{ errorCode: 9_999, meaning: '', messages: 1 },
			]);
		});

		test('never more than 50 codes', async () => {
			const many = Array.from({ length: 60 }, (_, index) => ({ ...failed, errorCode: 1 + index }));
			answerMessages(bench.sandbox, many);
			expect((await reportOf(spring)).byErrorCode).toHaveLength(50);
		});

		test('is only that they were not delivered where the service does not tell what was sent', async () => {
			const silent = { ...delivered, sentAt: undefined };
			expect(await reasonsOf([silent, failed, { ...failed, sentAt: undefined }])).toEqual({
				rejectedByService: 0,
				notDelivered: 2,
			});
		});
	});
});

describe('a service that speaks otherwise', () => {
	test.each(['snake', 'pascal'] as const)('names in %s case', async (keyCase) => {
		const plain = await reportOf(spring);
		bench.store.settings.dialect.keyCase = keyCase;
		expect(await reportOf(spring)).toEqual({ ...plain, reportedAt: expect.any(String) as string });
	});

	test.each(['array', 'errorBody'] as const)('lists as %s: an error', async (shape) => {
		bench.store.settings.dialect.listEnvelope = shape;
		expect(await failureOf()).toBeDefined();
	});

	test('a list that ends before its total is an error', async () => {
		answerWith(bench.sandbox, '/messages', { page: 1, total: 6, items: [delivered] });
		expect((await failureOf())?.message).toBe("The service's list is incomplete");
	});

	test('a list that lacks what the dispatch holds is told', async () => {
		answerMessages(bench.sandbox, [delivered], dispatchOf(3));
		const report = await reportOf(spring);
		expect(report).toMatchObject({
			unlisted: 2,
			messages: { total: 1 },
			cost: { complete: false },
		});
		expect(report.summary).toBe(
			"1 of 1 message was delivered (100%). Cost at least 2.50 RUB. The service lists only 1 of 3 messages. The others aren't in this report.",
		);
	});

	test('a dispatch without counters: what is missing is not known', async () => {
		answerMessages(bench.sandbox, [delivered], { ...dispatchOf(1), messages: null });
		expect(await reportOf(spring)).toMatchObject({ unlisted: null, cost: { complete: false } });
	});

	test('another dispatch than the one it was asked for is an error', async () => {
		answerMessages(bench.sandbox, [delivered], { ...dispatchOf(1), id: reminder });
		expect((await failureOf())?.message).toBe(
			"The service's response is about something else than what was requested",
		);
		expect(bench.sent('GET', '/messages')).toBe(0);
	});

	test('a dispatch with nothing but an ID', async () => {
		answerMessages(bench.sandbox, [delivered], { id: spring });
		expect(await reportOf(spring)).toMatchObject({
			name: '',
			status: '',
			channelType: '',
			createdAt: '',
			startedAt: '',
			unlisted: null,
			cost: { estimated: null },
		});
	});
});

test('one of several reports fails alone', async () => {
	bench.fault('status', 'GET', '/messages', { status: 404 });
	const { items } = await bench.run(
		'dispatch.getReport',
		{ id: fromItem() },
		{ items: [{ id: spring }, { id: reminder }], onError: 'continueRegularOutput' },
	);
	expect(jsonOf(items)).toMatchObject([
		{ error: expect.any(String) as string },
		{ finished: true },
	]);
});
