import { partner } from '../../core/contract/partner';
import {
	absent,
	CancelledError,
	type Look,
	lookForAMinute,
	ServiceError,
	settled,
	toServiceError,
	unclear,
} from '../../core/transport/outcome';
import type { Problem } from '../../core/transport/types';
import type * as Tempo from '../support/tempo.cts';
import { tempo } from '../support/tempo.cts';

// Pauses take no time.
jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof Tempo>('../support/tempo.cts').workflowAtTempo(),
);

beforeEach(() => {
	tempo.pausedMs = 0;
	tempo.onPause = undefined;
});

const found: Look<number> = { is: 'found', value: 7 };

describe('the outcome of a call', () => {
	test.each(['refused', 'notCarriedOut', 'unknown'] as const)('%s', async (is) => {
		const error = new ServiceError({ status: 400 }, is, partner.companyCreate);
		expect(await settled(Promise.reject(error))).toEqual({ is, error });
	});

	test('done, canceled before it was sent, and anything else', async () => {
		expect(await settled(Promise.resolve(5))).toEqual({ is: 'done', value: 5 });
		const canceled = new CancelledError();
		expect(await settled(Promise.reject(canceled))).toEqual({
			is: 'notCarriedOut',
			error: canceled,
		});
		await expect(settled(Promise.reject(new TypeError('no')))).rejects.toThrow('no');
	});

	test('a success that does not say what was done is unknown', () => {
		const { is, error } = unclear(partner.companyCreate);
		expect([is, error.outcome, error.wasAnswered]).toEqual(['unknown', 'unknown', true]);
	});

	test('a rejection that is in doubt denies nothing', () => {
		const error = new ServiceError({ status: 429 }, 'notCarriedOut', partner.companyCreate);
		expect(error.description).toContain('This request was not carried out.');
		expect(error.doubted().description).not.toContain('not carried out');
		expect(error.doubted()).toMatchObject({ outcome: 'unknown', message: error.message });
	});
});

describe('looking', () => {
	const lookAs = (...looks: Array<Look<number> | Error>) =>
		jest.fn(async () => {
			const next = looks.length > 1 ? looks.shift() : looks[0];
			if (next instanceof Error) throw next;
			return next as Look<number>;
		});

	test('ends when it is found', async () => {
		const look = lookAs(absent, new Error('no'), found, absent);
		expect(await lookForAMinute(look, undefined)).toEqual(found);
		expect(look).toHaveBeenCalledTimes(3);
	});

	test('goes on for more than a minute, and returns the last look', async () => {
		const look = lookAs(absent);
		expect(await lookForAMinute(look, undefined)).toEqual(absent);
		expect(tempo.pausedMs).toBeGreaterThan(60_000);
		expect(look).toHaveBeenCalledTimes(6);
	});

	test('a last look that fails is unsure', async () => {
		const error = new Error('no');
		expect(await lookForAMinute(lookAs(absent, error), undefined)).toEqual({ is: 'unsure', error });
	});

	test('ends when the execution is canceled', async () => {
		const cancel = new AbortController();
		tempo.onPause = () => cancel.abort();
		const look = lookAs(absent);
		const seen = await lookForAMinute(look, cancel.signal);
		expect(seen).toMatchObject({ is: 'unsure', error: expect.any(CancelledError) as Error });
		expect(look.mock.calls.length).toBeLessThanOrEqual(1);
	});
});

const kept = (problem: Problem) =>
	toServiceError(partner.companyCreate, { verdict: 'refused', problem }, ['correct-horse']).problem;

describe('what is kept about a call that failed', () => {
	it('the words of the service, without secrets', () => {
		const problem = { status: 400, serviceText: 'No correct-horse', location: '/a?correct-horse' };
		expect(kept(problem)).toEqual({ status: 400, serviceText: 'No ***', location: '/a?***' });
	});

	it('the code of the connection, and no words', () => {
		expect(kept({ connection: 'ECONNRESET' })).toEqual({ connection: 'ECONNRESET' });
	});
});
