import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import { demo } from '../../sandbox/demo.cts';
import { operatorOf } from '../../sandbox/stored/operators.cts';
import { day, hour, mts, open, refusal, tele2 } from './support.cts';

const { flowers } = demo.companies;
const { noOperator, undelivered, unsent, slow } = demo.numbers;

describe('POST /dispatches', () => {
	test('the final text: substitutions, customText as it is, and what is missing stays', async () => {
		const { call, createDispatch } = open();
		const { id, success, failed } = await createDispatch({
			text: '{name}: {sum} {constructor}',
			messages: [
				{ destination: mts, substitutions: { name: 'Anna', sum: 10 } },
				{ destination: mts, customText: 'Only {name}', substitutions: { name: 'x' } },
				{ destination: mts },
				{ destination: mts, substitutions: { name: 'я', sum: 'a'.repeat(70) } },
				{ destination: mts, customText: '' },
			],
		});
		expect([success, failed]).toEqual([4, 1]);
		const query = { dispatchId: id, status: 'CREATED' } as const;
		const { items } = await call(partner.messageList, { query });
		expect(items.map(({ text, parts }) => [text, parts])).toEqual([
			['Anna: 10 {constructor}', 1],
			['Only {name}', 1],
			['{name}: {sum} {constructor}', 1],
			[`я: ${'a'.repeat(70)} {constructor}`, 2],
		]);
	});
});

test('only a sender of the channel counts, and a messenger has one part however long the text is', async () => {
	const { createDispatch } = open();
	const viber = { channelType: 'VIBER', text: 'я'.repeat(500) };
	expect((await createDispatch(viber)).failed).toBe(1);
	expect(await createDispatch({ ...viber, senderIds: [demo.senders.viber] })).toMatchObject({
		success: 1,
		priceEstimate: { parts: 1 },
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

	test('a stop and a start do not send twice, and not beside what was planned before', async () => {
		const { sandbox, control, createDispatch, start, stop, get, ledger } = open();
		await control('PUT', '/settings', {
			messagesPerSecond: 10,
			deliveredAfterMs: 0,
			deliveredSpreadMs: 0,
		});
		const { id } = await createDispatch({ messages: [{ destination: mts }, { destination: mts }] });
		const before = ledger().spent;
		await start(id);
		await stop(id);
		await start(id);
		await sandbox.advance(1_000);
		expect((await get(id)).messages).toMatchObject({ delivered: 1, pending: 1 });
		await sandbox.advance(day);
		expect((await get(id)).messages).toMatchObject({ delivered: 2, pending: 0 });
		expect(ledger().spent - before).toBe(58_000);
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
		const other = await createDispatch();
		const before = ledger().spent;
		await start(id);
		await call(partner.companyUpdate, { path: { id: flowers }, body: { status: 'DISABLED' } });
		await sandbox.advance(day);
		expect(await get(id)).toMatchObject({ status: 'COMPLETED', messages: { failed: 1 } });
		expect([ledger().spent, ledger().reserved]).toEqual([before, 0]);
		expect(await refusal(start(id))).toMatchObject({ status: 400 });
		const body = { messages: [{ destination: mts }] };
		const waiting = (await refusal(call(partner.dispatchAppend, { path: { id: other.id }, body })))
			.message;
		expect(waiting).toContain('DISABLED');
	});
});

test('a number that is blacklisted counts for messages that are already waiting, and only for its company', async () => {
	const { sandbox, call, createDispatch, start, get } = open();
	const { id } = await createDispatch({ messages: [{ destination: mts }, { destination: tele2 }] });
	await call(partner.recipientUpdate, {
		body: { companyId: flowers, msisdn: mts, blacklist: true },
	});
	await start(id);
	await sandbox.advance(hour);
	expect((await get(id)).messages).toMatchObject({ delivered: 1, failed: 1 });
	const other = { companyId: demo.companies.bakery, senderIds: [demo.senders.bakeryMts] };
	expect((await createDispatch(other)).failed).toBe(0);
	const { companyId } = other;
	expect((await call(partner.dispatchList, { query: { companyId } })).total).toBe(1);
});

test.each([
	['79101234567', 'MTS'],
	['79031234567', 'BEELINE'],
	['79201234567', 'MEGAFON'],
	['79001234567', 'TELE2'],
	['79071234567', undefined],
	['74951234567', undefined],
	['7916123456', undefined],
	['89161234567', undefined],
	['380501234567', undefined],
])('the operator of %s is %s', (number, brand) => {
	expect(operatorOf(number)).toBe(brand);
});
