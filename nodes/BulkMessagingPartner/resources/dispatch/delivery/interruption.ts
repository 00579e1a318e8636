import { UnsettledError } from '../../../../../core/transport/lookThenSend';
import type { Placements } from './placements';

/** A request to create a dispatch, with an unknown result. */
export interface Doubt {
	/** Dispatches with the same name that existed before. */
	namesakes: ReadonlySet<number>;
	error: unknown;
	sentAt: number;
}

/** The progress of a dispatch. */
export interface DispatchProgress {
	dispatchId?: number;
	/** In the order of the recipients; `undefined` for each one the service rejected. */
	placed: Placements;
	currency?: string;
	/** The dispatch was started before this run, so nobody could be added. */
	isClosed: boolean;
	/** How many messages it contained before these recipients were added; `undefined` if that isn't known. */
	heldBefore?: number;
	/** How many recipients were in the dispatch before and aren't in this run. */
	others?: number;
	/** Whether any recipients were sent to the service. */
	isTried: boolean;
	/** Set if the dispatch may have been created. */
	doubt?: Doubt;
}

/** A dispatch that couldn't be finished, with the confirmed progress, so that it can be resumed. */
export class InterruptedError extends Error {
	constructor(
		readonly progress: DispatchProgress,
		/** The index of the first recipient who isn't confirmed to be in the dispatch. */
		readonly next: number,
		readonly reason: unknown,
	) {
		super("The dispatch couldn't be finished");
	}
}

/** Several new dispatches have the same name: another client created one at the same time. */
export class AmbiguousError extends UnsettledError {
	constructor(readonly dispatchIds: readonly number[]) {
		super(`More than one new dispatch has this name: ${dispatchIds.join(', ')}`);
	}
}
