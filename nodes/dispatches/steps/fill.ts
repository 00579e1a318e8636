import { WrittenBody } from '../../../core/contract/endpoint';
import { appendMessages } from '../ask/partner';
import type { Answered, Job } from '../job';
import type { AcceptedRecipient } from '../plan/rows';

/** After so many requests that failed, no others are sent: the dispatch stays incomplete, and nobody starts it. */
const mostFailed = 3;

/** What came of the requests, and the last rejection. */
interface Filled {
	readonly answers: readonly Answered[];
	readonly rejection?: Error;
}

/**
 * Adds the recipients of all requests, several at a time. No request is sent again to the same dispatch: whether one that failed was
 * carried out all the same is seen when the dispatch is compared.
 */
export const fillDispatch = async (
	job: Job,
	id: number,
	batches: ReadonlyArray<readonly AcceptedRecipient[]>,
	atATime: number,
): Promise<Filled> => {
	const cancelled = job.context.getExecutionCancelSignal();
	const answers: Answered[] = [];
	const open = batches.values();
	let failed = 0;
	let rejection: Error | undefined;
	const work = async () => {
		for (const batch of open) {
			if (failed >= mostFailed || cancelled?.aborted) return;
			const messages = batch.map(({ recipient }) => recipient);
			const sent = await appendMessages(job, id, new WrittenBody({ messages }));
			answers.push({ batch, reply: sent.is === 'done' ? sent.value : undefined });
			if (sent.is === 'done') continue;
			failed++;
			if (sent.is !== 'unknown') rejection = sent.error;
		}
	};
	await Promise.all(Array.from({ length: Math.min(atATime, batches.length) }, work));
	return { answers, rejection };
};
