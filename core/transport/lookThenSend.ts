import { CancelledError, ServiceError } from './errors';
import { pause } from './retry';

/** How long to wait before each look: more than a minute in all, because a service may list what it has only later. */
export const lookPausesMs = [0, 2_000, 5_000, 10_000, 20_000, 30_000];

/** How often the same call is sent at most. */
const mostAttempts = 3;

/** What there is to see contradicts itself, so looking again doesn't help. */
export class UnsettledError extends Error {}

/** The service accepted the call, and its answer doesn't say what became of it. */
export class UnconfirmedError extends Error {
	constructor(message = "The service accepted the request, but its answer couldn't be read") {
		super(message);
	}
}

/** Whether looking, or the answer itself, left open what was carried out. */
export const isUndecided = (error: unknown): error is Error =>
	error instanceof UnsettledError || error instanceof UnconfirmedError;

/** Whether the call may have been carried out. */
const isUnknown = (error: unknown) =>
	error instanceof UnconfirmedError ||
	(error instanceof ServiceError && error.outcome === 'unknown');

/** Whether the service answered with a status of success. Such a call is never sent again. */
export const wasAnswered = (error: unknown) =>
	error instanceof UnconfirmedError || (error instanceof ServiceError && error.wasAnswered);

/** A look that may work the next time. */
const mayPass = (error: unknown) => error instanceof ServiceError && error.outcome !== 'refused';

/** Looks several times until it is there. Throws when the last look couldn't tell. */
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
	/** Sends it, and throws when that failed. */
	attempt: () => Promise<void>;
	/** Whether nothing is left to send. Throws when that can't be told. */
	isThere: () => Promise<boolean>;
	/**
	 * Whether something that certainly is there was found the same way. Only then "not found" means "not there", and it may be
	 * sent again.
	 */
	isProven: () => boolean | Promise<boolean>;
	cancelled: AbortSignal | undefined;
}

/**
 * The one rhythm for a call that must not be carried out twice: sends it, and when its outcome is unknown, looks for more
 * than a minute. It is sent again only if it wasn't answered, wasn't found, and looking is proven to work.
 */
export const lookThenSend = async ({
	attempt,
	isThere,
	isProven,
	cancelled,
}: Call): Promise<void> => {
	/** The first attempt whose outcome was unknown: what a later one is refused for may be that it was carried out. */
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
