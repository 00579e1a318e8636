import { demo } from '../../sandbox/demo.cts';
import { toUnits } from '../../sandbox/stored/money.cts';
import { jsonOf } from '../support/sandbox.cts';
import { json, text } from '../support/server.cts';
import { serve, unusedAddress } from '../transport/service.cts';
import { runAt, useMessaging } from './messages.cts';

const bench = useMessaging();

const run = async (operation: string, baseUrl: string, parameters: object = {}) =>
	await runAt(baseUrl, `account.${operation}`, parameters);

describe('Get Balance', () => {
	const below = (minimum: number, currency = 'RUB') => ({
		threshold: { below: { minimum, currency } },
	});

	test('above the minimum: goes on', async () => {
		const { error } = await bench.run('account.getBalance', below(9_999.99));
		expect(error).toBeUndefined();
	});

	test('below the minimum: stops, and says how much there is', async () => {
		bench.store.funds = toUnits(99.5);
		const { error } = await bench.run('account.getBalance', below(100));
		expect(error?.message).toBe('The balance is 99.5 RUB, below the minimum of 100');
		expect(error?.description).toContain('Top up');
		expect(error?.context?.item).toBe(1);
	});

	test('no such currency: stops, and names those there are', async () => {
		const { error } = await bench.run('account.getBalance', below(1, 'USD'));
		expect(error?.message).toBe('Your account has no balance in USD');
		expect(error?.description).toContain('RUB');
	});

	test.each(['', ' ', '={{ $json.nothing }}', '={{ null }}'])(
		'without a currency nothing is asked: %j',
		async (currency) => {
			const { error } = await bench.run('account.getBalance', below(1, currency));
			expect(error?.message).toBe("'Currency' is empty. Enter a value");
			expect(await bench.everything()).toEqual([]);
		},
	);

	test.each([
		['null', { RUB: null }],
		['an object', { RUB: { amount: 500 } }],
		['a list', { RUB: [500] }],
		['a number with a comma', { RUB: '500,5' }],
		['words', { RUB: 'much' }],
		['an exponent', { RUB: '1e9' }],
		['an empty text', { RUB: '' }],
		['true', { RUB: true }],
	])('an amount that is no number is never enough: %s', async (_, reply) => {
		const server = await serve(() => json(200, reply));
		const { error } = await run('getBalance', server.url, below(1));
		expect(error?.message).toBe("The balance in RUB isn't a number");
		expect(error?.description).toContain('The service returned ');
	});

	test('an answer without any balance is an error', async () => {
		const server = await serve(() => json(200, []));
		const failure = "The service's response couldn't be understood";
		expect((await run('getBalance', server.url, below(1))).error?.message).toBe(failure);
		expect((await run('getBalance', server.url)).error?.message).toBe(failure);
	});

	test('an amount as plain text is read', async () => {
		const server = await serve(() => json(200, { RUB: '12.5' }));
		const { items, error } = await run('getBalance', server.url, below(12.5));
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toEqual([{ currency: 'RUB', amount: 12.5 }]);
		const less = await run('getBalance', server.url, below(12.51));
		expect(less.error?.message).toBe('The balance is 12.5 RUB, below the minimum of 12.51');
	});

	test('several currencies', async () => {
		const server = await serve(() => json(200, { RUB: 5, USD: 0.25 }));
		expect(jsonOf((await run('getBalance', server.url)).items)).toEqual([
			{ currency: 'RUB', amount: 5 },
			{ currency: 'USD', amount: 0.25 },
		]);
		expect(jsonOf((await run('getBalance', server.url, { output: 'raw' })).items)).toEqual([
			{ RUB: 5, USD: 0.25 },
		]);
	});
});

describe('Ping', () => {
	test('needs no key: none is sent', async () => {
		const server = await serve(() => text(200, 'PONG\n'));
		const { items } = await run('ping', server.url);
		expect(jsonOf(items)).toEqual([{ available: true, latencyMs: expect.any(Number) as number }]);
		expect(server.received[0]?.headers.authorization).toBeUndefined();
	});

	test('nobody there: a result, or an error where that is wanted', async () => {
		const address = unusedAddress;
		const { items, error } = await run('ping', address);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toEqual([
			{
				available: false,
				latencyMs: expect.any(Number) as number,
				reason: "The service can't be reached",
			},
		]);
		const strict = await run('ping', address, { failWhenUnavailable: true });
		expect(strict.error?.message).toBe("The service can't be reached");
	});

	test('asked once: a second attempt would hide that it is shaky', async () => {
		const server = await serve(() => text(503, ''));
		expect(jsonOf((await run('ping', server.url)).items)).toMatchObject([{ available: false }]);
		expect(server.received).toHaveLength(1);
	});

	test('something else answers there', async () => {
		const server = await serve(() => text(200, 'hello'));
		const reason = 'A different server responded at this URL';
		expect(jsonOf((await run('ping', server.url)).items)).toMatchObject([
			{ available: false, reason },
		]);
		const strict = await run('ping', server.url, { failWhenUnavailable: true });
		expect(strict.error?.message).toBe(reason);
	});

	test('an address that is none is an error always', async () => {
		const { error } = await bench.run(
			'account.ping',
			{},
			{ credentials: { bulkMessagingApi: { baseUrl: 'nonsense', apiKey: demo.apiKey } } },
		);
		expect(error?.message).toContain("'Base URL' in the credential");
	});
});
