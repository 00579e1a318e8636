import type { z } from '../../vendor/zod';
import type { Endpoint } from '../contract/endpoint';
import { explain } from './explain';
import { toShowable } from './redact';
import type { FailedOutcome, Problem } from './types';

/** A failed call, with what is known about it and the text for the user. */
export class ServiceError extends Error {
	readonly description: string;

	constructor(
		readonly problem: Problem,
		readonly outcome: FailedOutcome,
		private readonly endpoint: Pick<Endpoint, 'api' | 'repeatable'>,
		/** What the earlier calls of a sequence have done. */
		private readonly doneBefore = '',
		/** The reason, if the caller knows more than the response says. */
		private readonly title?: string,
	) {
		const { message, description } = explain(problem, endpoint.api, outcome);
		super(title ?? message);
		this.name = 'ServiceError';
		this.description = `${doneBefore} ${description}`.trim();
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

	/** Whether sending the call again could do something twice. */
	get isRisky(): boolean {
		return this.outcome === 'unknown' && !this.endpoint.repeatable;
	}
}

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
	constructor() {
		super('The execution was canceled');
		this.name = 'CancelledError';
	}
}
