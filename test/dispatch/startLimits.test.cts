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

const nameOf = (index: number) => `Part ${index}`;
/** Each item is a dispatch of its own. */
const apart: INodeParameters = { nameExists: 'stop', name: '={{ "Part " + $json.code }}' };

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

/** What the service shows of a dispatch that is not started, whatever it really costs. */
const show = (index: number, shown: IDataObject, times = 1) => {
	const more = { name: nameOf(index), priceEstimate: undefined, ...shown };
	dispatches.show(firstNew + index, 1, more, { times });
};
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
		price(8, 8);
		const rejected = { status: 400, code: 4000 };
		bench.fault('status', 'POST', `*/dispatches/${firstNew}/start`, rejected);
		const { items } = await send(limited(10), 2, { tries: 2, onError: 'continueRegularOutput' });
		expect(reasons(items)).toEqual([
			"The price estimate is 8 RUB (plus 8 RUB for this run's other dispatches), but 'Price Limit' is 10 RUB",
			true,
		]);
		expect([firstNew, second].map(statusOf)).toEqual(['CREATED', 'STARTED']);
	});

	test.each([
		['nothing', {}],
		['"1,50"', { priceEstimate: '1,50' }],
		['{"total":1.5}', { priceEstimate: { total: 1.5 } }],
	])('an estimate that cannot be read: the service sent %s', async (found, shown) => {
		show(0, shown, looks);
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

test('two responses show different currencies: not started', async () => {
	const priceEstimate = { total: 1, currency: 'USD', parts: 1 };
	bench.respond('commit-then-status', 'POST', '*/dispatches/*/messages', { priceEstimate });
	const { items } = await send({ ...limited(10, { batchSize: 1 }), name: 'One' }, 3);
	expect(reasons(items)).toEqual([
		"The price estimate is in RUB and USD, but 'Price Limit' is in RUB",
	]);
	expect(starts(firstNew)).toBe(0);
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

	test('a start that was refused costs nothing: the second try starts it', async () => {
		freeOfCharge();
		show(0, { priceEstimate: 2 }, 100);
		refuse(firstNew);
		const { items, error } = await send(limited(2), 1, { tries: 2 });
		expect(error).toBeUndefined();
		expect(reasons(items)).toEqual([true]);
		expect(statusOf(firstNew)).toBe('STARTED');
		expect(starts(firstNew)).toBe(2);
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
		const still = { id: firstNew, name: nameOf(0), status: 'CREATED', priceEstimate: 2 };
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
		expect(error?.message).toBe(`It is not known whether dispatch ${firstNew} was started`);
		expect(error?.description).toContain('The start was interrupted.');
		expect(starts(firstNew)).toBe(1);
	});

	test('its state is not said: the error says just that, and nothing is started again or stopped', async () => {
		price(2);
		lose();
		show(0, { status: 'PAUSED' }, 100);
		const { error } = await send({});
		expect(error?.message).toBe(`It is not known whether dispatch ${firstNew} was started`);
		expect(error?.description?.trim()).toBe(
			`All its recipients may get the message. Check dispatch ${firstNew} in your account on the provider's website. If it isn't started, use 'Start' with it. Don't send it under another name. The connection to the service was lost.`,
		);
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
		expect(error?.message).toBe(`It is not known whether dispatch ${firstNew} was started`);
	});

	test('the dispatch is unstarted, and then started by a person: that is the title', async () => {
		price(2);
		reject('status');
		show(0, {});
		show(0, { status: 'STARTED' });
		const { error } = await send({});
		expect(error?.message).toBe(`Dispatch ${firstNew} was already sent`);
		expect(error?.description).toContain('rejected its start and showed it as not started');
	});

	test('26 minutes before the second try: another run may use the name, so not started', async () => {
		reject('status');
		bench.flight.beforeAnswer = async () => {
			if (starts(firstNew) === 1) tempo.pausedMs += 26 * 60_000;
			await Promise.resolve();
		};
		const { error } = await send({ nameExists: 'stop' }, 1, { tries: 2 });
		expect(error?.description).toContain('rejected its start and showed it as not started');
		expect(starts(firstNew)).toBe(1);
	});
});

describe('a response does not show the price of its request', () => {
	const whole = 26.2;
	const priceOf = async (fail: () => void, priceEstimate: number) => {
		// The same people are always in the first request.
		jest.spyOn(Math, 'random').mockReturnValue(0);
		fail();
		dispatches.show(firstNew, 10, { priceEstimate });
		const more = { nameExists: 'stop', priceLimit: 0.6 * whole, options: { batchSize: 5 } };
		return (await run('send', more, 10)).error?.message;
	};
	const append = `*/dispatches/${firstNew}/messages`;

	describe.each([
		['it is lost', () => bench.fault('commit-then-reset', 'POST', append)],
		[
			'it says nothing',
			() => bench.fault('commit-then-status', 'POST', append, { status: 200, body: '{}' }),
		],
	])('%s', (_, fail) => {
		test.each([
			[0, "The price estimate can't be read: the service sent 0"],
			[
				whole / 2,
				'The price estimate of 13.1 may be for some of the recipients only, because a response was lost or shows no price',
			],
		])(
			'the dispatch shows %d, which is not above that of the others: not started',
			async (shown, words) => {
				expect(await priceOf(fail, shown)).toBe(words);
				expect(statusOf()).toBe('CREATED');
			},
		);

		test('the dispatch shows more than that of the others: it counts', async () => {
			expect(await priceOf(fail, whole)).toBe(
				"The price estimate is 26.2 RUB, but 'Price Limit' is 15.72 RUB",
			);
		});
	});

	test('everybody in it was rejected: it costs nothing, so the price of the others counts', async () => {
		block(bench.sandbox, [7, 8].map(numberOf));
		// The first request has the first and the last one, so these two are in the last request.
		jest.spyOn(Math, 'random').mockReturnValue(0);
		bench.fault('commit-then-reset', 'POST', append, { after: 3 });
		const more = { nameExists: 'stop', priceLimit: 100, options: { batchSize: 2 } };
		const { error, items } = await run('send', more, 10);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ started: true, onTheWay: 8, failed: 2 }]);
	});

	test('one of two in it was accepted, and the price is that of the others: not started', async () => {
		block(bench.sandbox, [numberOf(8)]);
		jest.spyOn(Math, 'random').mockReturnValue(0);
		bench.fault('commit-then-reset', 'POST', append, { after: 3 });
		const others = { nameExists: 'stop', priceLimit: 100, options: { batchSize: 2 } };
		dispatches.show(firstNew, 10, { priceEstimate: whole / 2 });
		const { error } = await run('send', others, 10);
		expect(error?.message).toContain('may be for some of the recipients only');
		expect(statusOf()).toBe('CREATED');
	});

	test('everybody in the dispatch was rejected: said at once, without waiting for a price', async () => {
		block(
			bench.sandbox,
			itemsUpTo(2).map((_, index) => numberOf(index)),
		);
		dispatches.show(firstNew, 2, { priceEstimate: undefined });
		bench.forget();
		const { error } = await run('send', { nameExists: 'stop' }, 2);
		expect(error?.message).toBe('The service rejected every recipient');
		expect(bench.sent('GET', `/dispatches/${firstNew}`)).toBe(1);
	});

	test('the price of some requests is shown for half a minute: the last one counts', async () => {
		bench.fault('commit-then-reset', 'POST', append);
		dispatches.show(firstNew, 10, { priceEstimate: 25 }, { times: 4 });
		const more = { nameExists: 'stop', priceLimit: 100, options: { batchSize: 5 } };
		const { error, items } = await run('send', more, 10);
		expect(error).toBeUndefined();
		expect(jsonOf(items)[0]?.priceEstimate).toMatchObject({ total: whole });
	});

	test('it is clear otherwise: not started', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		const message = { destination: numberOf(1), messageUuid: 'x', parts: 1, senderId: 1 };
		const counts = { total: 1, success: 1, failed: 0 };
		dispatches.reply(append, { id: firstNew, status: 'CREATED', ...counts, messages: [message] });
		dispatches.show(firstNew, 2, { priceEstimate: 0 });
		const more = { nameExists: 'stop', priceLimit: 3, options: { batchSize: 1 } };
		expect((await run('send', more, 2)).error?.message).toContain(
			"The price estimate can't be read",
		);
		expect(statusOf()).toBe('CREATED');
	});
});
