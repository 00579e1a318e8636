import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import { demo } from '../../sandbox/demo.cts';
import { operatorOf } from '../../sandbox/stored/operators.cts';
import { beeline, day, hour, megafon, mts, open, refusal, tele2 } from './support.cts';

const { flowers, travel, bakery } = demo.companies;
const { noOperator, undelivered, unsent, slow } = demo.numbers;

describe('POST /dispatches', () => {
	test('answers 200 with the creation shape: priceEstimate is an object', async () => {
		const { createDispatch } = open();
		const created = await createDispatch({
			text: 'Hello, {name}',
			messages: [
				{ destination: mts, substitutions: { name: 'Anna' } },
				{ destination: tele2, customText: 'я'.repeat(71) },
			],
		});
		expect(created).toEqual({
			id: 3003,
			status: 'CREATED',
			// One message on the PRO tariff of MTS (2.90), one of two parts on START of TELE2 (2.35).
			priceEstimate: { total: 5.25, currency: 'RUB', parts: 3 },
			total: 2,
			success: 2,
			failed: 0,
			messages: [
				{ destination: mts, messageUuid: expect.any(String), parts: 1, senderId: demo.senders.mts },
				{
					destination: tele2,
					messageUuid: expect.any(String),
					parts: 2,
					senderId: demo.senders.tele2,
				},
			],
		});
	});

	test('rejects and counts what has no matching sender', async () => {
		const { call, createDispatch, get } = open();
		const created = await createDispatch({
			senderIds: [demo.senders.mts],
			messages: [
				...[mts, beeline, noOperator, '380501234567'].map((destination) => ({ destination })),
				{ destination: mts, customText: '' },
			],
		});
		expect(created).toMatchObject({ total: 5, success: 1, failed: 4 });
		expect(created.messages.map(({ destination }) => destination)).toEqual([mts]);
		expect((await get(created.id)).messages).toEqual({
			total: 5,
			delivered: 0,
			failed: 4,
			pending: 1,
		});
		const { items } = await call(partner.messageList, {
			query: { dispatchId: created.id, status: 'FAILED' },
		});
		expect(items.map(({ destination, senderId, price }) => [destination, senderId, price])).toEqual(
			[
				[beeline, null, 0],
				[noOperator, null, 0],
				['380501234567', null, 0],
				[mts, null, 0],
			],
		);
	});

	test.each(['draft', 'inReview', 'suspended'] as const)(
		'%s does not count as a sender',
		async (name) => {
			const { createDispatch } = open();
			const all = [mts, beeline, megafon, tele2].map((destination) => ({ destination }));
			const created = await createDispatch({ senderIds: [demo.senders[name]], messages: all });
			expect(created).toMatchObject({ total: 4, success: 0, failed: 4, messages: [] });
		},
	);

	test('a sender of another channel does not count', async () => {
		const { createDispatch } = open();
		expect((await createDispatch({ channelType: 'VIBER' })).failed).toBe(1);
		const viber = await createDispatch({
			channelType: 'VIBER',
			senderIds: [demo.senders.viber],
			text: 'я'.repeat(500),
		});
		// A messenger has one part however long the text is.
		expect(viber).toMatchObject({ success: 1, priceEstimate: { parts: 1 } });
	});

	test('the final text: substitutions, customText as it is, and what is missing stays', async () => {
		const { call, createDispatch } = open();
		const { id } = await createDispatch({
			text: '{name}: {sum} {constructor}',
			messages: [
				{ destination: mts, substitutions: { name: 'Anna', sum: 10 } },
				{ destination: mts, customText: 'Only {name}', substitutions: { name: 'x' } },
				{ destination: mts },
				{ destination: mts, substitutions: { name: 'я', sum: 'a'.repeat(70) } },
			],
		});
		const { items } = await call(partner.messageList, { query: { dispatchId: id } });
		expect(items.map(({ text, parts }) => [text, parts])).toEqual([
			['Anna: 10 {constructor}', 1],
			['Only {name}', 1],
			['{name}: {sum} {constructor}', 1],
			[`я: ${'a'.repeat(70)} {constructor}`, 2],
		]);
	});

	test('needs one sender per operator, of the company, and an ACTIVE company', async () => {
		const { sandbox, createDispatch } = open();
		const before = sandbox.world.store.dispatches.size;
		const two = refusal(createDispatch({ senderIds: [demo.senders.mts, demo.senders.inReview] }));
		expect((await two).message).toContain('senderIds');
		expect(await refusal(createDispatch({ senderIds: [demo.senders.bakeryMts] }))).toMatchObject({
			status: 404,
		});
		expect(await refusal(createDispatch({ senderIds: [9_999] }))).toMatchObject({ status: 404 });
		expect(await refusal(createDispatch({ companyId: 9_999 }))).toMatchObject({ status: 404 });
		const disabled = { companyId: travel, senderIds: [demo.senders.travelMts] };
		expect((await refusal(createDispatch(disabled))).message).toContain('DISABLED');
		expect(sandbox.world.store.dispatches.size).toBe(before);
	});
});

