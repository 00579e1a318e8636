import {
	absent,
	type Look,
	lookForAMinute,
	ServiceError,
} from '../../../../../core/transport/outcome';
import type { AcceptedRecipient } from '../plan/rows';
import {
	byNumber,
	place,
	startedByOthers,
	stop,
	takenOver,
	writtenFor,
	type Filled,
	type Job,
	type Stop,
} from './job';
import { appendMessages, getDispatch, messagesIn } from './service';

const appendsAtATime = 6;

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

/** Whether the dispatch's list shows everybody in these requests. */
const areThere = async (job: Job, { id }: Filled, batches: readonly Batch[]): Promise<boolean> => {
	const look = async (): Promise<Look<true>> => {
		const held = byNumber(await messagesIn(job, id));
		const isThere = batches.flat().every(({ destination }) => held.has(destination));
		return isThere ? { is: 'found', value: true } : absent;
	};
	const seen = await lookForAMinute(look, job.context.getExecutionCancelSignal());
	return seen.is === 'found';
};

/** A service that adds one request at a time answers another one with an error. */
const isBusy = (error: Error) =>
	error instanceof ServiceError && [409, 423, 429].includes(error.problem.status ?? 0);

/**
 * Adds the recipients of all requests, several requests at a time. No request that may have been carried out is sent again: one
 * that is lost and not found afterwards spoils the dispatch. A rejected one wasn't carried out, so it may be tried once more, alone.
 */
export const fillDispatch = async (
	job: Job,
	filled: Filled,
	batches: readonly Batch[],
	atATime = appendsAtATime,
): Promise<'filled' | 'spoiled' | Stop> => {
	const { context } = job;
	const cancelled = context.getExecutionCancelSignal();
	const open = [...batches];
	const lost: Batch[] = [];
	let alone: Batch[] = [];
	let refusal: Error | undefined;
	const work = async () => {
		while (lost.length === 0 && refusal === undefined && !cancelled?.aborted) {
			const batch = open.shift();
			if (batch === undefined) return;
			const appended = await appendOne(job, filled, batch);
			if (appended.is === 'unknown') lost.push(batch);
			if (appended.is === 'unclear') filled.isClear = false;
			if (appended.is === 'refused') {
				alone.push(batch);
				if (atATime === 1 || !isBusy(appended.error)) refusal = appended.error;
				return;
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(atATime, open.length) }, work));
	if (cancelled?.aborted) {
		return stop('The execution was canceled while the dispatch was filled', '');
	}
	if (lost.length > 0) {
		filled.isClear = false;
		if (!(await areThere(job, filled, lost))) return 'spoiled';
		refusal = undefined;
	} else if (refusal !== undefined && atATime === 1) {
		// A dispatch that was started accepts nobody, so that may be the reason.
		const state = await getDispatch(job, filled.id).catch(() => undefined);
		if (state !== undefined && startedByOthers(context, state)) return takenOver(state);
		const isUnstarted = state?.status === 'CREATED';
		return stop(
			'',
			`Dispatch ${filled.id} exists ${isUnstarted ? "but isn't started" : 'and was not started by this run'}.`,
			refusal,
		);
	}
	alone = [...alone, ...open];
	return alone.length === 0 ? 'filled' : await fillDispatch(job, filled, alone, 1);
};
