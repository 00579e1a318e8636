import { UnsettledError } from '../../../../../core/transport/lookThenSend';
import type { Placements } from './placements';

/** A creation of unknown outcome. */
export interface Doubt {
	/** Dispatches of the same name that were there before it. */
	namesakes: ReadonlySet<number>;
	error: unknown;
	sentAt: number;
}

/** How far a dispatch has come. */
export interface DispatchProgress {
	dispatchId?: number;
	/** In the order of the recipients; nothing for one the service did not take. */
	placed: Placements;
	currency?: string;
	/** It was started before this run: nobody could be added. */
	isClosed: boolean;
	/** How many messages it held before any of these recipients; `undefined` when that isn't known. */
	heldBefore?: number;
	/** How many were in the dispatch before and are not among the recipients of this run. */
	others?: number;
	/** Some of the recipients were sent to the service. */
	isTried: boolean;
	/** It may have been created. */
	doubt?: Doubt;
}

/** A dispatch that could not be finished: what is certain, so that it can be resumed. */
export class InterruptedError extends Error {
	constructor(
		readonly progress: DispatchProgress,
		/** The first recipient that is not certainly in the dispatch. */
		readonly next: number,
		readonly reason: unknown,
	) {
		super("The dispatch couldn't be finished");
	}
}

/** Two new dispatches of the same name: somebody else made one at the same moment. */
export class AmbiguousError extends UnsettledError {
	constructor(readonly dispatchIds: readonly number[]) {
		super(`More than one new dispatch has this name: ${dispatchIds.join(', ')}`);
	}
}
