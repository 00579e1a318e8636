import { partner } from '../../core/contract/partner';
import { ServiceError } from '../../core/transport/errors';
import { settle } from '../../core/transport/settle';
import type { Exchange } from '../../core/transport/types';
import { quick } from './calls.cts';

const problemOf = async (attempt: () => Promise<Exchange>, cancelled?: AbortSignal) => {
	const failure: unknown = await settle(partner.companyCreate, attempt, {
		retry: quick,
		cancelled,
		secrets: () => ['correct-horse'],
	}).catch((error: unknown) => error);
	if (!(failure instanceof ServiceError)) throw new Error('no failure of the service');
	return failure.problem;
};

describe('what is kept about a call that failed', () => {
	it('the words of the connection, without secrets', async () => {
		const lost: Exchange = {
			kind: 'noAnswer',
			code: 'ECONNRESET',
			detail: 'lost correct-horse@example',
		};
		expect(await problemOf(async () => lost)).toMatchObject({
			connection: 'ECONNRESET',
			detail: 'lost ***@example',
		});
	});

	it('nothing about the connection where the service answered', async () => {
		const answer: Exchange = { kind: 'answer', status: 400, headers: {}, body: 'No', bytes: 2 };
		const problem = await problemOf(async () => answer);
		expect(problem.serviceText).toBe('No');
		expect(problem.detail).toBeUndefined();
	});

	it('that it was canceled', async () => {
		const cancel = new AbortController();
		const problem = await problemOf(async () => {
			queueMicrotask(() => cancel.abort());
			return await new Promise<Exchange>(() => undefined);
		}, cancel.signal);
		expect(problem).toMatchObject({
			connection: 'ERR_CANCELED',
			detail: 'The execution was canceled',
		});
	});
});
