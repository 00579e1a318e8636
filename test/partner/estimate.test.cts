import { computeCost } from '../../nodes/BulkMessagingPartner/shared/cost';

type Tariff = Parameters<typeof computeCost>[0];

const tariff = (pricingModel: Tariff['pricingModel'], prices: Tariff['prices']): Tariff => ({
	senderType: 'PRO',
	pricingModel,
	currency: 'RUB',
	prices,
});
const volume = (messages: number, { parts = messages, recipients = messages } = {}) => ({
	messages,
	parts,
	recipients,
});

const steps = [
	{ from: 0, price: 3 },
	{ from: 100, price: 2 },
	{ from: 1000, price: 1 },
];

describe('FIXED', () => {
	test('one price for any number', () => {
		const fixed = tariff('FIXED', [{ from: 0, price: 2.5 }]);
		expect(computeCost(fixed, volume(1))).toEqual({
			total: 2.5,
			currency: 'RUB',
			pricePerMessage: 2.5,
			step: { from: 0, price: 2.5 },
			steppedBy: 'none',
		});
		expect(computeCost(fixed, volume(1_000_000))?.total).toBe(2_500_000);
	});

	test('without a threshold at all', () => {
		expect(computeCost(tariff('FIXED', [{ price: 4 }]), volume(3))?.total).toBe(12);
	});
});

describe.each([
	['SCALED', 'messages'],
	['MAU', 'recipients'],
] as const)('%s', (model, steppedBy) => {
	test.each([
		[1, 3],
		[99, 3],
		[100, 2],
		[101, 2],
		[999, 2],
		[1000, 1],
		[1001, 1],
	])('%i: the step of %i', (count, price) => {
		const estimate = computeCost(tariff(model, steps), volume(count));
		expect(estimate).toMatchObject({ step: { price }, steppedBy, total: count * price });
	});

	test('steps in any order are read by their threshold', () => {
		const shuffled = [steps[2], steps[0], steps[1]].flatMap((step) => step ?? []);
		expect(computeCost(tariff(model, shuffled), volume(500))?.step.from).toBe(100);
	});

	test('below the first threshold: the first step', () => {
		expect(computeCost(tariff(model, [{ from: 50, price: 9 }]), volume(1))?.step.price).toBe(9);
	});
});

test('SCALED counts messages and MAU people: the other number changes nothing', () => {
	const many = { messages: 1000, parts: 1000, recipients: 50 };
	expect(computeCost(tariff('SCALED', steps), many)?.step.from).toBe(1000);
	expect(computeCost(tariff('MAU', steps), many)?.step.from).toBe(0);
});

test('messages are paid and counted; what parts would cost stands beside it', () => {
	const estimate = computeCost(tariff('SCALED', steps), volume(99, { parts: 198 }));
	expect(estimate).toMatchObject({ total: 297, totalIfPerPart: 594, step: { from: 0 } });
});

test('sums do not show the decimals of the machine', () => {
	expect(computeCost(tariff('FIXED', [{ price: 0.1 }]), volume(3))?.total).toBe(0.3);
	expect(computeCost(tariff('FIXED', [{ price: 1.005 }]), volume(1000))?.total).toBe(1005);
});

test('a tariff with a price per package has no total, and one without a price no estimate', () => {
	const byPackage = tariff('MAU', [{ from: 0, priceMauBatch: 100 }]);
	expect(computeCost(byPackage, volume(5))).toMatchObject({ total: null, steppedBy: 'recipients' });
	expect(computeCost(tariff('FIXED', []), volume(5))).toBeUndefined();
});
