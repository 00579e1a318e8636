import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { jsonOf } from '../support/sandbox.cts';
import { tempo } from '../support/tempo.cts';
import { block, firstNew, itemsUpTo, numberOf } from './recipients.cts';
import { useDispatches } from './useDispatches.cts';

// Pauses take no time.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

/** What keeps a dispatch from being started, what counts as started, and how the result says it. */

const dispatches = useDispatches();
const { bench, statusOf, starts, run } = dispatches;
const second = firstNew + 1;
/** How often the node looks for what became of a call, in a bit more than a minute. */
const looks = 6;

/** Each item is a dispatch of its own. */
const apart: INodeParameters = { name: '={{ "Part " + $json.code }}' };

const send = async (more: INodeParameters, count = 1, options: Parameters<typeof run>[3] = {}) =>
	await run('send', { ...apart, ...more }, count, options);
const limited = (priceLimit: number, more: IDataObject = {}): INodeParameters => ({
	priceLimit,
	options: { whenPassed: 'leave', ...(more as INodeParameters) },
});

/** Messages cost nothing, so that only what `show` says counts. */
const freeOfCharge = () => {
	bench.store.tariffs = [];
};

/** The looks at a dispatch before its start. */
const before = 2;

/** What the service shows of a dispatch that is not started, whatever it really costs. */
const show = (index: number, shown: IDataObject, times = before) =>
	dispatches.show(firstNew + index, 1, { priceEstimate: undefined, ...shown }, { times });
const price = (...estimates: number[]) => {
	// The highest estimate counts, also that of the reply to Create: the real one must not be higher.
	freeOfCharge();
	estimates.forEach((priceEstimate, index) => show(index, { priceEstimate }));
};
const reasons = (items: Awaited<ReturnType<typeof send>>['items']) =>
	jsonOf(items).map(({ started, reason }) => reason || started);

describe('the words about the price limit', () => {
	test.each([
		['no minimum', {}],
		['a minimum that is reached', { minimumAccepted: 50 }],
	])('one dispatch, with %s: its price and the limit, nothing about others', async (_, minimum) => {
		price(12.5);
		const { items } = await send(limited(10, minimum));
		expect(reasons(items)).toEqual(["The price estimate is 12.5 RUB, but 'Price Limit' is 10 RUB"]);
	});

	test('several: what was started before, without the decimals of the machine', async () => {
		price(0.1, 0.2, 0.3);
		const { items } = await send(limited(0.5), 3);
		expect(reasons(items)).toEqual([
			true,
			true,
			"The price estimate is 0.3 RUB (plus 0.3 RUB for this run's other dispatches), but 'Price Limit' is 0.5 RUB",
		]);
	});

	test('a rejected start that is tried again counts what was started since', async () => {
		price(8, 8, 8);
		const rejected = { status: 400, code: 4000 };
		bench.fault('status', 'POST', `*/dispatches/${firstNew}/start`, rejected);
		const { items } = await send(limited(10), 2, { tries: 2, onError: 'continueRegularOutput' });
		expect(reasons(items)).toEqual([
			"The price estimate is 8 RUB (plus 8 RUB for this run's other dispatches), but 'Price Limit' is 10 RUB",
			true,
		]);
		expect(dispatches.statuses()).toEqual(['CREATED', 'STARTED', 'CREATED']);
	});

	test.each([
		['nothing', {}],
		['"1,50"', { priceEstimate: '1,50' }],
		['{"total":1.5}', { priceEstimate: { total: 1.5 } }],
	])('an estimate that cannot be read: the service sent %s', async (found, shown) => {
		show(0, shown, before + looks);
		const { items } = await send(limited(10));
		expect(reasons(items)).toEqual([`The price estimate can't be read: the service sent ${found}`]);
		expect(starts(firstNew)).toBe(0);
	});
});

test('one recipient is accepted, and the minimum is 2: not started', async () => {
	const { items } = await send(limited(10, { minimumPeople: 2 }));
	expect(reasons(items)).toEqual([
		"Only 1 recipient is accepted, but 'Minimum Accepted (Recipients)' is 2",
	]);
});

describe('no response shows the currency of the price', () => {
	const unknown = "The service doesn't report the currency of its price estimate";
	test.each([
		['all tariffs have the same', [{ currency: 'RUB' }, { currency: 'RUB' }], true],
		['the tariffs have two', [{ currency: 'RUB' }, { currency: 'KZT' }], unknown],
		['the only tariff has none', [{}], unknown],
		['that of the tariffs is not a text', [{ currency: 643 }], unknown],
		['the tariffs cannot be read', 'OK', unknown],
	])('%s', async (_, tariffs, result) => {
		price(2);
		bench.respond('commit-then-status', 'POST', '*/dispatches', { id: firstNew });
		bench.respond('status', 'GET', '*/price/tariffs', { tariffs });
		const { items } = await send(limited(10));
		expect(reasons(items)).toEqual([result]);
	});
});

