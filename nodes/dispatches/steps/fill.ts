import type { AcceptedRecipient } from '../plan/rows';
import { place, stop, takenOver, writtenFor, type Filled, type Job, type Stop } from './job';
import { appendMessages, lookAtDispatch, wasStarted } from '../ask/partner';

const appendsAtATime = 6;

/** After so many lost responses, the rest is sent one at a time. After so many more it isn't sent: the dispatch stays incomplete. */
const mostLost = 3;

/** The recipients of one request. */
type Batch = readonly AcceptedRecipient[];

/** What became of one request. */
type Appended = { is: 'clear' | 'unclear' | 'unknown' } | { is: 'refused'; error: Error };

const appendOne = async (job: Job, filled: Filled, batch: Batch): Promise<Appended> => {
	const sent = await appendMessages(job, filled.id, writtenFor(batch));
	if (sent.is === 'unknown') return { is: 'unknown' };
	if (sent.is !== 'done') return { is: 'refused', error: sent.error };
	return { is: place(filled, batch, sent.value) ? 'clear' : 'unclear' };
};

/**
 * Adds the recipients of all requests, several requests at a time. No request that may have been carried out is sent again: whether
 * a lost one was, is seen when the dispatch is compared. A rejected one is tried once more, and the comparison shows whether it was
 * carried out after all. From then on requests go one at a time, because a service may reject one while it carries out another.
 */
export const fillDispatch = async (
	job: Job,
	filled: Filled,
	batches: readonly Batch[],
	atATime = appendsAtATime,
): Promise<Stop | undefined> => {
	const { context } = job;
	const cancelled = context.getExecutionCancelSignal();
	const open = [...batches];
	const rejected: Batch[] = [];
	let lost = 0;
	let refusal: Error | undefined;
	const work = async () => {
		while (lost < mostLost && refusal === undefined && !cancelled?.aborted) {
			const batch = open.shift();
			if (batch === undefined) return;
			const appended = await appendOne(job, filled, batch);
			// Even one that was rejected may turn up, so only the list shows that nobody is in it twice.
			if (appended.is !== 'clear') filled.isClear = false;
			if (appended.is === 'unknown') {
				filled.unpriced.push(batch);
				lost++;
			}
			if (appended.is === 'refused') {
				rejected.push(batch);
				refusal = appended.error;
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(atATime, open.length) }, work));
	if (cancelled?.aborted) {
		return stop('The execution was canceled while the dispatch was filled', '');
	}
	const remaining = [...rejected, ...open];
	if (remaining.length > 0 && atATime > 1) return await fillDispatch(job, filled, remaining, 1);
	if (refusal === undefined) return undefined;
	// A dispatch that was started accepts nobody, so that may be the reason unless it is seen as unstarted.
	const { id } = filled;
	const state = await lookAtDispatch(job, id);
	return wasStarted(state)
		? { ...takenOver(state), cause: refusal }
		: stop('', `Dispatch ${id} exists but isn't started.`, refusal);
};
