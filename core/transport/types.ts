/** What came of one attempt: an answer of the service with any status, or none at all. */
export type Exchange =
	| HttpAnswer
	| { kind: 'noAnswer'; code?: string; syscall?: string; detail: string }
	/** The log-in before it failed: the call itself was never sent. */
	| { kind: 'noLogIn'; failure: Failed };

export interface HttpAnswer {
	kind: 'answer';
	status: number;
	headers: Readonly<Record<string, unknown>>;
	body: unknown;
	/** How many bytes of the body were read. */
	bytes: number;
}

/**
 * What is known about a call after one attempt.
 * - done: carried out, and the reply is readable.
 * - refused: the service said no; repeating the same call changes nothing.
 * - notCarriedOut: it never reached the service, or the service asked to come back later; repeating is safe.
 * - unknown: it may have been carried out. Only a repeatable call may be sent again.
 */
type Verdict = 'done' | 'refused' | 'notCarriedOut' | 'unknown';

/** The verdict on a call that failed. `unknown` means: check before sending again. */
export type FailedOutcome = Exclude<Verdict, 'done'>;

/** Everything an explanation needs, and nothing secret. */
export interface Problem {
	status?: number;
	/** The service's own code, as in `{error: {code, msg}}`. */
	code?: number;
	serviceText?: string;
	/** The code of a connection that failed, such as ECONNRESET. */
	connection?: string;
	detail?: string;
	/** The service has nothing at this URL, whichever ID it was asked about. */
	isUnknownUrl?: true;
	/** The path is only assumed, and the credential can change it. */
	hasAssumedPath?: true;
	/** The credential holds an access token instead of a login. */
	usesToken?: boolean;
	/** How the reply differs from what was asked for. */
	reply?: 'notJson' | 'html' | 'empty' | 'tooLarge' | 'endless' | 'noList' | 'shortList';
	/** What came instead of a list, or how much of it. */
	found?: string;
	location?: string;
	retryAfterMs?: number;
}

export type Judgment =
	| { verdict: 'done'; answer: HttpAnswer; problem?: undefined }
	| { verdict: FailedOutcome; problem: Problem };

/** A call that failed, as far as a later call must know it. */
export interface Failed {
	readonly outcome: FailedOutcome;
	readonly problem: Problem;
}

/** What the user reads about a problem. */
export interface Explanation {
	/** What happened. */
	message: string;
	/** How to get unstuck. */
	description: string;
}