describe('a limit of 0', () => {
	test.each([
		[0, true],
		[0.01, "The price estimate is 0.01 RUB, but 'Price Limit' is 0 RUB"],
	])('a price of %d: %j', async (estimate, told) => {
		price(estimate);
		const { items } = await send(limited(0));
		expect(reasons(items)).toEqual([told]);
	});

	test('nobody needs to be accepted: started', async () => {
		const { items } = await send({ options: { minimumAccepted: 0, whenPassed: 'leave' } });
		expect(reasons(items)).toEqual([true]);
	});
});

describe('what counts toward the price limit of a run', () => {
	const fault = (id: number, kind: 'reset' | 'commit-then-reset', times = 1) =>
		bench.fault(kind, 'POST', `*/dispatches/${id}/start`, { times });
	const refuse = (id: number) =>
		bench.fault('status', 'POST', `*/dispatches/${id}/start`, { status: 400 });
	/** The look before the start passes; those behind it don't. */
	const noLook = (id: number) =>
		bench.fault('status', 'GET', `*/dispatches/${id}`, {
			status: 503,
			headers: { 'retry-after': '3600' },
			times: looks,
		});

	test('a start that was refused costs nothing: the second try starts another dispatch', async () => {
		price(2, 2);
		refuse(firstNew);
		const { items, error } = await send(limited(2), 1, { tries: 2 });
		expect(error).toBeUndefined();
		expect(reasons(items)).toEqual([true]);
		expect(dispatches.statuses()).toEqual(['CREATED', 'STARTED']);
		expect([starts(firstNew), starts(second)]).toEqual([1, 1]);
	});

	test('a start that was lost before it was carried out counts once', async () => {
		freeOfCharge();
		show(0, { priceEstimate: 2 }, 100);
		fault(firstNew, 'reset');
		const { items, error } = await send(limited(2), 1, { tries: 2 });
		expect(error).toBeUndefined();
		expect(reasons(items)).toEqual([true]);
		expect(starts(firstNew)).toBe(2);
	});

	test('a start that was refused costs nothing: the next dispatch is started', async () => {
		price(2, 2);
		refuse(firstNew);
		await send(limited(2), 2, { onError: 'continueRegularOutput' });
		expect([statusOf(firstNew), statusOf(second)]).toEqual(['CREATED', 'STARTED']);
	});

	test('a start of unknown outcome counts: the next dispatch is not started', async () => {
		price(2, 2);
		fault(firstNew, 'commit-then-reset');
		noLook(firstNew);
		await send(limited(3), 2, { onError: 'continueRegularOutput' });
		expect([statusOf(firstNew), statusOf(second)]).toEqual(['STARTED', 'CREATED']);
		expect(starts(second)).toBe(0);
	});

	test('a start of unknown outcome counts, also in the second try', async () => {
		price(2, 2);
		fault(firstNew, 'commit-then-reset');
		noLook(firstNew);
		const { items, error } = await send(limited(3), 2, { tries: 2 });
		expect(error).toBeUndefined();
		expect(reasons(items)).toEqual([
			true,
			"The price estimate is 2 RUB (plus 2 RUB for this run's other dispatches), but 'Price Limit' is 3 RUB",
		]);
		expect(jsonOf(items)).toMatchObject([
			{ dispatchId: firstNew, started: true },
			{ started: false },
		]);
		expect(statusOf(second)).toBe('CREATED');
		expect(starts(firstNew)).toBe(1);
	});

	test.each([
		[
			'was started',
			() => {
				fault(firstNew, 'reset');
				bench.fault('status', 'POST', '*/dispatches', { status: 400, after: 1 });
			},
		],
		[
			'may have been started',
			() => {
				fault(firstNew, 'commit-then-reset');
				noLook(firstNew);
			},
		],
	])('the second try has a lower limit: what %s is not measured again', async (_, prepare) => {
		price(2, 2);
		prepare();
		// The limit changes with the first start, a quarter of an hour later.
		const priceLimit = `={{ Date.now() < ${Date.now() + 500_000} ? 10 : 0 }}`;
		let isLater = false;
		bench.flight.beforeAnswer = async () => {
			if (starts(firstNew) === 1 && !isLater) tempo.pausedMs += 1_000_000;
			isLater ||= starts(firstNew) === 1;
			await Promise.resolve();
		};
		const { items } = await send({ ...limited(0), priceLimit }, 2, { tries: 2 });
		expect(reasons(items)).toEqual([
			true,
			"The price estimate is 2 RUB (plus 2 RUB for this run's other dispatches), but 'Price Limit' is 0 RUB",
		]);
	});

	test('a start that the service accepts without saying so counts', async () => {
		price(2, 2);
		const still = { id: firstNew, status: 'CREATED', priceEstimate: 2 };
		bench.respond('status', 'POST', `*/dispatches/${firstNew}/start`, still, { times: 1 });
		await send(limited(3), 2, { onError: 'continueRegularOutput' });
		expect(starts(second)).toBe(0);
	});
});

