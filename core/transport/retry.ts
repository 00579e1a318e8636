import { sleep } from 'n8n-workflow';

export interface RetryPolicy {
	/** How many times a call is sent at most. */
	attempts: number;
	firstPauseMs: number;
	longestPauseMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
	attempts: 4,
	firstPauseMs: 500,
	longestPauseMs: 30_000,
};

/**
 * How long to wait before attempt `attempt + 1`: the time that the service asked for, or a pause that doubles, with jitter so that
 * many clients don't come back at the same moment. `undefined` if there is no further attempt.
 */
export const pauseBefore = (
	attempt: number,
	policy: RetryPolicy,
	retryAfterMs: number | undefined,
	random: () => number = Math.random,
): number | undefined => {
	if (attempt >= policy.attempts) return undefined;
	if (retryAfterMs !== undefined) {
		return retryAfterMs <= policy.longestPauseMs ? retryAfterMs : undefined;
	}
	const grown = Math.min(policy.firstPauseMs * 2 ** (attempt - 1), policy.longestPauseMs);
	return Math.round(grown * (0.5 + random() / 2));
};

/** The result of the work, or `instead` as soon as the execution is canceled. */
export const orCancelled = async <Result, Instead>(
	work: Promise<Result>,
	cancelled: AbortSignal | undefined,
	instead: Instead,
): Promise<Result | Instead> => {
	if (cancelled === undefined) return await work;
	let cancel: () => void = () => undefined;
	const cancellation = new Promise<Instead>((resolve) => {
		cancel = () => resolve(instead);
	});
	cancelled.addEventListener('abort', cancel, { once: true });
	try {
		return await Promise.race([work, cancellation]);
	} finally {
		cancelled.removeEventListener('abort', cancel);
	}
};

/** n8n's sleep can't be interrupted, so a pause consists of short ones: after a cancellation, at most one is still running. */
const napMs = 200;

/** Waits. Returns at once when the execution is canceled. */
export const pause = async (ms: number, cancelled?: AbortSignal): Promise<void> => {
	for (let left = ms; left > 0 && !cancelled?.aborted; left -= napMs) {
		await orCancelled(sleep(Math.min(left, napMs)), cancelled, undefined);
	}
};
