import { CancelledError, ServiceError } from './errors';
import { pause } from './retry';
import type { Endpoint } from '../contract/endpoint';

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
			error: error instanceof Error ? error : new Error(String(error)),
		}));
		if (isEnough(last)) return last;
	}
	return last;
};
