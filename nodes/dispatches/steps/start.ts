import type { IExecuteFunctions } from 'n8n-workflow';
import {
	askForAMinute,
	CancelledError,
	type Outcome,
	ServiceError,
} from '../../../core/transport/outcome';
import { wrongStatus } from '../ask/messaging';
import type { DispatchApi, Move, Moved, ShownDispatch } from '../ask/partner';
import type { DispatchId } from '../plan/rows';

/** What came of starting or stopping a dispatch. `refused` and `notCarriedOut`: it was seen as it was before. */
export type StartOutcome = Outcome<Moved>;

/** Canceled before the request was sent, or no connection was made. Any response, even 429, may be to a request that was carried out. */
const neverReached = (error: Error): boolean =>
	(error instanceof CancelledError && !error.hadResponse) ||
	(error instanceof ServiceError &&
		error.problem.status === undefined &&
		error.problem.hadResponse !== true);

/** Rejected at the first attempt: an earlier one may have been carried out, whatever its response was. */
const isClearRejection = (outcome: StartOutcome): boolean =>
	(outcome.is === 'refused' || outcome.is === 'notCarriedOut') &&
	!(outcome.error instanceof ServiceError && outcome.error.problem.hadResponse === true);

/** The credential isn't allowed to do this, so it wasn't done. A wrong status may be that of a dispatch that was started. */
const isForbidden = (outcome: StartOutcome): boolean =>
	isClearRejection(outcome) &&
	'error' in outcome &&
	outcome.error instanceof ServiceError &&
	outcome.error.problem.status === 403 &&
	outcome.error.problem.code !== wrongStatus;

/** After so long, a dispatch that is still unstarted shows that a rejected request wasn't carried out. */
const settledMs = 5_000;

type Seen =
	| { is: 'moved'; status: string }
	/** Its status is the old one, and nothing more is to be expected from a rejected request. */
	| { is: 'rejected' }
	| { is: 'unmoved' }
	/** Neither the old nor the new status. */
	| { is: 'strange' };

/** What a dispatch shows after a request to start or stop it. */
export const decideMoved = (
	isMoved: boolean | undefined,
	{ status = '' }: ShownDispatch,
	isRejected: boolean,
	elapsedMs: number,
): Seen => {
	if (isMoved) return { is: 'moved', status };
	if (isMoved === undefined) return { is: 'strange' };
	return { is: isRejected && elapsedMs >= settledMs ? 'rejected' : 'unmoved' };
};

/** Looks for a minute what became of the request. */
const lookAfter = async (
	context: IExecuteFunctions,
	api: DispatchApi,
	id: DispatchId,
	move: Move,
	isRejected: boolean,
) => {
	const since = performance.now();
	// A rejected stop does no harm, so it doesn't matter whether the dispatch isn't started or is completed.
	const isMoved = (state: ShownDispatch) =>
		api.isMoved(state, move) ?? (isRejected && move === 'stop' ? false : undefined);
	const read = async () =>
		await api.get({ context }, id).catch((error: unknown) => {
			// The same reason, for example that it doesn't exist. Looking again doesn't help.
			const isAnswer = error instanceof ServiceError && error.outcome === 'refused';
			if (isAnswer && isRejected && move === 'stop') return undefined;
			throw error;
		});
	return await askForAMinute(
		read,
		(state): Seen =>
			state === undefined
				? { is: 'rejected' }
				: decideMoved(isMoved(state), state, isRejected, performance.now() - since),
		context.getExecutionCancelSignal(),
		({ is }) => is === 'moved' || is === 'rejected',
	);
};

/**
 * Starts or stops a dispatch. It counts only if a response about this very dispatch says so, or if the dispatch itself shows it
 * within a minute. If it still shows the old status then, the call is sent once more: starting a dispatch twice sends it once.
 */
export const moveDispatch = async (
	context: IExecuteFunctions,
	api: DispatchApi,
	id: DispatchId,
	move: Move,
	/** Whether it is too late for the call. */
	isLate: () => boolean = () => false,
): Promise<StartOutcome> => {
	const first = await api.move(context, id, move, isLate);
	if (first.is === 'done') return first;
	if (first.is === 'notCarriedOut' && neverReached(first.error)) return first;
	if (isForbidden(first)) return first;
	const seen = await lookAfter(context, api, id, move, isClearRejection(first));
	if (seen.is === 'moved') return { is: 'done', value: { status: seen.status } };
	if (seen.is === 'rejected') return first;
	const unknown = { is: 'unknown', error: first.error } as const;
	const isRepeatable = first.is === 'unknown' && seen.is === 'unmoved' && !isLate();
	if (!isRepeatable || context.getExecutionCancelSignal()?.aborted) return unknown;
	const second = await api.move(context, id, move, isLate);
	if (second.is === 'done') return second;
	return await onlyLook(context, api, id, move, unknown);
};

/** The result of a start that an earlier try has sent. */
export const onlyLook = async (
	context: IExecuteFunctions,
	api: DispatchApi,
	id: DispatchId,
	move: Move,
	before: StartOutcome,
): Promise<StartOutcome> => {
	const seen = await lookAfter(context, api, id, move, false);
	return seen.is === 'moved' ? { is: 'done', value: { status: seen.status } } : before;
};
