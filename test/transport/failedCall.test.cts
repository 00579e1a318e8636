import { partner } from '../../core/contract/partner';
import { toServiceError } from '../../core/transport/outcome';
import type { Problem } from '../../core/transport/types';

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
