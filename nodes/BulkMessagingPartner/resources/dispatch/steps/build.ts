import { claimDispatch, splitRecipients } from './claim';
import { compareDispatch } from './compare';
import { fillDispatch } from './fill';
import { stop, type Filled, type Job, type Placed, type Stop } from './job';
import type { DispatchState } from './replies';

/** A dispatch that isn't started and holds exactly what it should. */
export interface Whole {
	is: 'whole';
	id: number;
	placed: Placed;
	accepted: number;
	/** With the highest estimate that was seen; `undefined` if the whole dispatch shows none. */
	state: DispatchState;
	currency: string | undefined;
	claimedAt: number;
}

const mostRounds = 2;

const toWhole = (filled: Filled, state: DispatchState, placed: Placed): Whole => {
	const { id, currency, claimedAt, highestEstimate } = filled;
	const estimate =
		state.estimate === undefined ? undefined : Math.max(state.estimate, highestEstimate);
	const accepted = placed.reduce((sum, one) => sum + (one ? 1 : 0), 0);
	return { is: 'whole', id, placed, accepted, state: { ...state, estimate }, currency, claimedAt };
};

/**
 * Claim, fill, compare. A dispatch that isn't started costs nothing, so one that isn't exactly right is left, and a new one is
 * claimed with everybody, once. A late request then lands in a dispatch that nobody starts.
 */
export const buildDispatch = async (job: Job): Promise<Whole | Stop> => {
	const { context, recipients, batchSize } = job;
	let left: number | undefined;
	for (let claims = 1; claims <= mostRounds; claims++) {
		const split = splitRecipients(recipients.length, batchSize);
		const filled = await claimDispatch(job, split);
		if (filled === 'none') continue;
		if ('is' in filled) return filled;
		// After a spoiled one, requests go one at a time: several at once may have been the reason.
		const isFilled = await fillDispatch(job, filled, split.rest, claims === 1 ? undefined : 1);
		if (typeof isFilled === 'object') return isFilled;
		const compared = isFilled === 'filled' ? await compareDispatch(job, filled) : undefined;
		if (compared?.isStarted) {
			// It isn't this run's alone any more: the next try must see it as a dispatch that was sent.
			job.own.delete(filled.id);
			const stopped = stop(
				`Dispatch ${filled.id} was started by another run or a person while this run filled it`,
				"Its recipients may get the message. Check it in your account on the provider's website before you send anything again.",
			);
			return { ...stopped, isStarted: true };
		}
		if (compared !== undefined) return toWhole(filled, compared.state, compared.placed);
		if (context.getExecutionCancelSignal()?.aborted) {
			return stop('The execution was canceled before the dispatch was started', '');
		}
		left = filled.id;
		if (filled.mayBeAnothers) break;
	}
	return left === undefined
		? stop(
				"The service didn't respond to the requests to create the dispatch, and doesn't list it",
				'Try again in a few minutes. A dispatch that turns up later is never started.',
			)
		: stop(
				`Dispatch ${left} doesn't show exactly the recipients that were sent to the service`,
				"The service's responses were lost or unclear, so the dispatch isn't started. Try again later.",
			);
};
