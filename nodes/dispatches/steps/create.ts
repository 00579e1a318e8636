import { codedName } from '../../../core/contract/dispatchName';
import { WrittenBody } from '../../../core/contract/endpoint';
import { askForAMinute } from '../../../core/transport/outcome';
import { createDispatch, type DispatchState, getDispatch, listDispatches } from '../ask/partner';
import { type Answered, momentNow, type Job, type Moment } from '../job';
import { journalOf } from '../journal';
import { comparableName } from '../plan/names';
import type { AcceptedRecipient } from '../plan/rows';
import { canceledFact, type Fact } from '../words';

/** A dispatch of this run. */
export interface Created {
	readonly is: 'created';
	readonly id: number;
	/** With its code. */
	readonly name: string;
	readonly first: Answered;
	readonly createSentAt: Moment;
}

export const isNamed = ({ name = '' }: Pick<DispatchState, 'name'>, wanted: string): boolean =>
	comparableName(name) === comparableName(wanted);

const plainOf = (name: string): string => comparableName(name).replace(/[^\p{L}\p{N}]/gu, '');

/** Whether the service has cut our name, or has taken signs out of it. Otherwise the name belongs to another dispatch. */
const isChanged = (name: string, shown: string): boolean =>
	plainOf(shown) !== '' && plainOf(name).startsWith(plainOf(shown));

/** The dispatch with exactly our name. Nobody else has it, because the run's code is in it. */
export const decideFound = (
	listed: readonly DispatchState[],
	name: string,
): { is: 'found'; id: number } | { is: 'absent' } => {
	const found = listed.find((one) => isNamed(one, name));
	return found === undefined ? { is: 'absent' } : { is: 'found', id: found.id };
};

/**
 * Creates the dispatch with the recipients of the first request. The ID in the response must lead to a dispatch with our name before
 * anything is added to it. If the response is lost, the list shows whether the dispatch exists.
 */
export const createOne = async (
	job: Job,
	batch: readonly AcceptedRecipient[],
	planned: number,
): Promise<Created | Fact> => {
	const { context, head, content, purpose, itemIndexes } = job;
	const cancelled = context.getExecutionCancelSignal();
	const journal = journalOf(context);
	const attempt = journal.all.length + 1;
	const name = codedName(head.name, { content, run: journal.runCode, planned, purpose, attempt });
	const messages = batch.map(({ recipient }) => recipient);
	const createSentAt = momentNow();
	journal.note(name, { itemIndexes });
	const created = await createDispatch(job, new WrittenBody({ ...head, name, messages }));
	if (created.is === 'refused' || created.is === 'notCarriedOut')
		return { is: 'rejected', call: 'create', error: created.error };
	const done = (id: number, first: Answered): Created => {
		journal.note(name, { id });
		return { is: 'created', id, name, first, createSentAt };
	};
	const id = created.is === 'done' ? created.value.id : undefined;
	let shown: string | undefined;
	if (id !== undefined && created.is === 'done') {
		const seen = await askForAMinute(
			async () => await getDispatch(job, id),
			(state) => ({ is: isNamed(state, name) ? 'ours' : 'other', shown: state.name }) as const,
			cancelled,
		);
		if (seen.is === 'ours') return done(id, { batch, reply: created.value });
		if (seen.is === 'other') shown = seen.shown;
	}
	const found = await askForAMinute(
		async () => await listDispatches(context, head.companyId),
		(listed) => decideFound(listed, name),
		cancelled,
	);
	if (found.is === 'found') return done(found.id, { batch });
	if (cancelled?.aborted) return canceledFact;
	if (shown !== undefined && isChanged(name, shown)) return { is: 'renamed', name, shown };
	return {
		is: 'notConfirmed',
		error: created.is === 'unknown' ? created.error : undefined,
	};
};
