import type { IExecuteFunctions } from 'n8n-workflow';
import { ledgerOf } from '../../../core/engine/ledger';
import { withSecretsHidden } from '../../../core/transport/connection';
import { partnerApi } from '../ask/partner';
import { acceptedIn, msSince, type Checked, type Job, type Made } from '../job';
import { journalOf, mayBeSent, type DispatchRecord } from '../journal';
import { memoryOf, releaseNames } from '../memory';
import { doneWords, factError, type Fact } from '../words';
import { rejectedAll, startObjection, type StartLimits } from './limits';
import { makeDispatch } from './make';
import { withReason } from './refusal';
import { latestStartMs, leftAfterMs } from './rivals';
import { moveDispatch, onlyLook, type StartOutcome } from './start';
import { yieldToOthers } from './yield';

/** What the start of a dispatch came to. */
type Launched = { made: Made } & (
	| { started: true; status: string }
	| { started: false; notStartedBecause: string }
);

/** From the first start on, every error of the run says what was sent. */
const noteStart = (context: IExecuteFunctions, name: string, start: StartOutcome): void => {
	const journal = journalOf(context);
	journal.note(name, { start });
	ledgerOf(context).acts = () => doneWords(journal.all);
};

/** What this process tells its other runs, when a dispatch is being sent. */
const remember = async ({ job }: Checked, { id, placed, state }: Made): Promise<void> => {
	const { context, head, base, content, recipients } = job;
	const memory = await memoryOf(context);
	memory.noteStarted({ id, companyId: head.companyId, base, content });
	// A loop with one person a round would read all rounds before it. A large dispatch is read once, if it has to be.
	if (recipients.length > job.batchSize || state.total === undefined) return;
	const sent = recipients.filter(({ position }) => placed[position]);
	const texts = new Map(sent.map(({ destination, text }) => [destination, text]));
	memory.noteHeld(id, { texts, count: state.total });
};

/** Makes a dispatch that this run may start, or throws why there is none. */
export const makeOurs = async (checked: Checked): Promise<{ made: Made; createdMs: number }> => {
	const { context, ifSent, head } = checked.job;
	const fail = async (fact: Fact): Promise<never> => {
		if (fact.is !== 'rejected') throw factError(context, fact);
		const { call, id: dispatchId } = fact;
		const about =
			call === 'create'
				? { companyId: head.companyId }
				: ({ dispatchId, call: 'append', api: partnerApi } as const);
		throw factError(context, { ...fact, error: await withReason(context, fact.error, about) });
	};
	const made = await makeDispatch(checked);
	if (made.is !== 'made') return await fail(made);
	if (ifSent === 'anyway')
		return { made, createdMs: Date.parse(made.state.createdAt ?? '') || Date.now() };
	const yielded = await yieldToOthers(checked, made);
	return yielded.is === 'first' ? { made, ...yielded } : await fail(yielded);
};

/** A test goes to the user's own number. */
const isSentAnyway = ({ ifSent, purpose }: Job): boolean =>
	ifSent === 'anyway' && purpose !== 'test';

/** What an earlier try of this run has started, or may have started. */
const resume = async (
	context: IExecuteFunctions,
	{ name, id = 0, start, made: before }: DispatchRecord,
): Promise<Launched | undefined> => {
	if (before === undefined || start === undefined) return undefined;
	const { checked, made } = before;
	const seen =
		start.is === 'done' ? start : await onlyLook(context, partnerApi, id, 'start', start);
	if (seen.is === 'done') {
		noteStart(context, name, seen);
		await remember(checked, made);
		return { made, started: true, status: seen.value.status };
	}
	const until = (Date.parse(made.state.createdAt ?? '') || Date.now()) + leftAfterMs;
	const isAnyway = isSentAnyway(checked.job);
	throw factError(context, { is: 'startUnknown', id, until, error: seen.error, isAnyway });
};

/** Makes a dispatch and starts it within the limits. */
export const launchDispatch = async (
	context: IExecuteFunctions,
	checked: Checked,
	limits: StartLimits,
	/** The share of the intended recipients, if the service accepted so many. */
	shareOf: (accepted: number) => number,
): Promise<Launched> => {
	const journal = journalOf(context);
	const { job } = checked;
	const tried = journal.of(job.itemIndexes).find(mayBeSent);
	const resumed = tried && (await resume(context, tried));
	if (resumed !== undefined) return resumed;
	const { made, createdMs } = await makeOurs(checked);
	const { id, name } = made;
	const share = shareOf(acceptedIn(made.placed));
	const given = startObjection(limits, made, journal.all.filter(mayBeSent), share);
	// It goes into a row too, and shows what the service sent.
	const objection = given && withSecretsHidden(context, given);
	// Those who have it already make a run green, even if the service rejects all others.
	const isResult =
		limits.whenPassed === 'leave' || (objection === rejectedAll && checked.hasIt.length > 0);
	if (objection !== undefined && isResult)
		return { made, started: false, notStartedBecause: objection };
	if (objection !== undefined) throw factError(context, { is: 'limit', id, objection });
	const isLate = () => msSince(made.createSentAt) >= latestStartMs;
	if (isLate()) throw factError(context, { is: 'late', id });
	// Recorded before the request, so that a start that is cut off is never taken for one that wasn't tried.
	noteStart(context, name, { is: 'unknown', error: new Error('The start was interrupted') });
	const start = await moveDispatch(context, partnerApi, id, 'start', isLate);
	noteStart(context, name, start);
	if (start.is === 'done') {
		await remember(checked, made);
		return { made, started: true, status: start.value.status };
	}
	const { error } = start;
	if (start.is === 'unknown')
		throw factError(context, {
			is: 'startUnknown',
			id,
			until: createdMs + leftAfterMs,
			error,
			isAnyway: isSentAnyway(job),
		});
	const { companyId } = job.head;
	const about = { dispatchId: id, companyId, call: 'start', api: partnerApi } as const;
	const reason = await withReason(context, error, about);
	throw factError(context, { is: 'rejected', call: 'start', id, error: reason });
};

/**
 * When the run has really returned, this process knows that what it hasn't tried to start will never be started. A process that is
 * killed doesn't get here: then it takes half an hour.
 */
export const endRun = async (context: IExecuteFunctions): Promise<void> => {
	try {
		for (const one of journalOf(context).all) {
			if (one.id === undefined || mayBeSent(one) || one.isKept) continue;
			(await memoryOf(context)).noteDead(one.id);
		}
	} finally {
		releaseNames(ledgerOf(context));
	}
};
