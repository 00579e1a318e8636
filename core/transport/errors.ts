import type { z } from '../../vendor/zod';
import type { Endpoint } from '../contract/endpoint';
import { explain } from './explain';
import type { Failed, FailedOutcome, Problem } from './types';

/** A call that failed: what is known about it, and the words for the user. */
export class ServiceError extends Error implements Failed {
	readonly description: string;

	constructor(
		readonly problem: Problem,
		readonly outcome: FailedOutcome,
		private readonly endpoint: Pick<Endpoint, 'api' | 'repeatable'>,
		/** What was done before, in a sequence of calls. */
		private readonly doneBefore = '',
		/** The reason, where the caller knows it better than the answer tells. */
		private readonly title?: string,
	) {
		const { message, description } = explain(problem, endpoint.api);
		super(title ?? message);
		this.name = 'ServiceError';
		this.description = `${doneBefore} ${description}`.trim();
	}

	/** The same failure, with more known about it. */
	knowing(more: Partial<Problem>): ServiceError {
		const problem = { ...this.problem, ...more };
		return new ServiceError(problem, this.outcome, this.endpoint, this.doneBefore, this.title);
	}

	/** The same failure, as one of a later step: the user learns what is done already. */
	after(doneBefore: string): ServiceError {
		const all = `${doneBefore} ${this.doneBefore}`.trim();
		return new ServiceError(this.problem, this.outcome, this.endpoint, all, this.title);
	}

	/** The same failure under its reason. */
	titled(title: string): ServiceError {
		return new ServiceError(this.problem, this.outcome, this.endpoint, this.doneBefore, title);
	}

	/** For where a title is all that is shown, as in the window of a credential. */
	get inOneText(): string {
		return `${this.message}. ${this.description}`;
	}

	/** Whether the service answered with a status of success, or "see other": then the call is never sent again. */
	get wasAnswered(): boolean {
		const { status = 0 } = this.problem;
		return (status >= 200 && status < 300) || status === 303;
	}

	/** Whether sending it again could do something twice. */
	get isRisky(): boolean {
		return this.outcome === 'unknown' && !this.endpoint.repeatable;
	}
}

/** A request that is wrong before anything is sent; each issue names the wire field. */
export class InvalidRequestError extends Error {
	constructor(readonly issues: readonly z.ZodIssue[]) {
		super(issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
		this.name = 'InvalidRequestError';
	}
}

/** The execution was cancelled before a call was sent. */
export class CancelledError extends Error {
	constructor() {
		super('The execution was cancelled');
		this.name = 'CancelledError';
	}
}

/** Whether it is certain that what failed was not carried out. Anything else may have been. */
export const isCertain = (error: unknown): boolean =>
	error instanceof CancelledError || (error instanceof ServiceError && !error.isRisky);
