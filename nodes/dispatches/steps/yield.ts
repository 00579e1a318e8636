import { serviceTime } from '../../../core/transport/serviceTime';
import { askForAMinute } from '../../../core/transport/outcome';
import { listDispatches } from '../ask/partner';
import type { Checked, Job, Made } from '../job';
import { journalOf } from '../journal';
import { memoryOf } from '../memory';
import { canceledFact, type Fact } from '../words';
import { decideYield, type Wanted } from './rivals';

export const wantedOf = (job: Job): Wanted => {
	const { context, base, content, countsMs, head } = job;
	return {
		base,
		content,
		countsMs,
		channelType: head.channelType,
		run: journalOf(context).runCode,
	};
};

/** Reads the company's list until it shows our dispatch, and gives way to one that another run has started or may start. */
export const yieldToOthers = async (
	{ job, read }: Checked,
	{ id }: Made,
): Promise<Fact | { is: 'first'; createdMs: number }> => {
	const { context, head } = job;
	const { isDead } = await memoryOf(context);
	const cancelled = context.getExecutionCancelSignal();
	const wanted = wantedOf(job);
	const seen = await askForAMinute(
		async () => await listDispatches(context, head.companyId),
		(listed) =>
			decideYield(wanted, id, listed, read, isDead, serviceTime(context, 'partner') ?? Date.now()),
		cancelled,
		({ is }) => is !== 'unlisted',
	);
	if (cancelled?.aborted) return canceledFact;
	if (seen.is === 'unsure' || seen.is === 'unlisted') return { is: 'unlisted', id };
	return seen.is === 'busy' ? { ...seen, name: head.name } : seen;
};