describe('POST /dispatches/{id}/messages', () => {
	test.each(['STARTED', 'STOPPED', 'COMPLETED'])('is refused in %s', async (status) => {
		const { sandbox, call, createDispatch, start, stop, get } = open();
		const { id } = await createDispatch();
		await start(id);
		if (status === 'STOPPED') await stop(id);
		if (status === 'COMPLETED') await sandbox.advance(hour);
		expect((await get(id)).status).toBe(status);
		const body = { messages: [{ destination: mts }] };
		const refused = await refusal(call(partner.dispatchAppend, { path: { id }, body }));
		expect(refused).toMatchObject({ status: 400, code: 4000 });
		expect(refused.message).toContain(status);
		expect((await get(id)).messages.total).toBe(1);
	});

	test('is refused for a company that was disabled meanwhile', async () => {
		const { call, createDispatch } = open();
		const { id } = await createDispatch();
		await call(partner.companyUpdate, { path: { id: flowers }, body: { status: 'DISABLED' } });
		const body = { messages: [{ destination: mts }] };
		const refused = refusal(call(partner.dispatchAppend, { path: { id }, body }));
		expect(await refused).toMatchObject({ status: 400 });
	});
});

describe('from CREATED to COMPLETED', () => {
	test('CREATED, SENT, DELIVERED over time', async () => {
		const { sandbox, call, createDispatch, start, get } = open();
		const { id } = await createDispatch({
			messages: [{ destination: mts }, { destination: slow }],
		});
		const statuses = async () => {
			const { items } = await call(partner.messageList, { query: { dispatchId: id } });
			return items.map(({ status }) => status);
		};
		const startedAt = sandbox.now;
		expect(await start(id)).toEqual({ id, status: 'STARTED' });
		expect(await statuses()).toEqual(['CREATED', 'CREATED']);
		await sandbox.advance(1_000);
		expect(await statuses()).toEqual(['SENT', 'SENT']);
		await sandbox.advance(5_000);
		expect(await statuses()).toEqual(['DELIVERED', 'SENT']);
		expect(await get(id)).toMatchObject({
			status: 'STARTED',
			startedAt: new Date(startedAt).toISOString(),
			messages: { total: 2, delivered: 1, failed: 0, pending: 1 },
		});
		await sandbox.advance(10 * 60_000);
		expect(await statuses()).toEqual(['DELIVERED', 'DELIVERED']);
		expect((await get(id)).status).toBe('COMPLETED');
		const { items } = await call(partner.messageList, { query: { dispatchId: id } });
		expect(items[0]).toMatchObject({
			sentAt: new Date(startedAt + 1_000).toISOString(),
			senderId: demo.senders.mts,
			brandId: 1,
			price: 2.9,
		});
	});

	test('undelivered after 25 hours, unsent at once; both FAILED', async () => {
		const { sandbox, createDispatch, start, get } = open();
		const { id } = await createDispatch({
			messages: [{ destination: undelivered }, { destination: unsent }],
		});
		await start(id);
		await sandbox.advance(1_000);
		expect((await get(id)).messages).toMatchObject({ failed: 1, pending: 1 });
		await sandbox.advance(25 * hour - 1);
		expect(await get(id)).toMatchObject({ status: 'STARTED', messages: { failed: 1 } });
		await sandbox.advance(1);
		expect(await get(id)).toMatchObject({
			status: 'COMPLETED',
			messages: { failed: 2, pending: 0 },
		});
	});

	test('stop keeps what is waiting, start goes on with it', async () => {
		const { sandbox, control, createDispatch, start, stop, get } = open();
		await control('PUT', '/settings', { messagesPerSecond: 10 });
		const { id } = await createDispatch({
			messages: Array.from({ length: 10 }, () => ({ destination: mts })),
		});
		await start(id);
		await sandbox.advance(1_000 + 200);
		expect(await stop(id)).toEqual({ id, status: 'STOPPED' });
		await sandbox.advance(day);
		expect(await get(id)).toMatchObject({
			status: 'STOPPED',
			messages: { delivered: 3, pending: 7 },
		});
		expect(await start(id)).toEqual({ id, status: 'STARTED' });
		await sandbox.advance(day);
		expect(await get(id)).toMatchObject({
			status: 'COMPLETED',
			messages: { delivered: 10, pending: 0 },
		});
	});

	test('a stop and a start do not send twice', async () => {
		const { sandbox, createDispatch, start, stop, get, ledger } = open();
		const { id } = await createDispatch();
		const before = ledger().spent;
		await start(id);
		await stop(id);
		await start(id);
		await sandbox.advance(day);
		expect((await get(id)).messages.delivered).toBe(1);
		expect(ledger().spent - before).toBe(29_000);
	});

	test('a send planned before a stop is not carried out beside the new one', async () => {
		const { sandbox, control, createDispatch, start, stop, get } = open();
		await control('PUT', '/settings', {
			messagesPerSecond: 10,
			deliveredAfterMs: 0,
			deliveredSpreadMs: 0,
		});
		const { id } = await createDispatch({ messages: [{ destination: mts }, { destination: mts }] });
		await start(id);
		await stop(id);
		await start(id);
		await sandbox.advance(1_000);
		expect((await get(id)).messages).toMatchObject({ delivered: 1, pending: 1 });
	});

	test('what a stop gave back is not given back again', async () => {
		const { call, createDispatch, start, stop, ledger } = open();
		const { id, messages } = await createDispatch();
		await start(id);
		await stop(id);
		await call(messaging.messageStop, { body: { uuids: [messages[0].messageUuid] } });
		expect(ledger().reserved).toBe(0);
	});

	test('a message that was moved by hand is not delivered again by the clock', async () => {
		const { sandbox, control, createDispatch, start, get, ledger } = open();
		const { id, messages } = await createDispatch({
			messages: [{ destination: mts }, { destination: slow }],
		});
		const before = ledger().spent;
		await start(id);
		await sandbox.advance(1_000);
		await control('POST', `/messages/${messages[0].messageUuid}/status`, { status: 'delivered' });
		await sandbox.advance(hour);
		expect((await get(id)).messages).toEqual({ total: 2, delivered: 2, failed: 0, pending: 0 });
		expect(ledger().spent - before).toBe(58_000);
		expect(ledger().reserved).toBe(0);
	});

	test('the states that start and stop are refused in', async () => {
		const { sandbox, createDispatch, start, stop, get } = open();
		const { id } = await createDispatch();
		expect((await refusal(stop(id))).message).toContain('CREATED');
		await start(id);
		expect((await refusal(start(id))).message).toContain('STARTED');
		await stop(id);
		expect((await refusal(stop(id))).message).toContain('STOPPED');
		await start(id);
		await sandbox.advance(day);
		for (const again of [start, stop])
			expect((await refusal(again(id))).message).toContain('COMPLETED');
		expect((await get(id)).status).toBe('COMPLETED');
	});

	test('a dispatch without an accepted message completes', async () => {
		const { sandbox, createDispatch, start, get } = open();
		const none = await createDispatch({ messages: [] });
		const rejected = await createDispatch({ messages: [{ destination: noOperator }] });
		for (const { id } of [none, rejected]) {
			expect((await start(id)).status).toBe('STARTED');
			await sandbox.advance(1_000);
			expect((await get(id)).status).toBe('COMPLETED');
		}
	});

	test('a company that is disabled while sending sends no more', async () => {
		const { sandbox, call, createDispatch, start, get, ledger } = open();
		const { id } = await createDispatch();
		const before = ledger().spent;
		await start(id);
		await call(partner.companyUpdate, { path: { id: flowers }, body: { status: 'DISABLED' } });
		await sandbox.advance(day);
		expect(await get(id)).toMatchObject({ status: 'COMPLETED', messages: { failed: 1 } });
		expect([ledger().spent, ledger().reserved]).toEqual([before, 0]);
		const waiting = refusal(start(id));
		expect(await waiting).toMatchObject({ status: 400 });
	});
});

