import type { NeededKey } from '../contract/keys';

/** The result of one attempt: a response with any status, or none. */
export type Exchange =
	| HttpAnswer
	| { kind: 'noAnswer'; code?: string; syscall?: string }
	/** The login failed, so the call itself was never sent. */
	| { kind: 'noLogIn'; outcome: FailedOutcome; problem: Problem };

export interface HttpAnswer {
	kind: 'answer';
	status: number;
	headers: Readonly<Record<string, unknown>>;
	body: unknown;
	/** How many bytes of the body were read. */
	bytes: number;
}

/**
 * What is known about a call that failed.
 * - `refused`: the service rejected it; repeating the same call changes nothing.
 * - `notCarriedOut`: it never reached the service, or the service asked to try again later; repeating is safe.
 * - `unknown`: it may have been carried out. Only a repeatable call may be sent again.
 */
export type FailedOutcome = 'refused' | 'notCarriedOut' | 'unknown';

/** Everything needed to explain a failure, without secrets. */
export interface Problem {
	status?: number;
	/** The service's own code, as in `{error: {code, msg}}`. */
	code?: number;
	serviceText?: string;
	/** The code of a connection that failed, such as ECONNRESET. */
	connection?: string;
	/** An earlier attempt may have been carried out, so this response may be to a repetition. */
	wasRepeated?: true;
	/** The service has responded to an earlier attempt. */
	hadResponse?: true;
	/** The type of API key that the call needs. */
	key?: NeededKey;
	/** The server has no login, so it isn't the service. */
	hasNoLogIn?: true;
	/** The path contains an ID that the user chose. */
	hasId?: true;
	/** The path isn't stated, and the credential can change it. */
	hasAssumedPath?: true;
	/** The credential contains an access token instead of a login. */
	usesToken?: boolean;
	/** What is wrong with the response. */
	reply?:
		| 'notJson'
		| 'html'
		| 'empty'
		| 'tooLarge'
		| 'endless'
		| 'noList'
		| 'unreadable'
		| 'shortList'
		| 'unclear'
		/** An error, with the status of a success. */
		| 'error'
		| 'other';
	/** What the service sent instead of a list, or how many entries of it. */
	found?: string;
	location?: string;
	retryAfterMs?: number;
}

/** What the user reads about a problem. */
export interface Explanation {
	/** What happened. */
	message: string;
	/** What to do next. */
	description: string;
	/** The same if the call may have been carried out and must not be done twice: without the advice to try again. */
	ifUnknown?: string;
}
