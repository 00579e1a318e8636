import { CancelledError, ServiceError } from '../../core/transport/errors';
import {
	isUndecided,
	lookUntilThere,
	lookPausesMs,
	lookThenSend,
	UnconfirmedError,
	UnsettledError,
	wasAnswered,
} from '../../core/transport/lookThenSend';
import type * as Tempo from '../support/tempo.cts';
import { tempo } from '../support/tempo.cts';

// Pauses take no time.
jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof Tempo>('../support/tempo.cts').workflowAtTempo(),
);
beforeEach(() => {
	tempo.pausedMs = 0;
});
afterEach(() => {
	tempo.onPause = undefined;
});

const endpoint = { api: 'partner', repeatable: false } as const;
const lost = new ServiceError({ connection: 'ECONNRESET' }, 'unknown', endpoint);
const lostLater = new ServiceError({ connection: 'ETIMEDOUT' }, 'unknown', endpoint);
const refused = new ServiceError({ status: 400 }, 'refused', endpoint);
const notNow = new ServiceError({ status: 429 }, 'notCarriedOut', endpoint);
const answered = new ServiceError({ status: 200, reply: 'html' }, 'unknown', endpoint);
const seeOther = new ServiceError({ status: 303 }, 'unknown', endpoint);
const unreadable = new UnconfirmedError();
const unsettled = new UnsettledError('It contradicts itself');
const strange = new TypeError('a fault of the program');

const failures = { lost, refused, notNow, answered, seeOther, unreadable, unsettled, strange };

/** Gives one after the other, the last one for ever; errors are thrown. */
const oneByOne = <T,>(...results: Array<T | Error>) => {
	let count = 0;
	const work = async () => {
		const result = results[Math.min(count++, results.length - 1)];
		if (result instanceof Error) throw result;
		return result;
	};
	return { work, times: () => count };
};

const failureOf = async (work: Promise<unknown>) =>
	await work.then(
		() => undefined,
		(error: unknown) => error,
	);

describe('a look', () => {
	it('finds it at once, and waits for nothing', async () => {
		const look = oneByOne(true);
		expect(await lookUntilThere(look.work, undefined)).toBe(true);
		expect([look.times(), tempo.pausedMs]).toEqual([1, 0]);
	});

	it('finds it later', async () => {
		const look = oneByOne(false, false, true);
		expect(await lookUntilThere(look.work, undefined)).toBe(true);
		expect([look.times(), tempo.pausedMs]).toEqual([3, 7_000]);
	});

	it('never finds it, and takes more than a minute for that', async () => {
		const look = oneByOne(false);
		expect(await lookUntilThere(look.work, undefined)).toBe(false);
		expect([look.times(), tempo.pausedMs]).toEqual([lookPausesMs.length, 67_000]);
	});

	it.each(['lost', 'notNow'] as const)('that is %s is repeated', async (name) => {
		const failure = failures[name];
		const look = oneByOne<boolean>(failure, true);
		expect(await lookUntilThere(look.work, undefined)).toBe(true);
		const late = oneByOne<boolean>(failure, false);
		expect(await lookUntilThere(late.work, undefined)).toBe(false);
	});

	it('whose last attempt fails can tell nothing', async () => {
		const look = oneByOne<boolean>(false, lost);
		expect(await failureOf(lookUntilThere(look.work, undefined))).toBe(lost);
		expect(look.times()).toBe(lookPausesMs.length);
	});

	it.each(['refused', 'unsettled', 'strange'] as const)('that is %s ends', async (name) => {
		const failure = failures[name];
		const look = oneByOne<boolean>(false, failure, true);
		expect(await failureOf(lookUntilThere(look.work, undefined))).toBe(failure);
		expect(look.times()).toBe(2);
	});

	it('ends as soon as the execution is cancelled', async () => {
		const cancel = new AbortController();
		const look = oneByOne(false);
		tempo.onPause = () => cancel.abort();
		expect(await failureOf(lookUntilThere(look.work, cancel.signal))).toBeInstanceOf(
			CancelledError,
		);
		expect([look.times(), tempo.pausedMs]).toEqual([1, 200]);
	});
});

