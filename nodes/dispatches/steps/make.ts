import type { Checked, Job, Made } from '../job';
import { journalOf } from '../journal';
import type { AcceptedRecipient } from '../plan/rows';
import { canceledFact, type Fact } from '../words';
import { compareDispatch } from './compare';
import { createOne } from './create';
import { fillDispatch } from './fill';
import { accountCurrency } from './limits';

const mostAttempts = 2;
const appendsAtATime = 6;

const inRequests = (
	all: readonly AcceptedRecipient[],
	size: number,
): ReadonlyArray<readonly AcceptedRecipient[]> =>
	Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
		all.slice(index * size, (index + 1) * size),
	);

/** Create, fill, compare. */
const attempt = async (
	job: Job,
	recipients: readonly AcceptedRecipient[],
	atATime: number,
): Promise<Made | Fact> => {
	const [batch = [], ...others] = inRequests(recipients, job.batchSize);
	const created = await createOne(job, batch, recipients.length);
	if (created.is !== 'created') return created;
	const { id, name, first, createSentAt } = created;
	const { answers, rejection } = await fillDispatch(job, id, others, atATime);
	if (job.context.getExecutionCancelSignal()?.aborted) return canceledFact;
	const compared: Awaited<ReturnType<typeof compareDispatch>> =
		answers.length < others.length
			? { is: 'incomplete', id }
			: await compareDispatch(job, recipients, created, [first, ...answers]);
	if (compared.is !== 'exact' && compared.is !== 'unpriced') {
		const isRejected = compared.is === 'incomplete' && rejection !== undefined;
		return isRejected ? { is: 'rejected', call: 'append', id, error: rejection } : compared;
	}
	// Read here, because after the yield nothing may take time.
	const currency = compared.booked.currency ?? (await accountCurrency(job.context));
	const { state, placed } = compared;
	return { is: 'made', id, name, placed, state, currency, createSentAt };
};

/**
 * Makes a dispatch that holds everybody exactly once. One that isn't started sends nothing, so one that isn't exactly right is left,
 * and a new one is made, once, with one request at a time. A late request then lands in a dispatch that nobody starts.
 */
export const makeDispatch = async (checked: Checked): Promise<Made | Fact> => {
	const { job } = checked;
	const everybody = job.recipients;
	let recipients = everybody;
	for (let attempts = 1; ; attempts++) {
		const result = await attempt(job, recipients, attempts === 1 ? appendsAtATime : 1);
		const isLast = attempts >= mostAttempts;
		if (result.is === 'made') {
			const placed = [...result.placed];
			const accepted = recipients.filter(({ position }) => placed[position]);
			const { total = 0 } = result.state;
			// A dispatch that waits to be started must show that it is complete, even if the service doesn't count whom it rejects.
			if (job.purpose === 'keep' && accepted.length > 0 && total < recipients.length && !isLast) {
				recipients = accepted;
				continue;
			}
			for (const { position } of everybody) placed[position] ??= null;
			const made = { ...result, placed };
			journalOf(job.context).note(made.name, { made: { checked, made } });
			return made;
		}
		const isOpen = ['notConfirmed', 'incomplete', 'renamed', 'rejected'].includes(result.is);
		const isHopeless = result.is === 'rejected' && result.call === 'create';
		if (isLast || !isOpen || isHopeless) return result;
	}
};
