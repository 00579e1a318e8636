import { partner } from '../../core/contract/partner';
import { Quote, countAndPrice, newLedger, turnMonth } from '../../sandbox/stored/budget.cts';
import { demo } from '../../sandbox/demo.cts';
import { fromUnits, toUnits } from '../../sandbox/stored/money.cts';
import { tariffFor, type Tariff } from '../../sandbox/stored/tariffs.cts';
import { beeline, day, hour, megafon, mts, open, refusal, tele2 } from './support.cts';

const { bakery } = demo.companies;
const { undelivered } = demo.numbers;
const flat = (price: number): Tariff => ({
	senderType: 'START',
	pricingModel: 'FIXED',
	currency: 'RUB',
	prices: [{ from: 0, price }],
});

describe('tariffs', () => {
	test('the most telling tariff is taken: operator before traffic type', () => {
		const plain = { senderType: 'PRO', pricingModel: 'FIXED', currency: 'RUB' } as const;
		const tariffs: Tariff[] = [
			{ ...plain, prices: [{ price: 1 }] },
			{ ...plain, trafficType: 'PROMO', prices: [{ price: 2 }] },
			{ ...plain, brand: 'MTS', prices: [{ price: 3 }] },
			{ ...plain, brand: 'MTS', trafficType: 'PROMO', prices: [{ price: 4 }] },
		];
		const priceFor = (brand: 'MTS' | 'TELE2', trafficType: string) =>
			fromUnits(tariffFor(tariffs, { senderType: 'PRO', brand, trafficType })?.steps[0].price ?? 0);
		expect(priceFor('TELE2', 'SERVICE')).toBe(1);
		expect(priceFor('TELE2', 'PROMO')).toBe(2);
		expect(priceFor('MTS', 'SERVICE')).toBe(3);
		expect(priceFor('MTS', 'PROMO')).toBe(4);
		expect(
			tariffFor(tariffs, { senderType: 'START', brand: 'MTS', trafficType: 'PROMO' }),
		).toBeUndefined();
	});

	const priced = (pricingModel: 'SCALED' | 'MAU') => {
		const prices = [
			{ from: 0, price: 3 },
			{ from: 3, price: 2 },
			{ from: 5, price: 1 },
		];
		const tariff: Tariff = { senderType: 'PRO', pricingModel, currency: 'RUB', prices };
		const ready = tariffFor([tariff], { senderType: 'PRO', trafficType: 'SERVICE' });
		return ready!;
	};

	test('SCALED goes by the count of messages, in the quote and when sending', () => {
		const ledger = newLedger(0);
		const quote = new Quote(ledger);
		const quoted = Array.from({ length: 6 }, () =>
			fromUnits(quote.price(priced('SCALED'), mts, 1)),
		);
		expect(quoted).toEqual([3, 3, 2, 2, 1, 1]);
		const counted = Array.from({ length: 6 }, () =>
			countAndPrice(ledger, priced('SCALED'), mts, 2),
		);
		expect(counted.map(fromUnits)).toEqual([6, 6, 4, 4, 2, 2]);
		expect(fromUnits(new Quote(ledger).price(priced('SCALED'), mts, 1))).toBe(1);
	});

	test('MAU goes by the count of unique recipients', () => {
		const ledger = newLedger(0);
		const numbers = ['a', 'a', 'b', 'c', 'a', 'd', 'e'];
		const quote = new Quote(ledger);
		expect(numbers.map((number) => fromUnits(quote.price(priced('MAU'), number, 1)))).toEqual([
			3, 3, 3, 2, 2, 2, 1,
		]);
		expect(
			numbers.map((number) => fromUnits(countAndPrice(ledger, priced('MAU'), number, 1))),
		).toEqual([3, 3, 3, 2, 2, 2, 1]);
		expect(fromUnits(new Quote(ledger).price(priced('MAU'), 'a', 1))).toBe(1);
	});

	test('the steps begin anew with the month', () => {
		const ledger = newLedger(Date.UTC(2026, 2, 31));
		for (let count = 0; count < 5; count++) countAndPrice(ledger, priced('SCALED'), mts, 1);
		turnMonth(ledger, Date.UTC(2026, 3, 1));
		expect(fromUnits(countAndPrice(ledger, priced('SCALED'), mts, 1))).toBe(3);
	});

	test('an estimate over several appends goes on counting', async () => {
		const { call, control, createDispatch, get } = open();
		const prices = [
			{ from: 0, price: 3 },
			{ from: 3, price: 2 },
		];
		const tariffs = [{ senderType: 'PRO', pricingModel: 'SCALED', currency: 'RUB', prices }];
		await control('PUT', '/tariffs', { tariffs });
		const two = [{ destination: mts }, { destination: mts }];
		const created = await createDispatch({ messages: two });
		expect(created.priceEstimate.total).toBe(6);
		const path = { id: created.id };
		const added = await call(partner.dispatchAppend, { path, body: { messages: two } });
		expect(added.priceEstimate.total).toBe(4);
		expect((await get(created.id)).priceEstimate).toBe(10);
	});

	test('a hundred thousand fractions add up exactly', () => {
		let sum = 0;
		for (let count = 0; count < 100_000; count++) sum += toUnits(0.1234);
		expect(fromUnits(sum)).toBe(12_340);
	});
});