describe('a start whose answer is lost', () => {
	const lose = () => bench.fault('commit-then-reset', 'POST', `*/dispatches/${firstNew}/start`);

	test('the dispatch is completed by then: it was started', async () => {
		price(2);
		lose();
		show(0, { status: 'COMPLETED' });
		const { items, error } = await send({});
		expect(error).toBeUndefined();
		expect(reasons(items)).toEqual([true]);
		expect(starts(firstNew)).toBe(1);
	});

	test('it is sent once more, and that answer is lost too: the dispatch shows that it was started', async () => {
		price(2);
		bench.fault('reset', 'POST', `*/dispatches/${firstNew}/start`);
		lose();
		const { items } = await send({});
		expect(reasons(items)).toEqual([true]);
		expect(starts(firstNew)).toBe(2);
	});

	test('the look for it breaks off: the second try looks again, and does not start it again', async () => {
		price(2);
		lose();
		show(0, {}, 100);
		tempo.onPause = () => {
			tempo.onPause = undefined;
			throw new Error('Out of memory');
		};
		const { error } = await send({}, 1, { tries: 2 });
		expect(error?.context?.code).toBe('startUnknown');
		expect(error?.description).toContain('The start was interrupted.');
		expect(starts(firstNew)).toBe(1);
	});

	test('its state is not said: the error says just that, and nothing is started again or stopped', async () => {
		price(2);
		lose();
		show(0, { status: 'PAUSED' }, 100);
		const { error } = await send({});
		expect(error?.context?.code).toBe('startUnknown');
		expect(starts(firstNew)).toBe(1);
		expect(bench.sent('POST', `/dispatches/${firstNew}/stop`)).toBe(0);
	});
});

describe('a start that is rejected', () => {
	const reject = (kind: 'status' | 'commit-then-status') =>
		bench.fault(kind, 'POST', `*/dispatches/${firstNew}/start`, { status: 400, code: 4000 });

	test('the dispatch shows that it was started: it was', async () => {
		reject('commit-then-status');
		const { items } = await send({});
		expect(reasons(items)).toEqual([true]);
	});

	test('the state of the dispatch is not said: it is not known', async () => {
		price(2);
		reject('status');
		show(0, { status: 'PAUSED' }, 100);
		const { error } = await send({});
		expect(error?.context?.code).toBe('startUnknown');
	});
});

test('26 minutes between the request to create it and the start: another run may send it, so not started', async () => {
	let isLater = false;
	bench.flight.beforeAnswer = async () => {
		if (!isLater && dispatches.creates() === 1) tempo.pausedMs += 26 * 60_000;
		isLater ||= dispatches.creates() === 1;
		await Promise.resolve();
	};
	const { error } = await send({});
	expect(error?.message).toBe(`Making dispatch ${firstNew} took longer than 25 minutes`);
	expect(error?.description).toBe(
		'Nobody got a message from this run. Run it again in a few minutes.',
	);
	expect(error?.context?.code).toBe('late');
	expect(starts(firstNew)).toBe(0);
});

describe('a response does not show the price of its request', () => {
	const whole = 26.2;
	const append = `*/dispatches/${firstNew}/messages`;
	const sendTen = async (more: INodeParameters) => await run('send', more, 10);

	test('the dispatch shows 0: the price that a response has shown counts', async () => {
		dispatches.show(firstNew, 10, { priceEstimate: 0 });
		const { error } = await sendTen({ priceLimit: whole - 0.01 });
		expect(error?.message).toBe("The price estimate is 26.2 RUB, but 'Price Limit' is 26.19 RUB");
		expect(statusOf()).toBe('CREATED');
	});

	test('it is lost, and the dispatch shows the price of everybody: it counts', async () => {
		bench.fault('commit-then-reset', 'POST', append);
		const { error } = await sendTen({ priceLimit: 0.6 * whole, options: { batchSize: 5 } });
		expect(error?.message).toBe("The price estimate is 26.2 RUB, but 'Price Limit' is 15.72 RUB");
	});

	test('everybody in it was rejected: it costs nothing, so the price of the others counts', async () => {
		block(bench.sandbox, [8, 9].map(numberOf));
		bench.fault('commit-then-reset', 'POST', append, { after: 3 });
		const { error, items } = await sendTen({ priceLimit: 100, options: { batchSize: 2 } });
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ started: true, onTheWay: 8, failed: 2 }]);
	});

	test('everybody in the dispatch was rejected: said at once, without waiting for a price', async () => {
		block(
			bench.sandbox,
			itemsUpTo(2).map((_, index) => numberOf(index)),
		);
		dispatches.show(firstNew, 2, { priceEstimate: undefined });
		const { error } = await run('send', {}, 2);
		expect(error?.message).toBe('The service rejected every recipient');
		expect(bench.sent('GET', `/dispatches/${firstNew}`)).toBe(before);
	});

	test('the price of some requests is shown for half a minute: the last one counts', async () => {
		dispatches.show(firstNew, 10, { priceEstimate: 1 }, { times: before + 3 });
		const { error, items } = await sendTen({ priceLimit: 100, options: { batchSize: 5 } });
		expect(error).toBeUndefined();
		expect(jsonOf(items)[0]?.priceEstimate).toMatchObject({ total: whole });
	});
});