describe('lists', () => {
	test('dispatches of one company, listed and read with priceEstimate as a number', async () => {
		const { sandbox, call, createDispatch, get } = open();
		const { id } = await createDispatch({ name: 'One' });
		const item = {
			id,
			name: 'One',
			status: 'CREATED',
			channelType: 'SMS',
			parts: { total: 1, delivered: 0, failed: 0, pending: 1 },
			messages: { total: 1, delivered: 0, failed: 0, pending: 1 },
			priceEstimate: 2.9,
			createdAt: new Date(sandbox.now).toISOString(),
			startedAt: null,
		};
		expect(await get(id)).toEqual(item);
		const listed = async (companyId: number) =>
			(await call(partner.dispatchList, { query: { companyId } })).items;
		const { spring, reminder } = demo.dispatches;
		expect((await listed(flowers)).map((one) => one.id)).toEqual([spring, reminder, id]);
		expect((await listed(flowers)).at(-1)).toEqual(item);
		expect(await listed(bakery)).toEqual([]);
	});

	test('messages, a hundred at a time, by status', async () => {
		const { sandbox, call, createDispatch, start } = open();
		const { id } = await createDispatch({
			messages: Array.from({ length: 250 }, (_, index) => ({
				destination: index % 5 === 0 ? unsent : mts,
			})),
		});
		const list = async (query: {
			status?: 'CREATED' | 'SENT' | 'FAILED' | 'DELIVERED';
			page?: number;
			perPage?: number;
		}) => await call(partner.messageList, { query: { dispatchId: id, ...query } });
		const first = await list({});
		expect(first).toMatchObject({ page: 1, perPage: 100, total: 250 });
		expect(first.items).toHaveLength(100);
		expect((await list({ page: 3 })).items).toHaveLength(50);
		expect((await list({ page: 4 })).items).toEqual([]);
		expect((await list({ status: 'CREATED' })).total).toBe(250);
		await start(id);
		await sandbox.advance(1_000);
		expect((await list({ status: 'SENT' })).total).toBe(200);
		await sandbox.advance(hour);
		expect((await list({ status: 'SENT' })).total).toBe(0);
		// The pages of one status are remembered only as long as nothing changes.
		expect((await list({ status: 'CREATED' })).total).toBe(0);
		expect(await list({ status: 'FAILED', page: 2, perPage: 30 })).toMatchObject({ total: 50 });
		expect((await list({ status: 'DELIVERED', page: 2 })).items).toHaveLength(100);
	});
});

