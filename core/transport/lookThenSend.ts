import { CancelledError, ServiceError } from './errors';
import { pause } from './retry';

/** How long to wait before each check: more than a minute in total, because a service may list new entries with a delay. */
export const lookPausesMs = [0, 2_000, 5_000, 10_000, 20_000, 30_000];

/** How many times the same call is sent at most. */
const mostAttempts = 3;

/** The service's data contradicts itself, so checking again doesn't help. */
export class UnsettledError extends Error {}

/** The service accepted the call, but its response doesn't show the result. */
export class UnconfirmedError extends Error {
	constructor(message = "The service accepted the request, but its response couldn't be read") {
		super(message);
	}
}

/** Whether it is still unknown what was carried out. */
export const isUndecided = (error: unknown): error is Error =>
	error instanceof UnsettledError || error instanceof UnconfirmedError;

/** Whether the call may have been carried out. */
const isUnknown = (error: unknown) =>
	error instanceof UnconfirmedError ||
	(error instanceof ServiceError && error.outcome === 'unknown');

/** Whether the service responded with a success status. Such a call is never sent again. */
export const wasAnswered = (error: unknown) =>
	error instanceof UnconfirmedError || (error instanceof ServiceError && error.wasAnswered);

/** Whether a failed check may work the next time. */
const mayPass = (error: unknown) => error instanceof ServiceError && error.outcome !== 'refused';

/** Checks several times until it is there. Throws if the last check failed. */
export const lookUntilThere = async (
	isThere: () => Promise<boolean>,
	cancelled: AbortSignal | undefined,
): Promise<boolean> => {
	let failure: { error: unknown } | undefined;
	for (const wait of lookPausesMs) {
		await pause(wait, cancelled);
		if (cancelled?.aborted) throw new CancelledError();
		const found = await isThere().catch((error: unknown) => ({ error }));
		if (found === true) return true;
		failure = found === false ? undefined : found;
		if (failure !== undefined && !mayPass(failure.error)) break;
	}
	if (failure !== undefined) throw failure.error;
	return false;
};

interface Call {
	/** Sends the call. Throws if it fails. */
	attempt: () => Promise<void>;
	/** Whether the call was carried out completely. Throws if that can't be determined. */
	isThere: () => Promise<boolean>;
	/**
	 * Whether the same check has found something that certainly is there. Only then does "not found" mean "not there", so that the
	 * call may be sent again.
	 */
	isProven: () => boolean | Promise<boolean>;
	cancelled: AbortSignal | undefined;
}

/**
 * Sends a call that must not be carried out twice. If its outcome is unknown, checks for more than a minute whether it was carried
 * out. Sends it again only if there was no response, it wasn't found, and the check is proven to work.
 */
export const lookThenSend = async ({
	attempt,
	isThere,
	isProven,
	cancelled,
}: Call): Promise<void> => {
	/** The error of the first attempt with an unknown outcome. If it was carried out, a later attempt may be rejected for that. */
	let doubt: { error: unknown } | undefined;
	for (let count = 1; ; count++) {
		const failure = await attempt().then(
			() => undefined,
			(error: unknown) => ({ error }),
		);
		if (failure === undefined) return;
		if (!isUnknown(failure.error) && doubt === undefined) throw failure.error;
		const isLast = !isUnknown(failure.error) || count >= mostAttempts;
		doubt ??= failure;
		const error = isUnknown(failure.error) ? failure.error : doubt.error;
		const found = await lookUntilThere(isThere, cancelled).catch((problem: unknown) => ({
			problem,
		}));
		if (found === true) return;
		if (typeof found === 'object') {
			throw found.problem instanceof UnsettledError ? found.problem : error;
		}
		if (wasAnswered(error) || isLast || !(await isProven())) throw error;
	}
};
