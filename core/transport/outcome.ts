import { sleep } from 'n8n-workflow';
import type { z } from '../../vendor/zod';
import type { Endpoint } from '../contract/endpoint';
import { explain } from './explain';
import { toShowable } from './redact';
import type { FailedOutcome, Problem } from './types';

/** A failed call, with what is known about it and the text for the user. */
export class ServiceError extends Error {
	readonly description: string;

	/** Whether sending the call again could do something twice. */
	readonly isRisky: boolean;

	constructor(
		readonly problem: Problem,
		readonly outcome: FailedOutcome,
		private readonly endpoint: Pick<Endpoint, 'api' | 'repeatable'>,
		/** What the earlier calls of a sequence have done. */
		private readonly doneBefore = '',
		/** The reason, if the caller knows more than the response says. */
		private readonly title?: string,
	) {
		const isRisky = outcome === 'unknown' && !endpoint.repeatable;
		const { message, description } = explain(problem, endpoint.api, outcome, isRisky);
		super(title ?? message);
		this.name = 'ServiceError';
		this.description = `${doneBefore} ${description}`.trim();
		this.isRisky = isRisky;
	}

	/** The same failure in a later step of a sequence, with a text that says what is already done. */
	after(doneBefore: string): ServiceError {
		const all = `${doneBefore} ${this.doneBefore}`.trim();
		return new ServiceError(this.problem, this.outcome, this.endpoint, all, this.title);
	}

	/** The same failure with its reason as the title. */
	titled(title: string): ServiceError {
		return new ServiceError(this.problem, this.outcome, this.endpoint, this.doneBefore, title);
	}

	/** The same failure, if the call may have been carried out although the response says otherwise. */
	doubted(): ServiceError {
		return new ServiceError(this.problem, 'unknown', this.endpoint, this.doneBefore, this.title);
	}

	/** For places that show only a title, such as the window of a credential. */
	get inOneText(): string {
		return `${this.message}. ${this.description}`;
	}

	/** Whether the service responded with success or "See Other" (303). Such a call is never sent again. */
	get wasAnswered(): boolean {
		const { status = 0 } = this.problem;
		return (status >= 200 && status < 300) || status === 303;
	}
}

/** What failed, without the general advice to try again, for errors that say themselves what to do next. */
export const causeWords = (error: Error | undefined): string => {
	if (error === undefined) return '';
	const said = error instanceof ServiceError ? error.problem.serviceText : undefined;
	return `${error.message}.${said ? ` The service says: ${said}` : ''}`;
};

/** The error for a call that failed, without secrets in the texts that come from outside. */
export const toServiceError = (
	endpoint: Endpoint,
	{ verdict, problem }: { verdict: FailedOutcome; problem: Problem },
	secrets: readonly string[],
): ServiceError => {
	const { serviceText, location } = problem;
	const shown = {
		...problem,
		serviceText: serviceText && toShowable(serviceText, secrets),
		location: location && toShowable(location, secrets),
	};
	return new ServiceError(shown, verdict, endpoint);
};

/** A request that doesn't fit the contract, found before anything is sent. Each issue names a field of the API. */
export class InvalidRequestError extends Error {
	constructor(readonly issues: readonly z.ZodIssue[]) {
		super(issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
		this.name = 'InvalidRequestError';
	}
}

/** The execution was canceled before a call was sent. */
export class CancelledError extends Error {
	constructor(
		/** Whether the service has responded to an earlier attempt of the call. */
		readonly hadResponse = false,
	) {
		super('The execution was canceled');
		this.name = 'CancelledError';
	}
}

export interface RetryPolicy {
	/** How many times a call is sent at most. */
	attempts: number;
	firstPauseMs: number;
	longestPauseMs: number;
	/** Whether it is too late to send the call once more. */
	isOver?: () => boolean;
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

/** What a call that changes something came to. It is a value, so that nobody has to rebuild it from errors. */
export type Outcome<Value> =
	| { is: 'done'; value: Value }
	/** The service rejected it, or it was never sent: it certainly wasn't carried out. */
	| { is: 'refused' | 'notCarriedOut'; error: Error }
	/** It may have been carried out. Sending it again could do it twice. */
	| { is: 'unknown'; error: Error };

/** What a search for the effect of a call shows. `unsure`: the search failed, or its result can't be trusted. */
export type Look<Value> =
	| { is: 'found'; value: Value }
	| { is: 'absent' }
	| { is: 'unsure'; error: Error };

export const absent = { is: 'absent' } as const;

export const asError = (thrown: unknown): Error =>
	thrown instanceof Error ? thrown : new Error(String(thrown));

/** How long to wait before each look: more than a minute in total, because a service may show new entries with a delay. */
const lookPausesMs = [0, 2_000, 5_000, 10_000, 20_000, 30_000];

/** The outcome of a call. Errors that aren't about the call itself, such as invalid values, are thrown. */
export const settled = async <Value>(call: Promise<Value>): Promise<Outcome<Value>> =>
	await call.then(
		(value) => ({ is: 'done', value }),
		(error: unknown) => {
			if (error instanceof ServiceError) return { is: error.outcome, error };
			if (error instanceof CancelledError) return { is: 'notCarriedOut', error };
			throw error;
		},
	);

/** The outcome of a call that was answered with success, but whose response doesn't say what was done. */
export const unclear = (
	endpoint: Pick<Endpoint, 'api' | 'repeatable'>,
): { is: 'unknown'; error: ServiceError } => ({
	is: 'unknown',
	error: new ServiceError({ status: 200, reply: 'unclear' }, 'unknown', endpoint),
});

/**
 * Looks for more than a minute, until `isEnough` (by default: found). Returns the last look. A look that throws is `unsure`, and
 * the next one may succeed.
 */
export const lookForAMinute = async <Value>(
	look: () => Promise<Look<Value>>,
	cancelled: AbortSignal | undefined,
	isEnough: (look: Look<Value>) => boolean = ({ is }) => is === 'found',
): Promise<Look<Value>> => {
	let last: Look<Value> = { is: 'unsure', error: new CancelledError() };
	for (const wait of lookPausesMs) {
		await pause(wait, cancelled);
		if (cancelled?.aborted) return { is: 'unsure', error: new CancelledError() };
		last = await look().catch((error: unknown) => ({
			is: 'unsure' as const,
			error: asError(error),
		}));
		if (isEnough(last)) return last;
	}
	return last;
};

/** An ask that failed. The next one may succeed. */
interface Unsure {
	is: 'unsure';
	error: Error;
}

/**
 * Asks again for more than a minute, until the verdict about an answer is final (by default: it isn't `absent`). Returns the last
 * verdict, or `unsure` if no answer could be read.
 */
export const askForAMinute = async <Answer, Verdict extends { is: string }>(
	ask: () => Promise<Answer>,
	decide: (answer: Answer) => Verdict,
	cancelled: AbortSignal | undefined,
	isFinal: (verdict: Verdict) => boolean = ({ is }) => is !== 'absent',
): Promise<Verdict | Unsure> => {
	let last: Verdict | Unsure = { is: 'unsure', error: new CancelledError() };
	for (const wait of lookPausesMs) {
		await pause(wait, cancelled);
		if (cancelled?.aborted) return last;
		try {
			last = decide(await ask());
			if (isFinal(last)) return last;
		} catch (error) {
			if (last.is === 'unsure') last = { is: 'unsure', error: asError(error) };
		}
	}
	return last;
};