describe('PUT /recipients', () => {
	const put = { companyId: flowers, msisdn: mts };

	test('a blacklisted number is rejected for its company only, until it is removed', async () => {
		const { call, createDispatch } = open();
		expect(
			await call(partner.recipientUpdate, { body: { ...put, blacklist: true, comment: 'asked' } }),
		).toEqual({ ...put, blacklist: true });
		expect((await createDispatch()).failed).toBe(1);
		const other = { companyId: bakery, senderIds: [demo.senders.bakeryMts] };
		expect((await createDispatch(other)).failed).toBe(0);
		expect(await call(partner.recipientUpdate, { body: { ...put, blacklist: false } })).toEqual({
			...put,
			blacklist: false,
		});
		expect((await createDispatch()).failed).toBe(0);
	});

	test('counts for messages that are already waiting', async () => {
		const { sandbox, call, createDispatch, start, get } = open();
		const { id } = await createDispatch({
			messages: [{ destination: mts }, { destination: tele2 }],
		});
		await call(partner.recipientUpdate, { body: { ...put, blacklist: true } });
		await start(id);
		await sandbox.advance(hour);
		expect((await get(id)).messages).toMatchObject({ delivered: 1, failed: 1 });
	});
});

test.each([
	['79101234567', 'MTS'],
	['79851234567', 'MTS'],
	['79031234567', 'BEELINE'],
	['79681234567', 'BEELINE'],
	['79201234567', 'MEGAFON'],
	['79391234567', 'MEGAFON'],
	['79001234567', 'TELE2'],
	['79041234567', 'TELE2'],
	['79531234567', 'TELE2'],
	['79771234567', 'TELE2'],
	['79071234567', undefined],
	['74951234567', undefined],
	['7916123456', undefined],
	['89161234567', undefined],
	['380501234567', undefined],
])('the operator of %s is %s', (number, brand) => {
	expect(operatorOf(number)).toBe(brand);
});