describe('reservation and final cost', () => {
	test('start reserves, delivery spends, and what failed is given back', async () => {
		const { sandbox, createDispatch, start, ledger } = open();
		const before = ledger().spent;
		const { id, priceEstimate } = await createDispatch({
			messages: [beeline, megafon, tele2, undelivered].map((destination) => ({ destination })),
		});
		expect(priceEstimate.total).toBe(2.6 + 2.5 + 2.35 + 2.9);
		expect(ledger().reserved).toBe(0);
		await start(id);
		expect(fromUnits(ledger().reserved)).toBe(10.35);
		expect(ledger().spent).toBe(before);
		await sandbox.advance(hour);
		expect(fromUnits(ledger().spent - before)).toBe(7.45);
		expect(fromUnits(ledger().reserved)).toBe(2.9);
		await sandbox.advance(2 * day);
		expect(fromUnits(ledger().spent - before)).toBe(7.45);
		expect(ledger().reserved).toBe(0);
	});

	test('the final cost is never above the reservation, even if prices rise meanwhile', async () => {
		const { sandbox, control, call, createDispatch, start, ledger } = open();
		const before = ledger().spent;
		const { id } = await createDispatch({ messages: [{ destination: tele2 }] });
		await start(id);
		await control('PUT', '/tariffs', { tariffs: [flat(1_000)] });
		await sandbox.advance(hour);
		expect(fromUnits(ledger().spent - before)).toBe(2.35);
		const { items } = await call(partner.messageList, { query: { dispatchId: id } });
		expect(items[0].price).toBe(2.35);
	});

	test('the final cost may be lower: a step of the tariff was reached by another dispatch', async () => {
		const { sandbox, control, createDispatch, start, ledger } = open();
		const prices = [
			{ from: 0, price: 3 },
			{ from: 2, price: 1 },
		];
		const tariffs = [{ senderType: 'PRO', pricingModel: 'SCALED', currency: 'RUB', prices }];
		await control('PUT', '/tariffs', { tariffs });
		const before = ledger().spent;
		const first = await createDispatch();
		const second = await createDispatch();
		await start(first.id);
		await start(second.id);
		expect(fromUnits(ledger().reserved)).toBe(6);
		await sandbox.advance(hour);
		expect(fromUnits(ledger().spent - before)).toBe(4);
		expect(ledger().reserved).toBe(0);
	});
});

describe('the monthly budget', () => {
	const bread = {
		companyId: bakery,
		senderIds: [demo.senders.bakeryMts, demo.senders.bakeryTele2],
	};

	test('a company nearly out of budget may create, and not start', async () => {
		const { createDispatch, start, get, ledger } = open();
		const { id } = await createDispatch(bread);
		const refused = await refusal(start(id));
		expect(refused).toMatchObject({ status: 400, code: 4000 });
		expect(refused.message).toContain('needs 2.6 RUB');
		expect(refused.message).toContain('has 1.5 RUB left');
		expect((await get(id)).status).toBe('CREATED');
		expect(ledger(bakery).reserved).toBe(0);
	});

	test('the budget is met to the last unit', async () => {
		const { call, createDispatch, start } = open();
		const { id } = await createDispatch(bread);
		const setBudget = async (budget: number) =>
			await call(partner.companyUpdate, { path: { id: bakery }, body: { budget } });
		await setBudget(1_501.0999);
		expect(await refusal(start(id))).toMatchObject({ status: 400 });
		await setBudget(1_501.1);
		expect((await start(id)).status).toBe('STARTED');
	});

	test('reservations of other dispatches count', async () => {
		const { call, createDispatch, start } = open();
		await call(partner.companyUpdate, { path: { id: bakery }, body: { budget: 1_498.5 + 5 } });
		const [one, two] = [await createDispatch(bread), await createDispatch(bread)];
		await start(one.id);
		expect(await refusal(start(two.id))).toMatchObject({ status: 400 });
	});

	test('the spent amount is reset on the 1st, at the end of the window', async () => {
		const { sandbox, createDispatch, start, ledger } = open();
		const { id } = await createDispatch(bread);
		const firstOfApril = Date.UTC(2026, 3, 1);
		await sandbox.advance(firstOfApril - 1 - sandbox.now);
		expect(await refusal(start(id))).toMatchObject({ status: 400 });
		await sandbox.advance(1);
		expect((await start(id)).status).toBe('STARTED');
		expect(ledger(bakery)).toMatchObject({ month: '2026-04', spent: 0 });
		await sandbox.advance(hour);
		expect(fromUnits(ledger(bakery).spent)).toBe(2.6);
	});

	test('what is reserved in one month and delivered in the next is spent in the next', async () => {
		const { sandbox, createDispatch, start, ledger } = open();
		const { id } = await createDispatch({ messages: [{ destination: demo.numbers.slow }] });
		const before = ledger().spent;
		await sandbox.advance(Date.UTC(2026, 3, 1) - 60_000 - sandbox.now);
		await start(id);
		expect(ledger()).toMatchObject({ month: '2026-03', spent: before, reserved: 29_000 });
		await sandbox.advance(60_000);
		expect(ledger()).toMatchObject({ month: '2026-04', spent: 0, reserved: 29_000 });
		await sandbox.advance(hour);
		expect(ledger()).toMatchObject({ month: '2026-04', spent: 29_000, reserved: 0 });
	});

	test('no budget is no limit', async () => {
		const { control, createDispatch, start } = open();
		const reply = await control('POST', '/seed', {
			companies: [{ name: 'Free', senders: [{ senderName: 'FREE', brand: 'MTS' }] }],
		});
		const { companies } = reply as { companies: Array<{ companyId: number; senderIds: number[] }> };
		await control('PUT', '/tariffs', { tariffs: [flat(1_000_000)] });
		const [{ companyId, senderIds }] = companies;
		const { id } = await createDispatch({ companyId, senderIds });
		expect((await start(id)).status).toBe('STARTED');
	});
});
