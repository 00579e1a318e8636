import {
	absent,
	type Look,
	lookForAMinute,
	ServiceError,
} from '../../../../../core/transport/outcome';
import { place, stop, writtenFor, type Filled, type Job, type Stop } from './job';
import { appendMessages, messagesIn } from './service';

const appendsAtATime = 4;

/** What became of one request. */
type Appended = { is: 'clear' | 'unclear' | 'unknown' } | { is: 'refused'; error: Error };

const appendOne = async (
	job: Job,
	filled: Filled,
	indexes: readonly number[],
): Promise<Appended> => {
	const sent = await appendMessages(job, filled.id, writtenFor(job, indexes));
	if (sent.is === 'unknown') return { is: 'unknown' };
	if (sent.is !== 'done') return { is: 'refused', error: sent.error };
	return { is: place(job, filled, indexes, sent.value) ? 'clear' : 'unclear' };
};

/** Whether the dispatch's list shows everybody in these requests. */
const areThere = async (
	job: Job,
	{ id }: Filled,
	batches: ReadonlyArray<readonly number[]>,
): Promise<boolean> => {
	const look = async (): Promise<Look<true>> => {
		const held = new Map<string, number>();
		for (const { destination } of await messagesIn(job, id)) {
			held.set(destination, (held.get(destination) ?? 0) + 1);
		}
		for (const index of batches.flat()) {
			const number = job.recipients.at(index)?.destination ?? '';
			const left = held.get(number) ?? 0;
			if (left === 0) return absent;
			held.set(number, left - 1);
		}
		return { is: 'found', value: true };
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
	batches: ReadonlyArray<readonly number[]>,
	atATime = appendsAtATime,
): Promise<'filled' | 'spoiled' | Stop> => {
	const { context } = job;
	const cancelled = context.getExecutionCancelSignal();
	const open = [...batches];
	const lost: Array<readonly number[]> = [];
	let alone: Array<readonly number[]> = [];
	let refusal: Error | undefined;
	const work = async () => {
		while (lost.length === 0 && refusal === undefined && !cancelled?.aborted) {
			const indexes = open.shift();
			if (indexes === undefined) return;
			const appended = await appendOne(job, filled, indexes);
			if (appended.is === 'unknown') lost.push(indexes);
			if (appended.is === 'unclear') filled.isClear = false;
			if (appended.is === 'refused') {
				alone.push(indexes);
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
		return stop('', `Dispatch ${filled.id} exists but isn't started.`, refusal);
	}
	alone = [...alone, ...open];
	return alone.length === 0 ? 'filled' : await fillDispatch(job, filled, alone, 1);
};