describe('a call that must not be carried out twice', () => {
	const send = async (
		attempts: Array<Error | undefined>,
		there: Array<boolean | Error>,
		isProven = true,
	) => {
		const attempt = oneByOne<undefined>(...attempts.map((one) => one ?? undefined));
		const look = oneByOne<boolean>(...there);
		const failure = await failureOf(
			lookThenSend({
				attempt: async () => void (await attempt.work()),
				isThere: look.work,
				isProven: async () => isProven,
				cancelled: undefined,
			}),
		);
		return { failure, sent: attempt.times(), looked: look.times() };
	};
	const all = lookPausesMs.length;

	it('is sent once, and nothing is looked for', async () => {
		expect(await send([undefined], [true])).toEqual({ sent: 1, looked: 0 });
	});

	it.each(['refused', 'notNow', 'strange'] as const)('%s: not looked for', async (name) => {
		const error = failures[name];
		expect(await send([error], [true])).toEqual({ failure: error, sent: 1, looked: 0 });
	});

	it.each(['lost', 'answered', 'unreadable'] as const)('%s, and found: sent once', async (name) => {
		expect(await send([failures[name]], [false, true])).toEqual({ sent: 1, looked: 2 });
	});

	it('is not found, and looking works: sent again', async () => {
		expect(await send([lost, undefined], [false])).toEqual({ sent: 2, looked: all });
	});

	it('is not found, and nothing proves that looking works: not sent again', async () => {
		expect(await send([lost], [false], false)).toEqual({ failure: lost, sent: 1, looked: all });
	});

	it.each(['answered', 'seeOther', 'unreadable'] as const)(
		'%s, and not found: not sent again',
		async (name) => {
			const error = failures[name];
			expect(await send([error], [false])).toEqual({ failure: error, sent: 1, looked: all });
		},
	);

	it('cannot be looked for: not sent again, and the failure is that of the call', async () => {
		expect(await send([lost], [refused])).toEqual({ failure: lost, sent: 1, looked: 1 });
	});

	it('cannot be told: not sent again, and the failure says why', async () => {
		expect(await send([lost], [unsettled])).toEqual({ failure: unsettled, sent: 1, looked: 1 });
	});

	it('is lost every time: given up', async () => {
		expect(await send([lost], [false])).toEqual({
			failure: lost,
			sent: 3,
			looked: 3 * all,
		});
	});

	it('is lost, and then lost in another way: the last failure counts', async () => {
		const { failure } = await send([lost, lost, lostLater], [false]);
		expect(failure).toBe(lostLater);
	});

	it('is lost, and refused the second time: it may have been carried out, so it is looked for', async () => {
		expect(await send([lost, refused], [false])).toEqual({
			failure: lost,
			sent: 2,
			looked: 2 * all,
		});
		const times = Array.from({ length: all }, () => false);
		expect(await send([lost, refused], [...times, true])).toEqual({ sent: 2, looked: all + 1 });
	});

	it('is looked for no longer than the execution lasts', async () => {
		const cancel = new AbortController();
		tempo.onPause = () => cancel.abort();
		const attempt = oneByOne<boolean>(lost);
		const failure = await failureOf(
			lookThenSend({
				attempt: async () => void (await attempt.work()),
				isThere: oneByOne(false).work,
				isProven: () => true,
				cancelled: cancel.signal,
			}),
		);
		expect([failure, attempt.times(), tempo.pausedMs]).toEqual([lost, 1, 200]);
	});
});

describe('an error', () => {
	it.each([
		['unsettled', true, false],
		['unreadable', true, true],
		['answered', false, true],
		['seeOther', false, true],
		['lost', false, false],
		['refused', false, false],
		['strange', false, false],
	] as const)('%s: leaves open what was carried out: %s, was answered: %s', (name, open, was) => {
		expect([isUndecided(failures[name]), wasAnswered(failures[name])]).toEqual([open, was]);
	});

	it('for an answer that cannot be read says so', () => {
		expect(unreadable.message).toBe(
			"The service accepted the request, but its response couldn't be read",
		);
		expect(new UnconfirmedError('In its own words').message).toBe('In its own words');
	});
});
