import { sleep } from 'n8n-workflow';
import { orCancelled } from './cancel';

export interface RetryPolicy {
	/** How often a call is sent at most. */
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
 * How long to wait before attempt `attempt + 1`: what the service asked for, or a pause that doubles, with jitter so
 * that many clients do not come back at the same moment. Nothing when waiting makes no sense any more.
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

/** n8n's sleep cannot be ended early; short naps leave next to nothing behind when an execution is cancelled. */
const napMs = 200;

/** Waits, and returns at once when the execution is cancelled. */
export const pause = async (ms: number, cancelled?: AbortSignal): Promise<void> => {
	for (let left = ms; left > 0 && !cancelled?.aborted; left -= napMs) {
		await orCancelled(sleep(Math.min(left, napMs)), cancelled, undefined);
	}
};
