import type { Endpoint } from '../contract/endpoint';
import { orCancelled } from './cancel';
import { CancelledError, ServiceError } from './errors';
import { isPassing, judge } from './judge';
import { toShowable } from './redact';
import { defaultRetryPolicy, pause, pauseBefore, type RetryPolicy } from './retry';
import type { Exchange, HttpAnswer, Problem } from './types';

interface SettleOptions {
	retry?: RetryPolicy;
	cancelled?: AbortSignal;
	/** A function, because a token may be renewed between attempts. */
	secrets: () => readonly string[];
}

const cancelledExchange: Exchange = {
	kind: 'noAnswer',
	code: 'ERR_CANCELED',
	detail: 'The execution was canceled',
};

const showable = (problem: Problem, secrets: readonly string[]): Problem => ({
	...problem,
	serviceText: problem.serviceText && toShowable(problem.serviceText, secrets),
	location: problem.location && toShowable(problem.location, secrets),
	detail: problem.detail && toShowable(problem.detail, secrets),
});

/**
 * Attempts a call until its outcome is final, and returns the response or throws a ServiceError. A repeatable call is retried with
 * growing pauses; any other call is retried only if it certainly wasn't carried out.
 */
export const settle = async (
	endpoint: Endpoint,
	attempt: () => Promise<Exchange>,
	{ retry = defaultRetryPolicy, cancelled, secrets }: SettleOptions,
): Promise<HttpAnswer> => {
	for (let count = 1; ; count++) {
		if (cancelled?.aborted) throw new CancelledError();
		const outcome = await orCancelled(attempt(), cancelled, cancelledExchange);
		const judgment = judge(endpoint, outcome, Date.now());
		if (judgment.verdict === 'done') return judgment.answer;

		const { verdict, problem } = judgment;
		const mayRepeat = verdict === 'notCarriedOut' || (verdict === 'unknown' && endpoint.repeatable);
		const wait =
			mayRepeat && isPassing(problem) && !cancelled?.aborted
				? pauseBefore(count, retry, problem.retryAfterMs)
				: undefined;
		if (wait === undefined) {
			throw new ServiceError(showable(problem, secrets()), verdict, endpoint);
		}
		await pause(wait, cancelled);
	}
};
