import { ServiceError } from './errors';
import { pause } from './retry';

/** How often to look, and how long to wait between, until something that was lost on the way is taken for not done. */
const looks = [0, 1_000, 3_000, 6_000];

/** Somebody looked, and what there is to see does not settle it. */
export class UnsettledError extends Error {}

/** The service answered, and its answer leaves open what it did. */
export class IncompleteReplyError extends Error {}

const isUnknown = (error: unknown) =>
	error instanceof IncompleteReplyError ||
	(error instanceof ServiceError && error.outcome === 'unknown');

/** Looks several times, with growing pauses, until it is there. */
export const lookFor = async (
	isThere: () => Promise<boolean>,
	cancelled: AbortSignal | undefined,
): Promise<boolean> => {
	for (const wait of looks) {
		await pause(wait, cancelled);
		if (await isThere()) return true;
	}
	return false;
};

/**
 * Sends; when the outcome is unknown, looks several times, and sends again only what certainly is not there. `isThere`
 * says whether nothing is left to send.
 */
export const untilSettled = async (
	attempt: () => Promise<void>,
	isThere: () => Promise<boolean>,
	cancelled: AbortSignal | undefined,
): Promise<void> => {
	for (let count = 1; ; count++) {
		const failure = await attempt().then(
			() => undefined,
			(error: unknown) => ({ error }),
		);
		if (failure === undefined) return;
		if (!isUnknown(failure.error) || count > looks.length) throw failure.error;
		const found = await lookFor(isThere, cancelled).catch((error: unknown) => ({ error }));
		if (found === true) return;
		// Who cannot look does not know: what was unknown before stays so.
		if (typeof found === 'object') {
			throw found.error instanceof UnsettledError ? found.error : failure.error;
		}
	}
};
